package beamrt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/training/input"
)

func init() {
	register.DoFn4x1[context.Context, Block, State, func(Partial), error](&writeFn{})
	register.DoFn3x1[context.Context, State, func(*Partial) bool, error](&commitFn{})
}

// writeFn writes the parts of results that blocks have, under temporary names.
type writeFn struct {
	worker
	Out Outputs
}

// ProcessElement is called for each block.
func (f *writeFn) ProcessElement(ctx context.Context, b Block, s State, yield func(Partial)) error {
	if s.Failed != nil {
		return nil
	}
	src, err := f.open(s)
	if err != nil {
		return telling(err)
	}
	wholes, err := f.wholes(ctx, src, s)
	if err != nil {
		return telling(err)
	}
	parts, err := f.kernel.Load(ctx, src, len(f.kernel.Stages), b.Place, wholes, b.Parts)
	if err != nil {
		return telling(err)
	}
	blocks, err := f.kernel.Blocks(s.Wholes, s.Size)
	if err != nil {
		return telling(err)
	}
	var written []string
	for _, sink := range f.Out.Sinks {
		r := f.kernel.Results[sink.Result]
		if !r.Block {
			continue
		}
		files, err := f.Out.write(ctx, sink, r, parts[r.Slot], b.Place.Block, len(blocks))
		if err != nil {
			return telling(fmt.Errorf("%s: result %s: %w", f.kernel.Name, r.Name, err))
		}
		written = append(written, files...)
	}
	yield(Partial{Written: written})
	return nil
}

// commitFn writes whole results, and gives all files their names.
type commitFn struct {
	worker
	Out Outputs
}

// ProcessElement is called once, when all else is done.
func (f *commitFn) ProcessElement(ctx context.Context, s State, all func(*Partial) bool) error {
	if s.Failed != nil {
		return s.Failed.marked()
	}
	blocks, err := f.kernel.Blocks(s.Wholes, s.Size)
	if err != nil {
		return telling(err)
	}
	var written []string
	for p := (Partial{}); all(&p); {
		written = append(written, p.Written...)
	}
	want := 0
	var wholes []cluster.Value
	for _, sink := range f.Out.Sinks {
		r := f.kernel.Results[sink.Result]
		if r.Block {
			want += len(blocks)
			continue
		}
		if wholes == nil {
			src, err := f.open(s)
			if err != nil {
				return telling(err)
			}
			if wholes, err = f.wholes(ctx, src, s); err != nil {
				return telling(err)
			}
		}
		files, err := f.Out.write(ctx, sink, r, wholes[r.Slot], 0, 1)
		if err != nil {
			return telling(fmt.Errorf("%s: result %s: %w", f.kernel.Name, r.Name, err))
		}
		written = append(written, files...)
		want++
	}
	if len(written) != 2*want {
		return telling(fmt.Errorf("%s: %d files of results are written, and not %d", f.kernel.Name, len(written)/2, want))
	}
	for i := 0; i < len(written); i += 2 {
		if err := rename(ctx, written[i], written[i+1]); err != nil {
			return telling(fmt.Errorf("%s: %w", f.kernel.Name, err))
		}
	}
	return nil
}

// write writes a part of a result, and returns the temporary name and the one that it is to get.
func (o Outputs) write(ctx context.Context, sink Sink, r cluster.Result, v cluster.Value, number, of int) ([]string, error) {
	name := strings.Replace(sink.Pattern, "*", fmt.Sprintf("%08d-of-%08d", number, of), 1)
	temp := nameIn(folderOf(name), o.temporary()+"-"+rand.Text()+filepath.Ext(name))
	if sink.Coded {
		data, err := cluster.AppendValues(nil, []cluster.Value{v})
		if err != nil {
			return nil, err
		}
		return []string{temp, name}, os.WriteFile(temp, data, 0o666)
	}
	kind, rank := cluster.TypeOf(v)
	k, err := input.ParseKind(kind)
	switch {
	case err != nil:
		return nil, err
	case rank == 0:
		err = writeValue(ctx, temp, input.Value{Kind: k, Data: cluster.Single(v)})
	case rank == 1:
		err = writeValue(ctx, temp, input.Value{Kind: k, Dims: []int{cluster.Len(v)}, Data: v})
	default:
		err = errors.New("rows do not fit a .npy file")
	}
	return []string{temp, name}, err
}

// temporary is how all temporary names of a run begin.
func (o Outputs) temporary() string { return ".surge-" + o.Run }

// clean removes what a run has left under temporary names; what is written under such a name has another one before.
func (o Outputs) clean() (found bool) {
	for _, sink := range o.Sinks {
		for _, dot := range []string{"", "."} {
			left, _ := glob(nameIn(folderOf(sink.Pattern), dot+o.temporary()+"-*"))
			for _, file := range left {
				remove(file)
				found = true
			}
		}
	}
	return found
}

// abandon removes what a run that has failed has left, for as long as workers that do not know it yet go on writing.
func (o Outputs) abandon() {
	o.undo()
	end := time.Now().Add(5 * time.Second)
	for quiet := 0; quiet < 3 && time.Now().Before(end); quiet++ {
		if o.clean() {
			quiet = 0
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// undo removes what of a run that has failed has its name already: there was nothing of such names when it began.
func (o Outputs) undo() {
	digits := strings.Repeat("[0-9]", 8)
	for _, sink := range o.Sinks {
		named, _ := glob(strings.Replace(sink.Pattern, "*", digits+"-of-"+digits, 1))
		for _, file := range named {
			remove(file)
		}
	}
}

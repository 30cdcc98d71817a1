package beamrt

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/surge-ndp/surge/codegen/cluster"
)

// Block is an element of a pipeline: a block of a kernel's outermost level with the block values that are on their way,
// nil for those that are not.
type Block struct {
	Place cluster.Place
	Parts []cluster.Value
}

// State is what all blocks share: the whole values, nil for those that are not computed yet, or that each worker reads
// itself.
type State struct {
	Wholes []cluster.Value
	Inputs Inputs
	Size   int      // elements of a block
	Failed *Failure // nothing runs any more
}

// Partial is what some blocks of a stage yield together.
type Partial struct {
	Gathered cluster.Gathered
	Written  []string // files under temporary names, and then, in turn, under theirs
	Failed   *Failure
}

// Failure is a [cluster.Error] on its way to the end of the pipeline. It travels as data, as it would come again if an
// engine tried again.
type Failure struct {
	Kernel, Pos, Text string
	Block             int
}

// failure returns what a kernel's error is on its way, or the error itself if another try might succeed.
func failure(err error) (*Failure, error) {
	var e *cluster.Error
	if errors.As(err, &e) {
		return &Failure{Kernel: e.Kernel, Pos: e.Pos, Text: e.Text, Block: e.Block}, nil
	}
	return nil, err
}

// err returns the error that it is.
func (f *Failure) err() error {
	return &cluster.Error{Kernel: f.Kernel, Pos: f.Pos, Text: f.Text, Block: f.Block}
}

// earlier returns the failure of the earlier block, which is what a run that goes from block to block meets.
func earlier(a, b *Failure) *Failure {
	if a == nil || b != nil && b.Block < a.Block {
		return b
	}
	return a
}

func init() {
	beam.RegisterType(reflect.TypeFor[Block]())
	beam.RegisterType(reflect.TypeFor[State]())
	beam.RegisterType(reflect.TypeFor[Partial]())
	beam.RegisterCoder(reflect.TypeFor[Block](), encodeBlock, decodeBlock)
	beam.RegisterCoder(reflect.TypeFor[State](), encodeState, decodeState)
	beam.RegisterCoder(reflect.TypeFor[Partial](), encodePartial, decodePartial)
}

func encodeBlock(b Block) ([]byte, error) {
	buf := b.Place.Append(make([]byte, 0, cluster.Size(b.Parts...)+24*len(b.Parts)+32))
	return cluster.AppendValues(buf, b.Parts)
}

func decodeBlock(data []byte) (b Block, err error) {
	if b.Place, data, err = cluster.DecodePlace(data); err != nil {
		return b, err
	}
	b.Parts, data, err = cluster.DecodeValues(data)
	return b, nothingLeft(data, err)
}

// head is what of a state is not bulk.
type head struct {
	Patterns []string
	Size     int
	Failed   *Failure
}

func encodeState(s State) ([]byte, error) {
	h := head{Size: s.Size, Failed: s.Failed}
	values := make([]cluster.Value, len(s.Inputs))
	for i, in := range s.Inputs {
		h.Patterns, values[i] = append(h.Patterns, in.Shards), in.Value
	}
	buf, err := appendJSON(nil, h)
	if err != nil {
		return nil, err
	}
	if buf, err = cluster.AppendValues(buf, s.Wholes); err != nil {
		return nil, err
	}
	return cluster.AppendValues(buf, values)
}

func decodeState(data []byte) (s State, err error) {
	var h head
	if data, err = readJSON(data, &h); err != nil {
		return s, err
	}
	s.Size, s.Failed = h.Size, h.Failed
	if s.Wholes, data, err = cluster.DecodeValues(data); err != nil {
		return s, err
	}
	values, data, err := cluster.DecodeValues(data)
	if err == nil && len(values) != len(h.Patterns) {
		err = fmt.Errorf("%d inputs of %d", len(values), len(h.Patterns))
	}
	if err := nothingLeft(data, err); err != nil {
		return s, err
	}
	for i, pattern := range h.Patterns {
		s.Inputs = append(s.Inputs, Input{Shards: pattern, Value: values[i]})
	}
	return s, nil
}

// tail is what of partials is not bulk.
type tail struct {
	Written []string
	Failed  *Failure
}

func encodePartial(p Partial) ([]byte, error) {
	buf, err := appendJSON(nil, tail{p.Written, p.Failed})
	if err != nil {
		return nil, err
	}
	return p.Gathered.Append(buf)
}

func decodePartial(data []byte) (p Partial, err error) {
	var t tail
	if data, err = readJSON(data, &t); err != nil {
		return p, err
	}
	p.Written, p.Failed = t.Written, t.Failed
	p.Gathered, data, err = cluster.DecodeGathered(data)
	return p, nothingLeft(data, err)
}

func appendJSON(buf []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(binary.AppendUvarint(buf, uint64(len(text))), text...), err
}

func readJSON(data []byte, v any) (rest []byte, err error) {
	n, k := binary.Uvarint(data)
	if k <= 0 || n > uint64(len(data)-k) {
		return nil, errors.New("an element of a pipeline ends too early")
	}
	data = data[k:]
	return data[n:], json.Unmarshal(data[:n], v)
}

func nothingLeft(data []byte, err error) error {
	if err == nil && len(data) > 0 {
		return fmt.Errorf("an element of a pipeline has %d bytes too many", len(data))
	}
	return err
}

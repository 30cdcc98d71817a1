package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/surge-ndp/surge/training/input"
)

// vendorScript times the cases that libraries have.
//
//go:embed vendor.py
var vendorScript []byte

// vendor collects cases for the script.
type vendor struct {
	dir   string // for files
	cases []vendorCase
}

// vendorCase is a case as the script reads it, by the name of its kernel.
type vendorCase struct {
	Name      string           `json:"name"`
	Kernel    string           `json:"kernel"`
	Arguments []vendorArgument `json:"arguments"`
}

// vendorArgument is a number, the length of an array of random numbers, or a file of indices: those decide what there
// is to do.
type vendorArgument struct {
	Type    string  `json:"type"`
	Value   float64 `json:"value"`
	Shape   []int   `json:"shape"`
	Indices string  `json:"indices,omitempty"`
}

// vendorTime is what the script prints for a case.
type vendorTime struct {
	Name, Library string
	Microseconds  float64
}

func (v *vendor) add(c *sideBySide, args []input.Value) error {
	k := vendorCase{Name: c.name, Kernel: c.kernel}
	for i, a := range args {
		x := vendorArgument{Type: a.Kind.String(), Shape: a.Dims}
		switch a.Kind {
		case input.Float32, input.Float64:
			if len(a.Dims) == 0 {
				x.Value = a.Float64(0)
			}
		default:
			if len(a.Dims) == 0 {
				x.Value = a.Float64(0)
				break
			}
			x.Indices = filepath.Join(v.dir, fmt.Sprintf("%d-%d", len(v.cases), i))
			f, err := os.Create(x.Indices)
			if err != nil {
				return err
			}
			w := bufio.NewWriter(f)
			err = input.WriteRaw(w, a)
			if err == nil {
				err = w.Flush()
			}
			if e := f.Close(); err == nil {
				err = e
			}
			if err != nil {
				return err
			}
		}
		k.Arguments = append(k.Arguments, x)
	}
	v.cases = append(v.cases, k)
	return nil
}

// run returns the times by case; none, with a message, where there is no Python or no library.
func (v *vendor) run(ctx context.Context) map[string]vendorTime {
	text, err := json.Marshal(v.cases)
	if err != nil {
		panic(err) // numbers and texts
	}
	cmd := exec.CommandContext(ctx, "python3", "-c", string(vendorScript))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "no times of libraries: python3:", err)
	}
	times := map[string]vendorTime{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var t vendorTime
		if dec.Decode(&t) != nil {
			return times
		}
		times[t.Name] = t
	}
}

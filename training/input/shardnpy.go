package input

import (
	"context"
	"fmt"
	"io"
)

// shardArray cuts a NumPy array along its first dimension.
func shardArray(ctx context.Context, spec string, r io.Reader, size int64, out *shardFolder) (*Sharded, error) {
	bad := func(code, what, why, do string) error {
		return &Error{File: spec, What: what, Code: code, Why: why, Do: do}
	}
	for name := range out.Types {
		return nil, bad("usage", "the type of "+name+" is given", "the elements of an array stay as they are", "leave out the type, or save the array with another one")
	}
	h, head, err := readNpyHeader(spec, r)
	if err != nil {
		return nil, err
	}
	kind, big, err := npyElements(spec, h)
	if err != nil {
		return nil, err
	}
	dims := h.Descr.Shape
	switch {
	case len(dims) == 0:
		return nil, bad("shard-width", "this is a single number", "an array is cut along its first dimension", "write an array of one element")
	case h.Descr.Fortran && len(dims) > 1:
		return nil, bad("unsupported-order", "an array in Fortran order", "its rows are not one after the other", "save numpy.ascontiguousarray(a)")
	}
	if size >= 0 {
		if err := npyFits(spec, h, kind, size-head); err != nil {
			return nil, err
		}
	}
	x, err := out.field("data", kind, dims[1:]...)
	if err != nil {
		return nil, err
	}
	rows, width := int64(dims[0]), x.row*int64(kind.Size())
	each := out.Rows // rows of a shard
	if each == 0 {
		each = max(out.Bytes/max(width, 1), 1)
	}
	buf := make([]byte, 1<<20)
	for done := int64(0); done < rows || done == 0; {
		n := min(each, rows-done)
		for left := n * width; left > 0; {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			part := buf[:min(int64(len(buf)), left)]
			if err := fill(r, part); err == io.EOF {
				return nil, bad("npy-truncated", fmt.Sprintf("the file ends before the %d elements of its header", rows*x.row), "it was cut off while it was written or copied",
					"write or fetch the file again")
			} else if err != nil {
				return nil, readError(spec, 0, err)
			}
			if kind == Bool {
				if err := checkBools(part); err != nil {
					return nil, readError(spec, 0, err)
				}
			}
			if big == littleEndian && kind.Size() > 1 { // it is not in the order of memory
				part = swapped(part, kind.Size())
			}
			if err := x.write(part); err != nil {
				return nil, err
			}
			left -= int64(len(part))
			out.tell()
		}
		if err := x.end(); err != nil {
			return nil, err
		}
		done += n
		if out.rows = done; rows == 0 {
			break
		}
	}
	// One byte more: a container checks its checksum when its end is read.
	if k, err := r.Read(make([]byte, 1)); k > 0 {
		return nil, bad("npy-extra", fmt.Sprintf("the file goes on after its %d elements", rows*x.row), "header and content disagree", "write or fetch the file again")
	} else if err != nil && err != io.EOF {
		return nil, readError(spec, 0, err)
	}
	return &Sharded{Rows: rows, Columns: x.row, Entries: rows * x.row}, nil
}

// fill reads as much as there is room. The error is io.EOF if the reader has less, also in the middle, and nothing else
// is wrong with it.
func fill(r io.Reader, p []byte) error {
	_, err := io.ReadFull(r, p)
	if err == io.ErrUnexpectedEOF {
		if _, err = r.Read(make([]byte, 1)); err == nil { // of a container that ends early it is the same again
			err = io.EOF
		}
	}
	return err
}

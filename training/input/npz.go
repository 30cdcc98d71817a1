package input

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readNpz reads all members of a NumPy archive. A member of a type that kernels
// do not have does not spoil the others: asking for it gives the reason.
func readNpz(ctx context.Context, file string, r io.ReaderAt, size, limit int64) (*Source, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &Error{File: file, What: "this is not a NumPy archive", Code: "bad-npz", Err: err,
			Why: "a .npz file is a zip archive: " + err.Error(), Do: "check that this is the right file, or write it again"}
	}
	s := &Source{form: formArchive, refused: map[string]string{}}
	left := limit
	if left <= 0 {
		left = memoryLimit()
	}
	seen := map[string]bool{}
	for _, member := range z.File {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		name, ok := strings.CutSuffix(member.Name, ".npy")
		if !ok {
			continue
		}
		if seen[name] {
			return nil, &Error{File: file, What: "the archive holds two members " + excerpt(member.Name), Code: "duplicate-name",
				Why: "a member is chosen by its name", Do: "write the archive again, each array once"}
		}
		seen[name] = true
		v, err := readMember(file+":"+member.Name, member, left)
		var e *Error
		switch {
		case errors.As(err, &e) && e.Code == "unsupported-type":
			s.refused[name] = e.What + "; " + e.Why
			continue
		case err != nil:
			return nil, err
		}
		s.arrays = append(s.arrays, namedValue{name, v})
		left = max(left-int64(len(memory(v.Data))), 1) // members may share their bytes in the file, but not in memory
	}
	if len(s.arrays) == 0 {
		return nil, &Error{File: file, What: "the archive holds no usable array", Code: "empty",
			Why: fmt.Sprintf("it has %d members, none of them a numeric .npy", len(z.File)), Do: "write it with numpy.savez"}
	}
	return s, nil
}

func readMember(name string, member *zip.File, limit int64) (Value, error) {
	size := member.UncompressedSize64
	if err := checkSize(int64(min(size, 1<<62)), 1, limit); err != nil {
		e := err.(*Error)
		e.File = name
		return Value{}, e
	}
	in, err := member.Open()
	if err != nil {
		return Value{}, memberError(name, err)
	}
	defer in.Close()
	v, err := readNpy(name, in, int64(size), false, limit)
	var e *Error
	if errors.As(err, &e) && e.Err != nil {
		return Value{}, memberError(name, e.Err)
	}
	return v, err
}

func memberError(name string, err error) error {
	return &Error{File: name, What: "the member cannot be unpacked", Code: "bad-npz",
		Why: err.Error(), Do: "write or fetch the archive again", Err: err}
}

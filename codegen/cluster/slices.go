package cluster

import (
	"context"
	"fmt"
)

// Slices is a [Source] of values in memory, one for each parameter.
type Slices []Value

// Len implements [Source].
func (s Slices) Len(_ context.Context, param int) (int, error) {
	if param >= len(s) {
		return 0, fmt.Errorf("parameter %d of %d values", param, len(s))
	}
	if rows, ok := s[param].(Rows); ok {
		if err := checkRows(rows); err != nil {
			return 0, err
		}
	}
	return Len(s[param]), nil
}

// Read implements [Source].
func (s Slices) Read(ctx context.Context, param, lo, hi int) (Value, error) {
	n, err := s.Len(ctx, param)
	if err != nil {
		return nil, err
	}
	if kind, rank := TypeOf(s[param]); kind == "" {
		return nil, fmt.Errorf("a %T is no value of a kernel", s[param])
	} else if rank == 0 {
		return s[param], nil
	}
	if lo < 0 || lo > hi || hi > n {
		return nil, fmt.Errorf("elements [%d, %d) of %d", lo, hi, n)
	}
	return Slice(s[param], lo, hi), nil
}

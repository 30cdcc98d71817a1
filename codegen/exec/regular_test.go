package exec

import (
	"slices"
	"testing"
)

func TestPackRegular(t *testing.T) {
	all := []int32{0, 1, 2, 3, 4, 5, 6, 7}
	for name, c := range map[string]struct {
		rows      [][]int32
		even      bool
		n, length int
		copied    bool
	}{
		"none":          {rows: nil, even: true, n: 0, length: 1},
		"one":           {rows: [][]int32{all[:3]}, even: true, n: 1, length: 3},
		"empty":         {rows: [][]int32{{}, {}}},
		"one behind":    {rows: [][]int32{all[:4], all[4:]}, even: true, n: 2, length: 4},
		"behind a gap":  {rows: [][]int32{all[:2], all[3:5], all[5:7]}, even: true, n: 3, length: 2, copied: true},
		"another order": {rows: [][]int32{all[2:4], all[:2]}, even: true, n: 2, length: 2, copied: true},
		"cut off":       {rows: [][]int32{all[:2:2], all[2:4]}, even: true, n: 2, length: 2, copied: true},
		"the same":      {rows: [][]int32{all[:2], all[:2]}, even: true, n: 2, length: 2, copied: true},
		"ragged":        {rows: [][]int32{all[:3], all[3:5]}},
		"a short one":   {rows: [][]int32{all[:3], all[3:6], {}}},
	} {
		if got := Even(c.rows); got != c.even {
			t.Errorf("%s: Even says %v", name, got)
		}
		if !c.even {
			continue
		}
		data, n, length := PackRegular(&Call{}, c.rows)
		if n != c.n || length != c.length || !slices.Equal(data, slices.Concat(c.rows...)) {
			t.Errorf("%s: %v, %d rows of %d", name, data, n, length)
		}
		if copied := n > 0 && &data[0] != &c.rows[0][0]; copied != c.copied {
			t.Errorf("%s: copied: %v", name, copied)
		}
	}
}

// TestPlanes checks what planes are even, and how their rows lie one behind the other.
func TestPlanes(t *testing.T) {
	row := []int32{1, 2}
	for name, c := range map[string]struct {
		planes [][][]int32
		even   bool
		n, h   int
		rows   int
	}{
		"none":             {planes: nil, even: true, h: 1},
		"two":              {planes: [][][]int32{{row, row, row}, {row, row, row}}, even: true, n: 2, h: 3, rows: 6},
		"no rows":          {planes: [][][]int32{{}, {}}},
		"empty rows":       {planes: [][][]int32{{{}}, {{}}}},
		"a plane of fewer": {planes: [][][]int32{{row, row}, {row}}},
		"a shorter row":    {planes: [][][]int32{{row, row}, {row, row[:1]}}},
		"shorter rows":     {planes: [][][]int32{{row, row}, {row[:1], row[:1]}}},
	} {
		if got := Even(c.planes) && EvenRows(c.planes); got != c.even {
			t.Errorf("%s: even: %v", name, got)
		}
		if !c.even {
			continue
		}
		if n, h := Shape(c.planes); n != c.n || h != c.h || len(Joined(c.planes)) != c.rows {
			t.Errorf("%s: %d planes of %d, %d rows", name, n, h, len(Joined(c.planes)))
		}
	}
}

// TestOpen: whoever says what is to run gets that, also for rows of one length.
func TestOpen(t *testing.T) {
	for want, opts := range map[bool][][]Option{true: {nil, {Threads(2)}, {Platform("opencl")}}, false: {{Variant("K.1/nest")}, {Threads(1), Variant("K")}}} {
		for _, o := range opts {
			if Open(o) != want {
				t.Errorf("%d options: Open is not %v", len(o), want)
			}
		}
	}
}

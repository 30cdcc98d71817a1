package goroutine

import (
	"strings"
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
)

// TestRowStarts reads and writes elements of rows in loops: by a pointer to where a row begins, but not by one to
// where a number of the user's points, nor where no loop would use it.
func TestRowStarts(t *testing.T) {
	const text = `func f {
  host n int
  array x float64 global
  array xRows int global
  array y float64 global
  array yRows int global
  array starts int global
  host z_length int
  array z float64 global rows z_length
  for i = 0 to n step 1 {
    lo: int = xRows[i]
    to: int = yRows[i]
    at: int = starts[i]
    first: float64 = x[(lo + 0)]
    from: int = (i * z_length)
    by: int = (i * n)
    for j = 0 to n step 1 {
      z[(by + j)] = z[(from + j)]
    }
    for j = 0 to n step 1 {
      e: float64 = x[(lo + j)]
      o: float64 = x[(at + j)]
      o2: float64 = y[(lo + j)]
      y[(to + j)] = ((e + o) + (o2 + first))
    }
    last: int = yRows[(i + 1)]
    y[(last + 0)] = 1
    k: int = xRows[i]
    for keep k to n step 1 {
      y[i] = x[(k + 0)]
    }
  }
}
`
	f, err := kir.ParseFunc(text)
	if err != nil {
		t.Fatal(err)
	}
	code := NewUnit("K", "k1", "kFrame", "surgeEnv1").Func(f, "")
	for _, want := range []string{
		"lo, to, at := *vec.Elem(xRows, i), *vec.Elem(yRows, i), *vec.Elem(starts, i)\nx_lo := vec.Addr(x, lo, len(f.x)-lo)\ny_to := vec.Addr(y, to, len(f.y)-to)\n",
		"o2 := *vec.Elem(y, lo + j)\n*vec.Elem(y_to, j) = (*vec.Elem(x_lo, j) + *vec.Elem(x, at + j)) + (o2 + first)",
		"*vec.Elem(y, *vec.Elem(yRows, i + 1) + 0) = ",
		"= *vec.Elem(x, k + 0)",
		"z_from := vec.AddrIn(z, from, len(f.z))\n", "*vec.Elem(z, by + j) = *vec.Elem(z_from, j)",
	} {
		if !strings.Contains(code, want) {
			t.Errorf("without\n%s:\n%s", want, code)
		}
	}
}

// TestCountsTo checks which loops are known to end.
func TestCountsTo(t *testing.T) {
	const up, down, both = "i = (i + 2)", "i = (i - 1)", "i = (i + 2)\n    n = (n + 2)"
	const on = " on: bool = false\n if c {\n on = (x[i] > 0)\n } else {\n on = false\n }\n"
	for _, c := range []struct {
		condition, test, turn string
		ends                  bool
	}{
		{"", "(i < n)", up, true},
		{"", "(i < n)", down, false},
		{"", "(i > n)", down, true},
		{"", "(i > n)", up, false},
		{"", "(i < n)", both, false},
		{"t: int = (i + 1)\n", "(t < n)", up, true},
		{"t: int = (i * 2)\n", "(t < n)", up, false},
		{"t: int = (n - k)\n", "(i < t)", up, true},
		{"t: int = (n - k)\n", "(i < t)", up + "\n    k = (k - 1)", false},
		{"c: bool = (i > n)\n on: bool = false\n if c {\n on = (x[i] > 0)\n } else {\n on = false\n }\n", "on", down, true},
		{"c: bool = (i > n)\n on: bool = false\n if c {\n on = false\n } else {\n on = (x[i] > 0)\n }\n", "on", down, false},
		{"c: bool = (i > n)\n on: bool = false\n if c {\n on = (x[i] > 0)\n } else {\n on = false\n }\n if (k > 0) {\n on = true\n } else {\n }\n", "on", down, false},
		{"c: bool = (i < n)\n if (k > 0) {\n c = true\n } else {\n }\n" + on, "on", up, false},
		{"t: int = k\n if (k > 0) {\n t = (i + 9)\n } else {\n }\n c: bool = (i < t)\n" + on, "on", up, false},
		{"t: int = (i + 1)\n if (k > 0) {\n t = 0\n } else {\n }\n c: bool = (t < n)\n" + on, "on", up, false},
		{"", "(i < 1000)", up, true},
		{"", "(i < 9223372036854775807)", up, false},
		{"", "(i < n)", "i = (i + 4611686018427387904)", false},
	} {
		text := "func f {\n array x int global\n host m int\n i: int = 0\n k: int = 0\n n: int = m\n while watched {\n " + c.condition + "} " + c.test + " {\n    " + c.turn + "\n }\n result i = i\n result k = k\n result n = n\n}\n"
		f, err := kir.ParseFunc(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := kir.Verify(f); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := pass.Run(f, []pass.Pass[*kir.Func]{jumps, bounded}, nil); err != nil {
			t.Fatal(err)
		}
		kir.Walk(f.Body, func(s kir.Stmt) {
			if loop, ok := s.(*kir.While); ok && loop.Watched == c.ends {
				t.Errorf("a loop ends is %v\n%s", !loop.Watched, text)
			}
		}, nil)
	}
}

package fuse

import "testing"

// TestStridedTrait checks which level is marked: the inner one, if its reads are at a distance and those of the level
// around it side by side.
func TestStridedTrait(t *testing.T) {
	for _, c := range []struct {
		name, index string
		want        int
	}{
		{"the columns of a row-major matrix", "a: int = mul j width\n    k: int = add a i", 2},
		{"its rows", "a: int = mul i width\n    k: int = add a j", 0},
		{"a diagonal", "a: int = mul j width\n    b: int = add a i\n    c: int = mul i width\n    k: int = add b c", 0},
		{"every second element", "a: int = mul 2:int j\n    k: int = sub a width", 0},
		{"backwards", "a: int = sub width j\n    k: int = add a i", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (x: []float64, width: int) {
  y: []float64 = map i < width {
    s: float64 = reduce j < width init 0:float64 {
    `+c.index+`
    z: float64 = index x k
    yield z
  `+sum+`
    yield s
  }
  yield y
}`)
			if got := k.Computations[0].Sequence.Strided(); got != c.want {
				t.Errorf("level %d is marked, want %d:\n%s", got, c.want, k.Func)
			}
		})
	}
}

// TestStridedRows checks that rows which lie one behind the other make the level strided, where the elements of the
// level around read them side by side, and not where each reads a row of its own, or along a diagonal.
func TestStridedRows(t *testing.T) {
	for _, c := range []struct {
		name, row, at string
		want          int
	}{
		{"the columns of rows", "add j 0:int", "add i 0:int", 2},
		{"every other row", "mul j 2:int", "add i 1:int", 2},
		{"the rows", "add i 0:int", "add j 0:int", 0},
		{"other rows for other columns", "add i j", "add i 0:int", 0},
		{"diagonals", "add j 0:int", "add i j", 0},
		{"one row", "add width 0:int", "add i 0:int", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (x: [][]float64, width: int) {
  y: []float64 = map i < width {
    s: float64 = reduce j < width init 0:float64 {
      at: int = `+c.row+`
      row: []float64 = index x at
      k: int = `+c.at+`
      z: float64 = index row k
      yield z
  `+sum+`
    yield s
  }
  yield y
}`)
			if got := k.Computations[0].Sequence.Strided(); got != c.want {
				t.Errorf("level %d is marked, want %d:\n%s", got, c.want, k.Func)
			}
		})
	}
}

// TestColumnsTrait checks which Maps are marked that are the only level: those of elements with one loop over rows.
func TestColumnsTrait(t *testing.T) {
	for _, c := range []struct {
		name, last, at, value string
		want                  bool
	}{
		{"sums of columns", "add width 0:int", "add a i", "add p e", true},
		{"rows", "add width 0:int", "add b k", "add p e", false},
		{"columns of other lengths", "add i 1:int", "add a i", "add p e", false},
		{"much work", "add width 0:int", "add a i", "pow p e", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (x: []float64, width: int) {
  y: []float64 = map i < width {
    b: int = mul i width
    last: int = `+c.last+`
    s: float64 = loop (p: float64) init 0:float64 for k = 0:int to last {
      a: int = mul k width
      at: int = `+c.at+`
      e: float64 = index x at
      q: float64 = `+c.value+`
      yield q
    }
    yield s
  }
  yield y
}`)
			seq := k.Computations[0].Sequence
			if got := seq[0].HasTrait(TraitColumns); got != c.want || got != (seq.Strided() == 2) {
				t.Errorf("it has the traits %v, want columns: %v\n%s", seq[0].Traits, c.want, k.Func)
			}
		})
	}
}

// TestColumnsOfOneValue checks that a loop which carries two values does not make a Map one of columns: their vectors
// would not stay in registers.
func TestColumnsOfOneValue(t *testing.T) {
	k := compile(t, `func F (x: []float64, width: int) {
  y: []float64 = map i < width {
    s: float64, r: float64 = loop (p: float64, o: float64) init 0:float64 0:float64 for k = 0:int to width {
      a: int = mul k width
      at: int = add a i
      e: float64 = index x at
      q: float64 = add p e
      f: float64 = mul e e
      n: float64 = add o f
      yield q n
    }
    z: float64 = div s r
    yield z
  }
  yield y
}`)
	if seq := k.Computations[0].Sequence; seq[0].HasTrait(TraitColumns) || seq.Strided() != 0 {
		t.Errorf("it has the traits %v:\n%s", seq[0].Traits, k.Func)
	}
}

// TestTurnsTrait checks which level is marked: elements of loops that have as many turns for all rows, and read what
// all rows read.
func TestTurnsTrait(t *testing.T) {
	for _, c := range []struct {
		name, last, read string
		want             bool
	}{
		{"a product of matrices", "add width 0:int", "a: int = mul k width\n    at: int = add a j", true},
		{"rows of other lengths", "add i 1:int", "a: int = mul k width\n    at: int = add a j", false},
		{"nothing that rows share", "add width 0:int", "a: int = mul i width\n    at: int = add a k", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (x: []float64, width: int) {
  y: [][]float64 = map i < width {
    last: int = `+c.last+`
    row: []float64 = map j < width {
      s: float64 = loop (p: float64) init 0:float64 for k = 0:int to last {
    `+c.read+`
        e: float64 = index x at
        q: float64 = add p e
        yield q
      }
      yield s
    }
    yield row
  }
  yield y
}`)
			if got := k.Computations[0].Sequence[1].HasTrait(TraitTurns); got != c.want {
				t.Errorf("marked: %v, want %v:\n%s", got, c.want, k.Func)
			}
		})
	}
}

package fuse

import (
	"strings"
	"testing"
)

// TestProved checks which indices are known to be in range, and that none is that may not be.
func TestProved(t *testing.T) {
	for _, c := range []struct {
		name, body string
		checks     int
	}{
		{"a counter below the length", `s: int, k: int = loop (a: int, j: int) init 0:int 0:int while {
      more: bool = lt j m
      yield more
    } {
      check index "index" "row[j]" j m
      e: int = index row j
      b: int = add a e
      j2: int = add j 1:int
      yield b j2
    }
    yield s`, 0},
		{"one beyond it", `s: int, k: int = loop (a: int, j: int) init 0:int 0:int while {
      more: bool = le j m
      yield more
    } {
      check index "index" "row[j]" j m
      e: int = index row j
      b: int = add a e
      j2: int = add j 1:int
      yield b j2
    }
    yield s`, 1},
		{"two of each turn", `s: int, k: int = loop (a: int, j: int) init 0:int 0:int while {
      next: int = add j 1:int
      more: bool = lt next m
      yield more
    } {
      check index "index" "row[j]" j m
      next2: int = add j 1:int
      check index "index" "row[j + 1]" next2 m
      e: int = index row next2
      b: int = add a e
      j2: int = add j 2:int
      yield b j2
    }
    yield s`, 0},
		{"a counter that begins anywhere", `s: int, k: int = loop (a: int, j: int) init 0:int first while {
      more: bool = lt j m
      yield more
    } {
      check index "index" "row[j]" j m
      e: int = index row j
      b: int = add a e
      j2: int = add j 1:int
      yield b j2
    }
    yield s`, 1},
		{"a panic of a counter and more", `s: int = reduce j < m init 0:int {
      more: int = add j 1:int
      none: bool = eq more 0:int
      ok: bool = not none
      check panic "panic" "none" ok
      e: int = index row j
      yield e
    } comb u: int, v: int {
      w: int = add u v
      yield w
    }
    yield s`, 0},
		{"a panic of a counter that may come", `s: int = reduce j < m init 0:int {
      more: int = add j 2:int
      none: bool = eq more 2:int
      ok: bool = not none
      check panic "panic" "none" ok
      e: int = index row j
      yield e
    } comb u: int, v: int {
      w: int = add u v
      yield w
    }
    yield s`, 1},
		{"a number that conditions choose", chosenNumber("2:int"), 0},
		{"one that they choose beyond the end", chosenNumber("3:int"), 1},
		{"one that they may compute", chosenNumber("m"), 1},
		{"a counter that goes down", `last: int = sub m 1:int
    s: int, k: int = loop (a: int, j: int) init 0:int last while {
      more: bool = ge j 0:int
      yield more
    } {
      check index "index" "row[j]" j m
      e: int = index row j
      b: int = add a e
      j2: int = sub j 1:int
      yield b j2
    }
    yield s`, 0},
		{"a counter that another value moves", `s: int, k: int = loop (a: int, j: int) init 0:int 0:int while {
      more: bool = lt j m
      yield more
    } {
      check index "index" "row[j]" j m
      e: int = index row j
      b: int = add a e
      j2: int = add j e
      yield b j2
    }
    yield s`, 1},
		{"a counter that some turns move", `s: int, k: int = loop (a: int, j: int) init 0:int 0:int while {
      more: bool = lt j m
      yield more
    } {
      check index "index" "row[j]" j m
      e: int = index row j
      b: int = add a e
      odd: bool = gt e first
      j2: int = if odd {
        j3: int = add j 1:int
        yield j3
      } else {
        yield j
      }
      yield b j2
    }
    yield s`, 0},
		{"one that moves both ways", `s: int, k: int = loop (a: int, j: int) init 0:int 0:int while {
      more: bool = lt j m
      yield more
    } {
      check index "index" "row[j]" j m
      e: int = index row j
      b: int = add a e
      odd: bool = gt e first
      j2: int = if odd {
        j3: int = add j 1:int
        yield j3
      } else {
        j4: int = sub j 1:int
        yield j4
      }
      yield b j2
    }
    yield s`, 1},
		{"a counter without a bound", `s: int, k: int = loop (a: int, j: int) init 0:int 0:int while {
      more: bool = ne j m
      yield more
    } {
      check index "index" "row[j]" j m
      e: int = index row j
      b: int = add a e
      j2: int = add j 1:int
      yield b j2
    }
    yield s`, 1},
		{"the condition of a branch", `inside: bool = lt first m
    above: bool = ge first 0:int
    both: bool = and inside above
    s: int = if both {
      check index "index" "row[first]" first m
      e: int = index row first
      yield e
    } else {
      yield 0:int
    }
    yield s`, 0},
		{"the contrary of a condition", `outside: bool = ge first m
    below: bool = lt first 0:int
    either: bool = or outside below
    s: int = if either {
      yield 0:int
    } else {
      check index "index" "row[first]" first m
      e: int = index row first
      yield e
    }
    yield s`, 0},
		{"half of a condition", `inside: bool = lt first m
    s: int = if inside {
      check index "index" "row[first]" first m
      e: int = index row first
      yield e
    } else {
      yield 0:int
    }
    yield s`, 1},
		{"the condition of another branch", `inside: bool = lt first m
    above: bool = ge first 0:int
    both: bool = and inside above
    s: int = if both {
      yield 0:int
    } else {
      check index "index" "row[first]" first m
      e: int = index row first
      yield e
    }
    yield s`, 1},
		{"a sum that may overflow", `above: bool = ge first 0:int
    next: int = add first 1:int
    inside: bool = lt next m
    both: bool = and inside above
    s: int = if both {
      check index "index" "row[first]" first m
      e: int = index row first
      yield e
    } else {
      yield 0:int
    }
    yield s`, 1},
		{"the greater of a length and nothing", `top: int = max m 0:int
    s: int = reduce j < top init 0:int {
      check index "index" "row[j]" j m
      e: int = index row j
      yield e
    } comb u: int, v: int {
      w: int = add u v
      yield w
    }
    yield s`, 0},
		{"the greater of a length and anything", `top: int = max m first
    s: int = reduce j < top init 0:int {
      check index "index" "row[j]" j m
      e: int = index row j
      yield e
    } comb u: int, v: int {
      w: int = add u v
      yield w
    }
    yield s`, 1},
		{"the lesser of a length and nothing", lesserOfNothing("m"), 0},
		{"the lesser of anything and nothing", lesserOfNothing("first"), 1},
		{"one before a counter that is not the first", oneBefore("0:int"), 0},
		{"one before a counter that is not the second", oneBefore("1:int"), 1},
		{"one before a counter that is not another number", oneBefore("first"), 1},
		{"the difference of two indices", `s: int = reduce j < m init 0:int {
      back: int = sub m j
      at: int = sub back 1:int
      check index "index" "row[m - j - 1]" at m
      e: int = index row at
      yield e
    } comb u: int, v: int {
      w: int = add u v
      yield w
    }
    yield s`, 1}, // that m - j is at least 1 takes more than differences of two
	} {
		t.Run(c.name, func(t *testing.T) {
			k := compile(t, `func F (rows: [][]int, first: int) {
  n: int = len rows
  y: []int = map i < n {
    row: []int = index rows i
    m: int = len row
    `+c.body+`
  }
  yield y
}`)
			if got := strings.Count(k.Func.String(), "check index") + strings.Count(k.Func.String(), "check panic"); got != c.checks {
				t.Errorf("%d checks are left, want %d:\n%s", got, c.checks, k.Func)
			}
		})
	}
	k := compile(t, `func F (x: []uint8, table: []int) {
  n: int = len x
  y: []int = map i < n {
    a: uint8 = index x i
    b: int = convert a
    large: bool = lt b 256:int
    check index "index" "table[a]" b 256:int
    c: int = index table b
    yield c
  }
  yield y
}`)
	if strings.Contains(k.Func.String(), "check index") {
		t.Errorf("a byte may be 256:\n%s", k.Func)
	}
}

// chosenNumber reads a row at a number that conditions choose, one of them as given, if it has 3 elements at least.
func chosenNumber(one string) string {
	return `low: bool = lt first 2:int
    high: bool = lt 8:int first
    at: int = if low {
      yield 0:int
    } else {
      at2: int = select high ` + one + ` 1:int
      yield at2
    }
    long: bool = lt 2:int m
    s: int = if long {
      check index "index" "row[at]" at m
      e: int = index row at
      yield e
    } else {
      yield 0:int
    }
    yield s`
}

// oneBefore sums a row's elements, at each counter but the one named that of the element before.
func oneBefore(but string) string {
	return `s: int = reduce j < m init 0:int {
      first2: bool = eq j ` + but + `
      e: int = if first2 {
        yield 0:int
      } else {
        back: int = sub j 1:int
        check index "index" "row[j - 1]" back m
        e2: int = index row back
        yield e2
      }
      yield e
    } comb u: int, v: int {
      w: int = add u v
      yield w
    }
    yield s`
}

// lesserOfNothing reads a row at the lesser of a number and nothing, where that is below the row's length.
func lesserOfNothing(than string) string {
	return `low: int = min ` + than + ` 0:int
    inside: bool = lt low m
    s: int = if inside {
      check index "index" "row[min(` + than + `, 0)]" low m
      e: int = index row low
      yield e
    } else {
      yield 0:int
    }
    yield s`
}

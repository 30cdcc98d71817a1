package goroutine

import (
	"testing"

	"github.com/surge-ndp/surge/codegen/kir"
)

// TestLeaveEarly rewrites loops that stop by a flag, and compares with what is expected of each.
func TestLeaveEarly(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"a search", `func f {
  host n int
  array x int global
  found: int = -1
  gone: bool = false
  i: int = 0
  while watched {
    going: bool = not(gone)
    more: bool = (i < n)
    on: bool = (going & more)
  } on {
    e: int = x[i]
    hit: bool = (e == 7)
    g: bool = false
    at: int = 0
    if hit {
      g = true
      at = i
    } else {
      g = false
      at = found
    }
    next: int = (i + 1)
    found = at
    gone = g
    i = next
  }
  result found = found
}
`, `func f {
  host n int
  array x int global
  found: int = -1
  i: int = 0
  while {
  } (i < n) {
    e: int = x[i]
    hit: bool = (e == 7)
    at: int = 0
    if hit {
      at = i
      next: int = (i + 1)
      found = at
      i = next
      break
    } else {
      at = found
      next: int = (i + 1)
      found = at
      i = next
    }
  }
  result found = found
}
`},
		{"a condition in a condition, whose flag is read behind the loop", `func f {
  host n int
  array x int global
  gone: bool = false
  i: int = 0
  while {
    going: bool = not(gone)
  } going {
    e: int = x[i]
    g: bool = false
    if (e > 3) {
      h: bool = false
      if (e == 7) {
        h = true
      } else {
        h = (e == 9)
      }
      g = h
    } else {
      g = false
    }
    next: int = (i + e)
    gone = g
    i = next
  }
  result gone = gone
}
`, `func f {
  array x int global
  gone: bool = false
  i: int = 0
  while {
  } true {
    e: int = x[i]
    g: bool = false
    if (e > 3) {
      h: bool = false
      if (e == 7) {
        h = true
        g = h
        next: int = (i + e)
        gone = g
        i = next
        break
      } else {
        h = (e == 9)
        g = h
        next: int = (i + e)
        gone = g
        i = next
        if h {
          break
        }
      }
    } else {
      g = false
      next: int = (i + e)
      gone = g
      i = next
    }
  }
  result gone = gone
}
`},
		{"a flag that may be set before the loop stays", `func f {
  host stop bool
  array x int global
  gone: bool = stop
  i: int = 0
  while {
    going: bool = not(gone)
  } going {
    g: bool = false
    if (x[i] == 7) {
      g = true
    } else {
      g = false
    }
    i = (i + 1)
    gone = g
  }
  result at = i
}
`, ""},
		{"what a loop stores behind the condition stays where it is", `func f {
  array x int global
  gone: bool = false
  i: int = 0
  while {
    going: bool = not(gone)
  } going {
    g: bool = false
    if (x[i] == 7) {
      g = true
    } else {
      g = false
    }
    x[i] = 0
    i = (i + 1)
    gone = g
  }
  result at = i
}
`, ""},
	} {
		f, err := kir.ParseFunc(c.before)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := kir.Verify(f); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		want := c.after
		if want == "" {
			want = f.String()
		} else if parsed, err := kir.ParseFunc(want); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		} else {
			want = parsed.String()
		}
		if leaveEarly(f.Body) {
			f.Body = kir.Prune(f.Body)
		}
		if err := kir.Verify(f); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := f.String(); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

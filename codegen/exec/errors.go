package exec

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/surge-ndp/surge/ops"
)

// Error is the error of a run that the input is to blame for. It wraps the *ops.Error that plain Go would have panicked
// with where there is one.
type Error struct {
	Kernel string     // its name
	Pos    string     // file:line:col of the operator in the kernel's source, "" if there is none
	Code   string     // a code of ops.Error, or "division", "shift", "panic", "destination", "aliased-result", "nil-pointer", "variant"
	Detail string     // what was found, where, and what the limit is
	Err    *ops.Error // nil if no operator failed

	// What an element of an argument is to blame for is moved to where it stands in the whole argument.
	at    string                              // the argument
	found func(position, by, limit int) error // the error for an element that many positions further, whose values are greater by, and limited

	// room says that plain Go goes on: where more elements are appended to a slice than it was made with room for, and
	// where slices of different lengths change places, or a sequence has another length after a turn of a loop, or rows
	// are made of two negative sizes; or that it may, where a slice is cut to more elements than it has.
	room bool
}

// Error returns `spmv.go:12:3: SpMV: Gather: … [index]`.
func (e *Error) Error() string {
	var sb strings.Builder
	if e.Pos != "" {
		sb.WriteString(e.Pos + ": ")
	}
	sb.WriteString(e.Kernel + ": ")
	if e.Err != nil {
		sb.WriteString(e.Err.Error())
		return sb.String()
	}
	fmt.Fprintf(&sb, "%s [%s]", e.Detail, e.Code)
	return sb.String()
}

// Unwrap returns the operator's error, or nil.
func (e *Error) Unwrap() error {
	if e.Err == nil {
		return nil
	}
	return e.Err
}

// Moved returns the error for an argument of which the kernel had a part: base says for the name of an argument at
// which position the part begins, and of its values, if they count in a part too, how many elements lie before that,
// and how many there are in all.
func (e *Error) Moved(base func(argument string) (position, elements, limit int)) error {
	if e.found == nil {
		return e
	}
	return e.found(base(e.at))
}

// movable lets an error of an element that stands at a known position of the argument be moved.
func (s Site) movable(e *Error, position int, found func(position, by, limit int) error) *Error {
	if position >= 0 && s.Arg != "" {
		e.at, e.found = s.Arg, func(more, by, limit int) error { return found(position+more, by, limit) }
	}
	return e
}

// Site is the place of a check in a kernel: the kernel's name, the position in its source (file:line:col), the
// operator or the part of the language, and the argument that is checked.
type Site struct{ Kernel, Pos, Op, Arg string }

// Sites returns the places of a kernel, of each its position, operator and argument.
func Sites(kernel string, places [][3]string) []Site {
	sites := make([]Site, len(places))
	for i, p := range places {
		sites[i] = Site{Kernel: kernel, Pos: p[0], Op: p[1], Arg: p[2]}
	}
	return sites
}

func (s Site) fail(code, detail string) *Error {
	e := &Error{Kernel: s.Kernel, Pos: s.Pos, Code: code, Detail: detail}
	if s.Op != "" && unicode.IsUpper(rune(s.Op[0])) { // an operator, and not a part of the language
		e.Err = &ops.Error{Op: s.Op, Code: code, Detail: detail}
	}
	return e
}

// Index reports that value, found at position (negative if unknown) of the argument, is not in [0, limit).
func (s Site) Index(position, value, limit int) error {
	if s.Op == "index" { // x[i], and no element of i
		return s.fail(ops.CodeIndex, fmt.Sprintf("%s: the index %d is outside of [0, %d)", s.Arg, value, limit))
	}
	at := s.Arg
	if position >= 0 && s.Arg != "" {
		at = fmt.Sprintf("%s[%d]", s.Arg, position)
	}
	if at == "" {
		at = "index"
	}
	return s.movable(s.fail(ops.CodeIndex, fmt.Sprintf("%s = %d is outside of [0, %d)", at, value, limit)), position,
		func(position, by, all int) error { return s.Index(position, value+by, max(limit, all)) })
}

// InIndex returns what Index reports if the value is not in [0, limit), else nil.
func (s Site) InIndex(position, value, limit int) error {
	if uint(value) < uint(limit) {
		return nil
	}
	return s.Index(position, value, limit)
}

// First returns the first error of a list, nil if there is none.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Length reports that two lengths differ.
func (s Site) Length(want, got int) error {
	if s.Op == "exchange" {
		e := s.fail(ops.CodeLength, fmt.Sprintf("%s change places, of which one has %d elements and the other one %d", s.Arg, want, got))
		e.room = true
		return e
	}
	if s.Op == "for" {
		e := s.fail(ops.CodeLength, fmt.Sprintf("%s has %d elements after a turn of the loop, and had %d before; a sequence that a loop carries keeps its length", s.Arg, got, want))
		e.room = true
		return e
	}
	return s.fail(ops.CodeLength, fmt.Sprintf("%s has %d elements, and the first argument %d; they must have the same length", s.Arg, got, want))
}

// Bounds reports that row [lo, hi), whose low bound stands at position of the argument, is not a part of n elements.
func (s Site) Bounds(position, lo, hi, n int) error {
	switch s.Op {
	case "slice":
		e := s.fail(ops.CodeIndex, fmt.Sprintf("%s: the bounds %d and %d are not ascending within [0, %d]", s.Arg, lo, hi, n))
		e.room = 0 <= lo && lo <= hi // of a slice with that capacity
		return e
	case "append":
		e := s.fail(ops.CodeSize, fmt.Sprintf("%s would have %d elements after append, and was made with room for %d; make it with a larger capacity", s.Arg, hi, n))
		e.room = true
		return e
	case "make":
		return s.fail(ops.CodeSize, fmt.Sprintf("%s: the length %d is negative, or larger than the capacity %d", s.Arg, hi, n))
	}
	at := s.Arg
	if position >= 0 {
		at = fmt.Sprintf("%s[%d] and %s[%d]", s.Arg, position, s.Arg, position+1)
	}
	return s.movable(s.fail(ops.CodeOffsets, fmt.Sprintf("%s are %d and %d: not ascending within [0, %d]", at, lo, hi, n)), position,
		func(position, by, all int) error { return s.Bounds(position, lo+by, hi+by, max(n, all)) })
}

// InLength returns what Length reports if the lengths differ, else nil.
func (s Site) InLength(want, got int) error {
	if want == got {
		return nil
	}
	return s.Length(want, got)
}

// InBounds returns what Bounds reports if the row is not a part of the elements, else nil.
func (s Site) InBounds(position, lo, hi, n int) error {
	if 0 <= lo && lo <= hi && hi <= n {
		return nil
	}
	return s.Bounds(position, lo, hi, n)
}

// InNonneg returns what Nonneg reports if x is negative, else nil.
func (s Site) InNonneg(x int) error {
	if x >= 0 {
		return nil
	}
	return s.Nonneg(x)
}

// Size reports a tile size, a stride, the size of rows or a loop's step that is not positive, or offsets that are
// empty.
func (s Site) Size(x int) error {
	switch s.Op {
	case "Nest":
		return s.fail(ops.CodeOffsets, fmt.Sprintf("%s is empty; r rows need r+1 offsets, so at least one", s.Arg))
	case "Striding":
		return s.fail(ops.CodeStride, fmt.Sprintf("%s = %d is not positive", s.Arg, x))
	case "make": // of rows whose number is negative, too
		e := s.fail(ops.CodeSize, fmt.Sprintf("%s = %d is not positive", s.Arg, x))
		e.room = true
		return e
	case "for":
		return s.fail(ops.CodeStride, fmt.Sprintf("%s = %d is not positive, and the loop that goes by it does not end", s.Arg, x))
	}
	return s.fail(ops.CodeSize, fmt.Sprintf("%s = %d is not positive", s.Arg, x))
}

// Nonneg reports a length or count below zero.
func (s Site) Nonneg(x int) error {
	if s.Op == "<<" || s.Op == ">>" {
		return s.fail("shift", fmt.Sprintf("%s = %d is a negative shift count", s.Arg, x))
	}
	return s.fail(ops.CodeSize, fmt.Sprintf("%s = %d is negative", s.Arg, x))
}

// Count reports a length, n as 64 unsigned bits, of which memory cannot hold more than limit elements, or a divisor
// with which sums may overflow.
func (s Site) Count(n, limit int) error {
	if s.Op == "%" {
		return s.fail(ops.CodeSize, fmt.Sprintf("%s = %d is too large for sums of positions with it", s.Arg, n))
	}
	return s.fail(ops.CodeSize, fmt.Sprintf("a result of %d elements of %d bytes cannot be held in memory", uint64(n), addressSpace/max(limit, 1)))
}

// Unique reports that the index value stands at two positions.
func (s Site) Unique(first, last, value int) error {
	return s.movable(s.fail(ops.CodeDuplicate, fmt.Sprintf("%s[%d] and %[1]s[%d] are both %d; positions must not repeat", s.Arg, first, last, value)), first,
		func(position, by, _ int) error { return s.Unique(position, last+position-first, value+by) })
}

// addressSpace is the number of bytes that package ops takes for the most that memory can hold.
const addressSpace = 1 << 47

// Finite reports a bound of a range that is infinite or not a number.
func (s Site) Finite(x float64) error {
	return s.fail(ops.CodeRange, fmt.Sprintf("%s is %v; it must be finite", s.Arg, x))
}

// Nonzero reports a division by zero, or a stride of zero.
func (s Site) Nonzero() error {
	if s.Op == "Range" {
		return s.fail(ops.CodeStride, fmt.Sprintf("%s is 0; it must be positive to count up or negative to count down", s.Arg))
	}
	return s.fail("division", fmt.Sprintf("%s is zero", s.Arg))
}

// Called reports that a function which is called as it stands, the argument is its name, panicked with a value.
func (s Site) Called(value any) error {
	e := &Error{Kernel: s.Kernel, Pos: s.Pos, Code: "panic", Detail: fmt.Sprintf("%s: panic: %v", s.Arg, value)}
	if err, ok := value.(error); ok {
		errors.As(err, &e.Err)
	}
	return e
}

// Caught is deferred by code that calls functions of the program as they stand. Where one panics, called being its
// place, that is the error of the run; a panic of anything else goes on.
func Caught(w interface{ Fail(error) }, called **Site) {
	if *called == nil {
		return
	}
	if value := recover(); value != nil {
		w.Fail((*called).Called(value))
	}
}

// Panic reports a panic of the kernel's own: the argument is its text. An exit of a loop is one, too, and the argument
// is the return statement.
func (s Site) Panic() error {
	if s.Op == "return" {
		return s.fail(codeExit, s.Arg)
	}
	return s.fail("panic", "panic: "+s.Arg)
}

// codeExit is the code of an error that no caller sees: the kernel itself runs once more, and makes its own.
const codeExit = "exit"

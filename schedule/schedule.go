package schedule

import (
	"fmt"
	"strings"
)

// Element says how one level of a nest may be run (Surge Table II).
type Element uint8

const (
	// Independent permits several execution resources that work in parallel.
	Independent Element = iota
	// Cooperative permits several resources that may also coordinate with each other.
	Cooperative
	// Sequential permits a single thread.
	Sequential
)

var elementNames = [...]string{"independent", "cooperative", "sequential"}

// String returns the paper's name of the element.
func (e Element) String() string {
	if int(e) < len(elementNames) {
		return elementNames[e]
	}
	return fmt.Sprintf("element(%d)", uint8(e))
}

// Parallel reports whether the element permits more than one resource.
func (e Element) Parallel() bool { return e != Sequential }

// ParseElement reads what String prints. The error says what an element can be.
func ParseElement(text string) (Element, error) {
	for i, name := range elementNames {
		if text == name {
			return Element(i), nil
		}
	}
	return Sequential, fmt.Errorf("schedule element %q: want independent, cooperative or sequential", text)
}

// Schedule has one element a level of an expression sequence, outermost first.
type Schedule []Element

// none is the schedule of a computation without a data-parallel operator.
const none = "none"

// String returns the elements joined by ">", as the paper writes it: independent>cooperative. The schedule without
// elements is "none".
func (s Schedule) String() string {
	if len(s) == 0 {
		return none
	}
	names := make([]string, len(s))
	for i, e := range s {
		names[i] = e.String()
	}
	return strings.Join(names, ">")
}

// Parse reads what String prints. The error names the level, from 1, that is wrong.
func Parse(text string) (Schedule, error) {
	if text == none {
		return Schedule{}, nil
	}
	names := strings.Split(text, ">")
	s := make(Schedule, len(names))
	for i, name := range names {
		e, err := ParseElement(name)
		if err != nil {
			return nil, fmt.Errorf("schedule %q, level %d: %w", text, i+1, err)
		}
		s[i] = e
	}
	return s, nil
}

// ParallelLevels returns how many elements are parallel.
func (s Schedule) ParallelLevels() int {
	n := 0
	for _, e := range s {
		if e.Parallel() {
			n++
		}
	}
	return n
}

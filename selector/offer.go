package selector

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surge-ndp/surge/selector/param"
)

// offer is what codes have for settings: their parameters, in the order in which they come up, with all values.
type offer struct {
	names  []string
	values map[string][]string
	open   map[string]bool // launch parameters, which take other whole numbers too if their values are such
}

// offerOf collects the parameters of codes on a machine of that many cores.
func offerOf(codes []Code, cores int) *offer {
	o := &offer{values: map[string][]string{}, open: map[string]bool{}}
	for i := range codes {
		for _, l := range codes[i].Launch {
			o.add(l.Name, valuesOf(l, cores)...)
			o.open[l.Name] = true
		}
		for _, s := range codes[i].Policy {
			o.add(s.Name, s.Value)
		}
	}
	return o
}

func (o *offer) add(name string, values ...string) {
	if o.values[name] == nil {
		o.names = append(o.names, name)
	}
	for _, v := range values {
		o.values[name] = appendNew(o.values[name], v)
	}
}

// takes reports why none of the codes can have a setting, be it of the code or of its launch: the parameter is unknown,
// or the value, and what there is instead. It is nil if one can.
func takes(codes []Code, s Setting, cores int) error {
	if slices.ContainsFunc(codes, func(c Code) bool { return c.takes(s, cores) }) {
		return nil
	}
	o := offerOf(codes, cores)
	values, known := o.values[s.Name]
	if !known {
		return fmt.Errorf("%s: no variant that agrees with the rest has parameter %s%s", s, s.Name, instead(s.Name, o.names))
	}
	if n, err := strconv.Atoi(s.Value); err == nil && n > cores && param.NumThreads.Is(s) {
		return fmt.Errorf("%s: this machine has %d cores", s, cores)
	}
	other := ""
	if numbers(values) {
		slices.SortFunc(values, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) })
		switch {
		case o.open[s.Name] && param.NumThreads.Is(s):
			other = fmt.Sprintf(", or another whole number up to %d", cores)
		case o.open[s.Name]:
			other = ", or another positive whole number"
		}
	}
	return fmt.Errorf("%s: %s is one of %s%s", s, s.Name, strings.Join(values, ", "), other)
}

// instead says which names there are, for one that does not exist: those that are near, else all.
func instead(name string, names []string) string {
	if near := didYouMean(name, names); near != "" || len(names) == 0 {
		return near
	}
	return "; there are " + strings.Join(names, ", ")
}

// takes reports whether the code has a setting, or can be launched with it. A value of a launch that is a whole number
// need not be among the measured ones.
func (code *Code) takes(s Setting, cores int) bool {
	if value, ok := code.Policy.Get(s.Name); ok {
		return value == s.Value
	}
	at := slices.IndexFunc(code.Launch, func(l Launch) bool { return l.Name == s.Name })
	if at < 0 {
		return false
	}
	l := code.Launch[at]
	values := valuesOf(l, cores)
	if slices.Contains(values, s.Value) {
		return true
	}
	n, err := strconv.Atoi(s.Value)
	switch {
	case err != nil, strconv.Itoa(n) != s.Value, n < 0, !numbers(values):
		return false
	case l.Values == nil: // threads
		return 0 < n && n <= cores
	}
	return true
}

// numbers reports whether all values are whole numbers.
func numbers(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { _, err := strconv.Atoi(v); return err != nil })
}

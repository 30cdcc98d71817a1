package exec

import (
	"runtime"
	"strings"

	"github.com/surge-ndp/surge/selector"
)

// Algorithm makes the first choice of a call: 0 for the kernel itself, i for its alternative i-1, with the options for
// that kernel. An alternative runs if the options name it: its name, alone or before a "/" and parts of a variant, the
// name of one of its computations, or the id of one of its variants. Otherwise the kernel itself runs.
func Algorithm(k *Kernel, opts []Option) (int, []Option) {
	o := collect(opts)
	for i, a := range append([]*Kernel{k}, k.Alternatives...) {
		named := false
		var texts []string
		for _, text := range o.variants {
			head, rest, _ := strings.Cut(text, "/")
			switch {
			case head == a.Name:
				named = true
				if text = rest; text == "" {
					continue
				}
			case a.has(head), len(text) == 8 && i > 0 && !k.knows(text) && a.knows(text):
				named = true
			}
			texts = append(texts, text)
		}
		if named {
			return i, []Option{func(all *Options) { *all = o; all.variants = texts }}
		}
	}
	return 0, opts
}

// has reports whether a computation of k has the name.
func (k *Kernel) has(name string) bool {
	for _, c := range k.Computations {
		if c.Name == name {
			return true
		}
	}
	return false
}

// knows reports whether text names a variant of k.
func (k *Kernel) knows(text string) bool {
	for _, c := range k.Computations {
		if codes, err := c.Available(); err == nil {
			if _, err := selector.Match(text, codes, runtime.GOMAXPROCS(0)); err == nil {
				return true
			}
		}
	}
	return false
}

package selector

import (
	"cmp"
	"slices"
)

// Model is what was learned from measurements of one kernel on one platform and device (Surge section 3.4): classifiers
// for its computations. A Model is only read once it is made, so goroutines may share it.
type Model struct {
	Kernel   string
	Hash     string // of the kernel, as codegen computes it: a kernel that has changed needs other measurements
	Platform string
	// Device is the machine that was measured, as its platform names it. Times of another are worth nothing here.
	Device string
	// Computations has a classifier for each computation that was trained, or several whose machines are of different
	// kinds.
	Computations []*Classifier
}

// Classifiers returns those for a computation, those that are trusted more first.
func (m *Model) Classifiers(computation string) []*Classifier {
	var all []*Classifier
	for _, c := range m.Computations {
		if c.Computation == computation {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *Classifier) int { return cmp.Compare(trust(a.Machine.Kind()), trust(b.Machine.Kind())) })
	return all
}

package selector

import (
	"bytes"
	"strings"
)

// Machine orders the variants of a [Classifier] by the features of an input: it is what was learned. Each is a kind of
// ranker, in a file of its own.
type Machine interface {
	// Kind is the name of the kind, as model files and explanations have it.
	Kind() string
	// Describe says in a few words, for people, what it consists of.
	Describe() string
	// order ranks the variants by the features of an input, which are those of the classifier, scaled and as they are.
	order(scaled, features [maxFeatures]float64) Verdict
	// bounded reports whether it knows nothing about inputs far from those that it was trained on.
	bounded() bool
	// check reports what makes it unusable for a classifier, and prepares it.
	check(c *Classifier) error
	// write prints it, one statement a line, as the kind's reader takes it.
	write(b *bytes.Buffer, c *Classifier)
}

// kinds are the kinds of machines that a model file can hold, those that are trusted more first.
var kinds = []kind{
	{svmKind, readSVM},
	{treeKind, readTree},
	{thresholdKind, readThresholds},
}

// kind is a kind of machine, and what reads it from a model file.
type kind struct {
	name string
	read func(p *modelParser, c *Classifier) (Machine, error)
}

// trust is the place of a kind in the order of trust, that of an unknown one behind all others.
func trust(kind string) int {
	for i := range kinds {
		if kinds[i].name == kind {
			return i
		}
	}
	return len(kinds)
}

func kindNames() string {
	var names []string
	for i := range kinds {
		names = append(names, kinds[i].name)
	}
	return strings.Join(names, ", ")
}

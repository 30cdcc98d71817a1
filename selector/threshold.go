package selector

import (
	"bytes"
	"fmt"
	"strconv"
)

// Thresholds is a branching tree over sizes, as incremental flattening has it: a size, which is a product of features,
// perhaps over others, is compared with a threshold, and so on until one variant is left. The others follow in their
// order, which is from the least parallel to the most. A threshold says where a degree of parallelism starts to be
// enough for the machine, and larger sizes are more so: it decides also far beyond the sizes that it was tuned on.
type Thresholds struct {
	Branches []Branch
	// Variants has for each leaf the index of its variant.
	Variants []int

	variants int
}

const thresholdKind = "threshold"

// Kind implements [Machine].
func (*Thresholds) Kind() string { return thresholdKind }

// Describe implements [Machine].
func (t *Thresholds) Describe() string {
	return describeBranches(t.Branches)
}

func (*Thresholds) bounded() bool { return false }

func (t *Thresholds) branches() []Branch { return t.Branches }

func (t *Thresholds) first(leaf int) int { return t.Variants[leaf] }

func (t *Thresholds) order(_, features [maxFeatures]float64) (verdict Verdict) {
	verdict.Leaf = descend(t.Branches, features)
	first := t.first(verdict.Leaf)
	for v := range t.variants {
		value := 0.0
		if v == first {
			value = 1
		}
		verdict.add(v, value)
	}
	return verdict
}

func (t *Thresholds) check(c *Classifier) error {
	if err := checkBranches(t.Branches, c, len(t.Variants)); err != nil {
		return err
	}
	for i, v := range t.Variants {
		if v < 0 || v >= len(c.Variants) {
			return fmt.Errorf("leaf %d of %s is variant %d of %d", i+1, c.Computation, v, len(c.Variants))
		}
	}
	t.variants = len(c.Variants)
	return nil
}

func (t *Thresholds) write(b *bytes.Buffer, c *Classifier) {
	writeBranches(b, t.Branches, c, func(n int) string { return " " + strconv.Itoa(t.Variants[n]) })
}

func readThresholds(p *modelParser, c *Classifier) (m Machine, err error) {
	t := &Thresholds{}
	t.Branches, err = readBranches(p, c, func(words []string) error {
		if len(words) != 1 {
			return fmt.Errorf("leaf has %d words behind it, want 1", len(words))
		}
		v, err := strconv.Atoi(words[0])
		if err != nil {
			return fmt.Errorf("%q is not the number of a variant", words[0])
		}
		t.Variants = append(t.Variants, v)
		return nil
	})
	return t, err
}

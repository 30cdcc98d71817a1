package selector

import (
	"bytes"
	"fmt"
	"slices"
)

// Tree is a decision tree: features lead an input to a leaf, and the variants are ranked by what they cost the training
// inputs that came to the same leaf.
type Tree struct {
	Branches []Branch
	// Regrets has for each leaf the mean regret of each variant.
	Regrets [][]float64
}

const treeKind = "tree"

// Kind implements [Machine].
func (*Tree) Kind() string { return treeKind }

// Describe implements [Machine].
func (t *Tree) Describe() string {
	return describeBranches(t.Branches)
}

func (*Tree) bounded() bool { return true }

func (t *Tree) branches() []Branch { return t.Branches }

func (t *Tree) first(leaf int) int { return slices.Index(t.Regrets[leaf], slices.Min(t.Regrets[leaf])) }

func (t *Tree) order(_, features [maxFeatures]float64) (verdict Verdict) {
	verdict.Leaf = descend(t.Branches, features)
	for v, r := range t.Regrets[verdict.Leaf] {
		verdict.add(v, -r)
	}
	return verdict
}

func (t *Tree) check(c *Classifier) error {
	if err := checkBranches(t.Branches, c, len(t.Regrets)); err != nil {
		return err
	}
	for i, r := range t.Regrets {
		if len(r) != len(c.Variants) || !finite(r...) {
			return fmt.Errorf("leaf %d of %s has %d regrets for %d variants, or some that are no numbers", i+1, c.Computation, len(r), len(c.Variants))
		}
	}
	return nil
}

func (t *Tree) write(b *bytes.Buffer, c *Classifier) {
	writeBranches(b, t.Branches, c, func(n int) string { return list(t.Regrets[n]) })
}

func readTree(p *modelParser, c *Classifier) (m Machine, err error) {
	t := &Tree{}
	t.Branches, err = readBranches(p, c, func(words []string) error {
		r, err := parseFloats(words)
		t.Regrets = append(t.Regrets, r)
		return err
	})
	return t, err
}

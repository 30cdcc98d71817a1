package fit

import (
	"cmp"
	"math"
	"slices"

	"github.com/surge-ndp/surge/selector"
)

const (
	// deepest is how many features a tree asks for one after the other at most.
	deepest = 6
)

// leafSizes are how many inputs a leaf has at least: cross-validation chooses, and prefers the larger one, as a leaf of
// few inputs believes what chance made of them.
var leafSizes = []int{8, 4, 2}

// learnTree learns a decision tree from t. Where golearn's trees count how many inputs are in the wrong class, this one
// counts what that costs: a branch is where the variants that are best below and above cost least, by the regrets of
// the inputs.
func learnTree(t *Table) (*learned, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	classes, _, err := t.classes()
	if err != nil {
		return nil, err
	}
	part := parts(points(t, scale(t)))
	var best candidate
	leaf := 0
	for _, size := range leafSizes {
		regrets, err := validateTree(t, part, classes, size)
		if err != nil {
			return nil, err
		}
		if leaf == 0 || meanOf(regrets) < best.regret-Worthwhile {
			leaf, best = size, candidate{regret: meanOf(regrets), regrets: regrets}
		}
	}
	cl, err := treeOn(t, classes, leaf)
	if err != nil {
		return nil, err
	}
	again := func(u *Table) (*selector.Classifier, error) { return treeOn(u, classes, leaf) }
	return newLearned(t, cl, classes, best.regrets, again), nil
}

// validateTree returns the regret on each input of trees that were learned from the other folds.
func validateTree(t *Table, part, classes []int, leaf int) ([]float64, error) {
	regrets := make([]float64, len(t.Inputs))
	for fold := range folds {
		if !slices.Contains(part, fold) {
			continue
		}
		held := func(i int) bool { return part[i] == fold }
		u := t.without(held)
		if len(u.Inputs) == 0 {
			u = t // all have the same features: nothing can be held out
		}
		cl, err := treeOn(u, classes, leaf)
		if err != nil {
			return nil, err
		}
		for i := range t.Inputs {
			if in := &t.Inputs[i]; held(i) {
				regrets[i] = min(in.Regret(choose(cl, classes, t.Features, in)), unmeasured) + in.Cost()
			}
		}
	}
	return regrets, nil
}

// treeOn returns the tree for all inputs of t, whose leaves have at least leaf of them.
func treeOn(t *Table, classes []int, leaf int) (*selector.Classifier, error) {
	g := &grower{t: t, classes: classes, leaf: leaf, scaling: scale(t), tree: &selector.Tree{}}
	cl := &selector.Classifier{Computation: t.Computation, Features: g.scaling, Machine: g.tree}
	for _, v := range classes {
		cl.Variants = append(cl.Variants, t.Variants[v])
	}
	inputs := make([]int, len(t.Inputs))
	for i := range inputs {
		inputs[i] = i
	}
	g.grow(inputs, deepest)
	cl.Summary.Inputs = len(t.Inputs)
	return cl, cl.Check()
}

// grower adds the nodes of a tree, each before those below it.
type grower struct {
	t       *Table
	classes []int
	leaf    int
	scaling []selector.Scaling
	tree    *selector.Tree
}

// grow adds the tree for some inputs.
func (g *grower) grow(inputs []int, depth int) {
	tree := g.tree
	at := len(tree.Branches)
	tree.Branches = append(tree.Branches, selector.Branch{})
	feature, limit := -1, 0.0
	if depth > 0 {
		feature, limit = g.split(inputs)
	}
	if feature < 0 {
		tree.Branches[at].Leaf = len(tree.Regrets)
		sums := g.losses(inputs)
		for c := range sums {
			sums[c] /= float64(len(inputs))
		}
		tree.Regrets = append(tree.Regrets, sums)
		return
	}
	var below, above []int
	for _, i := range inputs {
		if g.t.Inputs[i].Features[feature] < limit {
			below = append(below, i)
		} else {
			above = append(above, i)
		}
	}
	g.grow(below, depth-1)
	tree.Branches[at] = selector.Branch{Features: []int{feature}, Limit: limit, Above: len(tree.Branches)}
	g.grow(above, depth-1)
}

// losses returns for each class the sum of what it costs the inputs.
func (g *grower) losses(inputs []int) []float64 {
	sums := make([]float64, len(g.classes))
	for _, i := range inputs {
		for c, v := range g.classes {
			sums[c] += g.t.Inputs[i].loss(v)
		}
	}
	return sums
}

// split returns the feature and the limit by which two leaves cost least; -1 if that is not less than one leaf costs by
// more than the noise of one input.
func (g *grower) split(inputs []int) (feature int, limit float64) {
	feature = -1
	total := g.losses(inputs)
	least := slices.Min(total) - Noise
	order := slices.Clone(inputs)
	below, above := make([]float64, len(total)), make([]float64, len(total))
	for f := range g.scaling {
		value := func(k int) float64 { return g.t.Inputs[order[k]].Features[f] }
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.t.Inputs[a].Features[f], g.t.Inputs[b].Features[f]) })
		clear(below)
		for k := range order[:len(order)-1] {
			for c, v := range g.classes {
				below[c] += g.t.Inputs[order[k]].loss(v)
				above[c] = total[c] - below[c]
			}
			if k+1 < g.leaf || len(order)-k-1 < g.leaf || value(k) == value(k+1) {
				continue
			}
			if cost := slices.Min(below) + slices.Min(above); cost < least-1e-12 {
				feature, limit, least = f, between(value(k), value(k+1), g.scaling[f].Log), cost
			}
		}
	}
	return feature, limit
}

// between returns the middle of two values, the lower one first, as a feature is scaled: more than low, at most high.
func between(low, high float64, log bool) float64 {
	middle := low + (high-low)/2
	if log && low > 0 {
		middle = math.Sqrt(low) * math.Sqrt(high)
	}
	if !(middle > low && middle <= high) {
		return high
	}
	return middle
}

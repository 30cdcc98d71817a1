package fit

import (
	"cmp"
	"math"
	"slices"

	"github.com/surge-ndp/surge/selector"
)

// mostPaths is how many mappings a tree of thresholds chooses among at most: those that lower the mean regret most.
const mostPaths = 6

// learnThresholds learns the thresholds of a branching tree ([selector.Branching]) from t. What it needs is one variant
// of each mapping, measured on every input, and no labels: it takes the one with the least mean regret. The
// numbers are those by which the inputs take the least time all together, each in units of its best variant's: a sum
// of times would be that of the largest inputs.
func learnThresholds(t *Table) (*learned, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	p, err := t.paths()
	if err != nil {
		return nil, err
	}
	part := parts(points(t, scale(t)))
	regrets := make([]float64, len(t.Inputs))
	for fold := range folds {
		held := func(i int) bool { return part[i] == fold }
		if !slices.Contains(part, fold) {
			continue
		}
		u := t.without(held)
		if len(u.Inputs) == 0 {
			u = t // all have the same features: nothing can be held out
		}
		cl, err := p.tuned(u)
		if err != nil {
			return nil, err
		}
		for i := range t.Inputs {
			if in := &t.Inputs[i]; held(i) {
				regrets[i] = min(in.Regret(choose(cl, p.variants, t.Features, in)), unmeasured) + in.Cost()
			}
		}
	}
	cl, err := p.tuned(t)
	if err != nil {
		return nil, err
	}
	return newLearned(t, cl, p.variants, regrets, p.tuned), nil
}

// paths is a branching tree with a variant of the table for each of its mappings.
type paths struct {
	tree     *selector.Fork
	variants []int // in the order of the leaves
}

// Paths returns the variants among which thresholds that are learned from t choose.
func Paths(t *Table) []int {
	p, err := t.paths()
	if err != nil {
		return nil
	}
	return p.variants
}

// paths finds the variant of each mapping and builds the tree of those that matter.
func (t *Table) paths() (*paths, error) {
	best := t.representatives()
	u := *t
	u.Candidates = make([]bool, len(t.Variants))
	for _, v := range best {
		u.Candidates[v] = true
	}
	chosen, _ := Classes(&u, mostPaths)
	if len(chosen) == 0 {
		_, _, err := t.classes() // says that there is none
		return nil, err
	}
	var mappings []selector.Mapping
	for _, v := range chosen {
		mappings = append(mappings, selector.MappingOf(t.Variants[v]))
	}
	p := &paths{tree: selector.Branching(mappings, t.has)}
	for _, m := range p.tree.Leaves() {
		p.variants = append(p.variants, chosen[slices.Index(mappings, m)])
	}
	return p, nil
}

// representatives returns for each mapping the usable one with the least mean loss, of equals the first.
func (t *Table) representatives() map[selector.Mapping]int {
	best, least := map[selector.Mapping]int{}, map[selector.Mapping]float64{}
	for v := range t.Variants {
		if !t.usable(v) {
			continue
		}
		m := selector.MappingOf(t.Variants[v])
		loss := t.mean(func(in *Input) float64 { return in.loss(v) })
		if known, ok := least[m]; !ok || loss < known {
			best[m], least[m] = v, loss
		}
	}
	return best
}

func (t *Table) has(feature string) bool {
	return slices.ContainsFunc(t.Features, func(f selector.Feature) bool { return f.Name == feature })
}

// tuned returns the tree with the thresholds that suit the inputs of t best.
func (p *paths) tuned(t *Table) (*selector.Classifier, error) {
	tree := &selector.Thresholds{}
	cl := &selector.Classifier{Computation: t.Computation, Features: scale(t), Machine: tree}
	for _, v := range p.variants {
		cl.Variants = append(cl.Variants, t.Variants[v])
	}
	inputs := make([]int, len(t.Inputs))
	for i := range inputs {
		inputs[i] = i
	}
	leaf := 0
	root := t.comparison(p.tree, p.variants, &leaf)
	s := &tuner{left: mostTried}
	found, _ := s.tune(root, inputs, math.Inf(1))
	w := writer{t: t, tree: tree}
	w.add(found)
	cl.Summary.Inputs = len(t.Inputs)
	return cl, cl.Check()
}

// comparison is a node of a tree to tune: what its degree and the losses of the inputs are.
type comparison struct {
	fork         *selector.Fork
	leaf         int       // the number of a leaf
	loss         []float64 // of each input in a leaf; else the least of those below
	degree       []float64 // of each input
	below, above *comparison
}

// comparison prepares a tree, whose leaves have the variants in their order.
func (t *Table) comparison(f *selector.Fork, variants []int, leaf *int) *comparison {
	c := &comparison{fork: f}
	if f.Below == nil {
		c.leaf = *leaf
		*leaf++
		for i := range t.Inputs {
			c.loss = append(c.loss, t.Inputs[i].loss(variants[c.leaf]))
		}
		return c
	}
	c.below = t.comparison(f.Below, variants, leaf)
	c.above = t.comparison(f.Above, variants, leaf)
	for i := range t.Inputs {
		in := &t.Inputs[i]
		c.loss = append(c.loss, min(c.below.loss[i], c.above.loss[i]))
		c.degree = append(c.degree, f.Degree.Of(func(name string) (float64, bool) {
			at := slices.IndexFunc(t.Features, func(f selector.Feature) bool { return f.Name == name })
			if at < 0 {
				return 0, false
			}
			return in.Features[at], true
		}))
	}
	return c
}

// tunedNode is a node with its threshold: a leaf, or a comparison that both sides of are left of.
type tunedNode struct {
	of           *comparison
	limit        float64
	below, above *tunedNode
}

// mostTried is how many comparisons of inputs with thresholds are tried in all, which takes less than half a second.
// What is tried after that is only what is the most promising for each side. (A hundred inputs and six paths, of which
// nine inputs in ten say the same, take 10^3 to 10^6; two hundred that no degree tells apart more than there are.)
const mostTried = 4_000_000

// tuner finds thresholds.
type tuner struct{ left int }

// tune returns the thresholds of a tree by which some inputs lose least, and what they lose; nil if that is not less
// than limit. A threshold counts as much as the noise of one input: it has to be worth that.
//
// The thresholds of a node that are worth trying lie between the degrees of two inputs that follow each other. Either
// one says which inputs are below and which above, and no threshold further down stands on both sides: the two sides
// are tuned each by itself. What the inputs lose at least, where each took the best leaf that it can still reach, says
// which thresholds are the most promising ones, and when no other can be better.
func (s *tuner) tune(c *comparison, inputs []int, limit float64) (*tunedNode, float64) {
	if c.below == nil {
		lost := 0.0
		for _, i := range inputs {
			lost += c.loss[i]
		}
		if lost >= limit {
			return nil, limit
		}
		return &tunedNode{of: c}, lost
	}
	order := slices.Clone(inputs)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.degree[a], c.degree[b]) })
	var best *tunedNode
	for _, cut := range c.cuts(order) {
		if cut.least >= limit || s.left <= 0 && best != nil {
			break
		}
		s.left -= len(order)
		switch cut.at {
		case 0:
			if found, lost := s.tune(c.above, order, limit); found != nil {
				best, limit = found, lost
			}
		case len(order):
			if found, lost := s.tune(c.below, order, limit); found != nil {
				best, limit = found, lost
			}
		default:
			below, lost := s.tune(c.below, order[:cut.at], limit-Noise-cut.above)
			if below == nil {
				continue
			}
			above, more := s.tune(c.above, order[cut.at:], limit-Noise-lost)
			if above == nil {
				continue
			}
			best, limit = &tunedNode{c, between(c.degree[order[cut.at-1]], c.degree[order[cut.at]], true), below, above}, lost+more+Noise
		}
	}
	return best, limit
}

// cut says that the first at inputs of an order are below a threshold: least is what all lose at least, above what
// those that are above lose at least.
type cut struct {
	at           int
	least, above float64
}

// cuts are the thresholds that are worth trying for inputs in the order of their degrees, the most promising ones
// first.
func (c *comparison) cuts(order []int) []cut {
	above := 0.0
	for _, i := range order {
		above += c.above.loss[i]
	}
	cuts := []cut{{0, above, above}}
	below := 0.0
	for k, i := range order {
		below += c.below.loss[i]
		above -= c.above.loss[i]
		switch {
		case k == len(order)-1:
			cuts = append(cuts, cut{k + 1, below, 0})
		case c.degree[i] < c.degree[order[k+1]]:
			cuts = append(cuts, cut{k + 1, below + above + Noise, above})
		}
	}
	slices.SortStableFunc(cuts, func(a, b cut) int { return cmp.Compare(a.least, b.least) })
	return cuts
}

// writer makes the nodes of a model of a tuned tree.
type writer struct {
	t    *Table
	tree *selector.Thresholds
}

func (w *writer) add(n *tunedNode) {
	tree := w.tree
	at := len(tree.Branches)
	tree.Branches = append(tree.Branches, selector.Branch{})
	if n.below == nil {
		tree.Branches[at].Leaf = len(tree.Variants)
		tree.Variants = append(tree.Variants, n.of.leaf)
		return
	}
	w.add(n.below)
	degree := n.of.fork.Degree
	tree.Branches[at] = selector.Branch{Features: w.indices(degree.Times), Over: w.indices(degree.Over), Limit: n.limit, Above: len(tree.Branches)}
	w.add(n.above)
}

func (w *writer) indices(names []string) (all []int) {
	for _, name := range names {
		all = append(all, slices.IndexFunc(w.t.Features, func(f selector.Feature) bool { return f.Name == name }))
	}
	return all
}

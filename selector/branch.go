package selector

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Branch is a node of a tree that features decide about. The nodes of a tree stand in a slice, the root first, and each
// before those below it: what is less than Limit goes on with the next node.
type Branch struct {
	// Features are indices of the classifier's features, whose product is compared with Limit; none in a leaf. Over are
	// those that it is divided by: where one of them is 0, it is 0.
	Features, Over []int
	Limit          float64
	// Above is the node for what is not less than Limit.
	Above int
	// Leaf is the number of a leaf, from 0 in the order of the nodes, in a leaf.
	Leaf int
}

// maxBranches is how many nodes a tree can have.
const maxBranches = 255

// descend returns the leaf for an input with the given features.
func descend(nodes []Branch, features [maxFeatures]float64) int {
	at := 0
	for len(nodes[at].Features) > 0 {
		n, size := &nodes[at], 1.0
		for _, f := range n.Features {
			size *= features[f&(maxFeatures-1)]
		}
		for _, f := range n.Over {
			size = over(size, features[f&(maxFeatures-1)])
		}
		if size >= n.Limit {
			at = n.Above
		} else {
			at++
		}
	}
	return nodes[at].Leaf
}

// checkBranches reports what makes nodes no tree with that many leaves.
func checkBranches(nodes []Branch, c *Classifier, leaves int) error {
	if len(nodes) == 0 || len(nodes) > maxBranches || len(nodes) != 2*leaves-1 {
		return fmt.Errorf("the tree of %s has %d nodes and %d leaves", c.Computation, len(nodes), leaves)
	}
	leaf := 0
	end, err := checkBranch(nodes, 0, &leaf, len(c.Features))
	if err == nil && end != len(nodes) {
		err = fmt.Errorf("the tree of %s has nodes that nothing leads to", c.Computation)
	}
	return err
}

// checkBranch checks what is below a node and returns the node behind that.
func checkBranch(nodes []Branch, at int, leaf *int, features int) (int, error) {
	if at >= len(nodes) {
		return at, fmt.Errorf("the tree ends within a branch")
	}
	n := &nodes[at]
	if len(n.Features) == 0 {
		if n.Leaf != *leaf {
			return at, fmt.Errorf("leaf %d of the tree has the number %d", *leaf, n.Leaf)
		}
		*leaf++
		return at + 1, nil
	}
	unknown := func(f int) bool { return f < 0 || f >= features }
	if !finite(n.Limit) || slices.ContainsFunc(n.Features, unknown) || slices.ContainsFunc(n.Over, unknown) {
		return at, fmt.Errorf("node %d of the tree compares features %d, over %d, with %g", at, n.Features, n.Over, n.Limit)
	}
	above, err := checkBranch(nodes, at+1, leaf, features)
	if err != nil {
		return at, err
	}
	if above != n.Above {
		return at, fmt.Errorf("node %d of the tree goes on with %d, want %d", at, n.Above, above)
	}
	return checkBranch(nodes, above, leaf, features)
}

// writeBranches prints a tree as [readBranches] reads it: a line a node, each before those below it.
func writeBranches(b *bytes.Buffer, nodes []Branch, c *Classifier, leaf func(n int) string) {
	for i := range nodes {
		n := &nodes[i]
		if len(n.Features) == 0 {
			fmt.Fprintf(b, "leaf%s\n", leaf(n.Leaf))
			continue
		}
		fmt.Fprintf(b, "branch %s %s\n", c.size(n), exact(n.Limit))
	}
}

// describeBranches says how large a tree is.
func describeBranches(nodes []Branch) string {
	leaves := (len(nodes) + 1) / 2
	if leaves == 1 {
		return "a single leaf"
	}
	return fmt.Sprintf("%d comparisons that lead to %d leaves", len(nodes)-leaves, leaves)
}

// size names what a node compares: length*length/aspect_ratio.
func (c *Classifier) size(n *Branch) Size {
	var s Size
	for _, f := range n.Features {
		s.Times = append(s.Times, c.Features[f].Name)
	}
	for _, f := range n.Over {
		s.Over = append(s.Over, c.Features[f].Name)
	}
	return s
}

// branching is a machine that consists of branches.
type branching interface {
	branches() []Branch
	// first is the variant that comes first in a leaf.
	first(leaf int) int
}

// Leaf says which variant comes first where, in words: length >= 5000 and average_row_length < 12.
type Leaf struct {
	Where   string
	Variant Variant
}

// Leaves returns the leaves of a classifier whose machine has some, nil for others. It has to be checked.
func (c *Classifier) Leaves() (all []Leaf) {
	m, ok := c.Machine.(branching)
	for i, where := range c.paths {
		if ok {
			all = append(all, Leaf{where, c.Variants[m.first(i)]})
		}
	}
	return all
}

// pathsOf says for each leaf what leads to it.
func (c *Classifier) pathsOf(nodes []Branch) (paths []string) {
	var visit func(at int, path []string)
	visit = func(at int, path []string) {
		n := &nodes[at]
		if len(n.Features) == 0 {
			paths = append(paths, strings.Join(path, " and "))
			return
		}
		size := c.size(n).String()
		visit(at+1, append(slices.Clone(path), fmt.Sprintf("%s < %.4g", size, n.Limit)))
		visit(n.Above, append(slices.Clone(path), fmt.Sprintf("%s >= %.4g", size, n.Limit)))
	}
	visit(0, nil)
	return paths
}

// readBranches reads a tree. leaf takes the words of a leaf.
func readBranches(p *modelParser, c *Classifier, leaf func(words []string) error) ([]Branch, error) {
	var nodes []Branch
	leaves := 0
	var read func() error
	read = func() error {
		if len(nodes) == maxBranches {
			return fmt.Errorf("the tree has more than %d nodes", maxBranches)
		}
		at := len(nodes)
		nodes = append(nodes, Branch{})
		if !p.begins("branch") {
			words, err := p.expect("leaf", -1)
			if err != nil {
				return err
			}
			nodes[at].Leaf = leaves
			leaves++
			return leaf(words)
		}
		words, err := p.expect("branch", 2)
		if err != nil {
			return err
		}
		for i, factor := range strings.Split(words[0], "/") {
			into := &nodes[at].Over
			if i == 0 {
				into = &nodes[at].Features
			} else if strings.Contains(factor, "*") {
				return fmt.Errorf("%q of the tree multiplies behind a quotient", words[0])
			}
			for _, name := range strings.Split(factor, "*") {
				f := slices.IndexFunc(c.Features, func(s Scaling) bool { return s.Name == name })
				if f < 0 {
					return fmt.Errorf("the tree asks for %q, which is no feature of %s", name, c.Computation)
				}
				*into = append(*into, f)
			}
		}
		if nodes[at].Limit, err = parseFloat(words[1]); err != nil {
			return err
		}
		if err := read(); err != nil {
			return err
		}
		nodes[at].Above = len(nodes)
		return read()
	}
	err := read()
	return nodes, err
}

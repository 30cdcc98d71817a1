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
	// Features are indices of the classifier's features, whose product is compared with Limit; none in a leaf.
	Features []int
	Limit    float64
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
		if size < n.Limit {
			at++
		} else {
			at = n.Above
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
	if !finite(n.Limit) || slices.ContainsFunc(n.Features, func(f int) bool { return f < 0 || f >= features }) {
		return at, fmt.Errorf("node %d of the tree compares features %d with %g", at, n.Features, n.Limit)
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
		fmt.Fprintf(b, "branch %s %s\n", c.product(n.Features), exact(n.Limit))
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

// product names features that are multiplied: length*average_row_length.
func (c *Classifier) product(features []int) string {
	var names []string
	for _, f := range features {
		names = append(names, c.Features[f].Name)
	}
	return strings.Join(names, "*")
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
		for _, name := range strings.Split(words[0], "*") {
			f := slices.IndexFunc(c.Features, func(s Scaling) bool { return s.Name == name })
			if f < 0 {
				return fmt.Errorf("the tree asks for %q, which is no feature of %s", name, c.Computation)
			}
			nodes[at].Features = append(nodes[at].Features, f)
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

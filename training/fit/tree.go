package fit

import (
	"fmt"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"
)

// growTree returns a decision tree's choice among the classes: golearn's CART by Gini impurity.
func growTree(t *Table, z [][]float64, classes []int) func(at []float64) int {
	labels := make([]int64, len(z))
	varied := false
	for i := range z {
		labels[i] = int64(t.Inputs[i].label(classes))
		varied = varied || labels[i] != labels[0]
	}
	constant := func([]float64) int { return int(labels[0]) }
	if !varied || len(z[0]) == 0 {
		return constant
	}
	all := make([]int64, len(classes))
	for i := range all {
		all[i] = int64(i)
	}
	tree := trees.NewDecisionTreeClassifier("gini", 6, all)
	if err := tree.Fit(grid(z, labels)); err != nil {
		return constant
	}
	return func(at []float64) int {
		if got := tree.Predict(grid([][]float64{at}, []int64{0})); len(got) == 1 && got[0] >= 0 && int(got[0]) < len(classes) {
			return int(got[0])
		}
		return int(labels[0])
	}
}

// grid is golearn's form of points with labels.
func grid(z [][]float64, labels []int64) *base.DenseInstances {
	g := base.NewDenseInstances()
	specs := make([]base.AttributeSpec, 0, len(z[0])+1)
	for f := range z[0] {
		specs = append(specs, g.AddAttribute(base.NewFloatAttribute(fmt.Sprint("x", f))))
	}
	class := base.NewFloatAttribute("class")
	specs = append(specs, g.AddAttribute(class))
	_ = g.AddClassAttribute(class) // it was added the line before
	_ = g.Extend(len(z))
	for i := range z {
		for f, x := range z[i] {
			g.Set(specs[f], i, base.PackFloatToBytes(x))
		}
		g.Set(specs[len(specs)-1], i, base.PackFloatToBytes(float64(labels[i])))
	}
	return g
}

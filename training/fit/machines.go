package fit

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/surge-ndp/surge/selector"
)

// trainedOn returns the classifier that chooses among classes, trained on the inputs that are taken, checked.
func trainedOn(t *Table, z [][]float64, taken []bool, classes []int, gamma, c float64) (*selector.Classifier, error) {
	cl := &selector.Classifier{Computation: t.Computation, Features: scale(t)}
	for _, v := range classes {
		cl.Variants = append(cl.Variants, t.Variants[v])
	}
	u, zu := pick(t, z, taken)
	m, err := machines(u, zu, classes, gamma, c)
	if err != nil {
		return nil, err
	}
	cl.Machine = m
	cl.Summary.Inputs = len(t.Inputs)
	return cl, cl.Check()
}

// machines trains the machine of each pair of classes on the points z of t's inputs.
func machines(t *Table, z [][]float64, classes []int, gamma, c float64) (*selector.SVM, error) {
	m := &selector.SVM{C: c}
	if len(classes) == 1 {
		return m, nil
	}
	m.Gamma = gamma
	n := len(z)
	kernel := make([]float64, n*n)
	for i := range n {
		for j := range n {
			square := 0.0
			for f := range z[i] {
				square += (z[i][f] - z[j][f]) * (z[i][f] - z[j][f])
			}
			kernel[i*n+j] = math.Exp(-gamma * square)
		}
	}
	var weights [][]float64 // a column for each pair
	for a := range classes {
		for b := a + 1; b < len(classes); b++ {
			w, bias, err := machine(t, kernel, classes[a], classes[b], c)
			if err != nil {
				return nil, err
			}
			weights = append(weights, w)
			m.Bias = append(m.Bias, bias)
		}
	}
	for i := range n {
		row := make([]float64, len(weights))
		used := false
		for p, w := range weights {
			row[p] = w[i]
			used = used || w[i] != 0
		}
		if used {
			m.Support = append(m.Support, z[i])
			m.Weights = append(m.Weights, row)
		}
	}
	return m, nil
}

// machine trains the machine that tells where variant a is faster than b: its decision function is
// bias + Σ w[i]·k(z[i], ·), positive for a.
//
// The dual of the C-SVC with squared hinge loss and penalties C_i is that of a hard-margin machine whose kernel
// matrix has 1/(2C_i) added to its diagonal, and a constant is part of the decision if 1 is added to every element.
// The rows of the Cholesky factor of that matrix are points whose inner products are exactly its elements: on them, a
// linear solver finds the kernel machine. The added diagonal also keeps the matrix positive definite when inputs have
// equal features.
func machine(t *Table, kernel []float64, a, b int, c float64) (w []float64, bias float64, err error) {
	n := len(t.Inputs)
	w = make([]float64, n)
	var index []int
	var sign, cost []float64
	for i := range t.Inputs {
		in := &t.Inputs[i]
		d := in.loss(b) - in.loss(a) // positive where a is better
		if math.Abs(d) < Noise/2 {
			continue // it does not matter here
		}
		index, sign, cost = append(index, i), append(sign, math.Copysign(1, d)), append(cost, math.Abs(d))
	}
	switch {
	case len(index) == 0:
		return w, 0, nil
	case !slices.Contains(sign, -1):
		return w, 1, nil
	case !slices.Contains(sign, 1):
		return w, -1, nil
	}
	mean := 0.0
	for _, x := range cost {
		mean += x / float64(len(cost))
	}
	m := len(index)
	gram := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			k := kernel[index[i]*n+index[j]] + 1
			if i == j {
				k += mean / (2 * c * cost[i])
			}
			gram.SetSym(i, j, k)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(gram) {
		return nil, 0, fmt.Errorf("%s: the kernel matrix of %d inputs is not positive definite", t.Computation, m)
	}
	var l mat.TriDense
	chol.LTo(&l)
	rows := make([][]float64, m)
	for i := range rows {
		rows[i] = make([]float64, m)
		for j := 0; j <= i; j++ {
			rows[i][j] = l.At(i, j)
		}
	}
	primal, err := solve(rows, sign)
	if err != nil {
		return nil, 0, err
	}
	// The primal weights are the sum of the dual ones times the rows: solve Lᵀ·dual = primal.
	dual := mat.NewVecDense(m, nil)
	if err := dual.SolveVec(l.T(), mat.NewVecDense(m, primal)); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", t.Computation, err)
	}
	largest := 0.0
	for i := range m {
		largest = max(largest, math.Abs(dual.AtVec(i)))
	}
	for i, at := range index {
		if x := dual.AtVec(i); math.Abs(x) > 1e-5*largest {
			w[at] = x
			bias += x
		}
	}
	return w, bias, nil
}

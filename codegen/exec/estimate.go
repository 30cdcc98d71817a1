package exec

import (
	"fmt"
	"math"

	"github.com/surge-ndp/surge/selector"
)

// Estimates are what each algorithm for a kernel costs on an input, in operations on one thread
// ([selector.Input.Estimate]). Generated code adds up the computations of each.
type Estimates struct {
	call *Call
	all  []estimate // the kernel itself, then its alternatives
}

type estimate struct{ operations, guessed float64 }

// An algorithm is clearly faster than the kernel itself where the estimate for it is that much less, and the part of it that
// is guessed is small. (The estimates of kernels with two algorithms are up to 3 times off, mostly to one side for both.)
const (
	clearlyLess = 1.2
	clearlyPart = 0.25
)

// Estimates returns what is to be filled in for the choice of the algorithm where neither the options nor a model has made
// it, after [Call.ChooseAlgorithm]; else nil.
func (c *Call) Estimates() *Estimates {
	if !c.estimated {
		return nil
	}
	return &Estimates{c, make([]estimate, 1+len(c.kernel.Alternatives))}
}

// Add adds a computation of an algorithm, 0 for the kernel itself and i for its alternative i-1, with its features that take
// constant time.
func (e *Estimates) Add(algorithm, computation int, constant ...selector.Feature) {
	k := e.call.kernel
	if algorithm > 0 {
		k = k.Alternatives[algorithm-1]
	}
	comp := k.Computations[computation]
	codes, err := comp.Available()
	if err != nil || len(codes) == 0 {
		e.Fail(algorithm)
		return
	}
	operations, guessed := (&selector.Input{Strided: comp.Strided, Features: constant, Costs: comp.Costs, Codes: codes}).Estimate()
	e.all[algorithm].operations += operations
	e.all[algorithm].guessed += guessed
}

// Fail says that nothing is known of an algorithm: its inputs are wrong, which its checks report if it runs.
func (e *Estimates) Fail(algorithm int) { e.all[algorithm].operations = math.NaN() }

// Least returns the algorithm that is clearly faster than the kernel itself, the fastest of several; 0 if none is.
func (e *Estimates) Least() int {
	own, least, n := e.all[0], math.Inf(1), 0
	for i, a := range e.all[1:] {
		if a.guessed <= clearlyPart*a.operations && clearlyLess*a.operations <= own.operations-own.guessed && a.operations < least {
			n, least = i+1, a.operations
		}
	}
	if n == 0 {
		return 0
	}
	c := e.call
	k, a := c.kernel, c.kernel.Alternatives[n-1]
	c.algorithm = Decision{Computation: k.Name + selector.AlgorithmNumber, Variant: selector.Algorithm(k.Name, a.Name, selector.Host, a.Hash),
		Selector: selector.Untrained{}.Name(), Features: c.algorithm.Features,
		Reason: fmt.Sprintf("the algorithm: by estimate it takes %.3g operations, and %s %.3g", least, k.Name, own.operations)}
	if w := c.opts.explain; w != nil {
		explain(w, &c.algorithm)
	}
	return n
}

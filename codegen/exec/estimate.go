package exec

import (
	"math"

	"github.com/surge-ndp/surge/selector"
)

// Estimates are what each algorithm for a kernel costs on an input, in operations on one thread
// ([selector.Input.Estimate]). Generated code adds up the computations of each.
type Estimates struct {
	call *Call
	all  []selector.Estimate // the kernel itself, then its alternatives
}

// Estimates returns what is to be filled in for the choice of the algorithm where neither the options nor a model has
// made it, after [Call.ChooseAlgorithm]; else nil.
func (c *Call) Estimates() *Estimates {
	if !c.estimated {
		return nil
	}
	return &Estimates{c, make([]selector.Estimate, 1+len(c.kernel.Alternatives))}
}

// Add adds a computation of an algorithm, 0 for the kernel itself and i for its alternative i-1, with its features that
// take constant time.
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
	operations, guessed := (&selector.Input{Strided: comp.Strided, Features: constant, Costs: comp.Costs, Forms: comp.Forms, Codes: codes}).Estimate()
	e.all[algorithm].Operations += operations
	e.all[algorithm].Guessed += guessed
}

// Fail says that nothing is known of an algorithm: its inputs are wrong, which its checks report if it runs.
func (e *Estimates) Fail(algorithm int) { e.all[algorithm].Operations = math.NaN() }

// Least returns the algorithm that is clearly faster than the kernel itself, the fastest of several; 0 if none is.
func (e *Estimates) Least() int {
	return max(e.call.rankAlgorithms(selector.Host, e.call.algorithm.Features, e.all), 0)
}

package fit

import (
	"math"
	"strings"

	"github.com/surge-ndp/surge/selector"
)

// Total judges the choices for all computations of a kernel together, by the sum of their times: a computation that
// takes little of it counts little.
type Total struct {
	Kernel string
	// Computations is how many there are.
	Computations int
	Methods      []Method // without Chosen
	// Shares has for each computation, in order, the mean over the inputs of its part of the best total time.
	Shares []float64
	Inputs int
}

// Totals returns a total for each kernel of several computations. The choice of an algorithm is no computation.
func Totals(judged []*Judgement) []Total {
	var all []Total
	byKernel := map[string][]*Judgement{}
	var order []string
	for _, j := range judged {
		name, number, _ := cutLast(j.Test.Computation)
		if number == strings.TrimPrefix(selector.AlgorithmNumber, ".") {
			continue
		}
		if byKernel[name] == nil {
			order = append(order, name)
		}
		byKernel[name] = append(byKernel[name], j)
	}
	for _, name := range order {
		if js := byKernel[name]; len(js) > 1 {
			all = append(all, total(name, js))
		}
	}
	return all
}

func cutLast(computation string) (kernel, number string, ok bool) {
	i := strings.LastIndexByte(computation, '.')
	if i < 0 {
		return computation, "", false
	}
	return computation[:i], computation[i+1:], true
}

func total(kernel string, js []*Judgement) Total {
	t := Total{Kernel: kernel, Computations: len(js), Shares: make([]float64, len(js))}
	rows := make([]map[string]int, len(js))
	for k, j := range js {
		rows[k] = map[string]int{}
		for i := range j.Test.Inputs {
			rows[k][j.Test.Inputs[i].Name] = i
		}
	}
	for m := range js[0].Methods {
		method := Method{Name: js[0].Methods[m].Name, WorstError: math.NaN()}
		var regrets []float64
		t.Inputs = 0
		shares := make([]float64, len(js))
		for i := range js[0].Test.Inputs {
			best, lost, complete := 0.0, 0.0, true
			own := make([]float64, len(js))
			for k, j := range js {
				row, ok := rows[k][js[0].Test.Inputs[i].Name]
				if !ok {
					complete = false
					break
				}
				_, own[k] = j.Test.Inputs[row].Best()
				best += own[k]
				lost += own[k] * j.Regret(&j.Methods[m], row)
			}
			if !complete {
				continue
			}
			t.Inputs++
			for k := range own {
				shares[k] += own[k] / best
			}
			r := lost / best
			regrets = append(regrets, r)
			method.Worst = max(method.Worst, r)
			if r <= Noise {
				method.Right++
			}
		}
		if t.Inputs > 0 {
			method.regrets, method.Mean, method.MeanError = regrets, meanOf(regrets), standardError(regrets)
			for k := range shares {
				t.Shares[k] = shares[k] / float64(t.Inputs)
			}
		}
		t.Methods = append(t.Methods, method)
	}
	return t
}

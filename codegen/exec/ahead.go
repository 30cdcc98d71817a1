package exec

import (
	"runtime"
	"sync"

	"github.com/surge-ndp/surge/selector"
)

// Prepare prepares variants of the kernel and of its alternatives, several at once, and forgets them again. What that
// leaves is what a device's driver has compiled, which takes long. An error comes again when the variant is bound.
func (k *Kernel) Prepare(variants []string) {
	next := make(chan selector.Variant)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for v := range next {
				if f := k.function(v); f != nil {
					_, _ = f.Prepare(v)
				}
			}
		})
	}
	for _, text := range variants {
		if v, err := selector.Parse(text); err == nil {
			next <- v
		}
	}
	close(next)
	wg.Wait()
}

// function returns the code of a variant, nil if there is none that can run.
func (k *Kernel) function(v selector.Variant) Func {
	for _, a := range append([]*Kernel{k}, k.Alternatives...) {
		for _, c := range a.Computations {
			if c.Name != v.Computation || c.parse() != nil {
				continue
			}
			if i, err := c.codeOf(v); err == nil {
				return c.funcs[i]
			}
		}
	}
	return nil
}

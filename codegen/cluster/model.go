package cluster

import (
	"context"
	"slices"
	"sync"

	"github.com/surge-ndp/surge/codegen/exec"
)

// used are the models that kernels' steps have been given, by kernel.
var used struct {
	mu   sync.Mutex
	text map[*Kernel]string
}

// UseModel makes steps choose by the models of the kernel itself in a model file, as far as they are for this machine:
// what a step computes is what the kernel computes, for the elements of a block. Without text they choose by the models
// that the program holds. Where there is no model for something it is chosen as if there were none at all.
func (k *Kernel) UseModel(text string) {
	used.mu.Lock()
	defer used.mu.Unlock()
	if text == used.text[k] {
		return
	}
	if used.text == nil {
		used.text = map[*Kernel]string{}
	}
	used.text[k] = text
	for _, s := range k.Steps {
		if text == "" {
			s.UseEmbedded()
		} else {
			s.UseModel([]byte(text))
		}
	}
}

// WithDecisions returns a context whose steps, besides what they do with the options that ctx has, call f with the
// decision that they make for each computation.
func WithDecisions(ctx context.Context, f func(d *exec.Decision)) context.Context {
	return WithOptions(ctx, append(slices.Clone(Options(ctx)), exec.Observe(f))...)
}

package beamrt

import (
	"fmt"
	"sync"

	"github.com/surge-ndp/surge/codegen/cluster"
)

var registry sync.Map // of *cluster.Kernel, by name

// Register makes a kernel known to workers, which run the same program as the one that builds the pipeline. It is
// called by init functions of generated code, and panics if the kernel's description is wrong or another one has its
// name and place.
func Register(k *cluster.Kernel) {
	if err := k.Check(); err != nil {
		panic(err)
	}
	if old, loaded := registry.LoadOrStore(nameOf(k), k); loaded && old != k {
		panic("beamrt: two kernels are called " + nameOf(k))
	}
}

// nameOf returns what a kernel is called in a pipeline.
func nameOf(k *cluster.Kernel) string { return k.Pos + " " + k.Name }

// kernel returns a registered kernel.
func kernel(name string) (*cluster.Kernel, error) {
	if k, ok := registry.Load(name); ok {
		return k.(*cluster.Kernel), nil
	}
	return nil, fmt.Errorf("the worker does not know the kernel %s: it runs another program than the one that built the pipeline", name)
}

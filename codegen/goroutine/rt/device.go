package rt

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/surge-ndp/surge/codegen/goroutine/vec"
)

// device is found out once: which cores a process may use does not change while it runs, and GOMAXPROCS hardly ever.
var device = sync.OnceValue(func() string {
	name := vec.CPU()
	if name == "" {
		name = "unknown CPU"
	}
	return fmt.Sprintf("%s, vectors %s, %d cores, %s", runtime.GOARCH, vec.Level(), runtime.GOMAXPROCS(0), name)
})

// Device implements [exec.Identified]: the architecture, the vectors that this build can use, the number of cores that
// the process may use, and the processor's name.
func (fn Func) Device() string { return device() }

package input

import (
	"bufio"
	"fmt"
	"os"
	"sync"
)

// memoryLimit is how many bytes one array may take when the caller sets no
// limit: three quarters of the machine's memory, or 8 GiB where it is unknown.
var memoryLimit = sync.OnceValue(func() int64 {
	const unknown = 8 << 30
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return unknown
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kib int64
		if n, _ := fmt.Sscanf(lines.Text(), "MemTotal: %d kB", &kib); n == 1 {
			return kib << 10 / 4 * 3
		}
	}
	return unknown
})

// checkSize refuses n elements of size bytes beyond the limit (0: memoryLimit).
func checkSize(n, size, limit int64) error {
	if limit <= 0 {
		limit = memoryLimit()
	}
	if n < 0 {
		return &Error{What: fmt.Sprintf("the length is %d", n), Code: "bad-size",
			Why: "a length is not negative", Do: "give 0 or more"}
	}
	if n > limit/size {
		return &Error{What: fmt.Sprintf("%d elements do not fit in memory", n), Code: "too-large",
			Why: fmt.Sprintf("they take more than the %d MiB allowed for one array", limit>>20),
			Do:  "use a smaller size"}
	}
	return nil
}

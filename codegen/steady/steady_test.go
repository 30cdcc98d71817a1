package steady

import (
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	if err := Check(50, func(int) {}); err != nil {
		t.Error(err)
	}
	var kept [][]byte
	if err := Check(50, func(int) { kept = append(kept, make([]byte, 4096)) }); err == nil || !strings.Contains(err.Error(), "bytes more") {
		t.Errorf("%d arrays are kept: %v", len(kept), err)
	}
	wait := make(chan bool)
	defer close(wait)
	if err := Check(50, func(int) { go func() { <-wait }() }); err == nil {
		t.Error("goroutines that are left are not noticed")
	}
}

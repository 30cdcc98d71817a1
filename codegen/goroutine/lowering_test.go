package goroutine_test

import (
	"testing"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir"
	"github.com/surge-ndp/surge/selector"
)

// compile fuses a kernel that is given as text.
func compile(t *testing.T, text string) *fuse.Kernel {
	t.Helper()
	f, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	k, err := fuse.Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func variant(t *testing.T, text string) selector.Variant {
	t.Helper()
	v, err := selector.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

package training

import "testing"

// TestSaid keeps the place and the code of what a kernel says of its input, and adds the kernel's name to what it does
// not say.
func TestSaid(t *testing.T) {
	for text, want := range map[string]string{
		"spmv.go:12:15: SpMV: ops.Gather: columns[8182] = 5000 is outside of [0, 2000) [index]": "spmv.go:12:15: SpMV: ops.Gather: columns[8182] = 5000 is outside of [0, 2000) [index]",
		"SpMV: the pipeline failed: worker gone":                                                "SpMV: the pipeline failed: worker gone [cluster]",
		"x-3.npy: the file has 12 bytes [npy-truncated]":                                        "SpMV: x-3.npy: the file has 12 bytes [npy-truncated] [cluster]",
	} {
		if got := said("SpMV", text).Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

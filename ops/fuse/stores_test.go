package fuse_test

import "testing"

// TestStores checks that loops that store constants or extremes at places that they read run in parallel, but not those
// that also ask for what is stored.
func TestStores(t *testing.T) {
	for name, inOrder := range map[string]int{"Present": 0, "Spans": 0, "Visited": 1} {
		if k := construct(t, name); len(k.InOrder) != inOrder {
			t.Errorf("%s: %d loops run in order, want %d: %v", name, len(k.InOrder), inOrder, k.InOrder)
		}
	}
}

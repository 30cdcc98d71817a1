package exec

import (
	"testing"
	"testing/fstest"
)

// likeKernel is a kernel like that of the models, of which only the first of two computations has a part.
func likeKernel(hash string) *Kernel {
	k := &Kernel{Name: "kBlock1", Pos: "k.go:1", Hash: "h2", Like: Likeness{"K", hash}}
	for _, name := range []string{"kBlock1.1", "kBlock1.2"} {
		c := &Computation{Name: name, Sequence: "map"}
		for _, unroll := range []string{"1", "4"} {
			c.Codes = append(c.Codes, Code{Text: name + "/nest/independent/goroutine/unroll_1=" + unroll, Launch: "num_threads=", Func: fakeFunc{}})
		}
		k.Computations = append(k.Computations, c)
	}
	k.Computations[0].Like = "K.1"
	return k
}

// TestLike chooses for a step by the models of the kernel that it is a step of: those that the program holds, and those
// that it is given; where they are none it chooses without.
func TestLike(t *testing.T) {
	chosen := func(k *Kernel) (first, second string) {
		t.Helper()
		var c Call
		c.Init(k, nil)
		for i := range k.Computations {
			if err := c.Choose(i, Feature("length", "elements", 10)); err != nil {
				t.Fatal(err)
			}
		}
		d := c.Decisions()
		for _, one := range d {
			if one.Variant.Computation != one.Computation {
				t.Errorf("%s runs as %s", one.Computation, one.Variant)
			}
		}
		return d[0].Selector, d[1].Selector
	}
	k := likeKernel("h1")
	if first, second := chosen(k); first != "untrained" || second != "untrained" {
		t.Errorf("without a model %s and %s choose", first, second)
	}
	text := testModel(t, "h1", testDevice)
	if note := k.UseModel(text); note != "" {
		t.Error(note)
	}
	if first, second := chosen(k); first != "svm" || second != "untrained" {
		t.Errorf("with a model %s and %s choose", first, second)
	}
	k.UseEmbedded()
	if first, _ := chosen(k); first != "untrained" {
		t.Errorf("without the model again %s chooses", first)
	}
	// A model of the kernel as it was, or for another machine, is none.
	for _, bad := range [][]byte{testModel(t, "h0", testDevice), testModel(t, "h1", "another machine")} {
		if note := k.UseModel(bad); note == "" {
			t.Error("a model is used that does not fit")
		}
		if first, _ := chosen(k); first != "untrained" {
			t.Errorf("by a model that does not fit %s chooses", first)
		}
	}
	of := testKernel()
	of.Hash = "held"
	held := testModel(t, "held", testDevice)
	Embed(fstest.MapFS{"surge.model": {Data: held}}, "surge.model", of)
	if first, second := chosen(likeKernel("held")); first != "svm" || second != "untrained" {
		t.Errorf("with a model in the program %s and %s choose", first, second)
	}
	if d, err := decide(t, of, 10); err != nil || d.Selector != "svm" {
		t.Errorf("%+v, %v", d, err)
	}
}

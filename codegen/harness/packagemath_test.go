package harness

import (
	"math"
	"runtime"
	"testing"
)

// What is said of package math has to be true of it: whether it is wrong is found out, and in which build it is so is
// known.
func TestPackageMath(t *testing.T) {
	for _, m := range packageMath {
		if wrong := m.wrong(); wrong != (runtime.GOARCH == "amd64") {
			t.Errorf("on %s, %s is wrong: %v", runtime.GOARCH, m.function, wrong)
		}
	}
	if runtime.GOARCH == "amd64" {
		if y := math.Log(leastFloat); math.Abs(y+709.09) > 0.005 {
			t.Errorf("math.Log(%v) is %v, which is not what is said of it", leastFloat, y)
		}
		if y, z := math.Exp(largeExponent-0.27), math.Exp(largeExponent-0.25); math.IsInf(y, 1) || !math.IsInf(z, 1) {
			t.Errorf("math.Exp is %v and %v around 709.44", y, z)
		}
	}
}

// A flaw of package math is named where the kernel calls the function and what is chosen computes it in its own way.
func TestFlaws(t *testing.T) {
	lanes := []Decision{{Variant: "K.1/nest/sequential/goroutine/unroll_1=1"}, {Variant: "K.2/nest/cooperative/goroutine/execution_resource_1=pool+lane,unroll_1=1"}}
	device := []Decision{{Variant: "K.1/nest/cooperative/opencl/unroll_1=1"}}
	for _, c := range []struct {
		math   []string
		chosen []Decision
		named  bool
	}{
		{[]string{"Log"}, lanes, true},
		{[]string{"Exp", "Log"}, device, true},
		{[]string{"Exp"}, lanes[:1], false},
		{[]string{"Sin"}, lanes, false},
		{nil, device, false},
	} {
		if text := (&Kernel{Math: c.math}).flaws(c.chosen); (text != "") != (c.named && runtime.GOARCH == "amd64") {
			t.Errorf("%v, %v: %q", c.math, c.chosen, text)
		}
	}
}

//go:build !goexperiment.simd || !amd64

package vec

import "math"

// Exp returns e^v lane by lane.
func (v F64x4) Exp() F64x4 {
	a := v.Array()
	for i := range a {
		a[i] = math.Exp(a[i])
	}
	return FromArrayF64x4(&a)
}

// Log returns the natural logarithm of v lane by lane.
func (v F64x4) Log() F64x4 {
	a := v.Array()
	for i := range a {
		a[i] = math.Log(a[i])
	}
	return FromArrayF64x4(&a)
}

// Sin returns the sine of v lane by lane.
func (v F64x4) Sin() F64x4 {
	a := v.Array()
	for i := range a {
		a[i] = math.Sin(a[i])
	}
	return FromArrayF64x4(&a)
}

// Cos returns the cosine of v lane by lane.
func (v F64x4) Cos() F64x4 {
	a := v.Array()
	for i := range a {
		a[i] = math.Cos(a[i])
	}
	return FromArrayF64x4(&a)
}

// Exp returns e^v lane by lane.
func (v F64x8) Exp() F64x8 {
	a := v.Array()
	for i := range a {
		a[i] = math.Exp(a[i])
	}
	return FromArrayF64x8(&a)
}

// Log returns the natural logarithm of v lane by lane.
func (v F64x8) Log() F64x8 {
	a := v.Array()
	for i := range a {
		a[i] = math.Log(a[i])
	}
	return FromArrayF64x8(&a)
}

// Sin returns the sine of v lane by lane.
func (v F64x8) Sin() F64x8 {
	a := v.Array()
	for i := range a {
		a[i] = math.Sin(a[i])
	}
	return FromArrayF64x8(&a)
}

// Cos returns the cosine of v lane by lane.
func (v F64x8) Cos() F64x8 {
	a := v.Array()
	for i := range a {
		a[i] = math.Cos(a[i])
	}
	return FromArrayF64x8(&a)
}

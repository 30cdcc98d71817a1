package drive

import (
	"fmt"
	"math"
	"reflect"

	"github.com/surge-ndp/surge/codegen/harness"
)

// difference says where two results differ, "" if nowhere: what is no float exactly, the floats of a result together by
// the rule of package harness for results of n elements.
func difference(got, want reflect.Value, n int) string {
	d := &leaves{}
	if diff := d.walk(got, want, ""); diff != "" {
		return diff
	}
	for _, pair := range []struct{ got, want any }{{d.got64, d.want64}, {d.got32, d.want32}} {
		c := harness.Compare(pair.got, pair.want, harness.Param{}, n)
		if !c.OK {
			at := ""
			if c.First >= 0 {
				at = fmt.Sprintf("float %d of %d ", c.First, c.Count)
			}
			return fmt.Sprintf("%sis %s, want %s (%s)", at, c.Got, c.Want, c.Rule)
		}
	}
	return ""
}

// identical says where floats of two results differ in bits, "" if nowhere; all that are no number are alike, and so
// are the zeros of both signs, which sorting by package slices leaves in any order.
func identical(got, want reflect.Value) string {
	d := &leaves{}
	if diff := d.walk(got, want, ""); diff != "" {
		return diff
	}
	for i, w := range d.want64 {
		if g := d.got64[i]; g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
			return fmt.Sprintf("float64 %d is %v, want %v, to the bit", i, g, w)
		}
	}
	for i, w := range d.want32 {
		if g := d.got32[i]; g != w && (g == g || w == w) {
			return fmt.Sprintf("float32 %d is %v, want %v, to the bit", i, g, w)
		}
	}
	return ""
}

// leaves are the floats of two results.
type leaves struct {
	got64, want64 []float64
	got32, want32 []float32
}

func (d *leaves) walk(got, want reflect.Value, at string) string {
	switch want.Kind() {
	case reflect.Float64:
		d.got64, d.want64 = append(d.got64, got.Float()), append(d.want64, want.Float())
	case reflect.Float32:
		d.got32, d.want32 = append(d.got32, float32(got.Float())), append(d.want32, float32(want.Float()))
	case reflect.Complex128:
		g, w := got.Complex(), want.Complex()
		d.got64, d.want64 = append(d.got64, real(g), imag(g)), append(d.want64, real(w), imag(w))
	case reflect.Complex64:
		g, w := complex64(got.Complex()), complex64(want.Complex())
		d.got32, d.want32 = append(d.got32, real(g), imag(g)), append(d.want32, real(w), imag(w))
	case reflect.Struct:
		for i := range want.NumField() {
			if diff := d.walk(got.Field(i), want.Field(i), at+"."+want.Type().Field(i).Name); diff != "" {
				return diff
			}
		}
	case reflect.Pointer:
		if got.IsNil() || want.IsNil() {
			if got.IsNil() != want.IsNil() {
				return fmt.Sprintf("%s is %v, want %v", at, got, want)
			}
			return ""
		}
		return d.walk(got.Elem(), want.Elem(), at)
	case reflect.Interface:
		return d.walk(got.Elem(), want.Elem(), at)
	case reflect.Slice, reflect.Array:
		if got.Len() != want.Len() {
			return fmt.Sprintf("%s has %d elements, want %d", at, got.Len(), want.Len())
		}
		for i := range want.Len() {
			if diff := d.walk(got.Index(i), want.Index(i), fmt.Sprintf("%s[%d]", at, i)); diff != "" {
				return diff
			}
		}
	default:
		if !got.Equal(want) {
			return fmt.Sprintf("%s is %v, want %v", at, got, want)
		}
	}
	return ""
}

// elements counts the elements of the largest argument.
func elements(args []reflect.Value) int {
	most := 1
	for _, a := range args {
		most = max(most, count(a))
	}
	return most
}

func count(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			n += max(1, count(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n = max(n, count(v.Field(i)))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return count(v.Elem())
		}
	case reflect.String:
		return v.Len()
	}
	return n
}

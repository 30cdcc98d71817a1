package drive

import (
	"reflect"
	"slices"
)

// span is memory from an address to below another one.
type span struct{ lo, hi uintptr }

type spans []span

// memoryOf is where the elements of all slices in some values lie.
func memoryOf(values []reflect.Value) (all spans) {
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				look(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				look(v.Field(i))
			}
		case reflect.Array:
			for i := range v.Len() {
				look(v.Index(i))
			}
		case reflect.Slice:
			size := v.Type().Elem().Size()
			all = append(all, span{v.Pointer(), v.Pointer() + uintptr(v.Len())*size})
			switch v.Type().Elem().Kind() {
			case reflect.Struct, reflect.Array, reflect.Slice:
				for i := range v.Len() {
					look(v.Index(i))
				}
			}
		}
	}
	for _, v := range values {
		look(v)
	}
	return slices.DeleteFunc(all, func(s span) bool { return s.lo == s.hi })
}

// overlaps reports whether s shares a byte with any of them.
func (all spans) overlaps(s span) bool {
	return slices.ContainsFunc(all, func(o span) bool { return s.lo < o.hi && o.lo < s.hi })
}

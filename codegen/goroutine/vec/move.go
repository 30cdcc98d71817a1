package vec

import "unsafe"

// Move copies n elements from src[j] on to those from dst[i] on, one after the other, none if n is not positive: where
// the places overlap, and the first one to be written lies behind the first one to be read, what was written is read.
func Move[T any](dst *T, i int, src *T, j, n int) {
	if n <= 0 {
		return
	}
	to, from := unsafe.Slice(Elem(dst, i), n), unsafe.Slice(Elem(src, j), n)
	behind := uintptr(unsafe.Pointer(&to[0])) - uintptr(unsafe.Pointer(&from[0]))
	if behind == 0 || behind >= uintptr(n)*unsafe.Sizeof(*dst) {
		copy(to, from)
		return
	}
	for k := range n {
		*Elem(dst, i+k) = *Elem(src, j+k)
	}
}

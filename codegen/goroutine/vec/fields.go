package vec

import "unsafe"

// Size returns the distance of the elements that p points to, in bytes.
func Size[T any](p *T) int { return int(unsafe.Sizeof(*p)) }

// TakeFields copies a number of each of n structs to dst: field is that of the first struct, size the distance from
// one to the next in bytes. It moves integers, whatever T is: see the package comment on scalar floating point among
// vectors.
func TakeFields[T any](dst, field *T, size, n int) {
	move(unsafe.Pointer(dst), unsafe.Pointer(field), int(unsafe.Sizeof(*dst)), int(unsafe.Sizeof(*dst)), size, n)
}

// PutFields is the reverse of [TakeFields]: it copies n numbers from src to the structs.
func PutFields[T any](src, field *T, size, n int) {
	move(unsafe.Pointer(field), unsafe.Pointer(src), int(unsafe.Sizeof(*src)), size, int(unsafe.Sizeof(*src)), n)
}

// move copies n numbers of so many bytes that lie at distances.
func move(dst, src unsafe.Pointer, bytes, to, from, n int) {
	switch bytes {
	case 8:
		moveAll[uint64](dst, src, to, from, n)
	case 4:
		moveAll[uint32](dst, src, to, from, n)
	case 2:
		moveAll[uint16](dst, src, to, from, n)
	case 1:
		moveAll[uint8](dst, src, to, from, n)
	default:
		panic("vec: numbers of 1, 2, 4 and 8 bytes")
	}
}

func moveAll[T uint8 | uint16 | uint32 | uint64](dst, src unsafe.Pointer, to, from, n int) {
	for ; n >= 4; n -= 4 {
		a, b := *(*T)(src), *(*T)(unsafe.Add(src, from))
		c, d := *(*T)(unsafe.Add(src, 2*from)), *(*T)(unsafe.Add(src, 3*from))
		*(*T)(dst), *(*T)(unsafe.Add(dst, to)) = a, b
		*(*T)(unsafe.Add(dst, 2*to)), *(*T)(unsafe.Add(dst, 3*to)) = c, d
		if n > 4 { // no address behind the end is formed
			dst, src = unsafe.Add(dst, 4*to), unsafe.Add(src, 4*from)
		} else {
			return
		}
	}
	for k := range n {
		*(*T)(unsafe.Add(dst, k*to)) = *(*T)(unsafe.Add(src, k*from))
	}
}

package kernels

import (
	"cmp"

	"github.com/surge-ndp/surge/ops"
)

type number interface {
	~int | ~int32 | ~float32 | ~float64
}

// Scaled is compiled for two types.
//
//surge:kernel
//surge:instantiate [float32] [int32]
func Scaled[T number](x []T, by T) ([]T, T) {
	var best T
	for _, v := range x {
		best = max(best, v)
	}
	return ops.Map(func(v T) T { return v*by + T(1) }, x), best
}

type queue[T any] struct {
	items  [4]T
	at, n  int
	missed int
}

func (q *queue[T]) push(v T) {
	if q.n == len(q.items) {
		q.missed++
		return
	}
	q.items[(q.at+q.n)%len(q.items)] = v
	q.n++
}

func (q *queue[T]) pop() (v T, ok bool) {
	if q.n == 0 {
		return v, false
	}
	v = q.items[q.at]
	q.at = (q.at + 1) % len(q.items)
	q.n--
	return v, true
}

func order[K cmp.Ordered, V any](a, b keyed[K, V]) int { return cmp.Compare(a.key, b.key) }

type keyed[K cmp.Ordered, V any] struct {
	key   K
	value V
}

func (k keyed[K, V]) less(o keyed[K, V]) bool { return order(k, o) < 0 }

func applied[T, U any](f func(T) U, x T) U { return f(x) }

// Queues uses generic types with methods.
//
//surge:kernel
func Queues(x []int, y []float64) (int, float64, int) {
	var a queue[int]
	var b queue[float64]
	total, mean := 0, 0.0
	for i, v := range x {
		a.push(v)
		if v%3 == 0 {
			if w, ok := a.pop(); ok {
				total += w * i
			}
		}
	}
	for _, v := range y {
		b.push(v)
		if w, ok := b.pop(); ok && w > 0 {
			mean += applied(func(w float64) float64 { return w / 2 }, w)
		}
	}
	k := keyed[int, float64]{total, mean}
	if k.less(keyed[int, float64]{key: len(x)}) {
		total--
	}
	return total, mean, a.missed
}

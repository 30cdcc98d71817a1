package kernels

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// Programs with a loop at the top, as one writes them in Go; those that the peer writes in C are in
// bench/peers/loops.cpp.

// Jacobi replaces each cell of a grid of side w, but for its border, by the mean of its neighbours.
//
//surge:kernel
func Jacobi(u []float64, w, turns int) []float64 {
	now, next := make([]float64, w*w), make([]float64, w*w)
	copy(now, u)
	copy(next, u)
	for range turns {
		for y := 1; y < w-1; y++ {
			for x := 1; x < w-1; x++ {
				next[y*w+x] = 0.25 * (now[y*w+x-1] + now[y*w+x+1] + now[(y-1)*w+x] + now[(y+1)*w+x])
			}
		}
		now, next = next, now
	}
	return now
}

// Heat spreads heat in a cube of side n, whose surface stays as it is.
//
//surge:kernel
func Heat(u []float64, n, turns int) []float64 {
	now, next := make([]float64, n*n*n), make([]float64, n*n*n)
	copy(now, u)
	copy(next, u)
	for range turns {
		for z := 1; z < n-1; z++ {
			for y := 1; y < n-1; y++ {
				for x := 1; x < n-1; x++ {
					c := (z*n+y)*n + x
					next[c] = now[c] + 0.1*(now[c-1]+now[c+1]+now[c-n]+now[c+n]+now[c-n*n]+now[c+n*n]-6*now[c])
				}
			}
		}
		now, next = next, now
	}
	return now
}

// Conjugate makes so many turns of conjugate gradients for a sparse symmetric matrix, from 0.
//
//surge:kernel
//surge:reassociate
func Conjugate(values []float64, columns, offsets []int32, b []float64, turns int) []float64 {
	n := len(b)
	x, r, p, q := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	copy(r, b)
	copy(p, b)
	rr := 0.0
	for _, v := range b {
		rr += v * v
	}
	for range turns {
		for i := range q {
			sum := 0.0
			for k := offsets[i]; k < offsets[i+1]; k++ {
				sum += values[k] * p[columns[k]]
			}
			q[i] = sum
		}
		pq := 0.0
		for i, v := range p {
			pq += v * q[i]
		}
		alpha := rr / pq
		for i := range x {
			x[i] += alpha * p[i]
		}
		for i := range r {
			r[i] -= alpha * q[i]
		}
		next := 0.0
		for _, v := range r {
			next += v * v
		}
		beta := next / rr
		for i := range p {
			p[i] = r[i] + beta*p[i]
		}
		rr = next
	}
	return x
}

// PageRank is the power iteration for the ranks of pages, until they change by no more than eps in all.
//
//surge:kernel
//surge:reassociate
func PageRank(links, offsets, out []int32, eps float64) []float64 {
	n := len(out)
	rank, next, share := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range rank {
		rank[i] = 1 / float64(n)
	}
	change := 1.0
	for turns := 0; change > eps && turns < 200; turns++ {
		for i, r := range rank {
			share[i] = r / float64(max(out[i], 1))
		}
		for i := range next {
			sum := 0.0
			for _, k := range links[offsets[i]:offsets[i+1]] {
				sum += share[k]
			}
			next[i] = 0.15/float64(n) + 0.85*sum
		}
		change = 0
		for i, r := range rank {
			change += math.Abs(next[i] - r)
		}
		rank, next = next, rank
	}
	return rank
}

// Decompose makes a lower and an upper triangle of a matrix, in its place.
//
//surge:kernel
func Decompose(m []float64, n int) []float64 {
	a := make([]float64, len(m))
	copy(a, m)
	for k := 0; k < n; k++ {
		for i := k + 1; i < n; i++ {
			a[i*n+k] /= a[k*n+k]
			for j := k + 1; j < n; j++ {
				a[i*n+j] -= a[i*n+k] * a[k*n+j]
			}
		}
	}
	return a
}

// Distances are the lengths of all shortest ways between n places.
//
//surge:kernel
func Distances(w []float32, n int) []float32 {
	d := make([]float32, n*n)
	copy(d, w)
	for k := 0; k < n; k++ {
		for i := 0; i < n; i++ {
			for j := 0; j < n; j++ {
				if t := d[i*n+k] + d[k*n+j]; t < d[i*n+j] {
					d[i*n+j] = t
				}
			}
		}
	}
	return d
}

// Levels is how many edges away from a node others are, by a list of those that were reached last.
//
//surge:kernel
func Levels(first, edges []int32, source int) []int32 {
	level := make([]int32, len(first)-1)
	for i := range level {
		level[i] = -1
	}
	level[source] = 0
	frontier := []int32{int32(source)}
	for depth := int32(1); len(frontier) > 0; depth++ {
		var next []int32
		for _, u := range frontier {
			for _, v := range edges[first[u]:first[u+1]] {
				if level[v] < 0 {
					level[v] = depth
					next = append(next, v)
				}
			}
		}
		frontier = next
	}
	return level
}

// Life is the game of life on a torus of side w.
//
//surge:kernel
func Life(u []int32, w, turns int) []int32 {
	now, next := make([]int32, w*w), make([]int32, w*w)
	copy(now, u)
	for range turns {
		for y := 0; y < w; y++ {
			for x := 0; x < w; x++ {
				up, down, left, right := (y+w-1)%w, (y+1)%w, (x+w-1)%w, (x+1)%w
				s := now[up*w+left] + now[up*w+x] + now[up*w+right] + now[y*w+left] + now[y*w+right] +
					now[down*w+left] + now[down*w+x] + now[down*w+right]
				next[y*w+x] = 0
				if s == 3 || s == 2 && now[y*w+x] == 1 {
					next[y*w+x] = 1
				}
			}
		}
		now, next = next, now
	}
	return now
}

// SortBits sorts by one bit after the other: keys without the bit come before those with it.
//
//surge:kernel
func SortBits(keys []int32, bits int) []int32 {
	for b := range bits {
		zeros := ops.Map(func(k int32) int {
			if k>>b&1 == 0 {
				return 1
			}
			return 0
		}, keys)
		before := ops.Scan(func(a, c int) int { return a + c }, zeros, 0)
		all := ops.Reduce(func(a, c int) int { return a + c }, zeros, 0)
		at := ops.Map2(func(i, z int) int {
			if keys[i]>>b&1 == 0 {
				return z
			}
			return all + i - z
		}, ops.Range(0, len(keys), 1), before)
		keys = ops.ScatterUnique(keys, at, keys)
	}
	return keys
}

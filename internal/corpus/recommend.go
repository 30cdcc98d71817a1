// Recommenders

package corpus

import (
	"math"
	"slices"
)

// Rating is what a user thinks of an item.
type Rating struct {
	Item  int32
	Stars float32
}

// Float is any of the floats.
type Float interface{ ~float32 | ~float64 }

func dotOf[T Float](a, b []T) (s T) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// Similar are cosine similarities of a user with all others, by merging their sorted ratings.
//
//surge:kernel
func Similar(users [][]Rating, who int) []float64 {
	sims := make([]float64, len(users))
	if who < 0 || who >= len(users) {
		return sims
	}
	me := users[who]
	for u, other := range users {
		var dot, a, b float64
		for i, j := 0, 0; i < len(me) && j < len(other); {
			switch {
			case me[i].Item < other[j].Item:
				i++
			case me[i].Item > other[j].Item:
				j++
			default:
				x, y := float64(me[i].Stars), float64(other[j].Stars)
				dot += x * y
				a += x * x
				b += y * y
				i++
				j++
			}
		}
		if a > 0 && b > 0 {
			sims[u] = dot / math.Sqrt(a*b)
		}
	}
	return sims
}

// TopItems returns the k items with the greatest scores for each user's vector.
//
//surge:kernel
func TopItems(users, items [][]float32, k int) [][]int {
	top := make([][]int, len(users))
	for u, vec := range users {
		scores := make([]float32, len(items))
		order := make([]int, len(items))
		for i, item := range items {
			scores[i] = dotOf(vec, item)
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int {
			switch {
			case scores[a] > scores[b]:
				return -1
			case scores[a] < scores[b]:
				return 1
			}
			return a - b
		})
		top[u] = order[:min(max(k, 0), len(order))]
	}
	return top
}

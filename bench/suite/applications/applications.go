// Package applications has the three applications of the literature on mapping nested patterns to devices: learning by
// stochastic gradients, the clustering of molecular dynamics, and naive Bayes.
package applications

import "math"

// LogisticSGD learns the weights of a logistic regression: each turn takes a batch of examples, averages their
// gradients, and makes a step along them.
//
//surge:kernel
func LogisticSGD(examples [][]float64, labels []float64, batch, turns int, rate float64) []float64 {
	n := len(examples[0])
	weights := make([]float64, n)
	batches := len(examples) / batch
	for t := range turns {
		first := t % batches * batch
		gradient := make([]float64, n)
		for e := first; e < first+batch; e++ {
			dot := 0.0
			for i, v := range examples[e] {
				dot += v * weights[i]
			}
			miss := 1/(1+math.Exp(-dot)) - labels[e]
			for i, v := range examples[e] {
				gradient[i] += miss * v
			}
		}
		for i := range weights {
			weights[i] -= rate / float64(batch) * gradient[i]
		}
	}
	return weights
}

// Atom is where an atom is.
type Atom [3]float32

// rmsd is how far two conformations of a molecule are from each other, both moved to their centre before.
func rmsd(a, b []Atom) float32 {
	var sum float32
	for i := range a {
		for k := range 3 {
			d := a[i][k] - b[i][k]
			sum += d * d
		}
	}
	return float32(math.Sqrt(float64(sum / float32(len(a)))))
}

// KCenters chooses k conformations such that each other one is near to one of them: the next is always that which is
// farthest from those that there are.
//
//surge:kernel
func KCenters(conformations [][]Atom, k int) (centers, assigned []int32) {
	n := len(conformations)
	distances := make([]float32, n)
	for i := range distances {
		distances[i] = math.MaxFloat32
	}
	assigned = make([]int32, n)
	centers = make([]int32, k)
	next := 0
	for c := range k {
		centers[c] = int32(next)
		center := conformations[next]
		for i, f := range conformations {
			if d := rmsd(f, center); d < distances[i] {
				distances[i] = d
				assigned[i] = int32(c)
			}
		}
		next = 0
		for i, d := range distances {
			if d > distances[next] {
				next = i
			}
		}
	}
	return centers, assigned
}

// Assign gives each conformation the nearest of some centers.
//
//surge:kernel
func Assign(conformations, centers [][]Atom) (nearest []int32, distances []float32) {
	nearest = make([]int32, len(conformations))
	distances = make([]float32, len(conformations))
	for i, f := range conformations {
		best, least := int32(-1), float32(math.MaxFloat32)
		for c, center := range centers {
			if d := rmsd(f, center); d < least {
				best, least = int32(c), d
			}
		}
		nearest[i], distances[i] = best, least
	}
	return nearest, distances
}

// NaiveBayes learns how often each word is in documents of two kinds: the logarithms of the chances, smoothed.
//
//surge:kernel
func NaiveBayes(documents [][]int32, spam []bool, words int) (ham, spams []float64, share float64) {
	counts := make([][]int, 2)
	for c := range counts {
		counts[c] = make([]int, words)
	}
	totals := [2]int{}
	kinds := [2]int{}
	for d, doc := range documents {
		kind := 0
		if spam[d] {
			kind = 1
		}
		kinds[kind]++
		for _, w := range doc {
			counts[kind][w]++
		}
		totals[kind] += len(doc)
	}
	ham = make([]float64, words)
	spams = make([]float64, words)
	for w := range words {
		ham[w] = math.Log(float64(counts[0][w]+1) / float64(totals[0]+words))
		spams[w] = math.Log(float64(counts[1][w]+1) / float64(totals[1]+words))
	}
	return ham, spams, float64(kinds[1]) / float64(len(documents))
}

// NaiveBayesDense learns from a matrix of how often each word is in each document.
//
//surge:kernel
func NaiveBayesDense(frequencies [][]float32, spam []bool) (ham, spams []float64) {
	words := len(frequencies[0])
	ham = make([]float64, words)
	spams = make([]float64, words)
	var hamWords, spamWords float64
	for w := range words {
		for d, row := range frequencies {
			if spam[d] {
				spams[w] += float64(row[w])
			} else {
				ham[w] += float64(row[w])
			}
		}
		hamWords += ham[w]
		spamWords += spams[w]
	}
	for w := range words {
		ham[w] = math.Log((ham[w] + 1) / (hamWords + float64(words)))
		spams[w] = math.Log((spams[w] + 1) / (spamWords + float64(words)))
	}
	return ham, spams
}

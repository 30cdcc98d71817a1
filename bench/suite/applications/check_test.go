package applications

import (
	"math"
	"testing"
)

// The checks know what a program has to compute in another way than the program does.

// TestLogisticSGD checks that what can be told apart by one feature is.
func TestLogisticSGD(t *testing.T) {
	examples := made(200, func(i int) []float64 { return []float64{float64(i%2)*2 - 1, float64(i%7) / 7} })
	labels := made(200, func(i int) float64 { return float64(i % 2) })
	w := LogisticSGD(examples, labels, 20, 200, 0.5)
	if w[0] < 1 || math.Abs(w[1]) > 1 {
		t.Errorf("weights are %v", w)
	}
}

// TestKCenters checks that each conformation is assigned to the center that is nearest to it.
func TestKCenters(t *testing.T) {
	all := conformations(60, 5, seeded())
	centers, assigned := KCenters(all, 6)
	chosen := made(len(centers), func(i int) []Atom { return all[centers[i]] })
	nearest, distances := Assign(all, chosen)
	for i := range all {
		if d := rmsd(all[i], chosen[assigned[i]]); d != distances[i] {
			t.Errorf("conformation %d has center %d at %v, the nearest is %d at %v", i, assigned[i], d, nearest[i], distances[i])
		}
	}
}

// TestNaiveBayes checks that chances add up to one, and that both forms of documents give the same.
func TestNaiveBayes(t *testing.T) {
	args := documents(50, 20, 9, seeded())
	docs, spam := args[0].([][]int32), args[1].([]bool)
	ham, spams, _ := NaiveBayes(docs, spam, 9)
	counts := made(len(docs), func(d int) []float32 {
		row := make([]float32, 9)
		for _, w := range docs[d] {
			row[w]++
		}
		return row
	})
	ham2, spams2 := NaiveBayesDense(counts, spam)
	sum := 0.0
	for w := range ham {
		sum += math.Exp(ham[w])
		if math.Abs(ham[w]-ham2[w]) > 1e-12 || math.Abs(spams[w]-spams2[w]) > 1e-12 {
			t.Errorf("word %d: %v, %v and %v, %v", w, ham[w], spams[w], ham2[w], spams2[w])
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("chances add up to %v", sum)
	}
}

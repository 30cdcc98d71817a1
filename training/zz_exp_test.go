package training

import (
	"fmt"
	"os"
	"testing"

	"github.com/surge-ndp/surge/training/fit"
)

func TestExp(t *testing.T) {
	m, err := OpenMeasurements([]string{"/tmp/w/good.jsonl"}, true)
	if err != nil {
		t.Skip()
	}
	_ = os.Args
	var key inputKey
	for _, k := range m.order {
		key = k
	}
	ids, _ := m.recorded(key.hash, key.device)
	sum := map[string]float64{}
	for split := range 8 {
		var train, test []string
		for i, id := range ids {
			if (i*2654435761>>uint(split+3))%2 == 0 {
				train = append(train, id)
			} else {
				test = append(test, id)
			}
		}
		a, _, _ := m.table(key.hash, key.device, key.computation, train, nil, nil)
		b, _, _ := m.table(key.hash, key.device, key.computation, test, a.Variants, nil)
		a, _, _ = m.table(key.hash, key.device, key.computation, train, b.Variants, nil)
		j, err := fit.Learn(a, b)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%d/%d classes %d gamma %g C %g est %.3f:", len(train), len(test), len(j.Classes), j.Classifier.Gamma, j.Classifier.Summary.C, j.Estimate)
		for _, x := range j.Methods {
			sum[x.Name] += x.Mean / 8
			fmt.Printf(" %s %.3f/%.2f", x.Name, x.Mean, x.Worst)
		}
		fmt.Println()
	}
	fmt.Println("classes MEAN", sum)
}

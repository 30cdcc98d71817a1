package selector

import (
	"testing"
)

// TestInOrder takes only codes in which each element is computed as the source says.
func TestInOrder(t *testing.T) {
	code := func(text string) Code {
		v, err := Parse("K.1/" + text)
		if err != nil {
			t.Fatal(err)
		}
		return Code{Variant: v}
	}
	const parallel = "num_threads=2,enable_nesting=false,"
	good := []string{
		"nest/sequential>sequential/goroutine/unroll_1=1,unroll_2=1",
		"nest/independent>sequential/goroutine/" + parallel + "omp_schedule_1=guided,chunk_size_1=0,execution_resource_1=pool,unroll_2=1",
	}
	bad := []string{
		"nest/independent>cooperative/goroutine/" + parallel + "omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool,execution_resource_2=lane,vector_width_2=8,unroll_2=1",
		"nest/independent>sequential/goroutine/execution_resource_1=lane,vector_width_1=8,unroll_1=1,unroll_2=1",
		"nest/sequential>sequential/goroutine/unroll_1=1,unroll_2=4",
		"flat/independent>sequential/goroutine/" + parallel + "omp_schedule_1=static,chunk_size_1=0,execution_resource_1=pool,unroll_2=1",
		"nest/sequential>cooperative/goroutine/unroll_1=1,execution_resource_2=lane,gather_algo_2=row",
		"nest/independent>sequential/opencl/block_size_x=64",
	}
	in := Input{Computation: "K.1", Platform: Host, Cores: 2}
	for i := range max(len(good), len(bad)) {
		if i < len(bad) {
			in.Codes = append(in.Codes, code(bad[i]))
		}
		if i < len(good) {
			in.Codes = append(in.Codes, code(good[i]))
		}
	}
	choices, err := InOrder{}.Rank(in)
	if err != nil || len(choices) == 0 {
		t.Fatal(choices, err)
	}
	for _, c := range choices {
		if c.Code != 1 && c.Code != 3 || !in.Codes[c.Code].Realises(c.Variant) {
			t.Errorf("%s, code %d", c.Variant, c.Code)
		}
	}
	in.Codes = nil
	for _, text := range bad {
		in.Codes = append(in.Codes, code(text))
	}
	if choices, err := (InOrder{}).Rank(in); err == nil {
		t.Errorf("%v, and there is none in order", choices)
	}
	in.Question = OfAlgorithms
	if choices, err := (InOrder{}).Rank(in); err != nil || choices[0].Code != 0 {
		t.Error(choices, err)
	}
}

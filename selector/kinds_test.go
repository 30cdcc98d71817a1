package selector

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"
)

// always is a kind of ranker that takes the same variant for every input: all that one more kind consists of, besides a
// line in kinds.
type always struct{ first, variants int }

func (*always) Kind() string     { return "always" }
func (*always) Describe() string { return "always the same variant" }
func (*always) bounded() bool    { return false }

func (a *always) order(_, _ [maxFeatures]float64) (verdict Verdict) {
	for v := range a.variants {
		value := 0.0
		if v == a.first {
			value = 1
		}
		verdict.add(v, value)
	}
	return verdict
}

func (a *always) check(c *Classifier) error {
	if a.variants = len(c.Variants); a.first < 0 || a.first >= a.variants {
		return fmt.Errorf("%s has no variant %d", c.Computation, a.first)
	}
	return nil
}

func (a *always) write(b *bytes.Buffer, _ *Classifier) { fmt.Fprintf(b, "take %d\n", a.first) }

func readAlways(p *modelParser, _ *Classifier) (Machine, error) {
	words, err := p.expect("take", 1)
	if err != nil {
		return nil, err
	}
	first, err := strconv.Atoi(words[0])
	return &always{first: first}, err
}

// One more kind of ranker is written to model files, read from them, and asked in its turn.
func TestOneMoreKind(t *testing.T) {
	known := kinds
	defer func() { kinds = known }()
	kinds = append(kinds[:len(kinds):len(kinds)], kind{"always", readAlways})
	m := testModel(3, 5)
	m.Computations = append(m.Computations, withMachine(3, &always{first: 2}))
	text, err := FormatModels([]*Model{m})
	if err != nil {
		t.Fatal(err)
	}
	models, err := ParseModels(text)
	if err != nil {
		t.Fatal(err)
	}
	var codes []Code
	for _, v := range m.Computations[0].Variants {
		codes = append(codes, Code{Variant: v})
	}
	var chain Chain
	for _, c := range models[0].Classifiers("SpMV.1") {
		chain = append(chain, c.For(codes, func(Variant) bool { return true }))
	}
	chain = append(chain, Untrained{})
	for length, want := range map[float64]string{1000: "svm", 1e12: "always"} {
		r, err := chain.Rank(Input{Computation: "SpMV.1", Features: input2(length, 3), Codes: codes})
		if err != nil || r.By.Name() != want || want == "always" && r.Choices[0].Code != 2 {
			t.Errorf("%g elements: %v by %v, want %s", length, err, r.By, want)
		}
	}
	kinds = known
	if _, err := ParseModels(text); err == nil {
		t.Error("a kind that is not known is read")
	}
}

package selector

import (
	"errors"
	"fmt"
	"strings"
)

// Question says what the candidates of an [Input] are.
type Question uint8

const (
	// OfVariants asks which code of a computation runs, with which launch settings.
	OfVariants Question = iota
	// OfTargets asks which platform a kernel runs on: the platforms of Codes are the candidates.
	OfTargets
	// OfAlgorithms asks which of the algorithms for a kernel runs: Codes are [Algorithm] variants, that of the kernel
	// itself first.
	OfAlgorithms
)

// Choice is a variant with every launch setting filled in, and why it was chosen, as a sentence for the user.
type Choice struct {
	Variant Variant
	// Code is the entry of Input.Codes that runs the variant, as far as the ranker knows it; whoever uses it compares.
	Code   int
	Reason string
}

// Ranker ranks the candidates for an input, best first. A run takes the first, and the next where one fails. Rank is
// deterministic, may be called by several goroutines at once, and reports an error, which says why, where it does not
// decide: then the next ranker of a [Chain] is asked.
type Ranker interface {
	// Name is the kind of the ranker: svm.
	Name() string
	Rank(in Input) ([]Choice, error)
}

// Weigher is a ranker that weighs all candidates that it knows against each other, also those that cannot be used here.
type Weigher interface {
	Ranker
	// Weigh returns them with their decision values, best first; nil where it does not decide.
	Weigh(features []Feature) []Weighed
}

// Weighed is a variant with its decision value: the higher, the better.
type Weighed struct {
	Variant Variant
	Value   float64
}

// Chain is a list of rankers in the order of trust: a model that was trained for the kernel, the target and the
// machine; thresholds; [Untrained].
type Chain []Ranker

// Ranking is what a [Chain] decided.
type Ranking struct {
	// By is the ranker that decided, and Choices are its choices, at least one.
	By      Ranker
	Choices []Choice
	// Passed says which rankers that are trusted more did not decide, and why; "" if there are none.
	Passed string
}

// Rank asks one ranker after the other until one decides. Where none does, the error is that of the last one, and
// Passed says why the others did not.
func (c Chain) Rank(in Input) (r Ranking, err error) {
	err = errors.New("there is no ranker to ask")
	var passed []string
	for i, by := range c {
		choices, refused := by.Rank(in)
		if refused == nil && len(choices) == 0 {
			refused = errors.New("it has no choice")
		}
		if refused == nil {
			return Ranking{By: by, Choices: choices, Passed: strings.Join(passed, "; ")}, nil
		}
		if err = refused; i < len(c)-1 {
			passed = append(passed, fmt.Sprintf("%s does not decide: %v", by.Name(), refused))
		}
	}
	return Ranking{Passed: strings.Join(passed, "; ")}, err
}

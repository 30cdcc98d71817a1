package pass

import (
	"fmt"
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
)

// Code is what a pass rewrites in place: a function for processors, or a program for devices.
type Code interface {
	*kir.Func | *kir.Device
	String() string
}

// Pass is one rewriting of kernel IR.
type Pass[C Code] struct {
	// Name is a word, as it stands in dumps, and Doc says in a line what the pass does.
	Name, Doc string
	// Behind names the passes of the list that must have run before: this one relies on what they leave.
	Behind []string
	// Run rewrites the code in place. Its error is a [Reason] for which the target cannot have this code at all.
	Run func(C) error
}

// Reason says why a target cannot have a code: the point of the search space is pruned with it.
type Reason string

// Error returns the reason.
func (r Reason) Error() string { return string(r) }

// Observer is shown the code after a stage: lowering itself, or a pass.
type Observer func(stage, doc string, code fmt.Stringer)

// Run runs passes over code, one after the other, up to the first that refuses it. It shows the code to observe after
// each, unless that is nil.
func Run[C Code](code C, passes []Pass[C], observe Observer) error {
	for _, p := range passes {
		if err := p.Run(code); err != nil {
			return err
		}
		if observe != nil {
			observe(p.Name, p.Doc, code)
		}
	}
	return nil
}

// Check reports a list that cannot be right: passes without a name or a description, two of one name, or one that
// does not run behind what it relies on.
func Check[C Code](passes []Pass[C]) error {
	var before []string
	for _, p := range passes {
		switch {
		case p.Name == "" || p.Doc == "" || p.Run == nil:
			return fmt.Errorf("pass %q lacks a name, a description or a function", p.Name)
		case slices.Contains(before, p.Name):
			return fmt.Errorf("two passes are called %s", p.Name)
		}
		for _, other := range p.Behind {
			if !slices.Contains(before, other) {
				return fmt.Errorf("pass %s has to run behind %s", p.Name, other)
			}
		}
		before = append(before, p.Name)
	}
	return nil
}

package training

import (
	"regexp"
	"strings"
)

// The codes of an [Error]. They are stable.
const (
	CodeKernel     = "kernel"     // there is no kernel of that name
	CodeArguments  = "arguments"  // arguments that do not fit the kernel's parameters
	CodeDependency = "dependency" // the user's module does not have the surge module that generated code needs
	CodeToolchain  = "toolchain"  // the go command is missing or refuses to work
	CodeBuild      = "build"      // the generated harness does not build
	CodeCache      = "cache"      // the cache directory cannot be used
	CodeCrash      = "crash"      // the harness ended unexpectedly
	CodeInternal   = "internal"   // the harness failed in another way
	CodeDevice     = "device"     // a device, its driver or its compiler failed
	CodeClosed     = "closed"     // the session has ended
	// CodeMeasurements: a measurement file cannot be read or written; CodeTraining: there is nothing to learn from.
	CodeMeasurements = "measurements"
	CodeTraining     = "training"
	// What is wrong with a [Plan]: CodeInputs, it has no inputs to learn from; CodeFeature, a feature that the kernel does
	// not have; CodeOverlap, inputs to judge by that are learned from; CodeBudget, too little time; CodeSolver, this build
	// cannot learn such models; CodeModel, its model file is in the way; CodePlan, anything else.
	CodePlan    = "plan"
	CodeInputs  = "no-inputs"
	CodeFeature = "feature"
	CodeOverlap = "overlap"
	CodeBudget  = "budget"
	CodeSolver  = "no-solver"
	CodeModel   = "model"
	CodeWrite   = "write"           // a model cannot be written
	CodeVariant = "unknown-variant" // a text that no variant agrees with
)

// Error is what went wrong with building or running a kernel, apart from the kernel's source and its input. It prints
// as
//
//	where: what [code]
//	  why: …
//	  do: …
type Error struct {
	Where  string // a directory, or the kernel's name
	What   string // what went wrong
	Code   string // one of the constants above
	Why    string // "" where What says it
	Do     string // what the user can do about it, "" if nothing is known
	Output string // of the compiler, or the last lines that the harness printed
	Bug    bool   // surge is to blame, not the user
	Err    error  // the cause, where there is one
}

// Error prints the message described at the type, and then the output.
func (e *Error) Error() string {
	var sb strings.Builder
	if e.Where != "" {
		sb.WriteString(e.Where + ": ")
	}
	sb.WriteString(e.What + " [" + e.Code + "]")
	if e.Why != "" {
		sb.WriteString("\n  why: " + e.Why)
	}
	if e.Do != "" {
		sb.WriteString("\n  do: " + e.Do)
	}
	if out := strings.TrimSpace(e.Output); out != "" {
		sb.WriteString("\n  " + strings.ReplaceAll(out, "\n", "\n  "))
	}
	return sb.String()
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Err }

// placed matches what a kernel says of its input: a place in the source, the message, and a code.
var placed = regexp.MustCompile(`(?s)^(\S+\.go:\d+:\d+): (.*) \[([\w-]+)\]$`)

// said is an error that a run on a cluster has had, of which the text alone is known: where, and with which code, the
// text says if it is the kernel's.
func said(kernel, text string) *Error {
	if m := placed.FindStringSubmatch(text); m != nil {
		return &Error{Where: m[1], What: m[2], Code: m[3]}
	}
	return &Error{Where: kernel, What: strings.TrimPrefix(text, kernel+": "), Code: "cluster"}
}

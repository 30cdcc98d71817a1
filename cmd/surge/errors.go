package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/exec"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/load"
	"github.com/surge-ndp/surge/selector"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// Exit codes.
const (
	exitDone        = 0
	exitUser        = 1 // the user's program or input is at fault
	exitUsage       = 2
	exitBug         = 3
	exitInterrupted = 130 // 128 + SIGINT, as shells count
)

// problem is an error as the user sees it: where, what, why, and what to do. It is the one form into which the errors
// of all packages are brought.
type problem struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"column,omitempty"`
	Code string `json:"code,omitempty"`
	What string `json:"message"`
	Why  string `json:"why,omitempty"`
	Fix  string `json:"fix,omitempty"`
	// Output is what another program said about it.
	Output string `json:"output,omitempty"`
	// bug marks what surge is to blame for.
	bug bool
}

// Error gives "file:line:col: what [code]", then the reason and the remedy on lines of their own.
func (p problem) Error() string {
	var sb strings.Builder
	switch {
	case p.File == "":
		sb.WriteString("surge")
	case p.Line > 0 && p.Col > 0:
		fmt.Fprintf(&sb, "%s:%d:%d", p.File, p.Line, p.Col)
	case p.Line > 0:
		fmt.Fprintf(&sb, "%s:%d", p.File, p.Line)
	default:
		sb.WriteString(p.File)
	}
	sb.WriteString(": " + p.What)
	if p.Code != "" {
		sb.WriteString(" [" + p.Code + "]")
	}
	if p.Why != "" {
		sb.WriteString("\n\twhy: " + p.Why)
	}
	if p.Fix != "" {
		sb.WriteString("\n\tfix: " + p.Fix)
	}
	if out := strings.TrimSpace(p.Output); out != "" {
		sb.WriteString("\n\t" + strings.ReplaceAll(out, "\n", "\n\t"))
	}
	return sb.String()
}

// usageError is wrong usage of the command itself.
type usageError struct {
	problem
	command string
}

func usage(cmd *cobra.Command, p problem) error { return &usageError{p, cmd.CommandPath()} }

// errQuiet ends the command with exit code 1 when everything has been said.
var errQuiet = errors.New("failed")

// problems brings an error into the one form. Errors of several causes give several. Positions of kernels name a file
// of the package in dir.
func problems(err error, dir string) []problem {
	var (
		usage       *usageError
		own         problem
		diagnostics load.Diagnostics
		unsupported *fuse.Unsupported
		ofInput     *input.Error
		ofRun       *exec.Error
		ofBuild     *training.Error
		notGo       *codegen.NotGoError
	)
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []problem
		for _, e := range joined.Unwrap() {
			all = append(all, problems(e, dir)...)
		}
		return all
	}
	switch {
	case errors.As(err, &usage):
		return []problem{usage.problem}
	case errors.As(err, &own):
		return []problem{own}
	case errors.As(err, &diagnostics):
		var all []problem
		for _, d := range diagnostics {
			all = append(all, ofDiagnostic(d))
		}
		return all
	case errors.As(err, &unsupported):
		e := unsupported
		return []problem{{File: inDir(dir, e.Pos.File), Line: e.Pos.Line, Col: e.Pos.Col, Code: e.Code, What: e.What, Why: e.Why, Fix: e.Fix}}
	case errors.As(err, &ofInput):
		e := ofInput
		return []problem{{File: e.File, Line: e.Line, Col: e.Col, Code: e.Code, What: e.What, Why: e.Why, Fix: e.Do}}
	case errors.As(err, &ofBuild):
		e := ofBuild
		return []problem{{File: e.Where, Code: e.Code, What: e.What, Why: e.Why, Fix: e.Do, Output: e.Output, bug: e.Bug}}
	case errors.As(err, &notGo):
		return []problem{{Code: training.CodeInternal, What: err.Error(), Why: ofSurge, bug: true}}
	case errors.As(err, &ofRun):
		e := *ofRun
		p := problem{Code: e.Code}
		p.File, p.Line, p.Col = position(e.Pos)
		p.File = inDir(dir, p.File)
		e.Pos = ""
		p.What = strings.TrimSuffix(e.Error(), " ["+e.Code+"]")
		if e.Code == "variant" {
			p.What, p.Fix, _ = strings.Cut(p.What, "; ")
			if p.Fix == "" {
				p.Fix = "surge inspect " + dir + " --variants lists them"
			}
		}
		return []problem{p}
	}
	return []problem{{What: err.Error()}}
}

// position splits file:line:col or file:line.
func position(pos string) (file string, line, col int) {
	parts := strings.Split(pos, ":")
	if len(parts) < 2 {
		return pos, 0, 0
	}
	line, _ = strconv.Atoi(parts[1])
	if len(parts) > 2 {
		col, _ = strconv.Atoi(parts[2])
	}
	return parts[0], line, col
}

// inDir is a file, named from the package in dir, as the user would name it.
func inDir(dir, file string) string {
	if dir == "" || file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

func ofDiagnostic(d load.Diagnostic) problem {
	return problem{File: d.Pos.File, Line: d.Pos.Line, Col: d.Pos.Col, Code: d.Code, What: d.Message, Why: d.Why, Fix: d.Fix}
}

// report prints an error and returns the exit code for it.
func (a *app) report(err error) int {
	if errors.Is(err, errQuiet) {
		return exitUser
	}
	if errors.Is(err, context.Canceled) {
		a.printProblems([]problem{{Code: "interrupted", What: "interrupted"}})
		return exitInterrupted
	}
	all := problems(err, a.dir)
	if slices.ContainsFunc(all, func(p problem) bool { return p.bug }) {
		all[len(all)-1].Fix = strings.TrimSuffix(a.reportIt()+"; "+all[len(all)-1].Fix, "; ")
		a.printProblems(all)
		return exitBug
	}
	a.printProblems(all)
	var u *usageError
	if errors.As(err, &u) {
		if !a.json {
			fmt.Fprintf(a.err, "Run '%s --help' for usage.\n", u.command)
		}
		return exitUsage
	}
	return exitUser
}

// command is what the user typed, with other arguments behind it, as a shell takes it.
func (a *app) command(more ...string) string {
	command := "surge"
	for _, arg := range append(slices.Clone(a.args), more...) {
		if arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$`*?[](){}<>|&;#~!") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		command += " " + arg
	}
	return command
}

// tryRandom says the whole command that gives the parameters random values which had none.
func (a *app) tryRandom(err error) error {
	var e *input.Error
	if !errors.As(err, &e) || e.Code != input.CodeUnbound || len(e.Bind) == 0 {
		return err
	}
	var flags []string
	for _, b := range e.Bind {
		flags = append(flags, "--bind", b.Name+"="+b.Value)
	}
	return problem{Code: e.Code, What: e.What, Why: e.Why,
		Fix: `say what they are, by --data and --bind ("surge help inputs") or in ` + configName + "; with random values the command is\n\t" + a.command(flags...)}
}

// reportIt asks for a report of a bug, with what it takes to see it again.
func (a *app) reportIt() string {
	return "please report it at https://github.com/surge-ndp/surge/issues with the source of the kernel, what it prints with -v, and the command: " + a.command()
}

func (a *app) printProblems(all []problem) {
	if a.json {
		enc := json.NewEncoder(a.err)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(struct {
			Errors []problem `json:"errors"`
		}{all})
		return
	}
	for _, p := range all {
		fmt.Fprintln(a.err, p.Error())
	}
}

// ofSurge is why a bug is reported, where there is nothing else to say.
const ofSurge = "this is a bug of surge, not of your program"

// reportPanic prints what a panic of surge itself looks like.
func (a *app) reportPanic(r any, stack []byte) {
	p := problem{Code: "bug", What: fmt.Sprintf("internal error: %v", r),
		Why: ofSurge,
		Fix: a.reportIt()}
	a.printProblems([]problem{p})
	if a.verbose {
		fmt.Fprintf(a.err, "\n%s", stack)
	}
}

// unknown is the error for a name that does not exist: with the nearest ones, or else with all of them.
func unknown(code, what, name string, names []string) problem {
	return problem{Code: code, What: fmt.Sprintf("unknown %s %q", what, name), Fix: selector.Suggest(name, names)}
}

// flagProblem says what is wrong with the flags and, for an unknown one, what may have been meant.
func flagProblem(cmd *cobra.Command, err error) problem {
	p := problem{Code: "usage", What: err.Error()}
	if before, _, found := strings.Cut(p.What, " flag: strconv."); found {
		p.What = strings.Replace(before, "invalid argument", "wrong value", 1)
		p.Fix = "it takes a whole number"
		if strings.Contains(err.Error(), "ParseBool") {
			p.Fix = "it takes true or false, or nothing"
		}
	}
	name, isLong := strings.CutPrefix(p.What, "unknown flag: --")
	if !isLong {
		return p
	}
	var near []string
	for _, n := range selector.Nearest(name, flagNames(cmd), 3) {
		near = append(near, "--"+n)
	}
	if len(near) > 0 {
		p.Fix = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return p
}

// Package command is what the command lines of the example programs have in common: one line for an error, exit
// status 1 for bad input, 2 for a command line that cannot be read and 130 for one that is interrupted.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"golang.org/x/term"
)

// Run is a program without its process: Ctrl-C ends ctx, results go to out and what is told on the way to progress.
type Run func(ctx context.Context, args []string, out, progress io.Writer) error

// usage is an error in the command line itself.
type usage struct{ error }

// Main runs the program called name, and ends the process if there is an error.
func Main(name string, run Run) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintf(os.Stderr, "%s: interrupted\n", name)
		os.Exit(130)
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	if errors.As(err, new(usage)) {
		os.Exit(2)
	}
	os.Exit(1)
}

// Parse sets the flags from args, which must have nothing else. It prints what the flags are only if that is asked for,
// by -h, and then returns [flag.ErrHelp].
func Parse(flags *flag.FlagSet, args []string, help io.Writer) error {
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(help, "The flags of %s:\n", flags.Name())
		flags.SetOutput(help)
		flags.PrintDefaults()
		return err
	case err != nil:
		return usage{fmt.Errorf("%w; -h tells what there is", err)}
	case flags.NArg() > 0:
		return usage{fmt.Errorf("unexpected argument %q; -h tells what there is", flags.Arg(0))}
	}
	return nil
}

// Terminal reports whether a progress bar can be drawn on w.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

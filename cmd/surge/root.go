package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// app is what all subcommands share: where they write, and the global flags.
type app struct {
	out, err io.Writer
	args     []string // the command line
	dir      string   // of the package, as the user named it

	json     bool
	platform string
	device   string
	cache    string
	noSIMD   bool
	verbose  bool
}

// execute runs the command and returns its exit code.
func execute(args []string, out, errOut io.Writer) (code int) {
	printed := &output{Writer: out}
	a := &app{out: printed, err: errOut, args: args}
	defer func() {
		if r := recover(); r != nil {
			a.reportPanic(r, debug.Stack())
			code = exitBug
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second Ctrl-C ends the process even where something does not look at the context; but not one that comes with the
	// first, as some programs signal a process and then its group.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })

	root := a.root()
	root.SetArgs(args)
	root.SetOut(printed)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if printed.err != nil && (err == nil || errors.Is(err, printed.err)) {
		err = problem{Code: "write", What: "what the command prints cannot be written: " + printed.err.Error(), Fix: "make room where its output goes"}
	}
	if err != nil {
		return a.report(err)
	}
	return exitDone
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "surge",
		Short: "Compile, inspect and run nested data-parallel kernels written in Go",
		Long: `surge compiles data-parallel kernels that are written as plain Go functions.

A kernel is a function over slices with //surge:kernel as the last line of its doc comment. surge
enumerates every way to run it (its variants), generates them as readable Go that uses all cores and
SIMD, and chooses one by the shape of the input. The line //surge:reassociate below it permits loops to
add floats in another order than they are written.

Every flag can also be given by the environment (--threads is SURGE_THREADS) and, where it belongs to
a kernel, in the file surge.yaml beside it, which also says how inputs bind to the kernel's parameters:

  kernel: SpMV
  data:
    A: web.mtx                    # relative to surge.yaml
  bind:
    values: A.values
    x: random(A.cols)

A flag goes before the environment, the environment before surge.yaml. Where a flag may be repeated, the
environment holds several values with blanks between them.

Exit codes: 0 done, 1 the program or the input is at fault, 2 wrong usage, 3 a bug of surge,
130 interrupted.`,
		Example: `  surge inspect ./examples/spmv                    the search space
  surge run ./examples/spmv                        run on the input of surge.yaml
  surge run ./examples/spmv --data A=web.mtx       run on your own matrix
  surge bench ./examples/spmv --data A=web.mtx     measure every variant on it
  surge train ./examples/spmv --data 'A=*.mtx'     learn which variant suits which input
  surge generate ./examples/spmv                   write spmv_surge.go for your program`,
		Args:          a.noSuchCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(cmd, flagProblem(cmd, err)) })
	root.CompletionOptions.HiddenDefaultCmd = false
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.BoolVar(&a.json, "json", false, "print JSON, errors too")
	flags.StringVar(&a.platform, "platform", platformAuto, "the platform `NAME`: goroutine, opencl, openmp, all, or auto: what a model says is faster, else opencl where there is a GPU and estimates say that it is faster, copies counted, else goroutine")
	flags.StringVar(&a.device, "device", "", "the OpenCL `DEVICE`: its number in surge platforms, or a part of its name (default the best)")
	flags.StringVar(&a.cache, "cache", "", "keep what is compiled and parsed in `DIR` (default surge in the user's cache directory)")
	flags.BoolVar(&a.noSIMD, "no-simd", false, "build without SIMD: no vector variants, and a quicker first build")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "tell what is done, and more of it")
	complete(root, "platform", platformNames()...)
	root.AddCommand(a.inspectCommand(), a.generateCommand(), a.runCommand(), a.benchCommand(), a.trainCommand(), a.tuneCommand(), a.modelCommand(), a.shardCommand(), a.platformsCommand(), a.versionCommand(), inputsTopic())
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	must(err)
	help.Args = func(_ *cobra.Command, args []string) error {
		of, rest, err := root.Find(args)
		if err == nil && len(rest) == 0 {
			return nil
		}
		return a.noSuchCommand(of, rest)
	}
	return root
}

func (a *app) noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	p := unknown("usage", "command", args[0], names)
	return usage(cmd, p)
}

// oneDir demands exactly one argument, the directory of a package.
func oneDir(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		return usage(cmd, problem{Code: "usage", What: "the directory of the package is missing",
			Fix: "name it, for example: surge " + cmd.Name() + " ."})
	}
	return usage(cmd, problem{Code: "usage", What: fmt.Sprintf("one directory is wanted, and there are %d arguments: %s", len(args), strings.Join(args, " ")),
		Fix: "name one directory; arguments with blanks need quotes"})
}

// complete makes the shell complete the values of a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	must(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// directories makes the shell complete the argument DIR.
func directories(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// note tells the user what is being done, with -v.
func (a *app) note(format string, args ...any) {
	if a.verbose {
		fmt.Fprintf(a.err, "surge: "+format+"\n", args...)
	}
}

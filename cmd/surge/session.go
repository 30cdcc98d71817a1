package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/codegen/harness"
	"github.com/surge-ndp/surge/training"
	"github.com/surge-ndp/surge/training/input"
)

// dataFlags say on what a kernel runs. surge run and surge bench share them.
type dataFlags struct {
	kernel     string
	data, bind []string
	threads    int
	unchecked  bool
	model      string
}

func (f *dataFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.kernel, "kernel", "k", "", "take the kernel `NAME`, where the package has several")
	flags.StringArrayVar(&f.data, "data", nil, "an input, `NAME=SPEC`: a file (.mtx .npy .npz .txt .csv, also .gz) or gen:…")
	flags.StringArrayVar(&f.bind, "bind", nil, "what a parameter is, `PARAM=EXPR`: A.values, 32768, random(A.cols), …")
	flags.IntVar(&f.threads, "threads", 0, "use at most `N` threads (default all cores)")
	flags.StringVar(&f.model, "model", "", "choose by the models in this `FILE`, or by none: \"none\" (default "+training.ModelName+" in DIR, if it exists)")
	flags.BoolVar(&f.unchecked, "unchecked", false, "skip the checks of indices and offsets; wrong ones then corrupt memory")
}

// inputsTopic is the help topic on inputs: surge help inputs.
func inputsTopic() *cobra.Command {
	generators := newColumns("", "")
	for _, g := range input.Generators() {
		generators.row(g.Example, g.About)
		for _, p := range g.Parameters {
			generators.row("    "+strings.TrimSuffix(p.Name+"="+p.Default, "="), p.About)
		}
	}
	var sb strings.Builder
	sb.WriteString(`A kernel's parameters get their values in two steps.

--data NAME=SPEC, or data: in surge.yaml, names an input:

  web.mtx     a sparse matrix (Matrix Market: real, integer, pattern; general, symmetric, skew-symmetric)
  x.npy       a NumPy array; x.npz an archive of them
  x.txt       a number a line
  x.csv       a table, with or without a line of column names
  gen:…       made on the spot, see below

Files may be compressed (.mtx.gz), except .npz. In surge.yaml paths are relative to that file. For runs on
a cluster, --data 'values=A/values-*.npy' gives a parameter the shards that surge shard cuts a file into,
'x=gs://bucket/x-*.npy' such that lie elsewhere, and 'x=trades-*.parquet#price' a column of Parquet files.

--bind PARAM=EXPR, or bind: in surge.yaml, says what a parameter is. Without it a parameter is the
input of its own name. An expression is made of

  A, A.values             an input, a field of it. A matrix has values, columns, row_offsets, rows,
                          cols, nnz; a table data, rows, cols and its columns by name; an archive its members
  32768, 0.5, 4Ki, true   numbers: k M G are decimal, Ki Mi Gi binary
  n + 1, 2*(n/3)          arithmetic; n may be another parameter, or a name that is bound for this
  "ACGT"                  the bytes of a text, for a string or a []byte

A parameter that is made of several numbers or sequences is bound part by part: the fields of a struct
m are m.Data, m.Rows and m.Cols (m.Data without a binding is the input of that name, or the field Data of
the input m, for instance an .npz archive), those of a slice of structs an array each, bodies.At.X. A complex
number z is z.real and z.imag. A string is its bytes, and a []string rows of bytes. An array [3]T is
bound as a vector of 3 elements, a slice of arrays [][3]T as rows of 3, matrix(x, n, 3), and arrays of
arrays as one array. A method's receiver is its first parameter. surge run prints results the same way.
`)
	sb.WriteString("\nand of these functions:\n\n")
	for functions := range slices.Chunk(input.Functions(), 2) {
		sb.WriteString(strings.TrimRight(fmt.Sprintf("  %-34s", functions[0])+strings.Join(functions[1:], ""), " ") + "\n")
	}
	sb.WriteString("\nInputs that can be generated, with their arguments and what these are unless given (the same on every machine):\n\n")
	generators.print(&sb, "  ")
	sb.WriteString("\nArguments are numbers or arithmetic: 1e6, 1<<20, 4*1000, 1M.\n")
	return &cobra.Command{Use: "inputs", Short: "What --data and --bind take", Long: sb.String()}
}

// argument is a parameter of the kernel with what it was bound to.
type argument struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Expr  string `json:"expression"`
	Value string `json:"value"`
}

// loaded is an input that was read.
type loaded struct {
	Name string `json:"name"`
	Spec string `json:"spec"`
	What string `json:"what"`
}

// prepared is a kernel in a running harness, bound to its input.
type prepared struct {
	session *training.Session
	kernel  *harness.KernelInfo
	inputs  []loaded
	args    []argument
	bound   *training.Bound
}

// prepare starts the harness of a.dir and binds the kernel to its input. The caller closes the session unless there is
// an error.
func (a *app) prepare(ctx context.Context, cmd *cobra.Command, cfg *kernelConfig, f *dataFlags, variants []string) (_ *prepared, err error) {
	platforms, err := a.runnable(a.choosable(f.model))
	if err != nil {
		return nil, err
	}
	if f.threads < 0 {
		return nil, cfg.wrongFlag(cmd, "threads", fmt.Sprintf("%d: want a number of threads, or 0 for all cores", f.threads))
	}
	data, err := split(cmd, "data", f.data, "A=web.mtx")
	if err != nil {
		return nil, err
	}
	bind, err := split(cmd, "bind", f.bind, "tileSize=4096")
	if err != nil {
		return nil, err
	}
	data, bind = input.Merge(cfg.Data, data), input.Merge(cfg.Bind, bind)
	in := input.NewSet(input.Options{Cache: a.inputCache()})
	for _, d := range data {
		// Before anything is built: a mistake on the command line shows at once.
		if d.File == "" {
			if err := in.Open(ctx, d); err != nil {
				return nil, err
			}
		}
	}
	opened, err := training.Open(ctx, a.dir, training.Options{CacheDir: a.cache, NoSIMD: a.noSIMD, Platforms: platforms, Kernel: f.kernel, Progress: a.progress})
	if err != nil {
		return nil, err
	}
	p := &prepared{session: opened}
	defer func() {
		if err != nil {
			opened.Close()
		}
	}()
	all := opened.Describe().Kernels
	if p.kernel, err = pick(all, f.kernel); err != nil {
		if own, ok := err.(problem); ok && !cmd.Flags().Changed("kernel") && os.Getenv(envName("kernel")) == "" {
			return nil, cfg.at("kernel", own)
		}
		return nil, err
	}
	if err := a.useModel(ctx, opened, f.model); err != nil {
		return nil, err
	}
	params, err := opened.Inputs(p.kernel)
	if err != nil {
		return nil, err
	}
	args, used, err := in.Bind(ctx, params, data, bind)
	if err != nil {
		return nil, a.tryRandom(err)
	}
	for _, d := range used {
		p.inputs = append(p.inputs, loaded{d.Name, d.Value, in.Source(d.Name).String()})
	}
	for i, arg := range args {
		p.args = append(p.args, argument{arg.Name, p.kernel.Params[i].Type, arg.Expr, arg.Value.String()})
	}
	p.bound, err = opened.Bind(ctx, p.kernel.Name, input.Values(args), training.BindOptions{Platform: a.only(), Threads: f.threads, Unchecked: f.unchecked, Variants: variants})
	return p, err
}

// progress tells what takes long.
func (a *app) progress(text string) { fmt.Fprintf(a.err, "surge: %s\n", text) }

func pick(all []harness.KernelInfo, name string) (*harness.KernelInfo, error) {
	var names []string
	if only := harness.Only(all); name == "" && only != nil {
		return only, nil
	}
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	if name == "" {
		return nil, problem{Code: "unknown-kernel", What: fmt.Sprintf("the package has %d kernels, and none is named", len(all)),
			Fix: "choose one with -k, or with kernel: in " + configName + ": " + joinOr(names)}
	}
	return nil, unknown("unknown-kernel", "kernel", name, names)
}

// inputCache keeps parsed files. Without a cache directory every file is parsed each time.
func (a *app) inputCache() *input.Cache {
	dir := a.cache
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(user, "surge")
	}
	return &input.Cache{Dir: filepath.Join(dir, "inputs")}
}

func joinOr(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		text := names[0]
		for _, name := range names[1 : n-1] {
			text += ", " + name
		}
		return text + " or " + names[n-1]
	}
}

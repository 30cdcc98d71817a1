package main

import (
	"context"
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/surge-ndp/surge/training/input"
)

// shardFlags are the flags of surge shard.
type shardFlags struct {
	out, block, blockBytes string
	types                  []string
}

func (a *app) shardCommand() *cobra.Command {
	var f shardFlags
	cmd := &cobra.Command{
		Use:   "shard FILE",
		Short: "Cut a matrix or an array into shards for runs on a cluster",
		Long: `shard cuts a Matrix Market file (.mtx) or a NumPy array (.npy), compressed with .gz or not, by rows into
.npy files that surge run --target beam reads: values, columns and row_offsets of a matrix, data of an
array. Neither the file nor a shard is ever whole in memory; entries of a matrix are sorted by row in
temporary files in the folder of the shards, of 24 bytes each. All shards get their names at the end.`,
		Example: `  surge shard web.mtx.gz --out A
  surge shard web.mtx --out A --block 100k --type row_offsets=int64
  surge shard points.npy --out points --block-bytes 64Mi`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return usage(cmd, problem{Code: "usage", What: fmt.Sprintf("one file is wanted, and there are %d arguments", len(args)), Fix: "name one, for example: surge shard web.mtx --out A"})
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.configure(cmd, ""); err != nil {
				return err
			}
			return a.shard(cmd.Context(), cmd, args[0], &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "the `FOLDER` for the shards; it is made if it is not there")
	flags.StringVar(&f.block, "block", "", "`N` rows in a shard")
	flags.StringVar(&f.blockBytes, "block-bytes", "32Mi", "without --block, about `N` bytes in a shard of all arrays")
	flags.StringArrayVar(&f.types, "type", nil, "the `ARRAY=TYPE` of a matrix: values float64 or float32, columns and row_offsets int32 or int64 (default the first)")
	return cmd
}

// The report of surge shard, as programs read it.
type (
	shardReport struct {
		File    string         `json:"file"`
		Rows    int64          `json:"rows"`
		Columns int64          `json:"columns"`
		Entries int64          `json:"entries"`
		Shards  int            `json:"shards"`
		Arrays  []shardedArray `json:"arrays"`
		WallNS  int64          `json:"wall_ns"`
	}
	shardedArray struct {
		Name   string `json:"name"`
		Type   string `json:"type"`
		Shards string `json:"shards"`
		Bytes  int64  `json:"bytes"`
	}
)

func (a *app) shard(ctx context.Context, cmd *cobra.Command, file string, f *shardFlags) error {
	if f.out == "" {
		return usage(cmd, problem{Code: "usage", What: "the folder for the shards is missing", Fix: "name it with --out"})
	}
	opt := input.ShardOptions{Dir: f.out}
	rows, err := number(cmd, "block", f.block)
	if err != nil {
		return err
	}
	bytes, err := number(cmd, "block-bytes", f.blockBytes)
	if err != nil {
		return err
	}
	opt.Rows, opt.Bytes = int64(rows), int64(bytes)
	types, err := split(cmd, "type", f.types, "row_offsets=int64")
	if err != nil {
		return err
	}
	for _, t := range types {
		kind, err := input.ParseKind(t.Value)
		if err != nil {
			return err
		}
		if kind == input.Int {
			kind = input.Int64
		}
		if opt.Types == nil {
			opt.Types = map[string]input.Kind{}
		}
		opt.Types[t.Name] = kind
	}
	progress, ended := a.shardProgress()
	opt.Progress = progress
	began := time.Now()
	done, err := input.Shard(ctx, file, opt)
	ended()
	if err != nil {
		return err
	}
	r := shardReport{File: file, Rows: done.Rows, Columns: done.Columns, Entries: done.Entries, Shards: done.Shards, WallNS: int64(time.Since(began))}
	for _, x := range done.Fields {
		r.Arrays = append(r.Arrays, shardedArray{x.Name, x.Kind.String(), x.Pattern, x.Bytes})
	}
	if a.json {
		return a.printJSON(r)
	}
	a.printf("%s  %s × %s, %s, in %s\n", file, count(r.Rows), count(r.Columns), plural(int(r.Entries), "element"), plural(r.Shards, "shard"))
	t := newColumns("", "", "", "")
	for _, x := range r.Arrays {
		t.row("  "+x.Name, "[]"+x.Type, size(x.Bytes), x.Shards)
	}
	t.print(a.out, "")
	return nil
}

// shardProgress shows how much was read and written: on a terminal as a bar, else every five seconds.
func (a *app) shardProgress() (progress func(read, total, rows int64), ended func()) {
	what := func(read, total, rows int64) string {
		text := size(read) + " read"
		if total > 0 {
			text += fmt.Sprintf(" (%d%%)", 100*min(read, total)/total)
		}
		if rows > 0 {
			text += ", " + plural(int(rows), "row") + " written"
		}
		return text
	}
	if terminalWidth(a.err) > 0 {
		var bar *progressbar.ProgressBar
		return func(read, total, rows int64) {
				if bar == nil {
					if total == 0 {
						total = -1
					}
					bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(a.err), progressbar.OptionSetWidth(30),
						progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
				}
				bar.Describe(what(read, total, rows))
				_ = bar.Set64(read)
			}, func() {
				if bar != nil {
					_ = bar.Finish()
				}
			}
	}
	told := time.Now()
	return func(read, total, rows int64) {
		if time.Since(told) >= 5*time.Second {
			told = time.Now()
			a.progress(what(read, total, rows))
		}
	}, func() {}
}

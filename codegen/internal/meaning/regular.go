package meaning

import (
	"slices"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// regular returns what a kernel for rows of one length gets in place of args, whose rows are repeated or cut to that;
// nil if none of them has an element.
func regular(k *fuse.Kernel, args []any) []any {
	if len(k.Regular) == 0 {
		return args
	}
	all := make([]any, len(k.Func.Params))
	copy(all, args)
	for i, p := range k.Func.Params[:len(args)] {
		sizes := k.Regular[p]
		if sizes == nil {
			continue
		}
		rows, flat, length := args[i].([]any), []any{}, 1
		if len(rows) > 0 {
			at := slices.IndexFunc(rows, func(row any) bool { return count(row) > 0 })
			if at < 0 {
				return nil
			}
			first := rows[at].([]any)
			length = len(first)
			for _, row := range rows {
				from := row.([]any)
				if len(from) == 0 {
					from = first
				}
				for j := range length {
					flat = append(flat, from[j%len(from)])
				}
			}
		}
		all[i] = flat
		all[slices.Index(k.Func.Params, sizes.N)] = eval.Int(len(rows))
		all[slices.Index(k.Func.Params, sizes.Length)] = eval.Int(length)
	}
	return all
}

package meaning

import (
	"slices"

	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/ops/ir/eval"
)

// Regular returns what a kernel for rows of one length gets in place of args, whose rows are repeated or cut to that;
// nil if none of them has an element.
func Regular(k *fuse.Kernel, args []any) []any {
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
		rows := args[i].([]any)
		all[slices.Index(k.Func.Params, sizes.N)] = eval.Int(len(rows))
		for _, v := range sizes.Lengths {
			var length int
			if rows, length = evened(rows); length == 0 {
				return nil
			}
			all[slices.Index(k.Func.Params, v)] = eval.Int(length)
		}
		all[i] = rows
	}
	return all
}

// evened returns what lies in rows, one behind the other, after they are made as long as the first one that has
// elements, and how long that is: 0 if there is none, 1 if there are no rows.
func evened(rows []any) (flat []any, length int) {
	flat = []any{}
	if len(rows) == 0 {
		return flat, 1
	}
	at := slices.IndexFunc(rows, func(row any) bool { return count(row) > 0 })
	if at < 0 {
		return nil, 0
	}
	first := rows[at].([]any)
	for _, row := range rows {
		from := row.([]any)
		if len(from) == 0 {
			from = first
		}
		for j := range first {
			flat = append(flat, from[j%len(from)])
		}
	}
	return flat, len(first)
}

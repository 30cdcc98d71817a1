package load

// foreignFixes say what to write in place of functions of the standard library that kernels often call and that are not
// compiled, by the path of the package, a point and the name.
var foreignFixes = map[string]string{
	"errors.As":          "return the error, and call errors.As where the kernel is called",
	"sort.Sort":          "use sort.Slice, or slices.SortFunc, whose function compares two elements",
	"sort.Stable":        "use slices.SortStableFunc, whose function compares two elements",
	"sort.Strings":       "sort the indices of the strings by sort.Slice",
	"slices.Concat":      "join two slices by ops.Concat, and the rows of one by ops.Flatten",
	"slices.Insert":      "insert into a new slice, as in slices.Insert(slices.Clone(x), i, v)",
	"slices.Replace":     "replace in a new slice, as in slices.Replace(slices.Clone(x), i, j, v)",
	"strings.SplitSeq":   "cut the string in a loop: field, rest, found = strings.Cut(rest, sep)",
	"strings.EqualFold":  "range over the characters of both, and compare unicode.ToLower of each",
	"strconv.ParseFloat": "pass the numbers, or add up the digits in a loop: n = 10*n + float64(s[i]-'0')",
}

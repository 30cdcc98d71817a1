package load

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Note [Maps that are tables]
//
// A package-level map that is written out with constant keys and values, and that nothing in its package but reads
// elements of, is a table: which entry there is for a key does not depend on when it is asked for. Reading one,
//
//	amino, ok := codons[triplet]
//
// is a call of a function that compares the key with the sorted ones, by halves, and has the value of each. Texts of up
// to seven bytes are compared as numbers. The map itself stays for whatever is no kernel. A map that another package
// can name, or that is passed on, may have other entries when the kernel runs.

// tables rewrites the maps that are tables.
func (r *rewriter) tables(files []*ast.File) bool {
	all := map[*types.Var]*table{}
	var order []*table
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, spec := range g.Specs {
				if t := r.tableOf(spec.(*ast.ValueSpec)); t != nil {
					t.file = f
					all[t.v] = t
					order = append(order, t)
				}
			}
		}
	}
	if len(all) == 0 {
		return false
	}
	r.noteReads(files, all)
	for _, t := range order {
		if t.others || len(t.reads) == 0 {
			continue
		}
		if err := t.declare(r); err != nil { // what it prints is Go
			panic(err)
		}
		r.changed = true
	}
	for _, f := range files {
		replaceExprs(f, nil, func(e ast.Expr) ast.Expr {
			x, ok := e.(*ast.IndexExpr)
			if !ok {
				return e
			}
			t := all[variable(r.info, x.X)]
			if t == nil || t.others {
				return e
			}
			suffix := "Value·"
			if t.reads[x] {
				suffix = "Entry·"
			}
			return callTo(t.v.Name()+suffix, x.Pos(), x.Index)
		})
	}
	return r.changed
}

// table is one such map.
type table struct {
	v       *types.Var
	file    *ast.File
	typ     *ast.MapType
	entries []*ast.KeyValueExpr     // sorted
	keys    []string                // as they are compared
	packed  bool                    // these are texts as numbers
	text    bool                    // or texts
	reads   map[*ast.IndexExpr]bool // true where it is asked whether there is an entry
	others  bool                    // something else is done with it
}

// tableOf returns the map that spec declares, nil if it is not one whose entries are constants.
func (r *rewriter) tableOf(spec *ast.ValueSpec) *table {
	if len(spec.Names) != 1 || len(spec.Values) != 1 || spec.Names[0].IsExported() {
		return nil
	}
	v, ok := r.info.Defs[spec.Names[0]].(*types.Var)
	lit, isLit := ast.Unparen(spec.Values[0]).(*ast.CompositeLit)
	if !ok || !isLit || len(lit.Elts) == 0 {
		return nil
	}
	typ, isMap := lit.Type.(*ast.MapType)
	if !isMap || !types.Identical(v.Type(), r.info.TypeOf(lit)) {
		return nil
	}
	t := &table{v: v, typ: typ, reads: map[*ast.IndexExpr]bool{}}
	key, _ := r.info.TypeOf(typ.Key).Underlying().(*types.Basic)
	if key == nil || key.Info()&(types.IsInteger|types.IsString) == 0 {
		return nil
	}
	if numbers(r.info.TypeOf(typ.Value)) > maxChosen || len(lit.Elts) > mostEntries {
		return nil
	}
	t.text = key.Info()&types.IsString != 0
	t.packed = t.text
	values := map[*ast.KeyValueExpr]constant.Value{}
	for _, e := range lit.Elts {
		kv := e.(*ast.KeyValueExpr)
		values[kv] = r.info.Types[kv.Key].Value
		if values[kv] == nil || !isWritten(r.info, kv.Value) {
			return nil
		}
		t.packed = t.packed && len(constant.StringVal(values[kv])) <= mostPacked
		t.entries = append(t.entries, kv)
	}
	slices.SortFunc(t.entries, func(a, b *ast.KeyValueExpr) int {
		x, y := values[a], values[b]
		if t.packed {
			return cmp.Compare(packed(constant.StringVal(x)), packed(constant.StringVal(y)))
		}
		switch {
		case constant.Compare(x, token.LSS, y):
			return -1
		case constant.Compare(y, token.LSS, x):
			return 1
		}
		return 0
	})
	for _, kv := range t.entries {
		k := values[kv].ExactString()
		if t.packed {
			k = fmt.Sprint(packed(constant.StringVal(values[kv])))
		}
		t.keys = append(t.keys, k)
	}
	return t
}

// mostEntries is how many entries are compared with: more would be more code than they are worth.
const mostEntries = 256

// mostPacked is how long texts are that are numbers, with their length.
const mostPacked = 7

func packed(s string) uint64 {
	w := uint64(len(s))
	for _, b := range []byte(s) {
		w = w<<8 | uint64(b)
	}
	return w
}

// noteReads finds the uses of tables.
func (r *rewriter) noteReads(files []*ast.File, all map[*types.Var]*table) {
	for _, f := range files {
		var path []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			if id, ok := n.(*ast.Ident); ok {
				v, _ := r.info.Uses[id].(*types.Var)
				if t := all[v]; t != nil {
					t.note(id, path)
				}
			}
			path = append(path, n)
			return true
		})
	}
}

func (t *table) note(id *ast.Ident, path []ast.Node) {
	x, ok := path[len(path)-1].(*ast.IndexExpr)
	if !ok || x.X != ast.Expr(id) {
		t.others = true
		return
	}
	t.reads[x] = false
	switch p := path[len(path)-2].(type) {
	case *ast.AssignStmt:
		t.others = t.others || slices.Contains(p.Lhs, ast.Expr(x))
		t.reads[x] = len(p.Lhs) == 2 && len(p.Rhs) == 1
	case *ast.ValueSpec:
		t.reads[x] = len(p.Names) == 2 && len(p.Values) == 1
	case *ast.IncDecStmt, *ast.ParenExpr: // which may be assigned
		t.others = true
	}
}

// tableText declares the functions of a table. KEY· and VALUE· are replaced by the types of the map, FIND by
// comparisons, and names of values in these by the values.
const tableText = `package p
func NAMEValue·(key KEY·) VALUE· {
	v, _ := NAMEEntry·(key)
	return v
}
func NAMEEntry·(key KEY·) (v VALUE·, ok bool) {
	k := PACK
FIND	return v, ok
}
`

// find looks for k among the entries from lo on below hi.
func (t *table) find(lo, hi int) string {
	if hi-lo == 1 {
		return fmt.Sprintf("if k == %s {\nv, ok = V·%d, true\n}\n", t.keys[lo], lo)
	}
	mid := (lo + hi) / 2
	return fmt.Sprintf("if k < %s {\n%s} else {\n%s}\n", t.keys[mid], t.find(lo, mid), t.find(mid, hi))
}

// declare adds the declarations to the file of the map.
func (t *table) declare(r *rewriter) error {
	pack := "key"
	switch {
	case t.packed:
		pack = "packed·(string(key))"
		r.helpers["packed·"] = true
	case t.text:
		pack = "string(key)"
	}
	text := strings.NewReplacer("FIND", t.find(0, len(t.keys)), "PACK", pack, "NAME", t.v.Name()).Replace(tableText)
	const letter = "\ua78f" // a dot that identifiers may have
	f, err := parser.ParseFile(r.fset, "tables", strings.ReplaceAll(text, "·", letter), parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	replaceExprs(f, nil, func(e ast.Expr) ast.Expr {
		id, ok := e.(*ast.Ident)
		if !ok {
			return e
		}
		id.Name = strings.ReplaceAll(id.Name, letter, "·")
		at, isValue := strings.CutPrefix(id.Name, "V·")
		switch {
		case id.Name == "KEY·":
			return t.typ.Key
		case id.Name == "VALUE·":
			return t.typ.Value
		case isValue:
			i, _ := strconv.Atoi(at)
			return t.valueOf(i)
		}
		return e
	})
	ast.Inspect(f, func(n ast.Node) bool { // names that are declared are no expressions
		if id, ok := n.(*ast.Ident); ok {
			id.Name = strings.ReplaceAll(id.Name, letter, "·")
		}
		return true
	})
	t.file.Decls = append(t.file.Decls, f.Decls...)
	return nil
}

// valueOf is the value of an entry, with its type.
func (t *table) valueOf(i int) ast.Expr {
	e := t.entries[i].Value
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		typed := *lit
		typed.Type = t.typ.Value
		return &typed
	}
	return e
}

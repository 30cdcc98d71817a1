package load

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// library says of a package of the standard library which of its functions are pure but for what they write through
// their arguments.
type library struct {
	all     bool     // all functions are
	only    []string // these are
	without []string // these are not
	writes  []string // functions that write to what their first argument points to: names, or beginnings with a *
	copies  []string // functions that copy elements of their arguments, so that the result shares what these refer to only
	inserts []string // functions that copy elements of their arguments into the first one, which they return
	types   []string // whose methods are, but that they may write to their receiver
	frozen  []string // whose methods write to nothing
	values  []string // package-level variables that nobody assigns; * for all
}

// allowed are the packages of which functions called as they stand may call something.
var allowed = map[string]*library{
	"strings":       {all: true, types: []string{"Builder", "Reader"}, frozen: []string{"Replacer"}},
	"bytes":         {all: true, writes: []string{"Append*"}, copies: []string{"Clone", "Repeat"}, types: []string{"Buffer", "Reader"}},
	"strconv":       {all: true, writes: []string{"Append*"}, frozen: []string{"NumError"}, values: []string{"ErrRange", "ErrSyntax"}},
	"math":          {all: true},
	"math/bits":     {all: true},
	"math/cmplx":    {all: true},
	"cmp":           {all: true},
	"unicode":       {all: true, values: []string{"*"}},
	"unicode/utf8":  {all: true, writes: []string{"EncodeRune", "AppendRune"}},
	"unicode/utf16": {all: true, writes: []string{"AppendRune"}},
	"errors":        {only: []string{"New"}, values: []string{"ErrUnsupported"}},
	"sort":          {all: true, without: []string{"Reverse"}, writes: []string{"Sort", "Stable", "Ints", "Strings", "Float64s", "Slice", "SliceStable"}},
	"slices": {all: true, without: []string{"All", "Backward", "Values", "Collect", "AppendSeq", "Sorted", "SortedFunc", "SortedStableFunc", "Chunk"},
		writes: []string{"Sort*", "Reverse", "Insert", "Delete", "DeleteFunc", "Replace", "Compact", "CompactFunc", "Grow"},
		copies: []string{"Clone", "Concat", "Repeat"}, inserts: []string{"Insert", "Replace"}},
	"maps":            {only: []string{"Clone", "Copy", "Equal"}, writes: []string{"Copy"}},
	"fmt":             {only: []string{"Sprintf", "Sprint", "Sprintln", "Errorf", "Append*"}, writes: []string{"Append*"}},
	"hash":            {types: []string{"Hash", "Hash32", "Hash64"}},
	"hash/fnv":        {all: true},
	"hash/crc32":      {all: true, values: []string{"IEEETable"}},
	"hash/crc64":      {all: true},
	"hash/adler32":    {all: true},
	"crypto/md5":      {all: true},
	"crypto/sha1":     {all: true},
	"crypto/sha256":   {all: true},
	"crypto/sha512":   {all: true},
	"encoding/hex":    {only: []string{"EncodeToString", "DecodeString", "EncodedLen", "DecodedLen", "Encode", "Decode"}, writes: []string{"Encode", "Decode"}},
	"encoding/base64": {frozen: []string{"Encoding"}, values: []string{"StdEncoding", "URLEncoding", "RawStdEncoding", "RawURLEncoding"}},
	"encoding/binary": {only: []string{"PutUvarint", "PutVarint", "Uvarint", "Varint", "AppendUvarint", "AppendVarint"}, writes: []string{"Put*", "Append*"},
		types: []string{}, values: []string{"BigEndian", "LittleEndian"}},
	"regexp":         {only: []string{"MustCompile", "Compile", "QuoteMeta", "MatchString", "Match"}, frozen: []string{"Regexp"}},
	"time":           {only: []string{"Date", "ParseDuration"}, frozen: []string{"Duration", "Time", "Month", "Weekday"}, values: []string{"UTC"}},
	"container/heap": {all: true, writes: []string{"*"}},
	"container/list": {all: true, types: []string{"List", "Element"}},
	"container/ring": {all: true, types: []string{"Ring"}},
	"math/big":       {only: []string{"NewInt", "NewRat", "NewFloat"}, types: []string{"Int", "Rat", "Float"}},
	"math/rand":      {only: []string{"New", "NewSource"}, types: []string{"Rand"}},
	"math/rand/v2":   {only: []string{"New", "NewPCG", "NewChaCha8"}, types: []string{"Rand", "PCG", "ChaCha8"}},
	"io":             {values: []string{"EOF", "ErrUnexpectedEOF"}},
}

// notFrozen are the methods of types that are frozen which depend on something else, or change the receiver.
var notFrozen = []string{"Longest", "Local", "In", "Location", "UnmarshalJSON", "UnmarshalText", "UnmarshalBinary", "GobDecode", "Scan", "WriteString", "WithPadding", "Strict"}

// named reports whether a list has a name.
func named(list []string, name string) bool {
	return slices.ContainsFunc(list, func(x string) bool {
		prefix, open := strings.CutSuffix(x, "*")
		return x == name || open && strings.HasPrefix(name, prefix)
	})
}

// takes reports whether a function of the package may be called.
func (l *library) takes(f *types.Func) bool {
	return l != nil && f.Exported() && f.Signature().Recv() == nil && (l.all || named(l.only, f.Name())) && !named(l.without, f.Name())
}

// reads reports whether a variable of the package may be read.
func (l *library) reads(v *types.Var) bool { return l != nil && named(l.values, v.Name()) }

// standardCall is a call of a function of the standard library, or of an operator.
func (w *flow) standardCall(e *ast.CallExpr, obj *types.Func, args []*node, operator bool) []*node {
	obj = obj.Origin()
	path := obj.Pkg().Path()
	full := obj.Pkg().Name() + "." + obj.Name()
	l := allowed[path]
	if !operator && !l.takes(obj) {
		switch path {
		case "time":
			w.refuse(e.Pos(), "asks for the time, or waits: "+full)
		case "math/rand", "math/rand/v2":
			w.refuse(e.Pos(), "takes random numbers from a source that others take from, too: "+full)
		default:
			w.refuse(e.Pos(), "calls "+full+", of which is not known that it is pure")
		}
		return nil
	}
	if path == "fmt" && !w.printable(e, obj) {
		w.refuse(e.Pos(), "prints what "+full+" may show in another way each time, or by a method that is not known")
		return nil
	}
	if !operator && len(args) > 0 && args[0] != nil && named(l.writes, obj.Name()) {
		w.writes = append(w.writes, touch{args[0], e.Pos(), text(e.Args[0]), w.elements(e.Args[0])})
		if t := w.info().TypeOf(e.Args[0]); len(args) > 1 && refersInside(t) {
			for _, n := range args[1:] {
				unite(args[0], n)
			}
		}
	}
	if path == "math/rand" || path == "math/rand/v2" || path == "math/big" { // which write to what they were made of later
		for i, n := range args {
			if n != nil {
				w.writes = append(w.writes, touch{of: n, pos: e.Pos(), what: text(e.Args[min(i, len(e.Args)-1)])})
			}
		}
	}
	if !w.methodsOf(e, args, obj) {
		return nil
	}
	if !operator && named(l.copies, obj.Name()) && !refersInside(w.info().TypeOf(e)) {
		return []*node{{}}
	}
	if !operator && len(args) > 0 && slices.Contains(l.inserts, obj.Name()) && !refersInside(w.info().TypeOf(e)) {
		args = args[:1]
	}
	return w.outside(e, args, obj.Signature())
}

// refersInside reports whether the elements of a slice or a map hold references; true for others.
func refersInside(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return refers(u.Elem())
	case *types.Map:
		return refers(u.Elem()) || refers(u.Key())
	}
	return true
}

// methodsOf notes that a function of the standard library calls methods of its arguments, which it takes as interfaces.
// It reports whether these are known.
func (w *flow) methodsOf(e *ast.CallExpr, args []*node, obj *types.Func) bool {
	for i, a := range e.Args {
		iface, ok := paramType(obj, i).Underlying().(*types.Interface)
		t := w.info().TypeOf(a)
		if !ok || t == nil || types.IsInterface(t) || iface.NumMethods() == 0 {
			if ok && t != nil && types.IsInterface(t) && iface.NumMethods() > 0 {
				w.refuse(e.Pos(), "gives "+text(a)+", whose type is not known, to "+text(e.Fun))
				return false
			}
			continue
		}
		set := types.NewMethodSet(t)
		for m := range iface.Methods() {
			sel := set.Lookup(m.Pkg(), m.Name())
			if sel == nil {
				continue
			}
			f := w.prog.method(sel)
			if f == nil || f.unit.standard {
				if n := namedOf(t); n != nil && !w.modules[n.Obj().Pkg()] {
					continue // of the standard library, as hash.Hash
				}
				w.refuse(e.Pos(), "gives "+text(a)+" to "+text(e.Fun)+", which calls "+m.Name())
				return false
			}
			params := (&funcValue{unit: f.unit, decl: f}).params()
			all := args[i]
			for _, n := range args {
				all = unite(all, n)
			}
			given := make([]*node, len(params))
			for k, v := range params {
				if refers(v.Type()) {
					given[k] = all
				}
			}
			for _, n := range w.apply(e, f, given, nil) {
				unite(all, n)
			}
		}
	}
	return true
}

// standardMethod is a call of a method of the standard library.
func (w *flow) standardMethod(e *ast.CallExpr, recv *node, args []*node, obj *types.Func) []*node {
	obj = obj.Origin()
	recvType := namedOf(obj.Signature().Recv().Type())
	if recvType == nil || obj.Pkg() == nil {
		return w.unknown(e, text(e.Fun))
	}
	l, name := allowed[obj.Pkg().Path()], recvType.Obj().Name()
	full := obj.Pkg().Name() + "." + name + "." + obj.Name()
	switch {
	case obj.Pkg().Path() == "encoding/binary" && (name == "bigEndian" || name == "littleEndian"):
		if strings.HasPrefix(obj.Name(), "Put") || strings.HasPrefix(obj.Name(), "Append") {
			w.writes = append(w.writes, touch{of: args[0], pos: e.Pos(), what: text(e.Args[0])})
		}
	case l == nil || !obj.Exported():
		w.refuse(e.Pos(), "calls "+full+", of which is not known that it is pure")
		return nil
	case named(l.frozen, name):
		if named(notFrozen, obj.Name()) || strings.HasPrefix(obj.Name(), "Append") || name == "Encoding" && (obj.Name() == "Encode" || obj.Name() == "Decode") {
			w.refuse(e.Pos(), "calls "+full+", of which is not known that it is pure")
			return nil
		}
	case named(l.types, name):
		if recv != nil {
			w.writes = append(w.writes, touch{of: recv, pos: e.Pos(), what: "what " + full + " changes"})
		}
		for i, n := range args { // readers and writers change their arguments, too
			if n != nil && (types.IsInterface(w.info().TypeOf(e.Args[min(i, len(e.Args)-1)])) || isPointer(w.info().TypeOf(e.Args[min(i, len(e.Args)-1)])) || obj.Name() == "Read" || obj.Name() == "ReadAt") {
				w.writes = append(w.writes, touch{of: n, pos: e.Pos(), what: "what " + full + " changes"})
			}
		}
		for i, a := range e.Args {
			if iface, ok := paramType(obj, i).Underlying().(*types.Interface); ok && iface.NumMethods() > 0 {
				w.refuse(e.Pos(), "calls methods of "+text(a)+" in "+full)
				return nil
			}
		}
	default:
		w.refuse(e.Pos(), "calls "+full+", of which is not known that it is pure")
		return nil
	}
	return w.outside(e, append([]*node{recv}, args...), obj.Signature())
}

// paramType is the type of a parameter, int if there is none.
func paramType(f *types.Func, i int) types.Type {
	if ps := f.Signature().Params(); i < ps.Len() {
		return ps.At(i).Type()
	}
	return types.Typ[types.Int]
}

// outside is what a function outside of the program, which is pure but for what was noted, does with its arguments:
// what it returns may be a part of any of them, and it calls the functions among them.
func (w *flow) outside(e *ast.CallExpr, args []*node, sig *types.Signature) []*node {
	var all *node
	results := w.sameResults(w.instantiated(e, sig), nil)
	for i := range results { // errors of the standard library hold text
		if isError(w.instantiated(e, sig).Results().At(i).Type()) {
			results[i] = nil
		}
	}
	returns := slices.ContainsFunc(results, func(n *node) bool { return n != nil })
	calls := slices.ContainsFunc(e.Args, func(x ast.Expr) bool { t := w.info().TypeOf(x); return t != nil && isFunc(t) })
	if returns || calls {
		for _, n := range args {
			all = unite(all, n)
		}
	}
	for _, n := range results {
		if n != nil {
			all = unite(all, n)
		}
	}
	for _, x := range e.Args {
		if t := w.info().TypeOf(x); t != nil && isFunc(t) && !w.info().Types[x].IsNil() {
			all = unite(all, w.callback(e, x, []*node{all}))
		}
	}
	for i := range results {
		if isError(w.instantiated(e, sig).Results().At(i).Type()) {
			results[i] = &node{}
		}
	}
	return results
}

// instantiated is the signature of what a call calls.
func (w *flow) instantiated(e *ast.CallExpr, sig *types.Signature) *types.Signature {
	if s, ok := w.info().TypeOf(e.Fun).(*types.Signature); ok {
		return s
	}
	return sig
}

// printable reports whether a function of package fmt shows its arguments in the same way each time: by no address, and
// by no method.
func (w *flow) printable(e *ast.CallExpr, obj *types.Func) bool {
	args := e.Args
	if strings.HasPrefix(obj.Name(), "Append") {
		args = args[1:]
	}
	if strings.HasSuffix(obj.Name(), "f") {
		if len(args) == 0 || !verbs(w.info().Types[args[0]].Value) {
			return false
		}
		args = args[1:]
	}
	if e.Ellipsis.IsValid() {
		return false
	}
	for _, x := range args {
		switch t := w.info().TypeOf(x); {
		case w.info().Types[x].IsNil():
		case isError(t):
			text := types.Universe.Lookup("error").Type().Underlying().(*types.Interface).Method(0)
			w.byInterface(e, w.value(x), nil, t, text)
		case !plainText(t, 0):
			return false
		}
	}
	return true
}

// plainText reports whether values of a type are printed as what they hold.
func plainText(t types.Type, depth int) bool {
	if t == nil || depth > maxNesting {
		return false
	}
	for _, name := range []string{"String", "Error", "Format", "GoString"} {
		for _, t := range []types.Type{t, types.NewPointer(t)} {
			if types.NewMethodSet(t).Lookup(nil, name) != nil && !(typeName(t) == "time.Duration" || typeName(t) == "*time.Duration") {
				return false
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer && u.Kind() != types.Uintptr
	case *types.Slice:
		return plainText(u.Elem(), depth+1)
	case *types.Array:
		return plainText(u.Elem(), depth+1)
	case *types.Map: // which is sorted by its keys
		return discrete(u.Key()) && plainText(u.Key(), depth+1) && plainText(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if !plainText(f.Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

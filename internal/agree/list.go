package agree

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/surge-ndp/surge/codegen"
)

// list is the file that adds the kernels to those of package drive.
func list(p *codegen.Program) ([]byte, error) {
	functions, imports, err := functionsOf(p.Package.GoFiles)
	if err != nil {
		return nil, err
	}
	var sb strings.Builder
	used := map[string]bool{}
	for _, k := range p.Kernels {
		name := k.Source.Name
		if k.Source.VariantOf != "" {
			continue
		}
		first, size := utf8.DecodeRuneInString(name)
		if !unicode.IsUpper(first) {
			return nil, errors.New(name + " is not exported")
		}
		inputs := "nil"
		if functions["Inputs"+name] != nil {
			inputs = "Inputs" + name
		}
		fmt.Fprintf(&sb, "drive.Add(drive.Kernel{Name: %q, Exec: &%sKernel, Plain: %s, Run: Run%s, Inputs: %s, Bind: %s})\n",
			name, string(unicode.ToLower(first))+name[size:], name, name, inputs, bind(functions[name], imports, used))
	}
	var head strings.Builder
	fmt.Fprintf(&head, "package %s\n\nimport (\n\"context\"\n", p.Package.Name)
	for imp := range used {
		fmt.Fprintf(&head, "%q\n", imp)
	}
	head.WriteString("\n\"github.com/surge-ndp/surge/codegen/exec\"\n\"github.com/surge-ndp/surge/internal/agree/drive\"\n)\n\nfunc init() {\n")
	text, err := format.Source([]byte(head.String() + sb.String() + "}\n"))
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, sb.String())
	}
	return text, nil
}

// bind is the function Bind of a kernel.
func bind(fn *ast.FuncDecl, imports map[string]string, used map[string]bool) string {
	var take, args []string
	for _, field := range fn.Type.Params.List {
		var text bytes.Buffer
		printer.Fprint(&text, token.NewFileSet(), field.Type)
		ast.Inspect(field.Type, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				used[imports[s.X.(*ast.Ident).Name]] = true
			}
			return true
		})
		for range max(1, len(field.Names)) {
			args = append(args, fmt.Sprintf("a%d", len(args)))
			take = append(take, fmt.Sprintf("args[%d].(%s)", len(take), &text))
		}
	}
	list := strings.Join(args, ", ")
	results, failed := 0, false
	for _, field := range fn.Type.Results.List {
		results += max(1, len(field.Names))
		ident, ok := field.Type.(*ast.Ident)
		failed = ok && ident.Name == "error"
	}
	blanks := strings.Repeat("_, ", results)
	if failed { // the error is the last result of both
		blanks = strings.Repeat("_, ", results-1)
	}
	return fmt.Sprintf(`func(args []any, opts ...exec.Option) (drive.Bound, error) {
	%[1]s := %[2]s
	b, err := Bind%[3]s(%[1]s, opts...)
	if err != nil {
		return drive.Bound{}, err
	}
	ctx := context.Background()
	return drive.Bound{
		Plain: func() { %[3]s(%[1]s) },
		Call: func() error {
			%[4]serr := Run%[3]s(ctx, %[1]s, opts...)
			return err
		},
		Run: func() error {
			%[4]serr := b.Run(ctx)
			return err
		},
		Decisions: b.Decisions,
	}, nil
}`, list, strings.Join(take, ", "), fn.Name.Name, blanks)
}

// functionsOf are the functions of some files by their names, and the imports of the files by theirs.
func functionsOf(files []string) (functions map[string]*ast.FuncDecl, imports map[string]string, err error) {
	functions, imports = map[string]*ast.FuncDecl{}, map[string]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		for _, imp := range f.Imports {
			p, _ := strconv.Unquote(imp.Path.Value)
			name := path.Base(p)
			if imp.Name != nil {
				name = imp.Name.Name
			}
			imports[name] = p
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				functions[fn.Name.Name] = fn
			}
		}
	}
	return functions, imports, nil
}

package agree

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/ops/load"
)

// list is the file that adds the kernels to those of package drive. blocks are the files that describe them block by
// block, if that is wanted.
func list(p *codegen.Program, blocks map[string][]byte) ([]byte, error) {
	functions, err := functionsOf(p.Package.GoFiles)
	if err != nil {
		return nil, err
	}
	var sb strings.Builder
	used := map[string]string{} // the name of each package by its path
	for _, k := range p.Kernels {
		name := k.Source.Name
		if k.Source.VariantOf != "" {
			continue
		}
		first, size := utf8.DecodeRuneInString(name)
		if !unicode.IsUpper(first) {
			return nil, errors.New(name + " is not exported")
		}
		given := func(what string) string {
			if functions[what+name] == nil {
				return "nil"
			}
			return what + name
		}
		base := string(unicode.ToLower(first)) + name[size:]
		cut := "nil"
		for _, src := range blocks {
			if bytes.Contains(src, []byte("\nvar "+base+"Cluster = ")) {
				cut = fmt.Sprintf("func(args []any) (*cluster.Kernel, cluster.Slices) { return %sCluster, Blocks%s(%s) }", base, name, strings.Join(arguments(k.Source), ", "))
				used["github.com/surge-ndp/surge/codegen/cluster"] = "cluster"
			}
		}
		fmt.Fprintf(&sb, "drive.Add(drive.Kernel{Name: %q, Exec: &%sKernel, Plain: %s, Run: Run%s, Inputs: %s, Sets: %s, Bind: %s, Blocks: %s})\n",
			name, base, k.Source.Call, name, given("Inputs"), given("Sets"), bind(k.Source), cut)
		for path, name := range k.Source.Imports {
			used[path] = name
		}
	}
	var head strings.Builder
	fmt.Fprintf(&head, "package %s\n\nimport (\n\"context\"\n", p.Package.Name)
	used, err = codegen.Imported(used, "func init() {\n"+sb.String()+"}\n")
	if err != nil {
		return nil, err
	}
	for path, name := range used {
		fmt.Fprintf(&head, "%s %q\n", name, path)
	}
	head.WriteString("\n\"github.com/surge-ndp/surge/codegen/exec\"\n\"github.com/surge-ndp/surge/internal/agree/drive\"\n)\n\nfunc init() {\n")
	text, err := format.Source([]byte(head.String() + sb.String() + "}\n"))
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, sb.String())
	}
	return text, nil
}

// arguments takes a kernel's arguments from a slice.
func arguments(k *load.Kernel) (take []string) {
	for i, p := range k.Params {
		take = append(take, fmt.Sprintf("args[%d].(%s)", i, p.GoType))
	}
	return take
}

// bind is the function Bind of a kernel.
func bind(k *load.Kernel) string {
	var args []string
	take := arguments(k)
	for i := range k.Params {
		args = append(args, fmt.Sprintf("a%d", i))
	}
	list := strings.Join(args, ", ")
	plain := list
	if k.Variadic {
		plain += "..."
	}
	results := len(k.Results)
	if k.Error() >= 0 { // the error is that of both
		results--
	}
	blanks := strings.Repeat("_, ", results)
	return fmt.Sprintf(`func(args []any, opts ...exec.Option) (drive.Bound, error) {
	%[1]s := %[2]s
	b, err := Bind%[3]s(%[1]s, opts...)
	if err != nil {
		return drive.Bound{}, err
	}
	ctx := context.Background()
	plain := drive.Opaque(%[5]s)
	return drive.Bound{
		Plain: func() { plain(%[6]s) },
		Call: func() error {
			%[4]serr := Run%[3]s(ctx, %[1]s, opts...)
			return err
		},
		Run: func() error {
			%[4]serr := b.Run(ctx)
			return err
		},
		Decisions: b.Decisions,
		Of: b,
	}, nil
}`, list, strings.Join(take, ", "), k.Name, blanks, k.Call, plain)
}

// functionsOf are the functions of some files by their names.
func functionsOf(files []string) (map[string]*ast.FuncDecl, error) {
	functions := map[string]*ast.FuncDecl{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				functions[fn.Name.Name] = fn
			}
		}
	}
	return functions, nil
}

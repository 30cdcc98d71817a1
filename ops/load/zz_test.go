package load
import ("testing";"math/rand/v2";"os";"fmt";"strings";"reflect";"os/exec";"encoding/json";"errors";"go/types")
func rtype(t types.Type) reflect.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice: return reflect.SliceOf(rtype(u.Elem()))
	case *types.Basic:
		return map[types.BasicKind]reflect.Type{types.Bool:reflect.TypeFor[bool](),types.Int:reflect.TypeFor[int](),types.Int32:reflect.TypeFor[int32](),types.Int64:reflect.TypeFor[int64](),types.Uint8:reflect.TypeFor[uint8](),types.Float32:reflect.TypeFor[float32](),types.Float64:reflect.TypeFor[float64]()}[u.Kind()]
	}
	return nil
}
func TestZZ(t *testing.T) {
	dir := "/tmp/lp/diff"
	os.RemoveAll(dir); os.MkdirAll(dir, 0o777)
	os.WriteFile(dir+"/go.mod", []byte("module d\n\ngo 1.26.0\n\nrequire github.com/surge-ndp/surge v0.0.0\n\nreplace github.com/surge-ndp/surge => /work/main\n"), 0o666)
	seed := uint64(1); fmt.Sscan(os.Getenv("ZSEED"), &seed)
	rng := rand.New(rand.NewPCG(seed, 5))
	all := seeds(t)[len(seeds(t))-24:]
	var imports, table strings.Builder
	type exp struct{ Name string; Seed uint64; Out string; k string }
	var want []exp
	seenIR := map[string]bool{}
	for n := 0; n < 600; {
		text := splice(all[rng.IntN(len(all))], rng)
		ks, _, err := compileText("fuzz.go", text)
		if err != nil || len(ks) != 1 || ks[0].Func == nil || !strings.Contains(text, "var _ = math.Pi") { continue }
		k := ks[0]
		if !strings.Contains(text, "//surge:kernel\nfunc " + strings.ToUpper(k.Name[:1]) + k.Name[1:]) || k.Name[0] > 90 { continue }
		if seenIR[k.Func.String()] { continue }
		seenIR[k.Func.String()] = true
		sig := k.obj.Signature()
		ins := make([]reflect.Type, sig.Params().Len()); okk := true
		for i := range ins { ins[i] = rtype(sig.Params().At(i).Type()); okk = okk && ins[i] != nil }
		if !okk { continue }
		ft := reflect.FuncOf(ins, nil, false)
		name := fmt.Sprintf("m%d", n)
		cnt := 0
		bad := false
		for s := range uint64(60) {
			var in []any
			for _, a := range randomArgs(rand.New(rand.NewPCG(s, 9)), ft) { in = append(in, toIR(a)) }
			var out []any; var err error
			func() { defer func() { if r := recover(); r != nil { bad = true } }(); out, err = evaluate(k.Func, in) }()
			if bad { break }
			if err != nil && strings.Contains(err.Error(), "too many steps") { continue }
			o := "fail"
			if err == nil { o = fmt.Sprint(canonical(any(out))) } else if !errors.Is(err, errCheck) { t.Fatal(err) }
			want = append(want, exp{name, s, o, text+k.Func.String()}); cnt++
		}
		if bad { want = want[:len(want)-cnt]; continue }
		os.MkdirAll(dir+"/"+name, 0o777)
		os.WriteFile(dir+"/"+name+"/k.go", []byte(text), 0o666)
		fmt.Fprintf(&imports, "\t%s \"d/%s\"\n", name, name)
		fmt.Fprintf(&table, "\t%q: %s.%s,\n", name, name, k.Name)
		n++
	}
	lt, _ := os.ReadFile("load_test.go")
	i := strings.Index(string(lt), "// canonical replaces")
	main := "package main\nimport (\n\"encoding/json\"\n\"fmt\"\n\"math\"\n\"math/rand/v2\"\n\"os\"\n\"reflect\"\n\"github.com/surge-ndp/surge/ops/ir\"\n" + imports.String() + ")\nvar table = map[string]any{\n" + table.String() + "}\n" + `
type exp struct{ Name string; Seed uint64; Out string }
func main() {
	var in, out []exp
	json.NewDecoder(os.Stdin).Decode(&in)
	for _, e := range in {
		fn := reflect.ValueOf(table[e.Name])
		res, err := callGo(fn, randomArgs(rand.New(rand.NewPCG(e.Seed, 9)), fn.Type()))
		o := "fail"
		if err == nil { rs := []any{}; for _, r := range res { rs = append(rs, toIR(r)) }; o = fmt.Sprint(canonical(any(rs))) } else { _ = err }
		out = append(out, exp{e.Name, e.Seed, o})
	}
	json.NewEncoder(os.Stdout).Encode(out)
}
` + string(lt[i:])
	os.WriteFile(dir+"/main.go", []byte(main), 0o666)
	js, _ := json.Marshal(want)
	cmd := exec.Command("go", "run", "-vet=off", "."); cmd = exec.Command("sh", "-c", "go build -o prog . && timeout 60 ./prog"); cmd.Dir = dir; cmd.Stdin = strings.NewReader(string(js))
	outb, err := cmd.Output()
	if err != nil { var ee *exec.ExitError; errors.As(err, &ee); t.Fatal(err, string(ee.Stderr)[:min(3000, len(ee.Stderr))]) }
	var got []exp
	json.Unmarshal(outb, &got)
	diffs := map[string]bool{}; fails := 0
	for i := range got {
		if got[i].Out == "fail" { fails++ }
		if got[i].Out != want[i].Out && !diffs[got[i].Name] { diffs[got[i].Name] = true; if len(diffs) < 6 { t.Errorf("%s seed %d: IR %s Go %s\n%s", got[i].Name, got[i].Seed, want[i].Out, got[i].Out, want[i].k) } }
	}
	t.Log(len(got), "runs", fails, "fails", len(diffs), "kernels differ")
}

package input

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sbinet/npyio/npy"
)

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if strings.HasSuffix(name, ".gz") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		z.Close()
		text = b.String()
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *Source {
	t.Helper()
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"1\n2\n-3\n":                   "[1 2 -3] int64",
		"# c\n\n 1\r\n2.5e1 \r\n% d\n": "[1 25] float64",
		"1\n-0\n":                      "[1 -0] float64",
		"9007199254740993\n":           "[9007199254740993] int64",
		"99999999999999999999\n":       "[1e+20] float64",
		"+1\n":                         "[1] int64",
		"1 2 3\n4 5 6\n":               "[1 2 3 4 5 6] int64",
		"1D3\n":                        "[1000] float64",
	} {
		for _, name := range []string{"v.txt", "v.txt.gz"} {
			v, err := open(t, writeFile(t, name, text)).Field("")
			if got := fmt.Sprint(v.Data, " ", v.Kind); err != nil || got != want {
				t.Errorf("%q: got %s, want %s (%v)", text, got, want, err)
			}
		}
	}
	s := open(t, writeFile(t, "t.txt", "\ufeff1 2 3\r\n4 5 6\n"))
	if v := must(s.Field("1")); fmt.Sprint(v.Data) != "[2 5]" || s.rows != 2 || s.cols != 3 {
		t.Error(s, v)
	}
}

func TestCSV(t *testing.T) {
	s := open(t, writeFile(t, "t.csv", "\ufeffprice , \"net, weight\"\r\n# note\r\n1, 2\r\n\r\n\"3\",-4e0\r\n"))
	if got := fmt.Sprint(must(s.Field("price")).Data, must(s.Field("net, weight")).Data, must(s.Field("data")).Data, s.Fields()); got != "[1 3] [2 -4] [1 2 3 -4] [data rows cols price net, weight]" {
		t.Error(got)
	}
	s = open(t, writeFile(t, "t.csv.gz", "1,2\n3,4\n"))
	if got := fmt.Sprint(s, must(s.Field("0")).Data); got != "table of 2 × 2 float64s [1 3]" {
		t.Error(got)
	}
}

func TestNpy(t *testing.T) {
	npyFile := func(descr, fortran, shape string, data ...byte) string {
		dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
		dict += strings.Repeat(" ", 117-len(dict)) + "\n"
		return "\x93NUMPY\x01\x00v\x00" + dict + string(data)
	}
	for want, text := range map[string]string{
		"int16[2] [258 3]":             npyFile(">i2", "False", "(2,)", 1, 2, 0, 3),
		"uint8[2][3] [1 2 3 4 5 6]":    npyFile("|u1", "True", "(2, 3)", 1, 4, 2, 5, 3, 6),
		"bool[2] [true false]":         npyFile("|b1", "False", "(2,)", 1, 0),
		"int8 = -1 [-1]":               npyFile("|i1", "False", "()", 0xff),
		"float32[1] [1]":               npyFile("<f4", "False", "(1,)", 0, 0, 0x80, 0x3f),
		"uint64[0] []":                 npyFile("<u8", "False", "(0,)"),
		"uint8[1][1][2] [7 8]":         npyFile("|u1", "False", "(1, 1, 2)", 7, 8),
		"int32[2] [1 -2]":              npyFile("<i4", "True", "(2,)", 1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff),
		"float64[1] [2]":               npyFile("<f8", "False", "(1,)", 0, 0, 0, 0, 0, 0, 0, 0x40),
		"uint16[2][2] [256 512 1 770]": npyFile(">u2", "False", "(2, 2)", 1, 0, 2, 0, 0, 1, 3, 2),
	} {
		for _, name := range []string{"a.npy", "a.npy.gz"} {
			v, err := open(t, writeFile(t, name, text)).Field("")
			if got := fmt.Sprint(v, " ", v.Data); err != nil || got != want {
				t.Errorf("got %s, want %s (%v)", got, want, err)
			}
		}
	}
}

func TestNpz(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, data := range map[string]any{"indptr.npy": []int32{0, 2}, "data.npy": []float64{1, 2}, "z.npy": []complex128{1}} {
		w, _ := z.Create(name)
		if err := npy.Write(w, data); err != nil {
			t.Fatal(err)
		}
	}
	w, _ := z.Create("notes.txt")
	io.WriteString(w, "hello")
	z.Close()
	f.Close()
	s := open(t, path)
	if got := fmt.Sprint(must(s.Field("indptr")).Data, must(s.Field("data")).Data); got != "[0 2] [1 2]" {
		t.Error(got)
	}
	if _, err := s.Field("z"); err == nil || !strings.Contains(err.Error(), "complex") && !strings.Contains(err.Error(), "c16") {
		t.Error(err)
	}
	if _, err := s.Field(""); err == nil || err.(*Error).Code != "which-field" {
		t.Error(err)
	}
}

func allKinds() []Value {
	return []Value{
		Vector([]bool{true, false, true}), Vector([]int{math.MinInt, 0, math.MaxInt}), Vector([]int8{-128, 127}),
		Vector([]int16{-1, 300}), Vector([]int32{math.MinInt32, math.MaxInt32}), Vector([]int64{-5, 1 << 60}),
		Vector([]uint{0, math.MaxUint}), Vector([]uint8{0, 255}), Vector([]uint16{65535}), Vector([]uint32{math.MaxUint32}),
		Vector([]uint64{math.MaxUint64, 1}), Vector([]float32{0.1, -1e-30, math.MaxFloat32}),
		Vector([]float64{0.1, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64}), Vector([]float64{}),
		Scalar(3.5), Scalar(int32(7)), {Kind: Int32, Dims: []int{2, 3}, Data: []int32{1, 2, 3, 4, 5, 6}},
	}
}

func TestRaw(t *testing.T) {
	for _, v := range allKinds() {
		var b bytes.Buffer
		if err := WriteRaw(&b, v); err != nil || int64(b.Len()) != v.Bytes() {
			t.Fatal(err, b.Len())
		}
		text := b.Bytes()
		got, err := ReadRaw(&b, v.Kind, v.Len())
		if err != nil || fmt.Sprint(got.Data) != fmt.Sprint(v.Data) {
			t.Errorf("%v: read %v, %v", v, got.Data, err)
		}
		if _, err := ReadRaw(bytes.NewReader(text), v.Kind, v.Len()+1); err != io.ErrUnexpectedEOF {
			t.Errorf("%v: short read gives %v", v, err)
		}
		if _, err := ReadRaw(bytes.NewReader(text), v.Kind, 1<<50); err != io.ErrUnexpectedEOF {
			t.Errorf("%v: false claim gives %v", v, err)
		}
	}
	if !bytes.Equal(swapped([]byte{1, 2, 3, 4}, 2), []byte{2, 1, 4, 3}) {
		t.Error("swapped")
	}
}

func TestWriteReadsBack(t *testing.T) {
	dir := t.TempDir()
	for i, v := range allKinds() {
		path := filepath.Join(dir, fmt.Sprint(i)+".npy")
		if err := Write(path, v); err != nil {
			t.Fatal(err)
		}
		got, err := open(t, path).Field("")
		want := v
		if v.Kind == Int || v.Kind == Uint {
			want.Kind += Int64 - Int
		}
		if err != nil || got.String() != want.String() || fmt.Sprint(got.Data) != fmt.Sprint(v.Data) {
			t.Errorf("%v comes back as %v", v, got)
		}
		if len(v.Dims) < 2 { // npyio reads what we write
			f, _ := os.Open(path)
			if r, err := npy.NewReader(f); err != nil || fmt.Sprint(r.Header.Descr.Shape) != fmt.Sprint(v.Dims) {
				t.Errorf("%v: npyio: %v", v, err)
			}
			f.Close()
		}
		if v.Len() == 0 {
			continue
		}
		path = filepath.Join(dir, fmt.Sprint(i)+".txt")
		if err := Write(path, v); err != nil {
			t.Fatal(err)
		}
		if v.Kind == Uint || v.Kind == Uint64 || v.Kind == Int {
			continue // 19 digits and more come back as float64
		}
		back, err := open(t, path).Field("")
		if err == nil {
			back, err = Convert(back, v.Kind)
		}
		if err != nil || fmt.Sprint(back.Data) != fmt.Sprint(v.Data) {
			t.Errorf("%v comes back from text as %v, %v", v, back.Data, err)
		}
	}
	nested := must(Vector([]int{1, 2, 3}).nestBy([]int{0, 2, 2, 3}))
	path := filepath.Join(dir, "nested.txt")
	if err := Write(path, nested); err != nil {
		t.Fatal(err)
	}
	if text := must(os.ReadFile(path)); string(text) != "1 2\n\n3\n" {
		t.Errorf("%q", text)
	}
	for _, bad := range []string{"x.npy", "x.dat"} {
		err := Write(filepath.Join(dir, bad), nested)
		if err == nil {
			t.Errorf("%s: no error", bad)
			continue
		}
		checkError(t, err)
	}
	err := Write(filepath.Join(dir, "none", "x.npy"), Scalar(1))
	if err == nil {
		t.Fatal("no error")
	}
	checkError(t, err)
	left, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestWriteKeepsTheOldFile: a failure in the middle leaves what was there.
func TestWriteKeepsTheOldFile(t *testing.T) {
	path := writeFile(t, "r.txt", "old\n")
	link := filepath.Join(t.TempDir(), "link.txt")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	err := ReplaceFile(link, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("new\n", 1<<20))
		return io.ErrShortWrite
	})
	if text := must(os.ReadFile(path)); err != io.ErrShortWrite || string(text) != "old\n" {
		t.Errorf("%v, %q", err, text)
	}
	if err := Write(link, Scalar(1)); err != nil {
		t.Fatal(err)
	}
	if text := must(os.ReadFile(path)); string(text) != "1\n" {
		t.Errorf("through a link: %q", text)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
}

// TestReplaceFile: links and the permissions of a file stay, and what is no regular file is written to.
func TestReplaceFile(t *testing.T) {
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	path := writeFile(t, "a.csv", "old")
	link := filepath.Join(filepath.Dir(path), "link")
	if err := errors.Join(os.Chmod(path, 0o600), os.Symlink("a.csv", link), ReplaceFile(link, text("new"))); err != nil {
		t.Fatal(err)
	}
	if info := must(os.Lstat(link)); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if info := must(os.Stat(path)); info.Mode().Perm() != 0o600 || string(must(os.ReadFile(path))) != "new" {
		t.Errorf("%v, %q", info.Mode(), must(os.ReadFile(path)))
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		return
	}
	if err := ReplaceFile("/dev/full", text("x")); !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, os.ErrPermission) {
		t.Error(err)
	}
	if info, err := os.Stat("/dev/full"); err == nil && info.Mode().IsRegular() {
		t.Fatal("the device is replaced")
	}
}

func TestConvertErrors(t *testing.T) {
	for _, test := range []struct {
		v    Value
		kind Kind
		want string
	}{
		{Vector([]float64{1, math.NaN()}), Int32, "element 1, NaN, does not fit int32"},
		{Vector([]float64{1 << 31}), Int32, "element 0, 2147483648, does not fit int32"},
		{Vector([]float64{1 << 63}), Int64, "element 0, 9223372036854775808, does not fit int64"},
		{Vector([]float64{-1}), Uint64, "element 0, -1, does not fit uint64"},
		{Vector([]uint64{1 << 63}), Int64, "element 0, 9223372036854775808, does not fit int64"},
		{Vector([]int64{-1}), Uint64, "element 0, -1, does not fit uint64"},
		{Vector([]int{2}), Bool, "element 0, 2, does not fit bool"},
		{Vector([]int16{300}), Uint8, "element 0, 300, does not fit uint8"},
	} {
		_, err := Convert(test.v, test.kind)
		if err == nil || err.(*Error).What != test.want {
			t.Errorf("%v to %v: %v, want %s", test.v, test.kind, err, test.want)
		}
	}
	for _, v := range allKinds() {
		for k := Bool; k <= Float64; k++ {
			got, err := Convert(v, k)
			if err != nil {
				continue
			}
			// What converts to an integer converts back; floats may round.
			back, err := Convert(got, v.Kind)
			if !k.IsFloat() && (err != nil || fmt.Sprint(back.Data) != fmt.Sprint(v.Data)) {
				t.Errorf("%v to %v and back: %v, %v", v, k, back.Data, err)
			}
		}
	}
}

func TestFingerprint(t *testing.T) {
	path := writeFile(t, "v.txt", "1\n2\n")
	a := open(t, path).Fingerprint()
	if b := open(t, path).Fingerprint(); a != b {
		t.Error("the same file, another fingerprint")
	}
	if err := os.WriteFile(path, []byte("1\n2\n3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if b := open(t, path).Fingerprint(); a == b {
		t.Error("another file, the same fingerprint")
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("1\n2\n-3.5e1\n"))
	f.Add([]byte("1 2\n3 4 # x\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := readText(context.Background(), "f.txt", bytes.NewReader(text), 0); err != nil {
			checkError(t, err)
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"))
	f.Add([]byte("\"1\",2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := readCSV(context.Background(), "f.csv", bytes.NewReader(text), 0)
		if err != nil {
			checkError(t, err)
			return
		}
		for _, name := range s.Fields() {
			own := name == "data" || name == "rows" || name == "cols"
			if v, err := s.Field(name); err != nil || !own && v.Len() != s.rows {
				t.Fatalf("field %q: %v, %v", name, v, err)
			}
		}
	})
}

func FuzzNpy(f *testing.F) {
	var b bytes.Buffer
	npy.Write(&b, []float64{1, 2})
	f.Add(b.Bytes())
	f.Add(append(npyHeader(Value{Kind: Bool, Dims: []int{1, 2}}), 1, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, size := range []int64{int64(len(data)), -1} {
			v, err := readNpy("f.npy", bytes.NewReader(data), size, size >= 0, 0)
			if err != nil {
				checkError(t, err)
			} else if v.Bytes() > int64(len(data)) {
				t.Fatal("more than there is")
			}
		}
		if _, err := readNpz(context.Background(), "f.npz", bytes.NewReader(data), int64(len(data)), 1<<20); err != nil {
			checkError(t, err)
		}
	})
}

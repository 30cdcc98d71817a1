package omprt

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// toolchain is a C compiler that works, with the flags that it takes.
type toolchain struct {
	command []string // of CC
	flags   []string
	version string // the first line of what it says of itself
}

// Toolchain describes the compiler that is used.
type Toolchain struct {
	Name  string // its command, and what it says of itself
	Flags string
}

// Missing says why no compiler can be used, and what to do about it.
type Missing struct {
	What, Fix string
	OpenMP    bool   // there is a compiler without OpenMP
	Compiler  string // which
}

// Error returns what is missing and how to get it.
func (m *Missing) Error() string {
	if m.Fix == "" {
		return m.What
	}
	return m.What + "; " + m.Fix
}

// Compiler returns the compiler that is used. It is looked for once, when somebody asks first.
func Compiler() (Toolchain, *Missing) {
	t, err := compiler()
	if err != nil {
		var m *Missing
		if !errors.As(err, &m) {
			m = &Missing{What: err.Error()}
		}
		return Toolchain{}, m
	}
	return Toolchain{Name: t.name(), Flags: strings.Join(t.flags, " ")}, nil
}

// name is the compiler's command and what it says of itself.
func (t *toolchain) name() string { return strings.Join(t.command, " ") + ": " + t.version }

// flags are what all compilers have to take. Integers wrap around, a product and a sum are rounded one by one,
// infinities, NaN and the sign of zero mean what they mean in Go, and nobody looks at errno or floating-point
// exceptions.
var flags = strings.Fields("-O3 -std=gnu11 -fPIC -shared -fwrapv -ffp-contract=off -fno-math-errno -fno-trapping-math -w")

// machineFlags are flags that make a compiler use all instructions of this machine, in the order in which they are
// tried: the last is none.
var machineFlags = [][]string{{"-march=native"}, {"-mcpu=native"}, {}}

// openmpFlags are how compilers are told to use OpenMP.
var openmpFlags = [][]string{{"-fopenmp"}, {"-Xclang", "-fopenmp", "-lomp"}}

// compiler finds the C compiler, once.
var compiler = sync.OnceValues(findCompiler)

// names of compilers, where CC names none.
var usual = []string{"cc", "gcc", "clang"}

func findCompiler() (*toolchain, error) {
	if loader == "" {
		return nil, &Missing{What: fmt.Sprintf("compiled C cannot be opened by programs for %s/%s", runtime.GOOS, runtime.GOARCH)}
	}
	if cc := strings.Fields(os.Getenv("CC")); len(cc) > 0 {
		if _, err := exec.LookPath(cc[0]); err != nil {
			return nil, &Missing{What: "there is no compiler " + cc[0] + ", which the environment variable CC names", Fix: "correct it, or leave it out"}
		}
		return tryCompiler(cc)
	}
	var first error
	for _, name := range usual {
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		t, err := tryCompiler([]string{name})
		if err == nil {
			return t, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = &Missing{What: "there is no C compiler (cc, gcc or clang) in PATH", Fix: howToGet()}
	}
	return nil, first
}

// howToGet says how a compiler with OpenMP is installed.
func howToGet() string {
	if runtime.GOOS == "darwin" {
		return "brew install gcc, and set CC to its gcc, gives one with OpenMP"
	}
	return "the package gcc of a Linux distribution has one with OpenMP (apt install gcc, dnf install gcc)"
}

// probe is C that needs what kernels need.
const probe = `
int surge_probe(int n)
{
	int sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += i;
	return sum + omp_get_max_threads();
}
`

// tryCompiler finds out which flags a compiler takes, or why it cannot be used.
func tryCompiler(command []string) (*toolchain, error) {
	t := &toolchain{command: command}
	out, err := exec.Command(command[0], append(command[1:len(command):len(command)], "--version")...).Output()
	if err != nil {
		return nil, &Missing{What: fmt.Sprintf("the compiler %s does not run: %v", strings.Join(command, " "), err)}
	}
	t.version, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	if kept := t.recall(); kept {
		return t, nil
	}
	dir, err := os.MkdirTemp("", "surge-openmp-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, machine := range machineFlags {
		for _, openmp := range openmpFlags {
			t.flags = append(append(append([]string(nil), flags...), machine...), openmp...)
			if err = t.tries(dir); err == nil {
				t.keep()
				return t, nil
			}
		}
	}
	t.flags = flags
	if plain := t.compile("int surge_probe(int n) { return n; }\n", filepath.Join(dir, "plain.so")); plain == nil {
		return nil, &Missing{What: "the compiler " + t.name() + " has no OpenMP", Fix: howToGet(), OpenMP: true, Compiler: t.name()}
	}
	return nil, &Missing{What: fmt.Sprintf("the compiler %s does not compile C11: %v", t.name(), err), Fix: howToGet()}
}

// tries compiles and opens what needs all that kernels need.
func (t *toolchain) tries(dir string) error {
	object := filepath.Join(dir, "probe.so")
	if err := t.compile(Prelude+probe, object); err != nil {
		return err
	}
	lib, err := openLibrary(object)
	if err == nil {
		_, err = lib.symbol("surge_probe")
	}
	return err
}

// compile makes a shared object of a source.
func (t *toolchain) compile(source, object string) error {
	args := append(t.command[1:len(t.command):len(t.command)], t.flags...)
	args = append(args, "-x", "c", "-", "-x", "none", "-o", object, "-lm")
	cmd := exec.Command(t.command[0], args...)
	cmd.Stdin = strings.NewReader(source)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %v%s", strings.Join(t.command, " "), err, firstError(said.String()))
	}
	return nil
}

// firstError is the line of a compiler's messages that says what is wrong.
func firstError(said string) string {
	for _, line := range strings.Split(said, "\n") {
		if strings.Contains(line, "error") {
			return ": " + strings.TrimSpace(line)
		}
	}
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}

// device names the compiler and the processor.
func (t *toolchain) device() string {
	return fmt.Sprintf("%s, %d cores, %s", t.version, runtime.GOMAXPROCS(0), processor())
}

// processor names what -march=native stands for.
var processor = sync.OnceValue(func() string {
	name, features := runtime.GOARCH, ""
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for _, line := range strings.Split(string(text), "\n") {
			key, value, _ := strings.Cut(line, ":")
			switch strings.TrimSpace(key) {
			case "model name", "CPU part":
				name = strings.TrimSpace(value)
			case "flags", "Features":
				features = strings.TrimSpace(value)
			}
			if features != "" && name != runtime.GOARCH {
				break
			}
		}
	} else if host, err := os.Hostname(); err == nil {
		name += " of " + host
	}
	return name + " " + digest(features)[:8]
})

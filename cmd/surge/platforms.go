package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/surge-ndp/surge/codegen"
	"golang.org/x/sys/cpu"
)

// The report of surge platforms, as programs read it.
type (
	platformsReport struct {
		Target    string           `json:"target"`
		CPU       string           `json:"cpu,omitempty"`
		Platforms []platformReport `json:"platforms"`
	}
	platformReport struct {
		Name   string     `json:"name"`
		Doc    string     `json:"doc"`
		Runs   bool       `json:"runs"`
		Offers []offering `json:"offers"`
	}
	// offering is one thing that a platform has or needs.
	offering struct {
		Name  string `json:"name"`
		There bool   `json:"there"`
		What  string `json:"what"`
		Fix   string `json:"fix,omitempty"`
	}
)

func (a *app) platformsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "platforms",
		Short: "Show what this machine offers to each platform, and what is missing",
		Example: `  surge platforms
  surge platforms --platform opencl
  surge platforms --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := a.configure(cmd, ""); err != nil {
				return err
			}
			r := platformsReport{Target: runtime.GOOS + "/" + runtime.GOARCH, CPU: cpuModel()}
			for _, p := range codegen.Platforms() {
				if a.platform != platformAll && a.platform != platformAuto && a.platform != p.Name {
					continue
				}
				report := platformReport{Name: p.Name, Doc: p.Doc}
				switch p.Name {
				case "goroutine":
					report.Offers, report.Runs = a.goroutines(), true
				case "opencl":
					report.Offers = openCL()
				}
				r.Platforms = append(r.Platforms, report)
			}
			if a.json {
				return a.printJSON(r)
			}
			a.printPlatforms(r)
			return nil
		},
	}
}

func (a *app) printPlatforms(r platformsReport) {
	a.printf("%s", r.Target)
	if r.CPU != "" {
		a.printf("  %s", r.CPU)
	}
	a.printf("\n")
	for _, p := range r.Platforms {
		a.printf("\nplatform %s: %s\n", p.Name, p.Doc)
		t := newColumns("", "", "")
		for _, o := range p.Offers {
			state := "ok"
			if !o.There {
				state = "missing"
			}
			t.row(state, o.Name, o.What)
			if o.Fix != "" {
				t.row("", "", "→ "+o.Fix)
			}
		}
		t.print(a.out, "  ")
	}
}

// goroutines says what the goroutine platform has here.
func (a *app) goroutines() []offering {
	m := codegen.HostMachine(!a.noSIMD)
	offers := []offering{{Name: "cores", There: true, What: plural(m.Cores, "core") + " for the pool of workers"}}
	if n := runtime.NumCPU(); n != m.Cores {
		offers[0].What += " (of " + strconv.Itoa(n) + "; GOMAXPROCS limits them)"
	}
	lanes := offering{Name: "SIMD", There: m.NoLanes == ""}
	if lanes.There {
		var parts []string
		for _, bytes := range []int{4, 8} {
			if n := m.Lanes[bytes]; len(n) > 0 {
				parts = append(parts, joinInts(n)+" elements of "+strconv.Itoa(8*bytes)+" bits")
			}
		}
		lanes.What = "vectors of " + strings.Join(parts, " and of ")
		if f := vectorFeatures(); f != "" {
			lanes.What += " (" + f + ")"
		}
	} else {
		lanes.What = m.NoLanes
		if a.noSIMD {
			lanes.Fix = "leave --no-simd (or SURGE_NO_SIMD) out"
		}
	}
	offers = append(offers, lanes)
	tool := offering{Name: "Go"}
	if path, err := exec.LookPath("go"); err == nil {
		tool.There, tool.What = true, path+", which surge run and surge bench build with"
		if out, err := exec.Command(path, "env", "GOVERSION").Output(); err == nil {
			tool.What = strings.TrimSpace(string(out)) + ", " + tool.What
		}
	} else {
		tool.What, tool.Fix = "the go command is not in PATH: nothing can be compiled", "install Go 1.26 or later from https://go.dev/dl"
	}
	return append(offers, tool)
}

func joinInts(list []int) string {
	var parts []string
	for _, n := range list {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ", ")
}

func vectorFeatures() string {
	var parts []string
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"AVX2", cpu.X86.HasAVX2}, {"FMA", cpu.X86.HasFMA},
		{"AVX-512", cpu.X86.HasAVX512F && cpu.X86.HasAVX512CD && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL},
	} {
		if f.has {
			parts = append(parts, f.name)
		}
	}
	return strings.Join(parts, " ")
}

// cpuModel returns the processor's name where Linux tells it.
func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, ok := strings.CutPrefix(s.Text(), "model name"); ok {
			return strings.TrimSpace(strings.TrimLeft(name, "\t :"))
		}
	}
	return ""
}

// openCL looks for what OpenCL programs need: the loader library, and a driver that is registered with it.
func openCL() []offering {
	code := offering{Name: "code", What: "surge enumerates this platform's variants (surge inspect --platform opencl) but does not generate or run them yet"}
	loader := offering{Name: "loader", What: "libOpenCL is not installed", Fix: "Debian and Ubuntu: apt install ocl-icd-libopencl1"}
	if files := openCLLibraries(); len(files) > 0 {
		loader = offering{Name: "loader", There: true, What: files[0]}
	}
	driver := offering{Name: "driver", What: "no OpenCL driver is registered in " + vendorDir(),
		Fix: "for a CPU: apt install pocl-opencl-icd; for a GPU: the package of its vendor, such as nvidia-opencl-icd, intel-opencl-icd or mesa-opencl-icd"}
	if icds, _ := filepath.Glob(filepath.Join(vendorDir(), "*.icd")); len(icds) > 0 {
		var names []string
		for _, f := range icds {
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".icd"))
		}
		driver = offering{Name: "driver", There: true, What: strings.Join(names, ", ") + " in " + vendorDir()}
	}
	return []offering{code, loader, driver}
}

func vendorDir() string {
	if dir := os.Getenv("OCL_ICD_VENDORS"); dir != "" {
		return dir
	}
	return "/etc/OpenCL/vendors"
}

func openCLLibraries() []string {
	dirs := filepath.SplitList(os.Getenv("LD_LIBRARY_PATH"))
	dirs = append(dirs, "/usr/local/lib", "/usr/lib", "/usr/lib64", "/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
		"/usr/local/cuda/lib64", "/opt/rocm/lib", "/System/Library/Frameworks/OpenCL.framework")
	var found []string
	for _, dir := range dirs {
		for _, pattern := range []string{"libOpenCL.so*", "libOpenCL.dylib", "OpenCL"} {
			if files, _ := filepath.Glob(filepath.Join(dir, pattern)); len(files) > 0 {
				found = append(found, files...)
			}
		}
	}
	return slices.Compact(found)
}

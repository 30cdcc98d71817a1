package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/opencl/clrt"
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
		// Devices of the OpenCL platform.
		Devices []deviceReport `json:"devices,omitempty"`
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
				case platformGoroutine:
					report.Offers, report.Runs = a.goroutines(), true
				case platformOpenCL:
					report.Offers, report.Devices = openCL()
					report.Runs = slices.ContainsFunc(report.Devices, func(d deviceReport) bool { return d.Missing == "" })
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
		a.printDevices(p.Devices)
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

// openCL says what the OpenCL platform has here: devices with the limits that prune its search spaces, or what is missing.
func openCL() (offers []offering, devices []deviceReport) {
	loader := offering{Name: "loader", There: true, What: clrt.Library()}
	all, err := clrt.Devices()
	if err != nil {
		loader.There, loader.What = false, strings.TrimPrefix(err.Error(), platformOpenCL+": ")
		loader.Fix = "for a CPU: apt install ocl-icd-libopencl1 pocl-opencl-icd; for a GPU: ocl-icd-libopencl1 and the package of its vendor, such as nvidia-opencl-icd, intel-opencl-icd or mesa-opencl-icd"
		return []offering{loader}, nil
	}
	used, err := clrt.Find("")
	if err != nil {
		loader.What, loader.Fix = err.Error(), "correct --device (or SURGE_DEVICE)"
		loader.There = false
	}
	for _, d := range all {
		devices = append(devices, deviceReport{Number: d.Number, Name: d.Name, Kind: d.Kind, Driver: d.Platform + " " + d.Driver, Version: d.Version,
			ComputeUnits: d.ComputeUnits, MaxWorkGroup: d.MaxWorkGroup, LocalMemory: d.LocalMemory, Memory: d.Memory, MaxAllocation: d.MaxAllocation,
			Doubles: d.Doubles, Subgroups: d.Subgroups, SizedSubgroups: d.SetsSubgroups(), Missing: d.Missing, Used: d == used})
	}
	return []offering{loader}, devices
}

// deviceReport is an OpenCL device.
type deviceReport struct {
	Number        int    `json:"number"`
	Name          string `json:"name"`
	Kind          string `json:"kind"`
	Driver        string `json:"driver"`
	Version       string `json:"version"`
	ComputeUnits  int    `json:"compute_units"`
	MaxWorkGroup  int    `json:"max_work_group"`
	LocalMemory   int    `json:"local_memory"`
	Memory        int64  `json:"memory"`
	MaxAllocation int64  `json:"max_allocation"`
	Doubles       bool   `json:"doubles"`
	Subgroups     bool   `json:"subgroups"`
	// SizedSubgroups says that their size can be asked for.
	SizedSubgroups bool   `json:"sized_subgroups"`
	Missing        string `json:"missing,omitempty"` // why it cannot be used
	Used           bool   `json:"used"`              // where no other device is asked for
}

func (a *app) printDevices(devices []deviceReport) {
	yes := map[bool]string{true: "yes", false: "no"}
	for _, d := range devices {
		used := ""
		if d.Used {
			used = "  (used)"
		}
		a.printf("\n  device %d: %s%s\n", d.Number, d.Name, used)
		t := newColumns("", "")
		if d.Missing != "" {
			t.row("cannot be used", d.Missing)
		}
		t.row("kind", d.Kind+", "+plural(d.ComputeUnits, "compute unit"))
		t.row("driver", d.Driver+", "+d.Version)
		t.row("workgroup", fmt.Sprintf("at most %s, %s of local memory", plural(d.MaxWorkGroup, "work-item"), size(int64(d.LocalMemory))))
		t.row("memory", fmt.Sprintf("%s, %s in one array", size(d.Memory), size(d.MaxAllocation)))
		t.row("doubles", yes[d.Doubles])
		subgroups := yes[d.Subgroups]
		if d.SizedSubgroups {
			subgroups += ", of a size that SURGE_SUBGROUP_SIZE may name"
		}
		t.row("subgroups", subgroups)
		t.print(a.out, "    ")
	}
}

package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/surge-ndp/surge/codegen"
	"github.com/surge-ndp/surge/codegen/target"
)

// The report of surge platforms, as programs read it.
type (
	platformsReport struct {
		Target    string           `json:"target"`
		CPU       string           `json:"cpu,omitempty"`
		Platforms []platformReport `json:"platforms"`
	}
	platformReport struct {
		Name    string          `json:"name"`
		Doc     string          `json:"doc"`
		Runs    bool            `json:"runs"`
		Offers  []target.Offer  `json:"offers"`
		Devices []target.Device `json:"devices,omitempty"` // of a platform that has some
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
			for _, t := range codegen.Targets() {
				p := t.Platform()
				if a.platform != platformAll && a.platform != platformAuto && a.platform != p.Name {
					continue
				}
				here := t.Here(!a.noSIMD)
				report := platformReport{Name: p.Name, Doc: p.Doc, Runs: here.Runs, Offers: here.Offers, Devices: here.Devices}
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

func (a *app) printDevices(devices []target.Device) {
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

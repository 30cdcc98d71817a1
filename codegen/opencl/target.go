package opencl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/codegen/kir/pass"
	"github.com/surge-ndp/surge/codegen/opencl/clrt"
	"github.com/surge-ndp/surge/codegen/target"
	"github.com/surge-ndp/surge/ops/fuse"
	"github.com/surge-ndp/surge/policy"
	"github.com/surge-ndp/surge/selector"
)

// Target compiles kernels to OpenCL C.
var Target target.Extension = platform{}

type platform struct{}

func (platform) Platform() *policy.Platform { return Platform }

func (platform) Label() string { return "OpenCL" }

func (platform) RunTime() string { return "github.com/surge-ndp/surge/codegen/opencl/clrt" }

// code is a lowered variant.
type code struct{ *kir.Device }

func (platform) Lower(k *fuse.Kernel, c *fuse.Computation, v selector.Variant, name string, observe pass.Observer) (target.Code, error) {
	d, err := Lower(k, c, v, name, observe)
	if err != nil {
		return nil, err
	}
	return code{d}, nil
}

func (c code) Verify() error { return kir.VerifyDevice(c.Device) }

func (c code) Unfit(m policy.Machine) string {
	if m.Subgroups && !m.Shuffles && (&Unit{}).Print(c.Device, "").Shuffles {
		return "shuffles within a subgroup (cl_khr_subgroup_shuffle), which the device does not have"
	}
	return ""
}

func (platform) Source(c target.Code, doc string) string {
	return (&Unit{}).Print(c.(code).Device, doc).Source
}

func (platform) Limit(m *policy.Machine, _ bool) {
	if d, err := clrt.Find(""); err == nil && d.Missing == "" {
		m.MaxWorkGroup, m.LocalMemory = d.MaxWorkGroup, d.LocalMemory
		m.Subgroups, m.Shuffles = d.Subgroups, d.Shuffles
	}
}

func (platform) Ready() (accelerated bool, err error) {
	d, err := clrt.Find("")
	if err == nil && d.Missing != "" {
		err = fmt.Errorf("%s: %s: %s", Platform.Name, d.Name, d.Missing)
	}
	return err == nil && d.Kind == "GPU", err
}

func (platform) Here(bool) target.Report {
	loader := target.Offer{Name: "loader", There: true, What: clrt.Library()}
	all, err := clrt.Devices()
	if err != nil {
		loader.There, loader.What = false, strings.TrimPrefix(err.Error(), Platform.Name+": ")
		loader.Fix = "for a CPU: apt install ocl-icd-libopencl1 pocl-opencl-icd; for a GPU: ocl-icd-libopencl1 and the package of its vendor, " +
			"such as nvidia-opencl-icd, intel-opencl-icd or mesa-opencl-icd"
		return target.Report{Offers: []target.Offer{loader}}
	}
	used, err := clrt.Find("")
	if err != nil {
		loader.What, loader.Fix = err.Error(), "correct --device (or SURGE_DEVICE)"
		loader.There = false
	}
	r := target.Report{Offers: []target.Offer{loader}}
	for _, d := range all {
		r.Devices = append(r.Devices, target.Device{Number: d.Number, Name: d.Name, Kind: d.Kind, Driver: d.Platform + " " + d.Driver, Version: d.Version,
			ComputeUnits: d.ComputeUnits, MaxWorkGroup: d.MaxWorkGroup, LocalMemory: d.LocalMemory, Memory: d.Memory, MaxAllocation: d.MaxAllocation,
			Doubles: d.Doubles, Subgroups: d.Subgroups, SizedSubgroups: d.SetsSubgroups(), Missing: d.Missing, Used: d == used})
	}
	r.Runs = slices.ContainsFunc(r.Devices, func(d target.Device) bool { return d.Missing == "" })
	return r
}

func (platform) CheckEnvironment() error { return clrt.CheckEnvironment() }

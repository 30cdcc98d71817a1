package clrt

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/surge-ndp/surge/codegen/exec"
)

const (
	// libraryVariable names the OpenCL library to open instead of the system's.
	libraryVariable = "SURGE_OPENCL_LIBRARY"
	// deviceVariable chooses the device of programs that do not.
	deviceVariable = "SURGE_DEVICE"
	// copyVariable, if it is set, makes arrays be copied to devices that could work on the host's memory, and work-items
	// share them as on a GPU: so programs can be tested without one.
	copyVariable = "SURGE_OPENCL_COPY"
	// subgroupVariable is the size of the subgroups of kernels that use them, on devices that can be asked for one
	// (cl_intel_required_subgroup_size); elsewhere, and if it is not set, the driver chooses.
	subgroupVariable = "SURGE_SUBGROUP_SIZE"
)

// platformLabel is the name of the platform in errors.
const platformLabel = "opencl"

// Device is an OpenCL device with the limits that prune search spaces.
type Device struct {
	Number          int // by which it can be chosen, from 0
	Name            string
	Platform        string // the driver's name for itself: Portable Computing Language
	Driver          string // its version
	Version         string // of OpenCL: "OpenCL 3.0 …"
	Kind            string // GPU, CPU, or "other"
	ComputeUnits    int
	MaxWorkGroup    int    // work-items of a workgroup
	MaxItemSizes    [2]int // of a workgroup along x and y
	LocalMemory     int    // bytes of a workgroup
	Memory          int64  // bytes
	MaxAllocation   int64  // bytes of one array
	Doubles         bool
	Subgroups       bool
	Shuffles        bool   // within subgroups
	shared          bool   // it works on the host's memory
	Missing         string // why it cannot be used, "" if it can
	subgroupOptions string
	subgroupSizes   bool   // kernels can ask for one
	divideOptions   string // correctly rounded division in single precision, where the device has it

	lib binding
	id  handle

	once        sync.Once
	opened      error
	context     handle
	queue       handle
	pool        pool
	garbageMu   sync.Mutex
	garbage     []func()
	emptyOnce   sync.Once
	emptyBuffer handle
	emptyErr    error
	programs    programs
}

// Fingerprint names the device and its driver: models are kept for it.
func (d *Device) Fingerprint() string {
	return strings.Join(strings.Fields(d.Name+" ("+d.Platform+", driver "+d.Driver+")"), " ")
}

var (
	devices = sync.OnceValues(func() ([]*Device, error) {
		libs, name, err := open()
		if err != nil {
			return nil, err
		}
		libraryName = name
		return enumerate(libs)
	})
	libraryName string // after devices
)

// Library says which OpenCL library is used, and how.
func Library() string {
	if _, err := devices(); err != nil {
		return err.Error()
	}
	return libraryName + ", by way of " + Binding
}

// SetsSubgroups reports whether the size of subgroups can be asked for, by SURGE_SUBGROUP_SIZE.
func (d *Device) SetsSubgroups() bool { return d.subgroupSizes }

// Devices returns the devices of this machine, in the order of OpenCL's platforms. The error says what is missing where
// there are none. The devices are shared and stay open as long as the process.
func Devices() ([]*Device, error) {
	all, err := devices()
	if err != nil {
		return nil, &exec.DeviceError{Platform: platformLabel, Detail: "no OpenCL here: " + err.Error(), Err: err}
	}
	return all, nil
}

// enumerate lists the devices of all drivers.
func enumerate(libs []binding) ([]*Device, error) {
	var all []*Device
	drivers := 0
	for _, lib := range libs {
		ps, s := lib.platforms()
		if s != 0 && s != clPlatformNotFoundMS {
			return nil, failure("clGetPlatformIDs", s)
		}
		drivers += len(ps)
		for _, p := range ps {
			name, _ := lib.platformInfo(p, platformName)
			ids, s := lib.devices(p)
			if s != 0 { // a driver without a device: others may have one
				continue
			}
			for _, id := range ids {
				d := &Device{Number: len(all), Platform: text(name), lib: lib, id: id}
				d.describe()
				all = append(all, d)
			}
		}
	}
	switch {
	case drivers == 0:
		return nil, errors.New("the OpenCL library is there, but no driver is registered with it")
	case len(all) == 0:
		return nil, errors.New("there is a driver, and it has no device")
	}
	return all, nil
}

func text(b []byte) string { return strings.TrimSpace(strings.TrimRight(string(b), "\x00")) }

// number reads a little-endian number of up to 8 bytes.
func number(b []byte) uint64 {
	var all [8]byte
	copy(all[:], b)
	return binary.LittleEndian.Uint64(all[:])
}

func (d *Device) describe() {
	get := func(what uint32) []byte {
		b, s := d.lib.deviceInfo(d.id, what)
		if s != 0 {
			return nil
		}
		return b
	}
	integer := func(what uint32) int { return int(number(get(what))) }
	d.Name, d.Driver, d.Version = text(get(deviceName)), text(get(driverVersion)), text(get(deviceVersion))
	switch kind := integer(deviceTypeInfo); {
	case kind&deviceTypeGPU != 0:
		d.Kind = "GPU"
	case kind&deviceTypeCPU != 0:
		d.Kind = "CPU"
	default:
		d.Kind = "other"
	}
	d.shared = d.Kind == "CPU" && os.Getenv(copyVariable) == ""
	d.ComputeUnits, d.MaxWorkGroup, d.LocalMemory = integer(deviceComputeUnits), integer(deviceMaxWorkGroup), integer(deviceLocalMemory)
	d.Memory, d.MaxAllocation = int64(number(get(deviceGlobalMemory))), int64(number(get(deviceMaxAlloc)))
	sizes := get(deviceMaxItemSizes)
	for i := range d.MaxItemSizes {
		if d.MaxItemSizes[i] = d.MaxWorkGroup; len(sizes) >= 8*(i+1) {
			d.MaxItemSizes[i] = int(number(sizes[8*i : 8*i+8]))
		}
	}
	extensions := strings.Fields(text(get(deviceExtensions)))
	d.Doubles = slices.Contains(extensions, "cl_khr_fp64") || number(get(deviceDoubleConfig)) != 0
	major := 1
	if f := strings.Fields(d.Version); len(f) > 1 {
		major, _ = strconv.Atoi(strings.Split(f[1], ".")[0])
	}
	d.Subgroups = slices.Contains(extensions, "cl_khr_subgroups") || major >= 3 && integer(deviceMaxSubgroups) > 0
	d.Shuffles, d.subgroupSizes = slices.Contains(extensions, "cl_khr_subgroup_shuffle"), slices.Contains(extensions, "cl_intel_required_subgroup_size")
	d.subgroupOptions = "-cl-std=CL2.0"
	if major >= 3 {
		d.subgroupOptions = "-cl-std=CL3.0"
	}
	if integer(deviceSingleConfig)&correctlyRoundedDivide != 0 {
		d.divideOptions = " -cl-fp32-correctly-rounded-divide-sqrt"
	}
	switch {
	case integer(deviceAvailable) == 0:
		d.Missing = "the device is not available"
	case integer(deviceCompiler) == 0:
		d.Missing = "its driver has no compiler"
	case integer(deviceLittleEndian) == 0:
		d.Missing = "it is big-endian"
	case d.MaxWorkGroup < 1:
		d.Missing = "its driver does not tell its limits"
	}
}

// Best returns the device that is used where none is asked for: one that can be used and has doubles if there is one,
// a GPU before others, the one with the most compute units.
func Best(all []*Device) *Device {
	rank := func(d *Device) int {
		n := 0
		if d.Missing == "" {
			n += 100
		}
		if d.Doubles {
			n += 10
		}
		if d.Kind == "GPU" {
			n++
		}
		return n
	}
	return slices.MaxFunc(all, func(a, b *Device) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ComputeUnits, b.ComputeUnits), cmp.Compare(b.Number, a.Number))
	})
}

// Find returns the device that text names: by its number, or by a part of its name or of its platform's, whatever the
// case of letters. Of several that fit it is the [Best]. "" stands for the best of all, or the one that SURGE_DEVICE
// names.
func Find(want string) (*Device, error) {
	all, err := Devices()
	if err != nil {
		return nil, err
	}
	if want == "" {
		if want = os.Getenv(deviceVariable); want == "" {
			return Best(all), nil
		}
	}
	if n, err := strconv.Atoi(want); err == nil && n >= 0 && n < len(all) {
		return all[n], nil
	}
	var fitting []*Device
	var names []string
	for _, d := range all {
		if strings.Contains(strings.ToLower(d.Name+" "+d.Platform), strings.ToLower(want)) {
			fitting = append(fitting, d)
		}
		names = append(names, fmt.Sprintf("%d (%s)", d.Number, d.Name))
	}
	if len(fitting) == 0 {
		return nil, &exec.DeviceError{Platform: platformLabel, Detail: fmt.Sprintf("no device is called %q; the devices are %s", want, strings.Join(names, ", "))}
	}
	return Best(fitting), nil
}

// maxGroups is the number of workgroups that keep the device busy where a step strides over what lies beyond: enough to
// hide latency on a GPU, few enough on a CPU that a workgroup's share is worth its start.
func (d *Device) maxGroups() int {
	if d.Kind == "CPU" {
		return 4 * max(d.ComputeUnits, 1)
	}
	return 32 * max(d.ComputeUnits, 1)
}

// open makes the context and the queue when the device is used first.
func (d *Device) open() error {
	d.once.Do(func() {
		var s status
		if d.context, s = d.lib.createContext(d.id); s != 0 {
			d.opened = d.failure("clCreateContext", s)
			return
		}
		if d.queue, s = d.lib.createQueue(d.context, d.id); s != 0 {
			d.opened = d.failure("clCreateCommandQueue", s)
			return
		}
		d.pool.device = d
	})
	return d.opened
}

// failure is the error of an OpenCL function on this device, nil for success.
func (d *Device) failure(call string, s status) error {
	if s == 0 {
		return nil
	}
	what := ""
	switch s {
	case clOutOfDeviceMemory, clOutOfHostMemory:
		what = "out of memory: "
	case clOutOfResources:
		what = "out of resources, or a kernel has crashed: "
	}
	err := failure(call, s)
	return d.fail(what+err.Error(), err)
}

func (d *Device) fail(detail string, err error) *exec.DeviceError {
	return &exec.DeviceError{Platform: platformLabel, Device: d.Name, Detail: detail, Err: err}
}

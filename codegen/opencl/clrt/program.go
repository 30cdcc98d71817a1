package clrt

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/surge-ndp/surge/codegen/exec"
)

// programs are the programs of a device, by source and options.
type programs struct {
	mu   sync.Mutex
	all  map[string]*built
	time int // counts uses
}

// keptPrograms is how many programs that no launch uses a process keeps: a bench builds thousands.
var keptPrograms = 64

// built is a program that is built once.
type built struct {
	once sync.Once
	h    handle
	err  error

	users int // launches; guarded by the mutex of programs
	used  int // when last

	mu   sync.Mutex
	free map[string][]handle // kernel objects by name: one is used by one launch at a time
}

// program returns the built program for source and options, which the caller gives back by leave. kernels are those
// that it has to have. A failure is not kept: the next call tries again.
func (d *Device) program(source, options string, kernels []string) (*built, error) {
	if err := d.open(); err != nil {
		return nil, err
	}
	source = Prelude + source
	key := cacheKey(d, source, options)
	d.programs.mu.Lock()
	if d.programs.all == nil {
		d.programs.all = map[string]*built{}
	}
	p := d.programs.all[key]
	if p == nil {
		p = &built{free: map[string][]handle{}}
		d.programs.all[key] = p
	}
	d.programs.time++
	p.users++
	p.used = d.programs.time
	d.programs.mu.Unlock()
	p.once.Do(func() { p.h, p.err = d.make(key, source, options, kernels) })
	if p.err != nil {
		d.leave(p)
		d.programs.mu.Lock()
		if d.programs.all[key] == p {
			delete(d.programs.all, key)
		}
		d.programs.mu.Unlock()
		return nil, p.err
	}
	return p, nil
}

// leave says that a launch does not use the program any more, and releases those that were not used for long.
func (d *Device) leave(p *built) {
	d.programs.mu.Lock()
	defer d.programs.mu.Unlock()
	p.users--
	for {
		idle, oldest := 0, ""
		for key, q := range d.programs.all {
			if q.users == 0 && q.h != 0 {
				if idle++; oldest == "" || q.used < d.programs.all[oldest].used {
					oldest = key
				}
			}
		}
		if idle <= keptPrograms {
			return
		}
		d.release(d.programs.all[oldest])
		delete(d.programs.all, oldest)
	}
}

// release gives a program up that nobody uses.
func (d *Device) release(p *built) {
	for _, list := range p.free {
		for _, k := range list {
			d.lib.releaseKernel(k)
		}
	}
	d.lib.releaseProgram(p.h)
}

// make loads the program from the cache or builds it.
func (d *Device) make(key, source, options string, kernels []string) (handle, error) {
	file := cacheFile(key)
	if file != "" {
		if h := d.load(file, key, options, kernels); h != 0 {
			return h, nil
		}
	}
	h, s := d.lib.programWithSource(d.context, source)
	if s != 0 {
		return 0, d.failure("clCreateProgramWithSource", s)
	}
	if s := d.lib.build(h, d.id, options); s != 0 {
		log, _ := d.lib.buildLog(h, d.id)
		d.lib.releaseProgram(h)
		return 0, d.buildError(s, text(log), source)
	}
	if file != "" {
		if binary, s := d.lib.binary(h); s == 0 {
			store(file, key, binary) // without it the next start builds again
		}
	}
	return h, nil
}

// load returns the program of a cache file, 0 if there is none or it is of no use: cut, changed, of another device,
// or of a driver that does not take it any more.
func (d *Device) load(file, key, options string, kernels []string) handle {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	head := cacheMagic + key + "\n"
	sum, binary, ok := bytes.Cut(bytes.TrimPrefix(data, []byte(head)), []byte("\n"))
	if !ok || !bytes.HasPrefix(data, []byte(head)) || string(sum) != checksum(binary) {
		return 0
	}
	h, s := d.lib.programWithBinary(d.context, d.id, binary)
	if s != 0 {
		return 0
	}
	if d.lib.build(h, d.id, options) != 0 {
		d.lib.releaseProgram(h)
		return 0
	}
	for _, name := range kernels {
		k, s := d.lib.createKernel(h, name)
		if s != 0 {
			d.lib.releaseProgram(h)
			return 0
		}
		d.lib.releaseKernel(k)
	}
	now := time.Now()
	os.Chtimes(file, now, now) // for trim; without it the file goes earlier
	return h
}

var (
	// logLine is a line number in a line of a compiler's log: "<kernel>:12:3: error: …", "error: input.cl:12:3: …",
	// "input.cl(12): error: …".
	logLine = regexp.MustCompile(`(?:^|[:(])(\d+)(?::\d+)?[:)]`)
	goLine  = regexp.MustCompile(`[^\s/(]+\.go:\d+(?::\d+)?`)
)

// buildError is the error for a program that the device's compiler refuses: its log, the line of the generated
// source, and the line of the Go source that it was generated from.
func (d *Device) buildError(s status, log, source string) error {
	e := &exec.Error{Code: "build", Detail: "the compiler of " + d.Name + " refuses the generated OpenCL C (" + s.String() + ")"}
	if n := errorLine(log); n > 0 {
		lines := strings.Split(source, "\n")
		if n <= len(lines) {
			e.Detail += fmt.Sprintf("\n  generated line %d: %s", n, strings.TrimSpace(lines[n-1]))
			for i := n - 1; i >= 0 && e.Pos == ""; i-- {
				if _, comment, ok := strings.Cut(lines[i], "//"); ok {
					e.Pos = goLine.FindString(comment)
				}
			}
		}
	}
	if log == "" {
		log = "(the driver gave no log)"
	}
	e.Detail += "\n  " + strings.ReplaceAll(limitLines(log, 12), "\n", "\n  ")
	return d.fail("a variant cannot be built: "+e.Error(), e)
}

// errorLine returns the line that the first error of a compiler's log is about, 0 if it does not tell.
func errorLine(log string) int {
	for line := range strings.Lines(log) {
		if !strings.Contains(line, "error") {
			continue
		}
		if m := logLine.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			return n
		}
	}
	return 0
}

// limitLines cuts text after so many lines.
func limitLines(text string, most int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("… and %d more lines", len(lines)-most))
	}
	return strings.Join(lines, "\n")
}

// kernel returns an object of the kernel, for one user.
func (d *Device) kernel(p *built, name string) (handle, error) {
	p.mu.Lock()
	if list := p.free[name]; len(list) > 0 {
		k := list[len(list)-1]
		p.free[name] = list[:len(list)-1]
		p.mu.Unlock()
		return k, nil
	}
	p.mu.Unlock()
	k, s := d.lib.createKernel(p.h, name)
	return k, d.failure("clCreateKernel "+name, s)
}

func (p *built) give(name string, k handle) {
	p.mu.Lock()
	p.free[name] = append(p.free[name], k)
	p.mu.Unlock()
}

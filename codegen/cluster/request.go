package cluster

import (
	"fmt"
	"path"
	"strings"
	"time"
)

// Runners are those that programs for a cluster know, and whether they need an address.
var Runners = map[string]bool{"prism": false, "flink": true, "spark": true, "universal": true, "dataflow": false}

// Request is what a program that has kernels for a cluster is asked to run.
type Request struct {
	Kernel string
	// Shards has a pattern of .npy files for each parameter, or "" for those whose values the file Values has, in their
	// places, as [AppendValues] writes it.
	Shards []string
	Values string
	// Size is the number of elements of the outermost level in a block. If it is 0, blocks have about Bytes bytes of the
	// parameters that are cut; if that is 0, too, the size is chosen for so many Workers, 0 for one.
	Size, Bytes int
	Workers     int               // of which a dry run estimates the time, too; 0 for several numbers
	FanIn       int               // of how many blocks partials are combined at first; 0 leaves it open
	Out         map[string]string // where results go, by name; those that are not in it are handed back
	Temp        string            // a folder that all workers can write to
	Runner      string            // one of [Runners]
	// Reproducible gives the same bits whatever workers there are.
	Reproducible bool
	Model        string // the text of a model file, by which workers choose; "" for what the program holds
	Platform     string // that workers take, "" for goroutines
	DryRun       bool   // nothing is run, but the numbers of the answer are found
}

// Answer is what came of a request.
type Answer struct {
	Counters       map[string]int64 // of the workers
	Variants       map[string]int64 // by canonical text, how often workers chose each for a computation
	Selectors      map[string]int64 // by kind, how often each has chosen
	Values         string           // a file with the results, those that went elsewhere as the number 0
	Length, Size   int              // elements of the outermost level, and of a block
	Blocks, Stages int
	Broadcast      int64  // bytes that go to every worker before the first stage
	Cut            int64  // bytes of the parameters that are cut
	Plan           string // of a dry run: what would be done, a line a step
	Chosen         string // why blocks have that size, if it was chosen
	Estimates      []Estimate
	Wall           time.Duration // that the program took
	Error          string
}

// Fits says why a result cannot be written to the files of a pattern.
func (r Result) Fits(pattern string) error {
	folder := pattern[:strings.LastIndexByte(pattern, '/')+1]
	switch stars := strings.Count(pattern, "*"); {
	case strings.ToLower(path.Ext(pattern)) != ".npy":
		return fmt.Errorf("result %s: %s: results are written as .npy", r.Name, pattern)
	case r.Rank > 1:
		return fmt.Errorf("result %s: %s: rows of different length do not fit a .npy file", r.Name, pattern)
	case strings.Contains(folder, "*") || stars > 1 || stars == 0 && r.Block:
		return fmt.Errorf("result %s: %s: the name of a shard has one * for its number, as y/*.npy", r.Name, pattern)
	}
	return nil
}

// There says of results that they are there already.
func There(files []string) string {
	if len(files) == 1 {
		return files[0] + " is there already"
	}
	return fmt.Sprintf("%s and %d more are there already", files[0], len(files)-1)
}

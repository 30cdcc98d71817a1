package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// peerLine is one line of a peer's output: one implementation.
type peerLine struct {
	Bench    string
	Impl     string
	Median   float64 `json:"median_ms"`
	GBs      float64 `json:"gb_per_s"`
	Checksum float64
	Params   map[string]any
}

// matches reports whether the line is of the instance that has these parameters.
func (l peerLine) matches(params map[string]string) bool {
	for k, v := range params {
		if fmt.Sprint(l.Params[k]) != v {
			return false
		}
	}
	return true
}

// buildPeers builds the peers that are needed into a temporary folder and returns it.
func buildPeers(ctx context.Context, dir string, programs []string) (string, error) {
	tmp, err := os.MkdirTemp("", "surge-bench-")
	if err != nil {
		return "", err
	}
	fast := filepath.Join(tmp, "fast")
	args := []string{"-s", "-C", dir, "OUT=" + tmp}
	for _, p := range append([]string{"limits"}, programs...) {
		args = append(args, filepath.Join(fast, p))
	}
	cmd := exec.CommandContext(ctx, "make", args...)
	if msg, err := cmd.CombinedOutput(); err != nil {
		os.RemoveAll(tmp)
		return "", fmt.Errorf("the peers of %s cannot be built: %w\n%s\nOn Debian: apt-get install g++ make libthrust-dev libtbb-dev libeigen3-dev libopenblas-dev", dir, err, msg)
	}
	return fast, nil
}

// peer runs a peer program; impl, if not empty, restricts it to implementations whose name contains it.
func peer(ctx context.Context, built, program string, args []string, threads int, impl string, reps int) ([]peerLine, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(built, program), args...)
	// Bound threads: otherwise Linux may leave two of them on one processor for as long as a short benchmark takes,
	// each waiting for the other to be done with its time slice.
	cmd.Env = append(os.Environ(), "OMP_PROC_BIND=spread", "OMP_PLACES=threads", fmt.Sprintf("OMP_NUM_THREADS=%d", threads), "PEER_IMPL="+impl, fmt.Sprintf("PEER_REPS=%d", reps), "PEER_MS=400")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("peer %s %s: %w\n%s", program, strings.Join(args, " "), err, stderr.String())
	}
	var lines []peerLine
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		var l peerLine
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("peer %s: %w: %s", program, err, s.Text())
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// best returns the line of the fastest implementation of a benchmark.
func best(lines []peerLine, bench string) (peerLine, bool) {
	var b peerLine
	found := false
	for _, l := range lines {
		if l.Bench == bench && (!found || l.Median < b.Median) {
			b, found = l, true
		}
	}
	return b, found
}

// exact returns the line of one implementation.
func exact(lines []peerLine, bench, impl string) (peerLine, bool) {
	for _, l := range lines {
		if l.Bench == bench && l.Impl == impl {
			return l, true
		}
	}
	return peerLine{}, false
}

package selector

import (
	"maps"
	"slices"
	"strings"
)

// The platforms of models that choose the platform itself: they are for a kernel that has code for several, and their
// classifier is that of its computation 0, whose variants are [OnPlatform]. There are two, because it depends on
// where the arrays are: on the host, so that they have to be copied to a device and back in every run, or on the
// device already.
const (
	PlatformChoice = "auto"
	ResidentChoice = "auto-resident"
)

// OnPlatform returns the variant that stands for running a kernel on a platform, with the variants that are chosen
// there.
func OnPlatform(kernel, platform string) Variant {
	return Variant{Computation: kernel + AlgorithmNumber, Form: kernel, Schedule: AlgorithmSchedule, Platform: platform}
}

// Machines names the devices of several platforms, by platform: what a model that chooses the platform is kept for.
func Machines(devices map[string]string) string {
	var all []string
	for _, platform := range slices.Sorted(maps.Keys(devices)) {
		all = append(all, platform+": "+devices[platform])
	}
	return strings.Join(all, "; ")
}

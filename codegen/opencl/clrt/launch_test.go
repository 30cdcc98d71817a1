package clrt

import "testing"

// Both passes of a scan have the same workgroups, also where the device has not the memory for all that one of them
// could have.
func TestPassesOfOneScanHaveTheSameGroups(t *testing.T) {
	n := func(any) int { return 1 << 20 }
	scratch := func(_ any, g Geometry) int { return g.Groups * 1000 }
	c := &Code{
		Steps: []Step{{Count: n, MaxGroups: 1024}, {Per: OneGroup}, {Count: n, MaxGroups: 1024}, {Count: n, MaxGroups: 8192}},
		Temps: []Temp{{Elem: 8, Step: 0, Count: scratch}, {Elem: 8, Step: 3, Count: scratch}},
	}
	groups := func(memory int64) (of [4]int) {
		l := &launch{code: c, device: &Device{Kind: "GPU", ComputeUnits: 100, Memory: memory}, block: [2]int{64, 1}, warp: 1,
			objects: &objects{counts: make([]int, 4), shapes: make([]Geometry, 4)}}
		if err := l.geometries(nil, 0, 4); err != nil {
			t.Fatal(err)
		}
		for i, g := range l.shapes {
			of[i] = g.Groups
		}
		return of
	}
	if got, want := groups(1<<40), [4]int{1024, 1, 1024, 3200}; got != want {
		t.Errorf("with memory enough: %v, want %v", got, want)
	}
	if got, want := groups(16*8*1000*300), [4]int{256, 1, 256, 200}; got != want {
		t.Errorf("with memory for 300 workgroups: %v, want %v", got, want)
	}
}

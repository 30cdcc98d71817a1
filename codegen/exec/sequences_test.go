package exec

import "testing"

// The ratio of tiles is that of their average length: the last one may be short, and the only one far shorter than a tile.
func TestTileRatio(t *testing.T) {
	for _, c := range []struct {
		tiles, elements int
		want            float64
	}{{7, 7000, 0.007}, {1, 5, 0.2}, {2, 1001, 2 / 500.5}, {0, 0, 0}, {3, 3, 3}, {4, 2, 4}} {
		if got := TileRatio(c.tiles, c.elements); got != c.want {
			t.Errorf("%d tiles of %d elements: %g, want %g", c.tiles, c.elements, got, c.want)
		}
	}
}

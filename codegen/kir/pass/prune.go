package pass

import "github.com/surge-ndp/surge/codegen/kir"

// pruned describes [Prune] and [PruneDevice].
const pruned = "what nothing uses goes: variables, and loops and conditions that are left empty"

// Prune is [kir.Prune] over a function.
var Prune = Pass[*kir.Func]{
	Name: "prune", Doc: pruned,
	Run: func(f *kir.Func) error {
		f.Body = kir.Prune(f.Body)
		return nil
	},
}

// PruneDevice is [kir.Prune] over each launch.
var PruneDevice = Pass[*kir.Device]{
	Name: "prune", Doc: pruned,
	Run: func(d *kir.Device) error {
		for _, launch := range d.Launches {
			launch.Body = kir.Prune(launch.Body)
		}
		return nil
	},
}

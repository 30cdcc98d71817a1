package lower

import (
	"slices"

	"github.com/surge-ndp/surge/codegen/kir"
	"github.com/surge-ndp/surge/ops/ir"
)

// room is scratch memory of constant size that a function, or the body of a parallel loop, takes where it begins.
// Between uses it holds nothing, so one is enough for each kind. It is not on the stack: vectors that are stored
// there, each across two lines of the cache, hold up what the compiler loads from beside them.
type room struct {
	a *kir.Array
	n int
}

// room returns room for n elements of kind k.
func (l *lowerer) room(k ir.Kind, n int) *kir.Array {
	at := slices.IndexFunc(l.rooms, func(r *room) bool { return r.a.Kind == k })
	if at < 0 {
		at = len(l.rooms)
		l.rooms = append(l.rooms, &room{a: &kir.Array{Name: l.name("room"), Kind: k, Space: kir.Scratch}})
	}
	l.rooms[at].n = max(l.rooms[at].n, n)
	return l.rooms[at].a
}

// withRooms runs f, which lowers a function, and takes the rooms before that.
func (l *lowerer) withRooms(f func()) {
	old := l.rooms
	l.rooms = nil
	var body []kir.Stmt
	l.inside(&body, f)
	for _, r := range l.rooms {
		l.emit(&kir.AllocScratch{A: r.a, N: intConst(r.n)})
	}
	for _, s := range body {
		l.emit(s)
	}
	l.rooms = old
}

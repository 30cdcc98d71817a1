package cluster

import (
	"context"
	"slices"
	"sort"
)

// Sort lets the elements of the outermost level change places behind the blocks of a stage: they are in the order of
// their keys then, those of equal keys in the order that they had, and NaN comes first. The first elements of that
// order are the first block, and so on. How many a block has is up to splitters: of the keys in each block some are
// samples, and splitters those that cut all samples into as many parts as there are blocks. Equal keys are told
// apart by the places of their elements, so that no block has more than its share because of them.
//
// If the sort is Placed, keys are the places that elements go to, each of them once, of as many as Width says, and
// elements with a negative key are dropped. Then nothing is sampled: each block gets its share of the places.
//
// If it is Sparse besides, several elements may go to one place, where the last of them stays, and none to others,
// where an element of zeros is, whose From is -1.
type Sort struct {
	Keys int // the block value with a number for each element
	// Moved are block values of which each element moves with its key, slices, and Out is what becomes of them, in order.
	Moved, Out []int
	// From is the block value of the places that elements had, behind the sort.
	From int
	// Splitters are two whole values: the keys of splitters, and the places of their elements. Before the step behind
	// the sort the two are samples, which are listed of all blocks. There are none if the sort is placed.
	Splitters [2]int
	Placed    bool
	Width     int // the whole value that is the number of places, if the sort is placed
	Sparse    bool
}

// samples is how many of a stage's partials, the last ones, are samples.
func (s *Sort) samples() int {
	if s == nil || s.Placed {
		return 0
	}
	return len(s.Splitters)
}

// Samples reports whether partial i of a stage is samples of a sort, which are about as many of each block.
func (s *Stage) Samples(i int) bool { return i >= len(s.Partials)-s.Sort.samples() }

// Slots are the block values that move, each once; keys are the first.
func (s *Sort) Slots() []int {
	slots := []int{s.Keys}
	for _, slot := range s.Moved {
		if !slices.Contains(slots, slot) {
			slots = append(slots, slot)
		}
	}
	return slots
}

// sampled is how many keys of a block are looked at. Of p blocks none gets more than 1 + p/sampled times its share,
// whatever the keys are, and next to none of them much more than its share.
const sampled = 64

// within sorts the elements of a block by themselves, and returns samples of them, which are partials.
func (k *Kernel) within(stage int, at Place, parts []Value) ([]Value, error) {
	s := k.Stages[stage].Sort
	keys := columnOf(parts[s.Keys])
	n := Len(parts[s.Keys])
	if _, bools := keys.(truths); keys == nil || bools {
		return nil, k.fail(at.Block, "a %T is no key", parts[s.Keys])
	}
	order := inOrder(keys, n)
	if s.Placed {
		places, ok := parts[s.Keys].([]int)
		if !ok {
			return nil, k.fail(at.Block, "a %T is no place", parts[s.Keys])
		}
		for len(order) > 0 && places[order[0]] < 0 {
			order = order[1:]
		}
		if s.Sparse {
			order = lasts(order, places)
		}
	}
	for _, slot := range s.Slots() {
		c := columnOf(parts[slot])
		if c == nil || Len(parts[slot]) != n {
			return nil, k.fail(at.Block, "a %T of %d elements does not move with %d keys", parts[slot], Len(parts[slot]), n)
		}
		parts[slot] = c.permuted(order)
	}
	for i := range order {
		order[i] += at.First
	}
	parts[s.From] = order
	if s.Placed {
		return nil, nil
	}
	some := make([]int, min(n, sampled))
	for i := range some {
		some[i] = n * (2*i + 1) / (2 * len(some))
	}
	return []Value{columnOf(parts[s.Keys]).permuted(some), permuted(order, some)}, nil
}

// split replaces the samples of all blocks by splitters.
func (k *Kernel) split(stage, blocks int, wholes []Value) error {
	s := k.Stages[stage].Sort
	if s.Placed {
		return nil
	}
	keys, places := columnOf(wholes[s.Splitters[0]]), wholes[s.Splitters[1]].([]int)
	if keys == nil {
		return k.fail(-1, "a %T is no key", wholes[s.Splitters[0]])
	}
	order := inOrder(keys, len(places)) // of equal keys those of earlier places come first, as they are listed so
	cuts := make([]int, 0, blocks-1)
	for b := 1; b < blocks && len(order) > 0; b++ {
		cuts = append(cuts, order[len(order)*b/blocks])
	}
	wholes[s.Splitters[0]], wholes[s.Splitters[1]] = keys.permuted(cuts), permuted(places, cuts)
	return nil
}

// Piece is what of one block goes to another one in a sort.
type Piece struct {
	Of, To int // the blocks
	Before int // how many elements of Of go to blocks before To
	Values []Value
}

// Pieces returns what of a block goes where in the sort behind a stage: a piece for each block that there is. Those
// with nothing in them are left out where elements go to places, as most have nothing if their order stays. The whole
// values are those behind the stage.
func (k *Kernel) Pieces(stage int, at Place, blocks int, wholes, parts []Value) []Piece {
	s := k.Stages[stage].Sort
	from := parts[s.From].([]int)
	end := k.ends(stage, blocks, wholes, parts)
	slots := s.Slots()
	if k.Wanted(stage+1, s.From) {
		slots = append(slots, s.From)
	}
	pieces := make([]Piece, 0, blocks)
	lo := 0
	for b := range blocks {
		hi := lo + sort.Search(len(from)-lo, func(i int) bool { return end(lo+i, b) })
		p := Piece{Of: at.Block, To: b, Before: lo}
		for _, slot := range slots {
			p.Values = append(p.Values, Slice(parts[slot], lo, hi))
		}
		if lo < hi || !k.Stages[stage].Sort.Placed || b == at.Block { // each block gets one
			pieces = append(pieces, p)
		}
		lo = hi
	}
	return pieces
}

// ends returns a function that says of an element of a block, which is sorted by itself, whether it goes to a block
// behind b.
func (k *Kernel) ends(stage, blocks int, wholes, parts []Value) func(i, b int) bool {
	s := k.Stages[stage].Sort
	if s.Placed {
		to, width := parts[s.Keys].([]int), wholes[s.Width].(int)
		return func(i, b int) bool { return to[i] >= share(width, b+1, blocks) }
	}
	keys, from := columnOf(parts[s.Keys]), parts[s.From].([]int)
	splitters, places := columnOf(wholes[s.Splitters[0]]), wholes[s.Splitters[1]].([]int)
	return func(i, b int) bool {
		if b >= len(places) {
			return false
		}
		if c := keys.compare(i, splitters, b); c != 0 {
			return c > 0
		}
		return from[i] >= places[b]
	}
}

// share is the first of n places that block b of so many has.
func share(n, b, blocks int) int { return n/blocks*b + n%blocks*b/blocks }

// Join makes a block of the pieces that go to it, of all blocks, in any order. The whole values are those behind the
// stage.
func (k *Kernel) Join(stage, to, blocks int, wholes []Value, pieces []Piece) (Place, []Value, error) {
	s := k.Stages[stage].Sort
	width := 0
	if s.Placed {
		width, _ = wholes[s.Width].(int)
	}
	at := Place{Block: to}
	slices.SortFunc(pieces, func(x, y Piece) int { return x.Of - y.Of })
	slots := s.Slots()
	columns := make([][]Value, len(slots))
	if k.Wanted(stage+1, s.From) {
		columns = append(columns, nil)
	}
	for i, p := range pieces {
		if p.Of != i && !s.Placed || i > 0 && p.Of == pieces[i-1].Of || p.To != to || len(p.Values) != len(columns) {
			return at, nil, k.fail(to, "a piece of block %d for block %d is missing, or there twice", i, to)
		}
		for j, v := range p.Values {
			columns[j] = append(columns[j], v)
		}
		at.First += p.Before
	}
	if len(pieces) != blocks && !s.Placed {
		return at, nil, k.fail(to, "there are pieces of %d blocks, and not of %d", len(pieces), blocks)
	}
	parts := make([]Value, k.Parts)
	var order []int
	for j, list := range columns {
		all, err := Concat(list)
		if err != nil {
			return at, nil, k.fail(to, "%v", err)
		}
		c := columnOf(all)
		if c == nil {
			return at, nil, k.fail(to, "a %T does not move", all)
		}
		if j == 0 {
			order = inOrder(c, Len(all))
			if s.Sparse {
				order = spread(order, all.([]int), share(width, to, blocks), share(width, to+1, blocks))
			}
			at.Count = len(order)
		}
		if j == len(slots) {
			from := c.permuted(order).([]int)
			for i, k := range order {
				if k < 0 {
					from[i] = -1
				}
			}
			parts[s.From] = from
			continue
		}
		for i, slot := range s.Moved {
			if slot == slots[j] {
				parts[s.Out[i]] = c.permuted(order)
			}
		}
	}
	if s.Placed {
		at.First = share(width, to, blocks)
		if n := share(width, to+1, blocks) - at.First; at.Count != n {
			return at, nil, k.fail(to, "%d elements go to %d places", at.Count, n)
		}
	}
	return at, parts, nil
}

// sorted moves elements between all blocks in one process.
func (k *Kernel) sorted(ctx context.Context, stage int, blocks []Place, wholes []Value, kept [][]Value) ([]Place, [][]Value, error) {
	to := make([][]Piece, len(blocks))
	for _, at := range blocks {
		for _, p := range k.Pieces(stage, at, len(blocks), wholes, kept[at.Block]) {
			to[p.To] = append(to[p.To], p)
		}
	}
	next, parts := make([]Place, len(blocks)), make([][]Value, len(blocks))
	for b, pieces := range to {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		var err error
		if next[b], parts[b], err = k.Join(stage, b, len(blocks), wholes, pieces); err != nil {
			return nil, nil, err
		}
	}
	return next, parts, nil
}

// checkSort says what is wrong with the description of a sort.
func (k *Kernel) checkSort(stage int) error {
	s := k.Stages[stage].Sort
	if s == nil {
		return nil
	}
	own := func(slot int) bool { return slot >= 2*len(k.Cuts) && slot < k.Parts }
	good := k.Stages[stage].Block != nil && len(s.Out) == len(s.Moved) && own(s.Keys) && own(s.From)
	for _, slot := range slices.Concat(s.Moved, s.Out) {
		good = good && own(slot)
	}
	partials := k.Stages[stage].Partials
	if s.Placed {
		good = good && s.Width >= 0 && s.Width < k.Wholes
	} else {
		good = good && !s.Sparse
	}
	for i, slot := range s.Splitters[:s.samples()] {
		n := len(partials) - s.samples() + i
		good = good && n >= 0 && partials[n] == Partial{Whole: slot, Listed: true}
	}
	if !good {
		return k.fail(-1, "stage %d sorts by values that there are not", stage)
	}
	return nil
}

package beamrt

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/surge-ndp/surge/codegen/cluster"
)

func init() {
	register.DoFn4x1[context.Context, Block, State, func(Block), error](&splitFn{})
	register.DoFn1x2[Block, int, Block](&toFn{})
	register.DoFn5x1[context.Context, int, func(*Block) bool, State, func(Block), error](&joinFn{})
	register.Iter1[Block]()
}

// countShuffled is how many bytes go from block to block in sorts.
var countShuffled = beam.NewCounter("surge", "bytes-shuffled")

// exchange moves elements between blocks, behind a stage that sorts. Pieces of blocks are blocks on their way: their
// place is that of the block that they go to, but for First, which is how many elements of theirs go to earlier ones;
// behind their values is the number of the block that they are from.
func exchange(s beam.Scope, w func() worker, stage, pools int, blocks, state beam.PCollection) beam.PCollection {
	s = s.Scope("sort")
	side := beam.SideInput{Input: state}
	pieces := deal(s, blocks, pools, func(s beam.Scope, blocks beam.PCollection) []beam.PCollection {
		return []beam.PCollection{beam.ParDo(s, &splitFn{worker: w(), Stage: stage}, blocks, side)}
	})
	return deal(s.Scope("join"), pieces[0], pools, func(s beam.Scope, pieces beam.PCollection) []beam.PCollection {
		to := beam.GroupByKey(s, beam.ParDo(s, &toFn{}, pieces))
		return []beam.PCollection{beam.ParDo(s, &joinFn{worker: w(), Stage: stage}, to, side)}
	})[0]
}

// splitFn divides blocks into pieces.
type splitFn struct {
	worker
	Stage int
}

// ProcessElement is called for each block.
func (f *splitFn) ProcessElement(ctx context.Context, b Block, s State, emit func(Block)) error {
	if s.Failed != nil {
		return nil
	}
	blocks, err := f.kernel.Blocks(s.Wholes, s.Size)
	if err != nil {
		return telling(err)
	}
	return telling(f.guarded(fmt.Sprintf("block %d", b.Place.Block), func() error {
		for _, p := range f.kernel.Pieces(f.Stage, b.Place, len(blocks), s.Wholes, b.Parts) {
			countShuffled.Inc(ctx, int64(cluster.Size(p.Values...)))
			emit(Block{Place: cluster.Place{First: p.Before, Block: p.To}, Parts: append(p.Values, p.Of)})
		}
		return nil
	}))
}

// toFn gives pieces the key of the block that they go to.
type toFn struct{}

// ProcessElement is called for each piece.
func (toFn) ProcessElement(b Block) (int, Block) { return b.Place.Block, b }

// joinFn makes blocks of pieces.
type joinFn struct {
	worker
	Stage int
}

// ProcessElement is called for each block, with its pieces in any order.
func (f *joinFn) ProcessElement(_ context.Context, to int, all func(*Block) bool, s State, emit func(Block)) error {
	blocks, err := f.kernel.Blocks(s.Wholes, s.Size)
	if err != nil {
		return telling(err)
	}
	var pieces []cluster.Piece
	for b := (Block{}); all(&b); {
		n := len(b.Parts) - 1
		pieces = append(pieces, cluster.Piece{Of: b.Parts[n].(int), To: b.Place.Block, Before: b.Place.First, Values: b.Parts[:n:n]})
	}
	return telling(f.guarded(fmt.Sprintf("block %d", to), func() error {
		at, parts, err := f.kernel.Join(f.Stage, to, len(blocks), s.Wholes, pieces)
		if err == nil {
			emit(Block{Place: at, Parts: parts})
		}
		return err
	}))
}

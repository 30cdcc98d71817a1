// Chess

package corpus

import "math/bits"

// Board is a position: a bitboard for each kind of piece.
type Board struct {
	Own, Other     uint64
	Rooks, Bishops uint64
	Knights, Pawns uint64
}

// Square is a field of the board.
type Square int

func (s Square) file() int { return int(s) & 7 }
func (s Square) rank() int { return int(s) >> 3 }

type ray struct{ df, dr int }

var rookRays = [...]ray{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
var bishopRays = [...]ray{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}

func slide(from Square, rays [4]ray, occupied uint64) (moves uint64) {
	for _, r := range rays {
		f, k := from.file()+r.df, from.rank()+r.dr
		for f >= 0 && f < 8 && k >= 0 && k < 8 {
			bit := uint64(1) << (k*8 + f)
			moves |= bit
			if occupied&bit != 0 {
				break
			}
			f += r.df
			k += r.dr
		}
	}
	return moves
}

// Moves counts the moves, and the captures, of rooks, bishops and pawns in many positions.
//
//surge:kernel
func Moves(boards []Board) (moves, captures []int) {
	moves, captures = make([]int, len(boards)), make([]int, len(boards))
	for i, b := range boards {
		occupied := b.Own | b.Other
		count := func(targets uint64) {
			targets &^= b.Own
			moves[i] += bits.OnesCount64(targets)
			captures[i] += bits.OnesCount64(targets & b.Other)
		}
		for rooks := b.Rooks & b.Own; rooks != 0; rooks &= rooks - 1 {
			count(slide(Square(bits.TrailingZeros64(rooks)), rookRays, occupied))
		}
		for bishops := b.Bishops & b.Own; bishops != 0; bishops &= bishops - 1 {
			count(slide(Square(bits.TrailingZeros64(bishops)), bishopRays, occupied))
		}
		pawns := b.Pawns & b.Own
		one := pawns << 8 &^ occupied
		moves[i] += bits.OnesCount64(one)
		const notA, notH = 0xfefefefefefefefe, 0x7f7f7f7f7f7f7f7f
		hits := (pawns&notA<<7 | pawns&notH<<9) & b.Other
		moves[i] += bits.OnesCount64(hits)
		captures[i] += bits.OnesCount64(hits)
	}
	return moves, captures
}

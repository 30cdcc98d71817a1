// Genomics

package corpus

import (
	"math"

	"github.com/surge-ndp/surge/ops"
)

// GCContent is the share of G and C in each read.
//
//surge:kernel
func GCContent(reads []string) []float64 {
	return ops.Map(func(read string) float64 {
		if read == "" {
			return 0
		}
		gc := 0
		for i := 0; i < len(read); i++ {
			switch read[i] {
			case 'G', 'C', 'g', 'c':
				gc++
			}
		}
		return float64(gc) / float64(len(read))
	}, reads)
}

var complement = [256]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A', 'N': 'N'}

// ReverseComplement is the other strand of a sequence.
//
//surge:kernel
func ReverseComplement(seq []byte) []byte {
	return ops.Map(func(b byte) byte {
		if c := complement[b]; c != 0 {
			return c
		}
		return 'N'
	}, ops.Reverse(seq))
}

// baseCode numbers the bases.
func baseCode(b byte) (code uint32, ok bool) {
	switch b {
	case 'A':
		return 0, true
	case 'C':
		return 1, true
	case 'G':
		return 2, true
	case 'T':
		return 3, true
	}
	return 0, false
}

// KmerCounts counts the words of k bases. Words with other letters are not counted.
//
//surge:kernel
func KmerCounts(seq string, k int) []int {
	words := max(len(seq)-k+1, 0)
	codes := ops.Map(func(i int) uint32 {
		var word uint32
		for _, b := range []byte(seq[i : i+k]) {
			code, ok := baseCode(b)
			if !ok {
				return math.MaxUint32
			}
			word = word<<2 | code
		}
		return word
	}, ops.Range(0, words, 1))
	valid := ops.Filter(func(c uint32) bool { return c != math.MaxUint32 }, codes)
	return ops.Histogram(func(a, b int) int { return a + b }, 1<<(2*k), valid, ops.Replicate(1, len(valid)), 0)
}

// Quality is a Phred score in the encoding of FASTQ files.
type Quality byte

// ErrorRate is the probability that the base is wrong.
func (q Quality) ErrorRate() float64 { return math.Pow(10, -float64(q-33)/10) }

// ExpectedErrors is the expected number of wrong bases in each read.
//
//surge:kernel
func ExpectedErrors(quals [][]Quality) []float64 {
	return ops.Map(func(read []Quality) float64 {
		return ops.Reduce(func(a, b float64) float64 { return a + b }, ops.Map(Quality.ErrorRate, read), 0)
	}, quals)
}

// Scoring says what an alignment gains and loses.
type Scoring struct{ Match, Mismatch, Gap int }

func (s Scoring) pair(a, b byte) int {
	if a == b {
		return s.Match
	}
	return s.Mismatch
}

// SmithWaterman is the score of the best local alignment of each read with a reference.
//
//surge:kernel
func SmithWaterman(reads []string, ref string, s Scoring) []int {
	return ops.Map(func(read string) int {
		best := 0
		prev := make([]int, len(ref)+1)
		for i := range len(read) {
			diagonal, left := 0, 0
			for j := range len(ref) {
				up := prev[j+1]
				score := max(0, diagonal+s.pair(read[i], ref[j]), up+s.Gap, left+s.Gap)
				diagonal, left = up, score
				prev[j+1] = score
				best = max(best, score)
			}
		}
		return best
	}, reads)
}

const aminoAcids = "KNKNTTTTRSRSIIMIQHQHPPPPRRRRLLLLEDEDAAAAGGGGVVVV*Y*YSSSS*CWCLFLF"

// Translate translates a coding sequence to amino acids, a letter for each three bases.
//
//surge:kernel
func Translate(dna []byte) []byte {
	return ops.Map(func(i int) byte {
		codon := 0
		for _, b := range dna[3*i : 3*i+3] {
			code, ok := baseCode(b)
			if !ok {
				return 'X'
			}
			codon = codon*4 + int(code)
		}
		return aminoAcids[codon]
	}, ops.Range(0, len(dna)/3, 1))
}

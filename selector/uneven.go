package selector

// unevenRows is from how many times the average row length on the row of an average element counts as another kind of
// row: lengths by chance stay below it, unless rows are short.
const unevenRows = 1.5

// mixture is rows of two lengths that have the average and the element row length of an input: a part is long.
// A row of any other mixture costs about as much. The part is 0 where rows are about as long.
type mixture struct{ short, long, part float64 }

// uneven returns the mixture that stands for rows of an average length. Its short rows have one element, or none where
// the average is less than two.
func (in *Input) uneven(average float64) mixture {
	of, known := in.Feature(ElementRowLength)
	if !known || !(average > 0) || !(of > unevenRows*average && of < endless) {
		return mixture{}
	}
	if average < 2 {
		return mixture{0, of, average / of}
	}
	long := (average*of-1)/(average-1) - 1
	return mixture{1, long, (average - 1) / (long - 1)}
}

// usualRow is how long the rows are on which most of the time of a level is spent, where the average length of its rows
// is that: a million empty rows may take longer than what a few long ones hold.
func (in *Input) usualRow(level int, average float64) float64 {
	u := in.uneven(average)
	if level != 2 || u.part*u.long*unknownCost <= (1-u.part)*(rowCost+u.short*unknownCost) {
		return average
	}
	return u.long
}

// flatWaits is what sharing the elements of rows costs at least: a search for where each chunk begins, and a region for
// each long row. Where less is to be won, rows are shared.
const flatWaits = 1.1

// waits estimates how much longer than its share the last of so many threads takes. Threads that share rows wait for
// the one that has the longest row, which may have been taken last, and for the one whose run of rows holds the most.
func (in *Input) waits(threads float64) float64 {
	if in.flat {
		return flatWaits
	}
	length, _ := in.Feature(Length)
	average, _ := in.Feature(AverageRowLength)
	long, known := in.Feature(ElementRowLength)
	if !known || !(threads > 1) || !(length*average > 0) {
		return 1
	}
	waits := 1 + (threads-1)*min(long/(length*average), 1)
	if imbalance, ok := in.Feature(LoadImbalance); ok && imbalance <= threads {
		waits = max(waits, 1+(imbalance-1)/2)
	}
	return waits
}

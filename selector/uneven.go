package selector

// unevenRows is from how many times the average row length on the row of an average element counts as another kind of
// row: lengths by chance stay below it, unless rows are short.
const unevenRows = 1.5

// mixture is rows of two lengths that have the average and the element row length of an input: a part of them, above 0,
// is long. A row of any other mixture costs about as much. The part is 0 where rows are about as long.
type mixture struct{ short, long, part float64 }

// uneven returns the mixture that stands for rows of an average length, which says that the short ones have one
// element, or none where the average is less than two.
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
// is that.
func (in *Input) usualRow(level int, average float64) float64 {
	if u := in.uneven(average); level == 2 && u.part > 0 {
		return u.long
	}
	return average
}

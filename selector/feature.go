package selector

// Feature is a property of an input that is cheap to compute and helps to choose a variant (Surge section 3.4).
type Feature struct {
	Name string
	// Unit is what Value counts: elements, rows, elements a row. A ratio has no unit.
	Unit  string
	Value float64
	// Cost is what computing it took, in nanoseconds; 0 for a feature that is inferred in constant time.
	Cost float64
}

// The features that are inferred from a computation's structure. The first three are those of the first sequence that
// it uses (Surge section 3.4). A row length that is neither known before the computation nor in offsets that belong
// to its rows is that of a few rows.
const (
	// Length is the number of elements, or of rows when the sequence is nested.
	Length = "length"
	// AspectRatio, of a regular nest, is the number of rows over the length of a row.
	AspectRatio = "aspect_ratio"
	// AverageRowLength, of an irregular nest, is the number of elements over the number of rows.
	AverageRowLength = "average_row_length"
	// LoadImbalance, of an irregular nest, is what the slowest core takes where each has as many rows, over what it
	// takes where each has as many elements: of as many equal runs of rows as there are cores (2 to 16), the greatest
	// average row length over that of all. It is 1 where the rows are equally long, and about 1 where their lengths
	// are random.
	LoadImbalance = "load_imbalance"
	// ElementRowLength, of an irregular nest, is the length of the row that an average element lies in, Σl²/Σl over the
	// row lengths l: what most of the time is spent on, where a few rows are long and many are short. It is the average
	// row length where all are equal. [SampledElements] elements at equal distances tell it, so that every row is seen
	// that has more than such a part of all elements.
	ElementRowLength = "element_row_length"
	// EqualRows, of a nested sequence whose rows lanes would compute a row a lane, is the part of the rows that are as
	// long as the next one: lanes compute as many rows at once as have one length, and others one by one.
	EqualRows = "equal_rows"
	// InnerRowLength, of a nest of three levels or more, is the average number of elements of the innermost operators.
	InnerRowLength = "inner_row_length"
	// LoopOperations is what an element does in loops whose turns are not known before the computation, as
	// [LevelCost] counts it, in additions: the average over a few elements.
	LoopOperations = "loop_operations"
	// Bins, of a reduction by index, is the number of elements that it reduces to: that of the bins, times the length of a
	// row where rows are reduced. Each thread has as many of its own.
	Bins = "bins"
	// ReadStep is how far what neighbours of a level read is apart, where an int that the kernel is given says so: at 1
	// vectors read what lies side by side.
	ReadStep = "read_step"
)

// SampledElements is how many elements [ElementRowLength] looks for the rows of, at most: one for ElementsPerRowSample
// elements, and none where that is less than half as many.
const (
	SampledElements      = 16
	ElementsPerRowSample = 4096
)

// Inferred are the names of the inferred features.
var Inferred = [...]string{Length, AspectRatio, AverageRowLength, LoadImbalance, ElementRowLength, EqualRows,
	InnerRowLength, LoopOperations, Bins, ReadStep}

// The ready-made features of irregular nests. They are computed from a sample of at most [SampledRows] rows, and only
// where a model or the training of one asks for them (Nitro's features for sparse matrices; Surge section 3.4).
const (
	// RowLengthDeviation is the standard deviation of the row lengths over their average: 0 where all are equal.
	RowLengthDeviation = "row_length_deviation"
	// RowLengthMaximum is the length of the longest row of the sample.
	RowLengthMaximum = "row_length_maximum"
	// EmptyRowShare is the part of the rows that has no elements.
	EmptyRowShare = "empty_row_share"
	// SampledRows is the number of rows that the ready-made features look at, at most: one for ElementsPerSample
	// elements, so that they cost about a hundredth of what the input is worth. They are 0 for an input that is too
	// small for a sample.
	SampledRows       = 128
	ElementsPerSample = 512
)

// ReadyMade are the names of the ready-made features, with their units.
var ReadyMade = [...]Feature{
	{Name: RowLengthDeviation, Unit: "of the average"}, {Name: RowLengthMaximum, Unit: "elements"}, {Name: EmptyRowShare, Unit: "of the rows"},
}

// Input is what a [Ranker] decides on. The ranker only reads it.
type Input struct {
	Question    Question
	Computation string
	Platform    string
	Features    []Feature
	// Strided is the nesting level, counted from 1, whose elements lie at a distance from each other in memory while those
	// of the level around it lie side by side; 0 if there is none.
	Strided int
	// Costs is what each level costs, the outermost first; nil if that is not known.
	Costs []LevelCost
	// Forms are the other forms of the computation besides the nest; Strided and Costs are those of the nest.
	Forms []Form
	// Threads is the limit that the user set, or 0 for none.
	Threads int
	// Cores is the number of cores that the process may use.
	Cores int
	// Accelerator is the platform whose device is none of this machine's processors, "" if there is none.
	Accelerator string
	// Workgroup is how many work-items a workgroup has there at most, 0 if that is not known.
	Workgroup int
	// Copied is how many bytes a run copies to that device, negative where arrays stay there.
	Copied float64
	// Estimates are what the algorithms that the codes stand for cost; nil if that is not known.
	Estimates []Estimate
	// Codes are the codes that exist and run on this machine, the strongest schedule first.
	Codes []Code

	flat bool // the codes that are asked about share the elements of rows
}

// Feature returns the value of the named feature and whether the input has it.
func (in *Input) Feature(name string) (float64, bool) {
	for i := range in.Features {
		if in.Features[i].Name == name {
			return in.Features[i].Value, true
		}
	}
	return 0, false
}

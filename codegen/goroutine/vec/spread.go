package vec

import "math"

// Below returns for how many of the lanes k of n start+k < bound holds: they are the first ones. start+n does not
// overflow.
func Below(start, bound, n int) int {
	if start >= bound {
		return 0
	}
	return int(min(uint(bound)-uint(start), uint(n)))
}

// AtMost returns for how many of the lanes k of n start+k <= bound holds, like [Below].
func AtMost(start, bound, n int) int {
	if start > bound {
		return 0
	}
	return int(min(uint(bound)-uint(start), uint(n-1))) + 1
}

// divideEach sets q and r to the quotients and remainders of start, start+1, … by d.
func divideEach(q, r []int64, start, d int64) {
	for k := range q {
		q[k], r[k] = (start+int64(k))/d, (start+int64(k))%d
	}
}

// quotient divides a start that is not negative by a positive d, with the instruction for 32 bits where both fit: it
// takes a fraction of the time.
func quotient(start, d int64) (q, r int64) {
	if uint64(start|d)>>32 == 0 {
		return int64(uint32(start) / uint32(d)), int64(uint32(start) % uint32(d))
	}
	return start / d, start % d
}

// IotaDivI64x4 returns start/d, (start+1)/d, … lane by lane; d is not 0. It takes one division where d is positive,
// start is not negative, and no lane wraps around.
func IotaDivI64x4(start, d int64) I64x4 {
	if uint64(start) > math.MaxInt64-4 || d < 4 {
		var q, r [4]int64
		divideEach(q[:], r[:], start, d)
		return FromArrayI64x4(&q)
	}
	q, r := quotient(start, d)
	next := SplatI64x4(q)
	return SelectI64x4(FirstM64x4(Below(int(r), int(d), 4)), next, next.Add(SplatI64x4(1)))
}

// IotaRemI64x4 returns start%d, (start+1)%d, … lane by lane, under the conditions of [IotaDivI64x4].
func IotaRemI64x4(start, d int64) I64x4 {
	if uint64(start) > math.MaxInt64-4 || d < 4 {
		var q, r [4]int64
		divideEach(q[:], r[:], start, d)
		return FromArrayI64x4(&r)
	}
	_, r := quotient(start, d)
	next := IotaI64x4(r)
	return SelectI64x4(FirstM64x4(Below(int(r), int(d), 4)), next, next.Sub(SplatI64x4(d)))
}

// IotaDivI64x8 returns start/d, (start+1)/d, … lane by lane; d is not 0. It takes one division where d is positive,
// start is not negative, and no lane wraps around.
func IotaDivI64x8(start, d int64) I64x8 {
	if uint64(start) > math.MaxInt64-8 || d < 8 {
		var q, r [8]int64
		divideEach(q[:], r[:], start, d)
		return FromArrayI64x8(&q)
	}
	q, r := quotient(start, d)
	next := SplatI64x8(q)
	return SelectI64x8(FirstM64x8(Below(int(r), int(d), 8)), next, next.Add(SplatI64x8(1)))
}

// IotaRemI64x8 returns start%d, (start+1)%d, … lane by lane, under the conditions of [IotaDivI64x8].
func IotaRemI64x8(start, d int64) I64x8 {
	if uint64(start) > math.MaxInt64-8 || d < 8 {
		var q, r [8]int64
		divideEach(q[:], r[:], start, d)
		return FromArrayI64x8(&r)
	}
	_, r := quotient(start, d)
	next := IotaI64x8(r)
	return SelectI64x8(FirstM64x8(Below(int(r), int(d), 8)), next, next.Sub(SplatI64x8(d)))
}

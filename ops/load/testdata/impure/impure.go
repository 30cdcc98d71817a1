// Package impure has functions that are not called as they stand, each with the reason in its comment.
package impure

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand"
	"os"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/surge-ndp/surge/ops"
)

type node struct {
	value int32
	next  *node
}

var (
	count   int32
	cache   = map[int32]int32{}
	shared  = &node{value: 1}
	frozen  = map[string]int32{"a": 1}
	table   = []int32{1, 2, 3}
	latest  time.Time
	hook    = func(x int32) int32 { return x }
	once    sync.Once
	numbers       = regexp.MustCompile(`\d+`)
	strange error = oddError{}
	figure  interface{ area() int32 }
)

type oddError struct{}

func (oddError) Error() string { count++; return "odd" }

// Set keeps the cache in use.
func Set(k, v int32) { cache[k] = v; frozenAlias()["b"] = 2; hook = nil }

func frozenAlias() map[string]int32 { return frozen }

// want: assigns the package-level variable count
func counts(x int32) int32 {
	m := map[int32]int32{}
	count++
	return m[x]
}

// want: reads the package-level variable count
func reads(x int32) int32 {
	m := map[int32]int32{1: count}
	return m[x]
}

// want: reads the package-level variable cache
func fills(x int32) int32 {
	cache[x] = x
	return x
}

// want: reads the package-level variable cache
func looksUp(x int32) int32 { return cache[x] }

// want: reads the package-level variable frozen
func looksUpAlias(x int32) int32 { return frozen[strconv.Itoa(int(x))] }

// want: the package-level variable shared
func writesShared(x int32) int32 {
	p := shared
	p.value = x
	return p.value
}

// want: table
func writesTable(x int32) int32 {
	m := map[int32]int32{}
	t := table
	t[x%3]++
	return m[x] + t[0]
}

func grow(n *node, x int32) { n.next = &node{value: x} }

// want: the package-level variable shared
func growsShared(x int32) int32 {
	grow(shared, x)
	return x
}

// want: asks for the time
func times(x int32) int32 {
	m := map[int32]int64{x: time.Now().UnixNano()}
	return int32(m[x])
}

// want: latest
func later(x int32) int32 {
	m := map[int32]int32{}
	if latest.IsZero() {
		latest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return m[x]
}

// want: random numbers
func rolls(x int32) int32 {
	m := map[int32]int{x: rand.Intn(6)}
	return int32(m[x])
}

// want: os.Getenv
func asks(x int32) int32 {
	m := map[int32]string{x: os.Getenv("HOME")}
	return int32(len(m[x]))
}

// want: starts a goroutine
func starts(x int32) int32 {
	m := map[int32]int32{}
	go func() { m[x] = 1 }()
	return m[x]
}

// want: not communicate
func sends(x int32) int32 {
	c := make(chan int32, 1)
	c <- x
	return <-c
}

// want: ranges over a map
func firstKey(x int32) int32 {
	for k := range map[int32]bool{x: true, 3: true} {
		return k
	}
	return 0
}

// want: ranges over a map
func floatSum(x int32) int32 {
	sum := 0.0
	for _, v := range map[int32]float64{x: 0.1, 3: 1e20, 4: -1e20} {
		sum += v
	}
	return int32(sum)
}

// want: ranges over a map
func lastKey(x int32) int32 {
	last := int32(0)
	for k := range map[int32]bool{x: true, 3: true} {
		last = k
	}
	return last
}

// want: ranges over a map
func unsortedKeys(x int32) int32 {
	var keys []int32
	for k := range map[int32]bool{x: true, 3: true} {
		keys = append(keys, k)
	}
	return keys[0]
}

// want: ranges over a map
func runningSum(x int32) int32 {
	sum, most := int32(0), int32(0)
	for k := range map[int32]bool{x: true, 3: true} {
		sum += k
		most = max(most, sum)
	}
	return most
}

// want: ranges over a map
func collides(x int32) int32 {
	out := map[int32]int32{}
	for k, v := range map[int32]int32{x: 1, x + 2: 2} {
		out[k%2] = v
	}
	return out[0]
}

// want: sets entries of a map while it ranges over it
func insertsWhile(x int32) int32 {
	m := map[int32]int32{x: 1, 5: 2}
	n := m
	for k := range m {
		n[k+1] += k
	}
	return int32(len(m))
}

// want: ranges over a map
func textOfMap(x int32) int32 {
	var sb strings.Builder
	for k := range map[int32]bool{x: true, 3: true} {
		sb.WriteString(strconv.Itoa(int(k)))
	}
	return int32(len(sb.String()))
}

// want: calls maps.Keys
func viaIterator(x int32) int32 {
	n := int32(0)
	m := map[int32]int32{x: 1, 2: 2}
	next := maps.Keys(m)
	next(func(k int32) bool { n = n*3 + k; return true })
	return n
}

// want: prints what fmt.Sprint may show in another way
func address(x int32) int32 {
	p := &node{value: x}
	return int32(len(fmt.Sprint(p)))
}

// want: prints what fmt.Sprintf may show in another way
func verbP(x int32) int32 {
	s := []int32{x}
	return int32(len(fmt.Sprintf("%8p", s)))
}

// want: which assigns the package-level variable count
func oddText(x int32) int32 {
	var err error = oddError{}
	if x > 0 {
		err = errors.New("x")
	}
	return int32(len(fmt.Sprint(err)))
}

// want: reads the error strange
func strangeText(x int32) int32 {
	m := map[int32]error{x: strange}
	return int32(len(m[x].Error()))
}

// want: reads the package-level variable hook, which the program may change
func hooks(x int32) int32 {
	m := map[int32]int32{}
	return m[hook(x)]
}

// want: figure
func figures(x int32) int32 {
	m := map[int32]int32{}
	if figure != nil {
		m[x] = figure.area()
	}
	return m[x]
}

// want: sync
func locks(x int32) int32 {
	m := map[int32]int32{}
	once.Do(func() { m[x] = 1 })
	return m[x]
}

// want: runtime.NumGoroutine
func cpus(x int32) int32 { return x + int32(runtime.NumGoroutine()) }

// want: unsafe
func bits(x int32) int32 {
	m := map[int32]*node{x: {value: x}}
	return int32(uintptr(unsafe.Pointer(m[x])))
}

// want: time.Now
func stored(x int32) int32 {
	fs := []func(int32) int32{func(y int32) int32 { return y }, func(y int32) int32 { return int32(time.Now().Unix()) }}
	return fs[x&1](x)
}

// want: uses functions of the package-level variable clocks
func clocked(x int32) int32 { return clocks[x&1](x) }

var clocks = []func(int32) int32{func(y int32) int32 { return y }, func(y int32) int32 { return int32(time.Now().Unix()) }}

// want: uses the function Now as a value
func foreign(x int32) int32 {
	fs := []func() time.Time{time.Now}
	return int32(fs[0]().Unix())
}

// want: reads the package-level variable table
func sortsTable(x int32) int32 {
	m := map[int32]int32{}
	slices.Sort(table)
	return m[x]
}

// want: only constants are known
func sortsAlias(x int32) int32 {
	t := [][]int32{table}
	sort.Slice(t[0], func(i, j int) bool { return t[0][i] < t[0][j] })
	return x
}

// want: reads the package-level variable table
func appendsTable(x int32) int32 {
	m := map[int32][]int32{x: table[:1]}
	m[x] = append(m[x], x)
	return int32(len(m[x]))
}

func pick(t [][]int32, i int) []int32 { return t[i] }

// want: reads the package-level variable table
func picksTable(x int32) int32 {
	t := map[int32][][]int32{x: {table}}
	pick(t[x], 0)[0] = x
	return x
}

func each(t []int32, f func(*int32)) {
	for i := range t {
		f(&t[i])
	}
}

// want: reads the package-level variable table
func eachOfTable(x int32) int32 {
	m := map[int32]int32{}
	each(table, func(p *int32) { *p = x })
	return m[x]
}

// want: reads the package-level variable shared
func keepsInList(x int32) int32 {
	l := list.New()
	l.PushBack(shared)
	l.Front().Value.(*node).value = x
	return x
}

// want: Longest
func longest(x int32) int32 {
	m := map[int32]int32{}
	numbers.Longest()
	return m[x]
}

// want: reads the package-level variable shared
func captured(x int32) int32 {
	p := shared
	f := func() { p.value = x }
	defer f()
	return p.value
}

// want: reads the package-level variable tableBytes
func buffers(x int32) int32 {
	b := bytes.NewBuffer(tableBytes[:1])
	b.WriteByte(byte(x))
	return int32(b.Len())
}

var tableBytes = []byte("abc")

// want: local
func local(x int32) int32 {
	d := time.Date(2000, 1, int(x), 0, 0, 0, 0, time.Local)
	m := map[int32]int{x: d.Hour()}
	return int32(m[x])
}

// want: calls fmt.Fprintf
func summed(x int32) int32 {
	h := fnv.New32()
	var w interface{ Write([]byte) (int, error) } = h
	fmt.Fprintf(w, "%d", x)
	return int32(h.Sum32())
}

// want: ranges over a map
func sharesRoom(x int32) int32 {
	s := make([]int32, 1, 2)
	for k, v := range map[int32][]int32{x: s, 7: s} {
		v = append(v, k)
	}
	return s[:2][1]
}

// want: has another name
func otherName(x int32) int32 {
	first := make([]int32, 0, 2)
	keys := first
	for k := range map[int32]bool{x: true, 5: true, 7: true, 9: true} {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return first[:2][0] + int32(len(keys))
}

type noisy struct{}

func (noisy) Read(b []byte) (int, error) { count++; return 0, errors.New("end") }

// want: calls methods of r
func readsFrom(x int32) int32 {
	var r io.Reader = noisy{}
	var b bytes.Buffer
	b.ReadFrom(r)
	return int32(b.Len()) + x
}

type louder interface{ loud() int32 }

type speaker struct{ n int32 }

func (s speaker) loud() int32 { count += s.n; return s.n }

func quiet(x int32) louder {
	type voice struct{ pad, n int32 }
	v := voice{n: x}
	return speaker{v.n}
}

// want: which assigns the package-level variable count
func speaks(x int32) int32 {
	type voice struct{ speaker }
	var l louder = voice{speaker{x}}
	if x > 3 {
		l = quiet(x)
	}
	return l.loud()
}

var (
	plain   = map[int32]int32{1: 2}
	another = plain
	watched = map[int32]int32{1: 2}
	watch   = func() { watched[2]++ }
)

// want: reads the package-level variable plain
func looksUpPlain(x int32) int32 { return plain[x] }

// want: reads the package-level variable watched
func looksUpWatched(x int32) int32 { return watched[x] }

//surge:kernel
func OfCounts(xs []int32) []int32 { return ops.Map(counts, xs) }

//surge:kernel
func OfReads(xs []int32) []int32 { return ops.Map(reads, xs) }

//surge:kernel
func OfFills(xs []int32) []int32 { return ops.Map(fills, xs) }

//surge:kernel
func OfLooksUp(xs []int32) []int32 { return ops.Map(looksUp, xs) }

//surge:kernel
func OfLooksUpAlias(xs []int32) []int32 { return ops.Map(looksUpAlias, xs) }

//surge:kernel
func OfWritesShared(xs []int32) []int32 { return ops.Map(writesShared, xs) }

//surge:kernel
func OfWritesTable(xs []int32) []int32 { return ops.Map(writesTable, xs) }

//surge:kernel
func OfGrowsShared(xs []int32) []int32 { return ops.Map(growsShared, xs) }

//surge:kernel
func OfTimes(xs []int32) []int32 { return ops.Map(times, xs) }

//surge:kernel
func OfLater(xs []int32) []int32 { return ops.Map(later, xs) }

//surge:kernel
func OfRolls(xs []int32) []int32 { return ops.Map(rolls, xs) }

//surge:kernel
func OfAsks(xs []int32) []int32 { return ops.Map(asks, xs) }

//surge:kernel
func OfStarts(xs []int32) []int32 { return ops.Map(starts, xs) }

//surge:kernel
func OfSends(xs []int32) []int32 { return ops.Map(sends, xs) }

//surge:kernel
func OfFirstKey(xs []int32) []int32 { return ops.Map(firstKey, xs) }

//surge:kernel
func OfFloatSum(xs []int32) []int32 { return ops.Map(floatSum, xs) }

//surge:kernel
func OfLastKey(xs []int32) []int32 { return ops.Map(lastKey, xs) }

//surge:kernel
func OfUnsortedKeys(xs []int32) []int32 { return ops.Map(unsortedKeys, xs) }

//surge:kernel
func OfRunningSum(xs []int32) []int32 { return ops.Map(runningSum, xs) }

//surge:kernel
func OfCollides(xs []int32) []int32 { return ops.Map(collides, xs) }

//surge:kernel
func OfInsertsWhile(xs []int32) []int32 { return ops.Map(insertsWhile, xs) }

//surge:kernel
func OfTextOfMap(xs []int32) []int32 { return ops.Map(textOfMap, xs) }

//surge:kernel
func OfViaIterator(xs []int32) []int32 { return ops.Map(viaIterator, xs) }

//surge:kernel
func OfAddress(xs []int32) []int32 { return ops.Map(address, xs) }

//surge:kernel
func OfVerbP(xs []int32) []int32 { return ops.Map(verbP, xs) }

//surge:kernel
func OfOddText(xs []int32) []int32 { return ops.Map(oddText, xs) }

//surge:kernel
func OfStrangeText(xs []int32) []int32 { return ops.Map(strangeText, xs) }

//surge:kernel
func OfHooks(xs []int32) []int32 { return ops.Map(hooks, xs) }

//surge:kernel
func OfClocked(xs []int32) []int32 { return ops.Map(clocked, xs) }

//surge:kernel
func OfForeign(xs []int32) []int32 { return ops.Map(foreign, xs) }

//surge:kernel
func OfFigures(xs []int32) []int32 { return ops.Map(figures, xs) }

//surge:kernel
func OfLocks(xs []int32) []int32 { return ops.Map(locks, xs) }

//surge:kernel
func OfCpus(xs []int32) []int32 { return ops.Map(cpus, xs) }

//surge:kernel
func OfBits(xs []int32) []int32 { return ops.Map(bits, xs) }

//surge:kernel
func OfStored(xs []int32) []int32 { return ops.Map(stored, xs) }

//surge:kernel
func OfSortsTable(xs []int32) []int32 { return ops.Map(sortsTable, xs) }

//surge:kernel
func OfSortsAlias(xs []int32) []int32 { return ops.Map(sortsAlias, xs) }

//surge:kernel
func OfAppendsTable(xs []int32) []int32 { return ops.Map(appendsTable, xs) }

//surge:kernel
func OfPicksTable(xs []int32) []int32 { return ops.Map(picksTable, xs) }

//surge:kernel
func OfEachOfTable(xs []int32) []int32 { return ops.Map(eachOfTable, xs) }

//surge:kernel
func OfKeepsInList(xs []int32) []int32 { return ops.Map(keepsInList, xs) }

//surge:kernel
func OfLongest(xs []int32) []int32 { return ops.Map(longest, xs) }

//surge:kernel
func OfCaptured(xs []int32) []int32 { return ops.Map(captured, xs) }

//surge:kernel
func OfBuffers(xs []int32) []int32 { return ops.Map(buffers, xs) }

//surge:kernel
func OfLocal(xs []int32) []int32 { return ops.Map(local, xs) }

//surge:kernel
func OfSummed(xs []int32) []int32 { return ops.Map(summed, xs) }

//surge:kernel
func OfSharesRoom(xs []int32) []int32 { return ops.Map(sharesRoom, xs) }

//surge:kernel
func OfOtherName(xs []int32) []int32 { return ops.Map(otherName, xs) }

//surge:kernel
func OfReadsFrom(xs []int32) []int32 { return ops.Map(readsFrom, xs) }

//surge:kernel
func OfSpeaks(xs []int32) []int32 { return ops.Map(speaks, xs) }

//surge:kernel
func OfLooksUpPlain(xs []int32) []int32 { return ops.Map(looksUpPlain, xs) }

//surge:kernel
func OfLooksUpWatched(xs []int32) []int32 { return ops.Map(looksUpWatched, xs) }

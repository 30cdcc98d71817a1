package cluster_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/surge-ndp/surge/codegen/cluster"
)

var coded = []cluster.Value{
	true, 3, int8(-1), int16(2), int32(-3), int64(1 << 40), uint(7), uint8(255), uint16(1), uint32(2), uint64(1 << 63), float32(1.5), -0.25,
	[]bool{true, false}, []int{-1, 1}, []int8{1}, []int16{}, []int32{5, 6, 7}, []int64{8}, []uint{9}, []uint8{1, 2}, []uint16{3}, []uint32{4},
	[]uint64{5}, []float32{}, []float64{1, 2, 3},
	cluster.Rows{Data: []int32{1, 2, 3}, Offsets: []int{0, 0, 2, 3}}, cluster.Rows{Data: []bool{}, Offsets: []int{0}}, nil,
}

func TestValues(t *testing.T) {
	data, err := cluster.AppendValues([]byte("before"), coded)
	if err != nil {
		t.Fatal(err)
	}
	got, rest, err := cluster.DecodeValues(append(data[6:], "behind"...))
	if err != nil || string(rest) != "behind" || !reflect.DeepEqual(got, coded) {
		t.Errorf("%v %q %v", got, rest, err)
	}
	data = data[:len(data):len(data)]
	for n := range len(data) - 6 {
		if _, _, err := cluster.DecodeValues(data[6 : 6+n]); err == nil {
			t.Errorf("the first %d bytes of %d are read", n, len(data)-6)
		}
	}
	type named float64
	for _, v := range []cluster.Value{"text", named(1), []named{}, [][]int{}, cluster.Rows{Data: []int{1}, Offsets: []int{0}}} {
		if _, err := cluster.AppendValues(nil, []cluster.Value{v}); err == nil {
			t.Errorf("a %T is written", v)
		}
	}
}

// FuzzValues reads arbitrary bytes: what is read is written as it was read, and nothing panics.
func FuzzValues(f *testing.F) {
	data, err := cluster.AppendValues(nil, coded)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	gathered, _ := cluster.Gathered{{Level: 1, Index: 0, Values: coded[:3]}, {Index: 2, Values: coded[3:5]}}.Append(nil)
	f.Add(gathered)
	f.Fuzz(func(t *testing.T, data []byte) {
		if values, rest, err := cluster.DecodeValues(data); err == nil {
			again, err := cluster.AppendValues(nil, values)
			if err != nil {
				t.Fatal(err)
			}
			back, _, err := cluster.DecodeValues(again)
			if second, _ := cluster.AppendValues(nil, back); err != nil || !bytes.Equal(second, again) || len(again) > len(data)-len(rest) {
				t.Fatal(values, err)
			}
		}
		if g, _, err := cluster.DecodeGathered(data); err == nil {
			if _, err := g.Append(nil); err != nil {
				t.Fatal(err)
			}
		}
		cluster.DecodePlace(data)
	})
}

func BenchmarkValues(b *testing.B) {
	block := []cluster.Value{make([]float64, 4<<20)}
	b.SetBytes(32 << 20)
	for b.Loop() {
		data, err := cluster.AppendValues(nil, block)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := cluster.DecodeValues(data); err != nil {
			b.Fatal(err)
		}
	}
}

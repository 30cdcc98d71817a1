package beamrt_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
	"github.com/surge-ndp/surge/training/input"
)

// remoteShards writes a slice of float32 as shards of one of Beam's file systems.
func remoteShards(t *testing.T, name string, x []float32, pieces int) {
	t.Helper()
	for p := range pieces {
		part := x[len(x)*p/pieces : len(x)*(p+1)/pieces]
		var b bytes.Buffer
		if err := input.WriteNpy(&b, input.Value{Kind: input.Float32, Dims: []int{len(part)}, Data: part}); err != nil {
			t.Fatal(err)
		}
		memfs.Write(strings.Replace(name, "*", string(rune('0'+p)), 1), b.Bytes())
	}
}

// TestRemote reads shards of one of Beam's file systems, and writes results there; what is wrong with them leaves
// nothing.
func TestRemote(t *testing.T) {
	c := clustertest.Cases(100)[4] // a stencil
	x := c.Inputs[0].([]float32)
	remoteShards(t, "memfs://in/x-*.npy", x, 3)
	o := beamrt.Options{Kernel: c.Kernel, Inputs: beamrt.Inputs{{Shards: "memfs://in/x-*.npy"}}, BlockSize: 13, Out: map[string]string{"y": "memfs://out/*.npy"}}
	got, err := beamrt.Run(t.Context(), o)
	if err != nil || got.Values[0] != nil {
		t.Fatal(got, err)
	}
	names := func(pattern string) []string {
		s, err := filesystem.New(t.Context(), pattern)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		all, err := s.List(t.Context(), pattern)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if all := names("memfs://out/*"); len(all) != 8 || strings.Contains(strings.Join(all, " "), ".surge") {
		t.Errorf("files %v", all)
	}
	s, err := input.OpenShards("memfs://out/*.npy")
	if err != nil {
		t.Fatal(err)
	}
	if y, err := s.Read(t.Context(), 0, 100); err != nil || !reflect.DeepEqual(y, c.Want[0]) {
		t.Errorf("%v %v, want %v", y, err, c.Want)
	}
	refused := func(say string, o beamrt.Options) {
		t.Helper()
		if _, err := beamrt.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%v, want %q", err, say)
		}
	}
	refused("there already", o)
	o.Out = map[string]string{"y": "memfs://other/*.npy"}
	o.Inputs = beamrt.Inputs{{Shards: "memfs://nowhere/x-*.npy"}}
	refused("no file has such a name", o)
	o.Inputs = beamrt.Inputs{{Shards: "nofs://in/x-*.npy"}}
	refused("no file system for nofs://", o)
	remoteShards(t, "memfs://cut/x-*.npy", x, 1)
	short, err := filesystem.Read(t.Context(), memfs.New(t.Context()), "memfs://cut/x-0.npy")
	if err != nil {
		t.Fatal(err)
	}
	memfs.Write("memfs://cut/x-0.npy", short[:200])
	o.Inputs = beamrt.Inputs{{Shards: "memfs://cut/x-*.npy"}}
	refused("but the file has", o)
	o.Kernel, o.Inputs = Failing, values(cluster.Slices{[]float64{0, 0, 2}}) // in its last block
	o.BlockSize, o.Out = 1, map[string]string{"process": "memfs://other/*.npy"}
	refused("out of order", o)
	if all := names("memfs://other/*"); len(all) > 0 {
		t.Errorf("files are left: %v", all)
	}
}

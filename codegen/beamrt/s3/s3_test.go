package s3

import (
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/surge-ndp/surge/codegen/beamrt"
	"github.com/surge-ndp/surge/codegen/cluster/clustertest"
	"github.com/surge-ndp/surge/training/input"
)

// TestMain lets clustertest's kernels be known to Beam.
func TestMain(m *testing.M) {
	for _, c := range clustertest.Cases(1) {
		beamrt.Register(c.Kernel)
	}
	m.Run()
}

// store is as much of a service as Beam's file system asks for: objects by their names, which begin with a bucket.
type store struct {
	sync.Mutex
	objects map[string][]byte
}

// ServeHTTP implements [http.Handler].
func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	name := strings.TrimPrefix(r.URL.Path, "/")
	object, there := s.objects[name]
	if source := r.Header.Get("X-Amz-Copy-Source"); r.Method == http.MethodPut && source != "" {
		if object, there = s.objects[strings.TrimPrefix(source, "/")]; there {
			s.objects[name] = object
			io.WriteString(w, "<CopyObjectResult></CopyObjectResult>")
			return
		}
	}
	switch {
	case r.Header.Get("Authorization") == "":
		w.WriteHeader(http.StatusForbidden)
	case r.URL.Query().Get("list-type") == "2":
		type content struct{ Key string }
		var list struct {
			XMLName  xml.Name `xml:"ListBucketResult"`
			Contents []content
		}
		bucket := strings.TrimSuffix(name, "/") + "/"
		for key := range s.objects {
			if strings.HasPrefix(key, bucket+r.URL.Query().Get("prefix")) {
				list.Contents = append(list.Contents, content{strings.TrimPrefix(key, bucket)})
			}
		}
		slices.SortFunc(list.Contents, func(a, b content) int { return strings.Compare(a.Key, b.Key) })
		xml.NewEncoder(w).Encode(list)
	case r.Method == http.MethodPut:
		data, err := io.ReadAll(r.Body)
		if err == nil && r.Header.Get("Content-Encoding") == "aws-chunked" {
			data = unchunked(data)
		}
		s.objects[name] = data
	case r.Method == http.MethodDelete:
		delete(s.objects, name)
		w.WriteHeader(http.StatusNoContent)
	case !there:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.Header().Set("Content-Length", strconv.Itoa(len(object)))
		if r.Method == http.MethodGet {
			w.Write(object)
		}
	}
}

// unchunked is a body that comes in chunks, each behind a line with its length, with sums at the end.
func unchunked(b []byte) (data []byte) {
	for {
		line, rest, _ := strings.Cut(string(b), "\r\n")
		size, _, _ := strings.Cut(line, ";")
		n, err := strconv.ParseInt(size, 16, 64)
		if err != nil || n == 0 {
			return data
		}
		data = append(data, rest[:n]...)
		b = []byte(rest[n+2:])
	}
}

// TestS3 reads shards of a bucket, and writes results into another one, under temporary names first. Who may not ask
// gets one message.
func TestS3(t *testing.T) {
	objects := &store{objects: map[string][]byte{}}
	server := httptest.NewServer(objects)
	defer server.Close()
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "somebody")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	c := clustertest.Cases(100)[4] // a stencil
	x := c.Inputs[0].([]float32)
	for p, name := range []string{"in/a/x-0.npy", "in/a/x-1.npy", "in/a/x-2.npy"} {
		var b strings.Builder
		part := x[len(x)*p/3 : len(x)*(p+1)/3]
		if err := input.WriteNpy(&b, input.Value{Kind: input.Float32, Dims: []int{len(part)}, Data: part}); err != nil {
			t.Fatal(err)
		}
		objects.objects[name] = []byte(b.String())
	}
	o := beamrt.Options{Kernel: c.Kernel, Inputs: beamrt.Inputs{{Shards: "s3://in/a/x-*.npy"}}, BlockSize: 13, Out: map[string]string{"y": "s3://out/y/*.npy"}}
	if _, err := beamrt.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	results, err := input.OpenShards("s3://out/y/*.npy")
	if err != nil {
		t.Fatal(err)
	}
	if y, err := results.Read(t.Context(), 0, 100); err != nil || !reflect.DeepEqual(y, c.Want[0]) {
		t.Errorf("%v %v, want %v", y, err, c.Want)
	}
	objects.Lock()
	if n := len(objects.objects); n != 3+8 {
		t.Errorf("%d objects, want 3 and one for each of 8 blocks", n)
	}
	objects.Unlock()
	if _, err := beamrt.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("results take the place of others: %v", err)
	}
	o.Out = nil
	for _, unset := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(unset, "")
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	if _, err := beamrt.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "the files cannot be listed") || !strings.Contains(err.Error(), "credentials") {
		t.Errorf("without credentials: %v", err)
	}
}

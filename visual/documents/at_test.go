package documents

import (
	"bytes"
	"os"
	"testing"
	"time"

	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
)

// TestLoadAt opens a trace that is somewhere else.
func TestLoadAt(t *testing.T) {
	b := must.Get(os.ReadFile(experimenttest.File(t, "lu", "hpf/lu", 4)))(t)
	for _, c := range []struct {
		name string
		b    []byte
		ok   bool
	}{{"whole", b, true}, {"cut", b[:len(b)/2], true}, {"letter", []byte("Dear reader"), false}} {
		var s Set
		s.Load(&File{Name: c.name + ".whorl", Size: int64(len(c.b)), ReaderAt: bytes.NewReader(c.b)}, "", Search{})
		var got []Loaded
		for len(got) == 0 {
			got = s.Receive()
			time.Sleep(time.Millisecond)
		}
		if d := got[0].Trace; c.ok != (got[0].Err == nil) || c.ok && events(d.Source) == 0 {
			t.Errorf("%s: %v", c.name, got[0].Err)
		}
		if got[0].Trace != nil {
			got[0].Trace.Discard()
		}
	}
}

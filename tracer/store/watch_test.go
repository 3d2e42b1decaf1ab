package store_test

import (
	"bytes"
	"slices"
	"strconv"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

// TestWatch compares what a watcher gets with the file: the events of a trace of one stream, and the description until then. A second stream or an
// offset ends the watch, since their events have to be merged.
func TestWatch(t *testing.T) {
	const second = 100_000 // the event at which a second stream begins
	es := store.FGHCLike(2*second, 8, 1)
	for _, c := range []struct {
		name    string
		offset  int64
		streams int
		all     bool
	}{
		{"one stream", 0, 1, true},
		{"two streams", 0, 2, false},
		{"an offset", 5, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []tracer.Event
			record := func(watch bool) []byte {
				var b bytes.Buffer
				w := store.New(&b)
				if watch {
					w.Watch(func(d tracer.Description, more []tracer.Event) {
						got = append(got, more...)
						counts := [tracer.NumKinds]int64{}
						for i := range got {
							counts[got[i].Kind]++
						}
						from, to := d.Span()
						if d.Counts() != counts || from != got[0].Time || to != got[len(got)-1].Time || d.Meta().PEs != 8 || len(d.Dict().Codes()) != 2+(len(got)+999)/1000 {
							t.Fatalf("after %d events: %v, %d to %d, %d PEs, %v", len(got), d.Counts(), from, to, d.Meta().PEs, d.Dict().Codes())
						}
					})
				}
				w.SetMeta(tracer.Meta{PEs: 8})
				w.Dict().Add(tracer.Code{Type: tracer.Name, Name: "n"})
				s := w.Stream(tracer.StreamInfo{Offset: c.offset})
				for i, e := range es {
					if i == second && c.streams == 2 {
						s.HandOn()
						s = w.Stream(tracer.StreamInfo{})
					}
					*s.Slot() = e
					if i%1000 == 0 { // the dictionary is locked until the entry is written
						w.Dict().Add(tracer.Code{Type: tracer.Name, Name: strconv.Itoa(i)})
					}
				}
				must.Do(t, w.Close())
				return b.Bytes()
			}
			file := record(true)
			switch f := must.Get(store.OpenBytes(file))(t); {
			case c.all && !slices.Equal(got, es):
				t.Errorf("%d events, want %d, or they differ", len(got), len(es))
			case c.streams == 2 && !slices.Equal(got, es[:second]):
				t.Errorf("%d events, want those before the second stream, or they differ", len(got))
			case c.offset > 0 && len(got) > 0:
				t.Errorf("%d events with an offset", len(got))
			case f.Meta().PEs != 8:
				t.Errorf("%d PEs in the file", f.Meta().PEs)
			}
			if !bytes.Equal(file, record(false)) {
				t.Error("the file differs from that of a writer that is not watched")
			}
		})
	}
}

package app

import (
	"bytes"
	"io"
	"testing"

	"whorl/experiment"
	"whorl/testdata/must"
	"whorl/tracer/store"
	"whorl/visual/documents"
)

// gated is the rest of a file behind a gate.
type gated struct {
	io.Reader
	gate chan struct{}
}

func (g *gated) Read(b []byte) (int, error) {
	<-g.gate
	return g.Reader.Read(b)
}

// TestBeginningOfATrace: the panes show the beginning of a trace while its rest is read, and then what they show of a trace that was read at once.
func TestBeginningOfATrace(t *testing.T) {
	var file bytes.Buffer
	w := store.New(&file)
	r := experiment.Defaults("fghc/pascal")
	r.Args, r.PEs = []string{"300"}, 5
	must.Get(must.Get(r.Resolve())(t).Run(t.Context(), w, nil))(t)
	must.Do(t, w.Close())
	var looks [2][]uint64
	for k := range looks {
		d := drive(t, Options{}, 1280, 800, 1)
		rest := &gated{bytes.NewReader(file.Bytes()[file.Len()/2:]), make(chan struct{})}
		d.app.OpenFile(&documents.File{Name: "pascal.whorl", Size: int64(file.Len()), Read: func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(bytes.NewReader(file.Bytes()[:file.Len()/2]), rest)), nil
		}})
		if k == 0 {
			d.until("the beginning", func() bool {
				return d.shows("Incomplete: the rest") && d.paneOf("kaleidoscope").Picture() != nil && d.paneOf("timeline").Picture() != nil
			})
			d.shot("beginning")
		}
		close(rest.gate)
		d.until("the rest", func() bool { return !d.app.model.Docs.Loading() })
		d.settle()
		if d.shows("Incomplete") {
			t.Errorf("the whole trace lacks something:\n%s", d.texts())
		}
		for _, p := range d.app.model.Visible() {
			looks[k] = append(looks[k], d.base(p).List.Sum())
		}
		d.shot("rest")
	}
	for i := range looks[0] {
		if looks[0][i] != looks[1][i] {
			t.Errorf("pane %d is drawn differently after its beginning was shown", i)
		}
	}
}

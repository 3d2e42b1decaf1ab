package store_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// TestTee checks that the copy has all recorded events at each flush, and that the file is the same as without a copy.
func TestTee(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.whorl")
	seeds := uint64(6)
	if testenv.Race {
		seeds = 2
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 1))
		streams := 1 + rng.IntN(3)
		es := store.FGHCLike(1+rng.IntN(15_000), 4, seed)
		record := func(w *store.Writer, pause func(recorded int)) {
			w.SetMeta(tracer.Meta{Program: "p"})
			id := w.Dict().Add(tracer.Code{Type: tracer.Name, Name: "n"})
			w.Dict().AddContext(tracer.Context{Code: id})
			var ss []*tracer.Stream
			for range streams {
				ss = append(ss, w.Stream(tracer.StreamInfo{Name: "s", Offset: 2}))
			}
			for i := 0; i < len(es); {
				n := min(1+rng.IntN(6000), len(es)-i)
				for _, e := range es[i : i+n] {
					*ss[i%streams].Slot() = e
				}
				i += n
				pause(i)
			}
			must.Do(t, w.Close())
		}
		g := store.NewGrowing()
		live := store.New(g)
		w := must.Get(store.Create(path))(t)
		w.Tee(live)
		var steps []int
		record(w, func(recorded int) {
			if rng.IntN(2) == 0 {
				must.Do(t, w.Flush())
				if n := sum(g.Counts()); n != int64(recorded) {
					t.Fatalf("%d events are seen of %d", n, recorded)
				}
				// The file and its ring have them too.
				f := must.Get(store.Open(path))(t)
				if n := sum(f.Counts()); n < int64(recorded-streams) {
					t.Fatalf("a killed process would leave %d events of %d", n, recorded)
				}
				f.Close()
			}
			steps = append(steps, recorded)
		})
		must.Do(t, live.Close())
		file := must.Get(store.Open(path))(t)
		if diff := tracertest.Diff(file, g); diff != "" || !g.Ended() {
			t.Fatalf("the copy differs from the file:\n%s", diff)
		}
		must.Do(t, file.Close())
		var alone bytes.Buffer
		at := 0
		again := store.New(&alone)
		again.SetMeta(tracer.Meta{Program: "p"})
		id := again.Dict().Add(tracer.Code{Type: tracer.Name, Name: "n"})
		again.Dict().AddContext(tracer.Context{Code: id})
		var ss []*tracer.Stream
		for range streams {
			ss = append(ss, again.Stream(tracer.StreamInfo{Name: "s", Offset: 2}))
		}
		for _, to := range steps {
			for _, e := range es[at:to] {
				*ss[at%streams].Slot() = e
			}
			at = to
		}
		must.Do(t, again.Close())
		data := must.Get(os.ReadFile(path))(t)
		if !bytes.Equal(data, alone.Bytes()) {
			t.Fatal("the file differs from a file written without a copy")
		}
	}
}

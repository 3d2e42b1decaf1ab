package kaleidoscope

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/backend/raster"
	"whorl/visual/flow"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/view"
)

// depthFirst returns a trace of about n reductions with up to three children each, run depth-first on four PEs. The nodes of a subtree are
// divided among the children at random.
func depthFirst(n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "divide", PEs: 4})
	var clause [4]uint32
	for k := range clause {
		p := m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: fmt.Sprintf("p%d/1", k%2)})
		clause[k] = m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: fmt.Sprint("c", k), Parent: p, Children: int32(k)})
	}
	s := m.Stream(tracer.StreamInfo{})
	r := rand.New(rand.NewPCG(7, 7))
	type goal struct {
		task, ref uint64
		below     int
		pe        int32
	}
	todo := []goal{{task: 1, below: n}}
	next := uint64(2)
	for now := int64(0); len(todo) > 0; now += 100 {
		g := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		children := 0
		for rest := g.below; rest > 0 && children < 3; children++ {
			part := rest
			if children < 2 {
				part = 1 + r.IntN(rest)
			}
			rest -= part
			pe := g.pe
			if r.IntN(20) == 0 {
				pe = int32(r.IntN(4))
			}
			todo = append(todo, goal{next, g.task, part - 1, pe})
			next++
		}
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: now, Value: 90, Task: g.task, Ref: g.ref, PE: g.pe, Peer: g.pe, Code: clause[children]}
	}
	_ = m.Close()
	return m
}

// TestCondensedPicture compares the picture of a tree condensed while it was read with that of the whole tree.
func TestCondensedPicture(t *testing.T) {
	testenv.Sequential(t)
	src := depthFirst(150_000)
	picture := func(k *view.Kind, params map[string]string) (*image.RGBA, string) {
		l, err := drawtest.Render(context.Background(), k, src, params, 640, 480, glyphs)
		if err != nil {
			t.Fatal(err)
		}
		return raster.New(glyphs).Picture(l, 1), texts(l)
	}
	for _, params := range []map[string]string{
		{}, {"color": byProcedure}, {"color": byTime}, {"color": byPETime}, {"distance": "8"}, {"root": "2"},
	} {
		want, wholly := picture(Kind(), params)
		got, said := picture(Kind().Condensation.Kind(40_000*spawntree.NodeBytes), params)
		differ, all := 0, 0
		for i := range want.Pix[:640*480*4] {
			x := i / 4 % 640
			if x >= 460 { // the legend
				continue
			}
			all++
			if d := int(want.Pix[i]) - int(got.Pix[i]); d > 48 || d < -48 {
				differ++
			}
		}
		if differ > all*3/100 {
			t.Errorf("%v: %d of %d values differ", params, differ, all)
		}
		if !strings.Contains(strings.ReplaceAll(said, "\n", " "), "was condensed to ") {
			t.Errorf("%v: the legend says %q", params, said)
		}
		// The legends are equal up to the notes on condensing.
		if before, _, _ := strings.Cut(wholly, "Condensed\n"); !strings.HasPrefix(said, before) {
			t.Errorf("%v: the legend says\n%s, that of the whole tree\n%s", params, said, wholly)
		}
	}
	var lack *spawntree.MemoryError
	if _, err := drawtest.Render(context.Background(), Kind().Condensation.Kind(4_000*spawntree.NodeBytes), src, nil, 640, 480, glyphs); !errors.As(err, &lack) {
		t.Errorf("with room for 4,000 nodes: %v", err)
	}
	if _, err := drawtest.Render(context.Background(), Kind().Condensation.Kind(1<<20), src, map[string]string{"root": "999999999"}, 640, 480, glyphs); err == nil ||
		!strings.Contains(err.Error(), "the tree has no task 999999999") {
		t.Errorf("an unknown root: %v", err)
	}
}

// counting is a trace that counts how often it is read.
type counting struct {
	*tracer.Memory
	scans int
}

func (c *counting) Scan(want tracer.KindSet, fn func([]tracer.Event) error) error {
	if want.Contains(tracer.Reduce) {
		c.scans++
	}
	return c.Memory.Scan(want, fn)
}

// TestCondensedPasses checks that a tree is read once if all of its levels have circles, and twice if some have not.
func TestCondensedPasses(t *testing.T) {
	src := depthFirst(30_000)
	for _, c := range []struct {
		distance string
		scans    int
	}{{"1", 1}, {"40", 2}} {
		trace := &counting{Memory: src}
		if _, err := drawtest.Render(t.Context(), Kind().Condensation.Kind(64<<20), trace, map[string]string{"distance": c.distance}, 640, 480, glyphs); err != nil {
			t.Fatal(err)
		}
		if trace.scans != c.scans {
			t.Errorf("with %s pixels between circles the trace is read %d times, want %d", c.distance, trace.scans, c.scans)
		}
	}
}

// TestFirst checks that the picture of the beginning of a long trace reads no more than that and says so, and that it has the nodes of the beginning.
func TestFirst(t *testing.T) {
	const events = 20_000
	trace := &counting{Memory: depthFirst(150_000)}
	k := Kind().Condensation.Kind(64 << 20)
	if k.First.Events != firstEvents {
		t.Errorf("the first picture reads %d events", k.First.Events)
	}
	k.Picture = Kind().Picture.With(flow.Instead(view.SpawnTree, condensedTree(64<<20, events)))
	l, err := drawtest.Render(t.Context(), k, trace, nil, 640, 480, glyphs)
	if err != nil {
		t.Fatal(err)
	}
	said := texts(l)
	if !strings.Contains(said, "The beginning of the run") || !strings.Contains(said, "20,000") || trace.scans != 1 {
		t.Errorf("after %d scans the legend says\n%s", trace.scans, said)
	}
}

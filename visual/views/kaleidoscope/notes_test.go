package kaleidoscope

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestNotesDoNotOverlap annotates random nodes and checks every pair of boxes, lines and marks.
func TestNotesDoNotOverlap(t *testing.T) {
	src := bushy(2000, 5, false)
	g, f := shown(t, src, 700)
	whole := f.Camera
	placed, given := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		side := float64(rapid.IntRange(150, 1000).Draw(t, "side"))
		f.Area = scene.Rect{X1: side, Y1: side}
		f.Clip = f.Area
		f.Camera = view.Fit(g.Bounds(), f.Area, 10)
		f.Camera.Scale *= rapid.Float64Range(1, 20).Draw(t, "zoom")
		text := rapid.StringMatching(`[a-z]{1,10}( [a-z]{1,10}){0,20}`)
		f.State = &view.State{}
		for _, task := range rapid.SliceOfNDistinct(rapid.Uint64Range(1, uint64(g.tree.Len())), 0, 25, rapid.ID).Draw(t, "tasks") {
			f.State.Shared.Annotations = append(f.State.Shared.Annotations, view.Annotation{Trace: "t", Task: task, Text: text.Draw(t, "text")})
		}
		notes := g.placed(f)
		for i := range notes {
			n := &notes[i]
			given++
			if !n.set {
				continue
			}
			placed++
			if !f.Area.Contains(n.box.X0, n.box.Y0) || !f.Area.Contains(n.box.X1, n.box.Y1) {
				t.Fatalf("the box %v leaves the frame", n.box)
			}
			x, y := n.end()
			for k := range notes {
				o := &notes[k]
				if k != i && n.box.Contains(o.x, o.y) {
					t.Fatalf("the box %v covers the node at %g,%g", n.box, o.x, o.y)
				}
				if k >= i || !o.set {
					continue
				}
				ox, oy := o.end()
				if n.box.Meets(o.box) || cross(n.x, n.y, x, y, o.x, o.y, ox, oy) || cuts(o.box, n.x, n.y, x, y) || cuts(n.box, o.x, o.y, ox, oy) {
					t.Fatalf("%+v and %+v are in each other's way", n, o)
				}
			}
		}
		out := scene.New(float32(side), float32(side))
		g.Overlay(f, out)
		if wrong := viewtest.Texts(out, glyphs); wrong != nil {
			t.Fatal(strings.Join(wrong, "\n"))
		}
	})
	f.Camera = whole
	if placed < given/2 {
		t.Errorf("only %d of %d annotations have a place", placed, given)
	}
}

func TestAnnotationsAreExported(t *testing.T) {
	o := open(t, quickSortTrace())
	shot := page.Shot{Trace: "t", Shared: view.Shared{Annotations: []view.Annotation{{Trace: "t", Task: 12, Text: "slow"}, {Trace: "another", Task: 5, Text: "not here"}}}}
	with, err := page.Shoot(context.Background(), o, 640, 480, shot)
	if err != nil {
		t.Fatal(err)
	}
	without, err := page.Shoot(context.Background(), o, 640, 480, page.Shot{})
	if err != nil {
		t.Fatal(err)
	}
	if s := texts(with.List); !strings.Contains(s, "slow\n") || strings.Contains(s, "not here") || strings.Contains(texts(without.List), "slow") {
		t.Errorf("texts of the picture: %q", s)
	}
	// A picture with the camera of a pane shows the same part.
	area := scene.Rect{X1: 300, Y1: 300}
	shot.Camera, shot.Area = view.Camera{X: 1, Y: 0.5, Scale: 400}, area
	near, err := page.Shoot(context.Background(), o, 640, 480, shot)
	if err != nil || viewtest.Diff(near.List, with.List) == "" {
		t.Errorf("the camera changed nothing, %v", err)
	}
	// The tip of an annotated node shows its text, even if the box has no room.
	g, f := shown(t, quickSortTrace(), 500)
	f.State = &view.State{Shared: shot.Shared}
	x, y := pixelOf(f, 12)
	if tip, _ := g.Tip(f, x, y); tip.Lines[len(tip.Lines)-1] != "“slow”" {
		t.Errorf("%q", tip.Lines)
	}
}

func TestTrailHasRoomAndLeadsBack(t *testing.T) {
	g, f := shown(t, quickSortTrace(), 500, "root", "12")
	f.State = &view.State{}
	f.Trail = []view.Place{{}, {Root: 2}, {Root: 5}}
	out := scene.New(500, 500)
	g.Overlay(f, out)
	if got, want := texts(out), "whole tree\nqsort/3 · 2\nqsort/3 · 5\nqsort/3 · 12\n"; got != want {
		t.Errorf("the trail is %q, want %q", got, want)
	}
	for i, box := range g.trail(f).Boxes() {
		x, y := (box.X0+box.X1)/2, (box.Y0+box.Y1)/2
		got := g.Input(f, view.Input{Kind: view.Click, X: x, Y: y, Pane: 3})
		leaves := len(got) == 1 && got[0].Do == view.LeaveTo && got[0].Index == i && got[0].Pane == 3
		if leaves != (i < 3) {
			t.Errorf("a click on entry %d: %+v", i, got)
		}
	}
	for side := 60.0; side < 500; side += 20 {
		f.Area = scene.Rect{X1: side, Y1: side}
		f.Clip = f.Area
		out := scene.New(float32(side), float32(side))
		g.Overlay(f, out)
		if wrong := viewtest.Texts(out, glyphs); wrong != nil {
			t.Fatalf("%g pixels: %s", side, strings.Join(wrong, "\n"))
		}
	}
	g, f = shown(t, quickSortTrace(), 500)
	if n := len(g.trail(f).Boxes()); n != 0 {
		t.Errorf("the whole tree has a trail of %d", n)
	}
}

// TestNotesHideLittle annotates a spiral with free room inside and around it, and checks that no box hides any of it.
func TestNotesHideLittle(t *testing.T) {
	g, f := shown(t, snail(20, 5, true), 900)
	f.State = &view.State{}
	for _, task := range []uint64{1, 40, 120, 200} {
		f.State.Shared.Annotations = append(f.State.Shared.Annotations, view.Annotation{Trace: "t", Task: task, Text: "here"})
	}
	b := newBrush(f, g)
	b.collect()
	ground := newGround(b, f)
	notes := g.placed(f)
	if len(notes) != 4 || len(g.Unplaced(f)) != 0 {
		t.Fatalf("%d of 4 notes are placed", len(notes))
	}
	for _, n := range notes {
		if h := ground.hidden(n.box); !n.set || h != 0 {
			t.Errorf("the note at task %d hides %g cells", n.task, h)
		}
		if ground.hidden(scene.Rect{X0: n.x, Y0: n.y, X1: n.x, Y1: n.y}) != 1 {
			t.Errorf("no cell is covered at task %d", n.task)
		}
	}
	f.State.Shared.Annotations = append(f.State.Shared.Annotations, view.Annotation{Trace: "t", Task: 1 << 40, Text: "nowhere"})
	if got := g.Unplaced(f); len(got) != 1 || got[0].Task != 1<<40 {
		t.Errorf("unplaced are %+v", got)
	}
}

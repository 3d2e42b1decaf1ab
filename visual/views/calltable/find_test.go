package calltable

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestFind checks that matches are marked, that closed rows count the matches below, and that n opens the path to a match.
func TestFind(t *testing.T) {
	k := Tree()
	params := map[string]string{"find": "^alloc$", "open": "101"}
	g, f := shown(t, k, viewtest.Called(), 700, 400, "find", "^alloc$", "open", "101")
	if r := g.rows[1]; r.inside != 3 || r.marked {
		t.Errorf("%+v", r)
	}
	for i, want := range []string{"main › setup › alloc", "main › sweep › alloc", "main › output › alloc", "main › setup › alloc", "main › output › alloc", "main › sweep › alloc"} {
		key := "n"
		if i >= 4 {
			key = "N"
		}
		g, f = apply(t, k, g, f, params, view.Input{Kind: view.Press, Key: key})
		now := layout(f, g).now()
		if now < 0 || g.Path(g.rows[now].node) != want || !g.rows[now].marked {
			t.Fatalf("%d: row %d of %q, want %s", i, now, g.names(), want)
		}
	}
	params = map[string]string{"open": "101"}
	g, f = shown(t, k, viewtest.Called(), 700, 400, "open", "101")
	f.State.Shared.Selection = view.Selection{Trace: "t", Codes: []uint32{viewtest.CalledKernel, viewtest.CalledMain}}
	if g, _ = apply(t, k, g, f, params, view.Input{Kind: view.Press, Key: "o"}); strings.Join(g.names(), " ") != "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ...kernel ...alloc ..setup" {
		t.Errorf("o opens %q", g.names())
	}
	flat, f := shown(t, Functions(), viewtest.Called(), 700, 400, "find", "^(alloc|main)$")
	params = map[string]string{"find": "^(alloc|main)$"}
	for _, c := range [][2]string{{"n", "alloc"}, {"n", "main"}, {"n", "alloc"}, {"N", "main"}, {"N", "alloc"}} {
		flat, f = apply(t, Functions(), flat, f, params, view.Input{Kind: view.Press, Key: c[0]})
		if now := layout(f, flat).now(); now < 0 || flat.names()[now] != c[1] {
			t.Fatalf("row %d, want %s", now, c[1])
		}
	}
}

// TestSelections checks the rows of selections of other views, and the closed rows above them.
func TestSelections(t *testing.T) {
	for _, c := range []struct {
		name             string
		s                view.Selection
		tree, flat, shut string
	}{
		{"a function", view.Selection{Codes: []uint32{viewtest.CalledAlloc}}, "...alloc ...alloc ...alloc", "alloc", "^.main"},
		{"two", view.Selection{Codes: []uint32{viewtest.CalledMain, viewtest.CalledBcast}}, ".main ...bcast", "bcast main", ".main ^.main"},
		{"a line", view.Selection{Lines: []view.Lines{{File: "called.f90", First: 6}}}, "..setup", "setup", "^.main"},
		{"a PE", view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, "", "", ""},
		{"another trace", view.Selection{Trace: "u", Codes: []uint32{viewtest.CalledMain}}, "", "", ""},
	} {
		if c.s.Trace == "" {
			c.s.Trace = "t"
		}
		for i, want := range []string{c.tree, c.flat, c.shut} {
			k, params := Tree(), []string{"open", "0"}
			if i == 1 {
				k, params = Functions(), nil
			} else if i == 2 {
				params = []string{"open", "101"}
			}
			g, f := shown(t, k, viewtest.Called(), 900, 600, params...)
			s := layout(f, g)
			l := s.lit(c.s)
			var got []string
			for _, i := range l.rows {
				got = append(got, g.names()[i])
			}
			for _, i := range l.above {
				got = append(got, "^"+g.names()[i])
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s lights %q, want %q", c.name, got, want)
			}
			places := g.Locate(f, c.s)
			seen := map[int]bool{}
			for _, r := range places {
				i, ok := s.RowAt(r.X0+3, (r.Y0+r.Y1)/2)
				seen[i] = ok
			}
			for _, i := range append(slices.Clone(l.rows), l.above...) {
				if !seen[i] {
					t.Errorf("%s: row %d is not among %v", c.name, i, places)
				}
			}
		}
	}
}

// TestWayDown opens the path to the end of a chain, from the program as far as exceptions are remembered. A chain of 100,000 contexts would
// take minutes if each of them were compared with all others.
func TestWayDown(t *testing.T) {
	for _, deep := range []int{600, 100_000} {
		g, _ := shown(t, Tree(), viewtest.Tangle(-deep, 1, 1), 600, 400, "open", "101")
		g.opening.list = "-" + strconv.FormatUint(g.ID(5), 10)
		a, ok := g.way(1, int32(deep), int32(deep-1))
		closed := deep - 2 // the program is open, and the last context has no callees
		list := strings.Split(a.Value, ",")
		if !ok || len(list) != min(closed+1, mostOpened) {
			t.Fatalf("%d deep: %d are opened", deep, len(list))
		}
		for i, s := range list {
			if v := int32(len(list) - i); s != "+"+strconv.FormatUint(g.ID(v), 10) {
				t.Fatalf("%d deep: the %dth is %s, not the sign of %d", deep, i, s, v)
			}
		}
	}
}

package halo

import (
	"strconv"
	"strings"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestChain checks that a chain of 10,000 contexts is one glyph with their number, and that Locate returns it for each of them.
func TestChain(t *testing.T) {
	const deep = 10_000
	g, f := shownOf(t, viewtest.Tangle(-deep, 4, 1), 900, 700, "least", "0")
	if len(g.nodes) != 3 || len(g.rows) != 3 || g.chain[1] != deep-1 || g.last[1] != deep-1 || g.nodes[2] != deep {
		t.Fatalf("%d nodes on %d levels, %d in the chain", len(g.nodes), len(g.rows), g.chain)
	}
	if want := g.Name(1) + " +9,998"; g.label(1) != want || g.label(2) != g.Name(deep) {
		t.Errorf("labels %q and %q, want %q", g.label(1), g.label(2), want)
	}
	text := strings.Join(g.describe(1), "\n")
	if !strings.Contains(text, "9,999 contexts in a chain, down to "+g.Name(deep-1)) || strings.Contains(text, "not drawn") {
		t.Error(text)
	}
	f.State.Shared.Selection = g.Select("t", 5000)
	if places := g.Locate(f, f.State.Shared.Selection); len(places) != 1 || places[0] != newSheet(f, g).rect(1) {
		t.Errorf("a context of the chain is located at %v", places)
	}
	out := scene.New(1000, 800)
	view.Draw(g, f, out)
	g.Overlay(f, out)
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpText {
			if _, _, text, _ := o.Text(); strings.HasSuffix(string(text), "+9,998") {
				return
			}
		}
	}
	t.Error("the picture lacks the number of contexts")
}

// TestChains checks that chains are folded as far as the parameter says or the number of levels needs, that each node has a place, and that
// only nodes with one callee are inside a chain.
func TestChains(t *testing.T) {
	for seed := range uint64(4) {
		src := viewtest.Tangle(400, 3, seed)
		plain, _ := shownOf(t, src, 900, 700, "least", "0", "chains", "1000000")
		children := make([]int, plain.Nodes())
		for v := 1; v < plain.Nodes(); v++ {
			children[plain.Parent[v]]++
		}
		for _, most := range []int{0, 1, 2, 4} {
			g, _ := shownOf(t, src, 900, 700, "least", "0", "chains", strconv.Itoa(most))
			if most == 0 && len(plain.rows) <= mostLevels && len(g.nodes) != len(plain.nodes) {
				t.Errorf("seed %d: a tree of %d levels is folded", seed, len(plain.rows))
			}
			stands := make([]int32, len(g.nodes))
			for v, k := range g.place {
				stands[k]++
				inside := g.nodes[k] != int32(v)
				if inside && children[v] != 1 {
					t.Fatalf("seed %d, %d: a context that calls %d others is in a chain", seed, most, children[v])
				}
				if inside && most > 0 && g.chain[k] <= int32(most) {
					t.Fatalf("seed %d: a chain of %d is folded, chains is %d", seed, g.chain[k], most)
				}
			}
			for k, n := range g.chain {
				if n != stands[k] || n > 1 && g.place[g.last[k]] != int32(k) {
					t.Fatalf("seed %d, %d: node %d stands for %d contexts, chain is %d", seed, most, k, stands[k], n)
				}
				if k > 0 && g.parent[k] != g.place[g.Parent[g.nodes[k]]] {
					t.Fatalf("seed %d, %d: node %d has the parent %d", seed, most, k, g.parent[k])
				}
			}
		}
	}
	g, _ := shownOf(t, viewtest.Tangle(-60, 2, 1), 900, 700, "least", "0", "chains", "60")
	h, _ := shownOf(t, viewtest.Tangle(-60, 2, 1), 900, 700, "least", "0", "chains", "58")
	if len(g.nodes) != 61 || len(h.nodes) != 3 {
		t.Errorf("%d and %d nodes", len(g.nodes), len(h.nodes))
	}
	if note := h.Legend(&view.Frame{}); !strings.Contains(strings.Join(note.Blocks[len(note.Blocks)-2].Notes, " "), "A stack is a chain of contexts") {
		t.Errorf("%+v", note.Blocks)
	}
}

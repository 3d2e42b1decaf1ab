package radial

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/packed"
	"whorl/testdata/must"
)

// plant parses a tree of names: "a(b c(d))" is a with the children b and c, and d below c.
func plant(src string) (Tree, []string) {
	var (
		levels []int32
		names  []string
		level  int32
	)
	src = strings.NewReplacer("(", " ( ", ")", " ) ").Replace(src)
	for _, f := range strings.Fields(src) {
		switch f {
		case "(":
			level++
		case ")":
			level--
		default:
			names = append(names, f)
			levels = append(levels, level)
		}
	}
	return fromLevels(levels), names
}

// fromLevels makes the tree with the given levels in preorder.
func fromLevels(levels []int32) Tree {
	n := len(levels)
	t := Tree{Parent: make([]int32, n), Size: make([]int32, n), Level: packed.Pack(levels...)}
	var path []int32
	for i, l := range levels {
		path = append(path[:l], int32(i))
		t.Parent[i] = -1
		if l > 0 {
			t.Parent[i] = path[l-1]
		}
	}
	for i := n - 1; i >= 0; i-- {
		t.Size[i]++
		if p := t.Parent[i]; p >= 0 {
			t.Size[p] += t.Size[i]
		}
	}
	return t
}

// trees draws trees of up to most nodes with one or several roots.
func trees(most int) *rapid.Generator[Tree] {
	return rapid.Custom(func(t *rapid.T) Tree {
		n := rapid.IntRange(1, most).Draw(t, "nodes")
		forest := rapid.Bool().Draw(t, "forest")
		deep := rapid.IntRange(0, 3).Draw(t, "deep")
		levels := make([]int32, n)
		for i := 1; i < n; i++ {
			low := int32(1)
			if forest {
				low = 0
			}
			high := levels[i-1] + 1
			low = max(low, min(high-int32(deep), high))
			levels[i] = rapid.Int32Range(low, high).Draw(t, "level")
		}
		return fromLevels(levels)
	})
}

// chain, star and arm are extreme trees.
func chain(n int) Tree {
	levels := make([]int32, n)
	for i := range levels {
		levels[i] = int32(i)
	}
	return fromLevels(levels)
}

func star(n int) Tree {
	levels := make([]int32, n)
	for i := 1; i < n; i++ {
		levels[i] = 1
	}
	return fromLevels(levels)
}

// arm is a root with 100 leaves on each side of a chain of n nodes.
func arm(n int) Tree {
	levels := make([]int32, 0, n+201)
	levels = append(levels, 0)
	leaves := func() {
		for range 100 {
			levels = append(levels, 1)
		}
	}
	leaves()
	for l := range n {
		levels = append(levels, int32(l+1))
	}
	leaves()
	return fromLevels(levels)
}

// bushy is a tree of n nodes whose inner nodes have 2 or 3 children of about the same size.
func bushy(n int) Tree {
	levels := make([]int32, n)
	state := uint64(1)
	type part struct{ lo, hi, level int }
	todo := []part{{0, n, 0}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		levels[p.lo] = int32(p.level)
		state = state*6364136223846793005 + 1442695040888963407
		k := min(2+int(state>>63), p.hi-p.lo-1)
		at := p.lo + 1
		for j := range k {
			m := (p.hi - at) / (k - j)
			todo = append(todo, part{at, at + m, p.level + 1})
			at += m
		}
	}
	return fromLevels(levels)
}

func TestCheck(t *testing.T) {
	good, _ := plant("a(b c(d e) f) g(h)")
	must.Do(t, good.Check())
	if h, c := good.Height(), good.Center(); h != 2 || c != 1 {
		t.Errorf("height %d, center %d; want 2 and 1", h, c)
	}
	for _, c := range []struct {
		name  string
		spoil func(*Tree)
	}{
		{"length", func(t *Tree) { t.Size = t.Size[1:] }},
		{"level", func(t *Tree) { t.Level.Set(3, 1) }},
		{"size beyond", func(t *Tree) { t.Size[2] = 5 }},
		{"size zero", func(t *Tree) { t.Size[1] = 0 }},
		{"size short", func(t *Tree) { t.Size[0] = 5 }},
		{"size past", func(t *Tree) { t.Size[6] = 1 << 30 }},
		{"parent later", func(t *Tree) { t.Parent[1] = 6 }},
		{"parent wrong", func(t *Tree) { t.Parent[3] = 1 }},
		{"parent none", func(t *Tree) { t.Parent[1] = -1 }},
		{"root parent", func(t *Tree) { t.Parent[6] = 0 }},
		{"parent huge", func(t *Tree) { t.Parent[4] = 1 << 30 }},
	} {
		bad, _ := plant("a(b c(d e) f) g(h)")
		c.spoil(&bad)
		if bad.Check() == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		must.Do(t, trees(60).Draw(t, "tree").Check())
	})
}

func TestCheckNeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "n")
		draw := func(name string) []int32 {
			return rapid.SliceOfN(rapid.Int32Range(-2, 7), n, n).Draw(t, name)
		}
		tree := Tree{Parent: draw("parent"), Size: draw("size"), Level: packed.Pack(draw("level")...)}
		if tree.Check() != nil {
			return
		}
		if want := fromLevels(tree.Level.Numbers()); fmt.Sprint(want) != fmt.Sprint(tree) {
			t.Fatalf("Check accepts %v, but its levels give %v", tree, want)
		}
	})
}

func TestEmpty(t *testing.T) {
	l := New(Tree{})
	for range l.Items(View{Distance: 4, X1: 10, Y1: 10, Cut: 1}) {
		t.Error("an empty tree has items")
	}
	if n, _ := l.Nearest(Connect(Tree{}), View{Distance: 4}, 0, 0, math.Inf(1), nil); n != -1 {
		t.Errorf("an empty tree has the nearest node %d", n)
	}
	if c := Condense(Tree{}, Fit(850, 4, Tree{}.Height(), 0)); c.Len() != 0 {
		t.Error("an empty tree has nodes on a level")
	}
}

package spawntree

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
)

// clauses adds the clauses of the quick sort program with the numbers of their body goals, and returns their codes by name.
func clauses(d *tracer.Dict) map[string]uint32 {
	ids := map[string]uint32{}
	for _, c := range []struct {
		name     string
		children int32
	}{{"query", 1}, {"qsort0", 0}, {"qsort", 3}, {"part0", 0}, {"part", 1}} {
		ids[c.name] = d.Add(tracer.Code{Type: tracer.Clause, Name: c.name, Children: c.children})
	}
	return ids
}

// quickSort is the run of Figure 8, in the order of its trace: node, parent, PE, clause. PE 0 runs the query A, qsort/3 B and the first part
// chain from C on. PE 2 runs E, qsort of [4,5,3], and its part chain from J on. PE 3 runs D, qsort of [1], and its children. PE 1 runs K, a child
// of E.
var quickSort = []struct {
	name, parent string
	pe           int32
	clause       string
}{
	{"A", "", 0, "query"},
	{"B", "A", 0, "qsort"},
	{"C", "B", 0, "part"},
	{"C1", "C", 0, "part"},
	{"D", "B", 3, "qsort"},
	{"C2", "C1", 0, "part"},
	{"E", "B", 2, "qsort"},
	{"D1", "D", 3, "part0"},
	{"C3", "C2", 0, "part"},
	{"J", "E", 2, "part"},
	{"D2", "D", 3, "qsort0"},
	{"C4", "C3", 0, "part0"},
	{"K", "E", 1, "qsort"},
	{"D3", "D", 3, "qsort0"},
	{"J1", "J", 2, "part"},
	{"J2", "J1", 2, "part0"},
	{"K1", "K", 1, "part0"},
	{"L", "E", 2, "qsort"},
	{"K2", "K", 1, "qsort0"},
	{"L1", "L", 2, "part0"},
	{"K3", "K", 1, "qsort0"},
	{"L2", "L", 2, "qsort0"},
	{"L3", "L", 2, "qsort0"},
}

// body lists the children of each node of quickSort in the order of its clause's body.
var body = map[string]string{
	"": "A", "A": "B", "B": "C D E", "C": "C1", "C1": "C2", "C2": "C3", "C3": "C4", "D": "D1 D2 D3", "E": "J K L", "J": "J1", "J1": "J2",
	"K": "K1 K2 K3", "L": "L1 L2 L3",
}

// quickSortTrace returns the first n records as a trace, and the tasks by name. A commit gives consecutive tasks to its body goals.
func quickSortTrace(n int) (*tracer.Memory, map[string]uint64) {
	m := tracer.NewMemory()
	ids := clauses(m.Dict())
	s := m.Stream(tracer.StreamInfo{Name: "sim"})
	task := map[string]uint64{"A": 1}
	pe := map[string]int32{"": tracer.None}
	next := uint64(2)
	for i, r := range quickSort[:n] {
		for _, c := range strings.Fields(body[r.name]) {
			task[c] = next
			next++
		}
		pe[r.name] = r.pe
		*s.Slot() = tracer.Event{
			Kind: tracer.Reduce, Time: int64(i) * 1_000_000, Value: 500, Task: task[r.name], Ref: task[r.parent], PE: r.pe,
			Peer: pe[r.parent], Code: ids[r.clause],
		}
	}
	if err := m.Close(); err != nil {
		panic(err)
	}
	return m, task
}

// text formats a tree as names in preorder, children in parentheses.
func text(t *Tree, name func(task uint64) string) string {
	var b strings.Builder
	var ends []int
	for i := range t.Len() {
		for len(ends) > 0 && ends[len(ends)-1] == i {
			b.WriteByte(')')
			ends = ends[:len(ends)-1]
		}
		if i > 0 && t.Parent[i] != int32(i-1) {
			b.WriteByte(' ')
		}
		b.WriteString(name(t.Task.At(i)))
		if t.Size[i] > 1 {
			b.WriteByte('(')
			ends = append(ends, i+int(t.Size[i]))
		}
	}
	return b.String() + strings.Repeat(")", len(ends))
}

func nameOf(tasks map[string]uint64) func(uint64) string {
	return func(task uint64) string {
		for n, t := range tasks {
			if t == task {
				return n
			}
		}
		return fmt.Sprint(task)
	}
}

// same returns an error that names the fields in which two trees differ.
func same(a, b *Tree) error {
	for _, c := range []struct {
		name  string
		equal bool
	}{
		{"tasks", slices.Equal(a.Task.Numbers(), b.Task.Numbers())},
		{"parents", slices.Equal(a.Parent, b.Parent)},
		{"sizes", slices.Equal(a.Size, b.Size)},
		{"levels", slices.Equal(a.Level.Numbers(), b.Level.Numbers())},
		{"times", slices.Equal(a.Time.Numbers(), b.Time.Numbers())},
		{"costs", slices.Equal(a.Cost.Numbers(), b.Cost.Numbers())},
		{"pes", slices.Equal(a.PE.Numbers(), b.PE.Numbers())},
		{"from", slices.Equal(a.From.Numbers(), b.From.Numbers())},
		{"codes", slices.Equal(a.Code.Numbers(), b.Code.Numbers())},
		{"height", a.Height == b.Height},
		{"orphans", a.Orphans == b.Orphans},
		{"ignored", a.Ignored == b.Ignored},
	} {
		if !c.equal {
			return fmt.Errorf("%s differ:\n%+v\n%+v", c.name, a, b)
		}
	}
	return nil
}

// sameTally returns an error if a tally differs from that of the nodes of a tree.
func sameTally(tree *Tree, got *Tally) error {
	if want := tree.Tally(); !reflect.DeepEqual(got, want) {
		return fmt.Errorf("tally %+v, want %+v", got, want)
	}
	return nil
}

// A plan is the random tree of a program and a trace of a run of it.
type plan struct {
	trace  *tracer.Memory
	parent []int // by node, in preorder
	task   []uint64
}

// plans draws runs of up to most goals with any schedule: any goal whose parent was reduced may be next. The parent's reduction numbers the tasks
// in body order, with gaps for goals that never reduce, and in blocks for each PE if live is set. If exact is set, every goal reduces, so that the
// clauses' counts are exact.
func plans(most int, live, exact bool) *rapid.Generator[plan] {
	return rapid.Custom(func(t *rapid.T) plan {
		n := rapid.IntRange(1, most).Draw(t, "nodes")
		p := plan{trace: tracer.NewMemory(), parent: make([]int, n), task: make([]uint64, n)}
		children := make([][]int, n)
		p.parent[0] = -1
		for i := 1; i < n; i++ { // a parent on the path to the previous node
			up := i - 1
			for range rapid.IntRange(0, 4).Draw(t, "up") {
				if p.parent[up] >= 0 {
					up = p.parent[up]
				}
			}
			p.parent[i] = up
			children[up] = append(children[up], i)
		}
		next := make([]uint64, 4)
		for pe := range next {
			next[pe] = 1
			if live {
				next[pe] = uint64(rapid.IntRange(0, 3).Draw(t, "block")<<10) + uint64(1+pe*256)
			}
		}
		give := func(i, pe int) {
			if !live {
				pe = 0
			}
			if !exact && rapid.IntRange(0, 4).Draw(t, "stuck") == 0 {
				next[pe]++
			}
			p.task[i] = next[pe]
			next[pe]++
		}
		stream := p.trace.Stream(tracer.StreamInfo{})
		ready, pes := []int{0}, make([]int32, n)
		give(0, 0)
		for at := int64(0); len(ready) > 0; at++ {
			k := rapid.IntRange(0, len(ready)-1).Draw(t, "next")
			i := ready[k]
			ready = slices.Delete(ready, k, k+1)
			e := tracer.Event{Kind: tracer.Reduce, Time: at, Value: at % 7, Task: p.task[i], Peer: tracer.None}
			pes[i] = int32(rapid.IntRange(0, 3).Draw(t, "pe"))
			e.PE = pes[i]
			if u := p.parent[i]; u >= 0 {
				e.Ref, e.Peer = p.task[u], pes[u]
			}
			for _, c := range children[i] {
				give(c, int(e.PE))
				ready = append(ready, c)
			}
			e.Code = p.trace.Dict().Add(tracer.Code{Type: tracer.Clause, Name: fmt.Sprint("c", len(children[i])), Children: int32(len(children[i]))})
			*stream.Slot() = e
		}
		must.Do(t, p.trace.Close())
		return p
	})
}

func build(t rapid.TB, src tracer.Source) *Tree {
	return must.Get(Grow(src, nil, nil))(t)
}

// measure makes a first pass that asks for no tree.
func measure(p Pass, src tracer.Source) (Shape, error) {
	shape, tree, err := p.Measure(src, -1)
	if tree != nil {
		return shape, errors.New("a pass without levels has made a tree")
	}
	return shape, err
}

// passes checks that a pass gives a tree with all levels, and returns the tree of the pass.
func passes(t rapid.TB, want *Tree, p Pass, src tracer.Source) *Tree {
	t.Helper()
	got := must.Get(p.Condense(src, want.Height, all))(t)
	must.Do(t, same(want, got))
	return got
}

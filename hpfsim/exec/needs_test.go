package exec

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"whorl/hpfsim/mapping"
	"whorl/testdata/must"
	"whorl/tracer"
)

const side = 24

// A spreading is the mapping of the arrays of a test.
type spreading struct {
	format  string
	formats []mapping.Format
	grid    *mapping.Grid
}

func (s spreading) lay(t *testing.T) *mapping.Array {
	lo, hi := make([]int, len(s.formats)), make([]int, len(s.formats))
	for d := range lo {
		lo[d], hi[d] = 1, side
	}
	template := must.Get(mapping.NewTemplate("t", lo, hi, s.formats, s.grid))(t)
	return mapping.Identity(template)
}

// A traffic is bytes by sender and receiver.
type traffic map[[2]int]int64

// wanted counts the needed traffic element by element: the owners of each target receive the operands that they do
// not own.
func wanted(home, source *mapping.Array, requests bool, each func(yield func(home, source []int))) traffic {
	type copied struct {
		index [2]int
		to    int
	}
	seen := map[copied]bool{}
	out := traffic{}
	each(func(h, s []int) {
		to, from := home.Owner(h), source.Owner(s)
		e := copied{to: to}
		copy(e.index[:], s)
		if seen[e] || to == from {
			return
		}
		seen[e] = true
		out[[2]int{from, to}] += 4
		if requests {
			out[[2]int{to, from}] += 8
		}
	})
	return out
}

func sent(t *testing.T, program string) traffic {
	t.Helper()
	mem := tracer.NewMemory()
	if _, _, err := run(t, "p.f90", program, "", 4, Options{Recorder: mem}); err != nil {
		t.Fatalf("%v\n%s", err, program)
	}
	must.Do(t, mem.Close())
	out := traffic{}
	must.Do(t, mem.Scan(tracer.Kinds(tracer.Send), func(events []tracer.Event) error {
		for _, e := range events {
			out[[2]int{int(e.PE), int(e.Peer)}] += e.Value
		}
		return nil
	}))
	return out
}

// TestNeeds checks that the messages carry exactly the elements that the owners of the left side read and do not have, each
// once.
func TestNeeds(t *testing.T) {
	line, square := &mapping.Grid{Name: "l", Shape: []int{4}}, &mapping.Grid{Name: "s", Shape: []int{2, 2}}
	block, cyclic, three, none := mapping.Format{Kind: mapping.Block}, mapping.Format{Kind: mapping.Cyclic}, mapping.Format{Kind: mapping.Cyclic, Size: 3}, mapping.Format{}
	vectors := []spreading{
		{"(BLOCK) ONTO l", []mapping.Format{block}, line}, {"(CYCLIC) ONTO l", []mapping.Format{cyclic}, line}, {"(CYCLIC(3)) ONTO l", []mapping.Format{three}, line},
	}
	matrices := []spreading{
		{"(BLOCK, *) ONTO l", []mapping.Format{block, none}, line},
		{"(*, CYCLIC) ONTO l", []mapping.Format{none, cyclic}, line},
		{"(BLOCK, CYCLIC) ONTO s", []mapping.Format{block, cyclic}, square},
		{"(CYCLIC(3), BLOCK) ONTO s", []mapping.Format{three, block}, square},
	}
	ix := func(i int) int { return (i*i)%side + 1 }
	type pair = func(home, source []int)
	for _, c := range []struct {
		rank, source int
		requests     bool
		stmt         string
		visit        func(pair)
	}{
		{1, 1, false, "v = w(24:1:-1)", func(f pair) {
			for i := 1; i <= side; i++ {
				f([]int{i}, []int{side + 1 - i})
			}
		}},
		{1, 1, false, "v(1:12) = w(2:24:2)", func(f pair) {
			for i := 1; i <= 12; i++ {
				f([]int{i}, []int{2 * i})
			}
		}},
		{1, 1, false, "do i = 1, 11\nv(2*i) = w(25-i)\nend do", func(f pair) {
			for i := 1; i <= 11; i++ {
				f([]int{2 * i}, []int{side + 1 - i})
			}
		}},
		{1, 1, false, "forall (i=3:20:4) v(i) = w(26-i)", func(f pair) {
			for i := 3; i <= 20; i += 4 {
				f([]int{i}, []int{26 - i})
			}
		}},
		{1, 1, true, "v = w(ix)", func(f pair) {
			for i := 1; i <= side; i++ {
				f([]int{i}, []int{ix(i)})
			}
		}},
		{1, 1, true, "do i = 1, 24\nv(i) = w(ix(i))\nend do", func(f pair) {
			for i := 1; i <= side; i++ {
				f([]int{i}, []int{ix(i)})
			}
		}},
		{1, 1, true, "forall (i=1:24) v(iy(i)) = w(i)", func(f pair) {
			for i := 1; i <= side; i++ {
				f([]int{i*5%side + 1}, []int{i})
			}
		}},
		{1, 1, false, "v = cshift(w, 5)", func(f pair) {
			for i := range side {
				f([]int{i + 1}, []int{(i+5)%side + 1})
			}
		}},
		{1, 1, false, "v = eoshift(w, -2)", func(f pair) {
			for i := 3; i <= side; i++ {
				f([]int{i}, []int{i - 2})
			}
		}},
		{2, 2, false, "c = transpose(d)", func(f pair) {
			for i := 1; i <= side; i++ {
				for j := 1; j <= side; j++ {
					f([]int{i, j}, []int{j, i})
				}
			}
		}},
		{2, 2, false, "do j = 1, 24\ndo i = 1, j\nc(i, j) = d(j, i)\nend do\nend do", func(f pair) {
			for j := 1; j <= side; j++ {
				for i := 1; i <= j; i++ {
					f([]int{i, j}, []int{j, i})
				}
			}
		}},
		{2, 2, false, "forall (i=1:12, j=1:12) c(i, j) = d(i+j, 2*j)", func(f pair) {
			for j := 1; j <= 12; j++ {
				for i := 1; i <= 12; i++ {
					f([]int{i, j}, []int{i + j, 2 * j})
				}
			}
		}},
		{2, 2, false, "c(2:9, 3:20:3) = d(10:3:-1, 8:3:-1)", func(f pair) {
			for k := range 8 {
				for m := range 6 {
					f([]int{2 + k, 3 + 3*m}, []int{10 - k, 8 - m})
				}
			}
		}},
		{2, 2, false, "c = cshift(d, -1, 2)", func(f pair) {
			for i := 1; i <= side; i++ {
				for j := range side {
					f([]int{i, j + 1}, []int{i, (j+side-1)%side + 1})
				}
			}
		}},
		{1, 2, false, "do i = 1, 24\nv(i) = d(i, 25-i)\nend do", func(f pair) {
			for i := 1; i <= side; i++ {
				f([]int{i}, []int{i, side + 1 - i})
			}
		}},
	} {
		homes, sources := vectors, vectors
		if c.rank == 2 {
			homes = matrices
		}
		if c.source == 2 {
			sources = matrices
		}
		moved := int64(0)
		for _, h := range homes {
			for _, s := range sources {
				program := "program p\nreal v(24), w(24), c(24, 24), d(24, 24)\ninteger ix(24), iy(24)\n!HPF$ PROCESSORS l(4), s(2, 2)\n" +
					fmt.Sprintf("!HPF$ DISTRIBUTE %s%s\n!HPF$ DISTRIBUTE %s%s\n", string("vc"[c.rank-1]), h.format, string("wd"[c.source-1]), s.format) +
					"integer i, j\ndo i = 1, 24\nix(i) = mod(i*i, 24) + 1\niy(i) = mod(i*5, 24) + 1\nend do\n" + c.stmt + "\nend\n"
				want := wanted(h.lay(t), s.lay(t), c.requests, c.visit)
				if got := sent(t, program); !maps.Equal(got, want) {
					t.Errorf("%s, from %s to %s:\n%v\nwant\n%v", c.stmt, s.format, h.format, sorted(got), sorted(want))
				}
				for _, n := range want {
					moved += n
				}
			}
		}
		if moved == 0 {
			t.Errorf("%s sends nothing for any mapping", c.stmt)
		}
	}
}

func sorted(x traffic) string {
	var b strings.Builder
	for _, k := range slices.SortedFunc(maps.Keys(x), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		fmt.Fprintf(&b, "%d>%d:%d ", k[0], k[1], x[k])
	}
	return b.String()
}

// TestInspectedOnce checks that indices are sent again only after they changed.
func TestInspectedOnce(t *testing.T) {
	const head = "program p\nreal v(24), w(24)\ninteger ix(24)\n!HPF$ DISTRIBUTE (BLOCK) :: v, w\ndo i = 1, 24\nix(i) = mod(i*5, 24) + 1\nend do\n"
	bytes := func(body string) (n int64) {
		for _, x := range sent(t, head+body+"end\n") {
			n += x
		}
		return n
	}
	once := bytes("v = w(ix)\n")
	again := bytes("do k = 1, 3\nv = w(ix)\nend do\n")
	changed := bytes("do k = 1, 3\nix(1) = k\nv = w(ix)\nend do\n")
	if once%12 != 0 || again != once+2*once/3 {
		t.Errorf("%d bytes for one time, %d for three times", once, again)
	}
	if changed < 2*once {
		t.Errorf("%d bytes for one time, %d for three times with changed indices", once, changed)
	}
}

// TestTakenOut checks that the messages of a parallel loop, including those of an inner sequential loop, are sent before it.
func TestTakenOut(t *testing.T) {
	const text = "program p\nreal a(24, 24)\n!HPF$ DISTRIBUTE a(*, BLOCK)\na = 1\n!HPF$ INDEPENDENT, NEW(i)\ndo j = 2, 23, 2\n" +
		"do i = 2 + mod(j, 2), 23\na(i, j) = a(i-1, j) + a(i, j-1)\nend do\nend do\nend\n"
	if got, want := sorted(sent(t, text)), "0>1:96 1>2:96 2>3:96 "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

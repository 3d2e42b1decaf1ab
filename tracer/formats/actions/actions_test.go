package actions

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/tracer/testdata/tracertest"
)

func recorded(t rapid.TB, b *Build) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	b.Record(m)
	must.Do(t, m.Close())
	return m
}

// TestParts records an action that runs two others. The second one depends on the first.
func TestParts(t *testing.T) {
	whole := &Action{Name: "make", Ran: true, To: 100}
	a := &Action{Name: "a", Ran: true, From: 10, To: 40, Parent: whole}
	b := &Action{Name: "b", Ran: true, From: 15, To: 35, Parent: whole}
	c := &Action{Name: "c", Ran: true, From: 50, To: 90, Parent: whole, Deps: []*Action{{Deps: []*Action{b}}}, Failed: true}
	m := recorded(t, &Build{Program: "make", Process: "make", Actions: []*Action{whole, a, b, c}, PEs: 3})
	const want = `0 Fork pe=0 task=1 code=2 # make
0 Busy pe=0 task=1 code=2 # make
0 Start pe=0 task=1 code=2 # make
10 Fork pe=0 task=2 ref=1 code=3 # a
10 Fork pe=0 task=3 ref=1 code=4 # b
10 Wait pe=0 task=1 code=5 # parts
10 Idle pe=0 code=1 # no work
10 Busy pe=0 task=2 code=3 # a
10 Start pe=0 task=2 code=3 # a
15 Busy pe=1 task=3 code=4 # b
15 Start pe=1 task=3 code=4 # b
35 Fork pe=1 task=4 ref=3 code=6 # c
35 End pe=1 task=3 code=4 # b
35 Idle pe=1 code=1 # no work
40 Wake pe=0 task=1 ref=2
40 End pe=0 task=2 code=3 # a
40 Idle pe=0 code=1 # no work
40 Busy pe=0 task=1 code=2 # make
50 Wait pe=0 task=1 code=5 # parts
50 Idle pe=0 code=1 # no work
50 Busy pe=0 task=4 code=6 # c
50 Start pe=0 task=4 code=6 # c
90 Wake pe=0 task=1 ref=4
90 End pe=0 task=4 code=6 value=1 # c
90 Idle pe=0 code=1 # no work
90 Busy pe=0 task=1 code=2 # make
100 End pe=0 task=1 code=2 # make
100 Idle pe=0 code=1 # no work
`
	text := tracertest.Text(t, m)
	if got := text[strings.Index(text, "0 Fork"):]; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if n := m.Meta().PEs; n != 3 {
		t.Errorf("%d PEs", n)
	}
	w := must.Get(waits.Build(m, nil))(t)
	p := must.Get(w.Path(m, 0, 0, nil))(t)
	if p.Sum(waits.Runs) != 10+10+40+20 || p.Sum(waits.Queue) != 15+5 {
		t.Errorf("the path runs for %d, waits for a slot for %d", p.Sum(waits.Runs), p.Sum(waits.Queue))
	}
}

// TestPartEnds records an action that forks another one when its last part is done: the path leads through the part.
func TestPartEnds(t *testing.T) {
	whole := &Action{Name: "make", Ran: true, To: 100}
	sub := &Action{Name: "sub", Ran: true, From: 10, To: 90, Parent: whole}
	x := &Action{Name: "x", Ran: true, From: 20, To: 90, Parent: sub}
	all := &Action{Name: "all", Ran: true, From: 90, To: 95, Parent: whole, Deps: []*Action{sub}}
	m := recorded(t, &Build{Actions: []*Action{whole, sub, x, all}})
	w := must.Get(waits.Build(m, nil))(t)
	p := must.Get(w.Path(m, 0, 0, nil))(t)
	if w.Lost != 0 || p.Sum(waits.Runs) != 100 {
		t.Errorf("%d events lost, the path runs for %d: %+v", w.Lost, p.Sum(waits.Runs), p.Pieces)
	}
}

// before returns the last action that is done before a time among those that an action depends on, by a search through all that did not run.
func before(a *Action, until int64, seen map[*Action]bool) (last *Action) {
	for _, d := range a.Deps {
		if !d.Ran && !seen[d] {
			seen[d] = true
			d = before(d, until, seen)
		}
		if d != nil && d.Ran && d.To <= until && (last == nil || d.To > last.To) {
			last = d
		}
	}
	return last
}

// TestBuilds records random builds, whose actions begin after their dependencies. It finds the action that forks each of them by another search, and
// checks that a PE has one task at a time, and that the times of the tasks add up.
func TestBuilds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := &Build{}
		for i := range rapid.IntRange(1, 12).Draw(t, "actions") {
			a := &Action{Name: string(rune('a' + i)), Ran: i == 0 || rapid.IntRange(0, 3).Draw(t, "ran") > 0}
			for range rapid.IntRange(0, 2).Draw(t, "deps") {
				if i > 0 {
					a.Deps = append(a.Deps, b.Actions[rapid.IntRange(0, i-1).Draw(t, "dep")])
				}
			}
			if a.Ran {
				if d := before(a, 1<<62, map[*Action]bool{}); d != nil {
					a.From = d.To
				}
				a.From += rapid.Int64Range(0, 5).Draw(t, "gap")
				a.To = a.From + rapid.Int64Range(1, 9).Draw(t, "length")
			}
			b.Actions = append(b.Actions, a)
		}
		m := recorded(t, b)
		want := map[string]int64{} // when the last dependency of an action is done
		for _, a := range b.Actions {
			if a.Ran {
				want[a.Name] = a.From
				if d := before(a, a.From, map[*Action]bool{}); d != nil {
					want[a.Name] = d.To
				}
			}
		}
		at, last := map[int32]uint64{}, int64(0)
		for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
			if e.Time < last {
				t.Fatalf("%v after %d", e, last)
			}
			last = e.Time
			switch e.Kind {
			case tracer.Fork:
				if name := m.Dict().Code(e.Code).Name; want[name] != e.Time || (e.Ref == 0) != (before(named(b, name), e.Time, map[*Action]bool{}) == nil) {
					t.Errorf("%s is forked at %d by %d, want at %d", name, e.Time, e.Ref, want[name])
				}
			case tracer.Busy:
				if at[e.PE] != 0 {
					t.Errorf("%v while %d runs there", e, at[e.PE])
				}
				at[e.PE] = e.Task
			case tracer.End:
				at[e.PE] = 0
			}
		}
		w := must.Get(waits.Build(m, nil))(t)
		sum := int64(0)
		for _, a := range b.Actions {
			sum += a.To - a.From
		}
		if w.Lost != 0 || w.All.Times[waits.Running] != sum {
			t.Errorf("%d events lost, tasks run for %d of %d", w.Lost, w.All.Times[waits.Running], sum)
		}
	})
}

func named(b *Build, name string) *Action {
	for _, a := range b.Actions {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// TestImpossible records dependencies and parts that cannot be.
func TestImpossible(t *testing.T) {
	a, b := &Action{Name: "a", Ran: true, To: 5}, &Action{Name: "b", Ran: true, From: 3, To: 3}
	phony := &Action{}
	phony.Deps = []*Action{phony, {Deps: []*Action{phony}}, b}
	a.Deps, b.Deps = []*Action{a, b, phony}, []*Action{b, a}
	a.Parent, b.Parent = b, a
	c := &Action{Name: "c", Ran: true, From: 4, To: 9, Parent: a}
	d := &Action{Name: "d", Ran: true, From: 4, To: 9}
	c.Deps, d.Parent = []*Action{c, phony}, d
	m := recorded(t, &Build{Actions: []*Action{phony, a, b, c, d}})
	w := must.Get(waits.Build(m, nil))(t)
	if w.Lost != 0 || len(w.Tasks) != 4 {
		t.Errorf("%d events lost, %d tasks", w.Lost, len(w.Tasks))
	}
}

// FuzzRecord records builds of any actions.
func FuzzRecord(f *testing.F) {
	f.Add([]byte{0, 9, 0, 0, 2, 5, 1, 0, 5, 8, 1, 1, 3, 3, 2, 0x83, 0, 0, 9, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		var x Build
		n := min(len(b)/4, 200)
		for i := range n {
			x.Actions = append(x.Actions, &Action{Name: string(b[4*i]), Ran: i == 0 || b[4*i+2] < 0x80, From: int64(b[4*i]), To: max(int64(b[4*i]), int64(b[4*i+1]))})
		}
		for i, a := range x.Actions {
			if k := int(b[4*i+2] & 0x7f); k > 0 {
				a.Deps = append(a.Deps, x.Actions[k%n], x.Actions[k*7%n])
			}
			if k := int(b[4*i+3]); k > 0 {
				a.Parent = x.Actions[k%n]
			}
		}
		if n == 0 {
			return
		}
		m := recorded(t, &x)
		if w := must.Get(waits.Build(m, nil))(t); w.Lost != 0 {
			t.Errorf("%d events lost", w.Lost)
		}
	})
}

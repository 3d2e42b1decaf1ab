package account_test

import (
	order "cmp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// A ledger keeps pieces, steps and pauses.
type ledger struct {
	codes  int
	pieces [][]account.Piece // by PE
	steps  [][]account.Step
	pauses [][]account.Pause

	unnamed int64
}

func (l *ledger) Reset() { *l = ledger{codes: l.codes} }

func (l *ledger) grow(pe int32) {
	for int(pe) >= len(l.pieces) {
		l.pieces, l.steps, l.pauses = append(l.pieces, nil), append(l.steps, nil), append(l.pauses, nil)
	}
}

func (l *ledger) Spend(pe int32, p account.Piece) {
	l.grow(pe)
	l.pieces[pe] = append(l.pieces[pe], p)
}

func (l *ledger) Step(pe int32, s *account.Step) {
	l.grow(pe)
	l.steps[pe] = append(l.steps[pe], *s)
}

func (l *ledger) Unnamed(pe int32, from, to int64) { l.unnamed += to - from }

func (l *ledger) Pause(pe int32, p *account.Pause) {
	l.grow(pe)
	l.pauses[pe] = append(l.pauses[pe], *p)
}

// waits checks that the pauses of each PE follow each other and lie within time of their class, and that those for other things than work add up to
// the waits of an account.
func (l *ledger) waits(t rapid.TB, a *account.Account, codes []tracer.Code) {
	left := slices.Clone(a.Waits)
	for i := range left {
		left[i].By = slices.Clone(left[i].By)
	}
	for pe, pauses := range l.pauses {
		for i, p := range pauses {
			if p.From >= p.To || i > 0 && p.From < pauses[i-1].To {
				t.Fatalf("PE %d: pauses %+v", pe, pauses)
			}
			class := account.Waiting
			if p.Kind == account.ForWork {
				class = account.Stealing
			}
			time := p.To - p.From
			for k, piece := range l.pieces[pe] {
				end := a.To
				if k+1 < len(l.pieces[pe]) {
					end = l.pieces[pe][k+1].From
				}
				if piece.Class == class {
					time -= max(min(p.To, end)-max(p.From, piece.From), 0)
				}
			}
			if time != 0 {
				t.Fatalf("PE %d: %d ns of %+v are not %v: %v", pe, time, p, class, l.pieces[pe])
			}
			if class == account.Stealing {
				continue
			}
			for k := range left {
				for c := range left[k].By {
					if by := &left[k].By[c]; left[k].For == p.For(codes) && by.PE == p.PE && by.Code == p.Code {
						by.Time -= p.To - p.From
						by.Count--
					}
				}
			}
		}
	}
	for _, w := range left {
		for _, c := range w.By {
			if c.Time != 0 || c.Count != 0 {
				t.Fatalf("the pauses differ from the waits for %s by %+v", w.For, c)
			}
		}
	}
}

// rows adds up the pieces by class.
func (l *ledger) rows(t rapid.TB, a *account.Account) []account.Times {
	rows := make([]account.Times, len(l.pieces))
	for pe, pieces := range l.pieces {
		from := a.From
		class := account.Nothing
		for _, p := range append(pieces, account.Piece{From: a.To}) {
			if p.From < from {
				t.Fatalf("PE %d: a piece begins before the last one: %v", pe, pieces)
			}
			rows[pe][class] += p.From - from
			from, class = p.From, p.Class
		}
	}
	return rows
}

// works checks that steps follow each other and lie within work, and adds them up by code.
func (l *ledger) works(t rapid.TB, to int64) []account.Code {
	codes := make([]account.Code, l.codes)
	for pe, steps := range l.steps {
		for i, s := range steps {
			if s.End < s.Time || i > 0 && s.Time < steps[i-1].End {
				t.Fatalf("PE %d: steps %+v", pe, steps)
			}
			left := s.End - s.Time
			c := &codes[s.Code]
			c.Work += left
			switch s.Kind {
			case tracer.Reduce:
				c.Reductions++
			case tracer.Suspend:
				c.Suspensions++
			case tracer.Fail:
				c.Failures++
			default:
				c.Runs++
			}
			for k, p := range l.pieces[pe] {
				end := to
				if k+1 < len(l.pieces[pe]) {
					end = l.pieces[pe][k+1].From
				}
				if p.Class == account.Work {
					left -= max(min(s.End, end)-max(s.Time, p.From), 0)
				}
			}
			if left > 0 {
				t.Fatalf("PE %d: %d ns of %+v are not work", pe, left, s)
			}
		}
	}
	return codes
}

// tasks adds up the steps by task.
func (l *ledger) tasks() (all []account.Task, work int64) {
	index := map[uint64]int{}
	for _, steps := range l.steps {
		for _, s := range steps {
			ns := s.End - s.Time
			if s.Task == 0 || ns == 0 {
				continue
			}
			i, ok := index[s.Task]
			if !ok {
				i = len(all)
				index[s.Task] = i
				all = append(all, account.Task{ID: s.Task})
			}
			all[i].Work += ns
			work += ns
		}
	}
	slices.SortFunc(all, func(a, b account.Task) int { return order.Or(order.Compare(b.Work, a.Work), order.Compare(a.ID, b.ID)) })
	return all, work
}

// addsUp checks that the pieces of a sweep of src add up to its account, the pauses for other things than work to its waits, and the steps to the work
// of the codes and of the tasks. Samples name work without a step.
func addsUp(t rapid.TB, src tracer.Source) {
	t.Helper()
	l := &ledger{codes: int(numCodes)}
	sweep := account.Sweep{Sink: l, ByTask: true}
	must.Do(t, sweep.Read(src, src, account.Kinds, nil))
	a := sweep.Finish(src, l)
	want := compute(t, src)
	if d := cmp.Diff(want, a, unseen, cmpopts.IgnoreFields(account.Account{}, "Replays", "Tasks")); d != "" {
		t.Fatal(d)
	}
	l.waits(t, a, src.Dict().Codes())
	for pe, row := range l.rows(t, a) {
		if row != a.Row(pe).Times {
			t.Fatalf("PE %d: pieces %v, account %v", pe, row, a.Row(pe).Times)
		}
	}
	tasks, work := l.tasks()
	if d := cmp.Diff(tasks, a.Tasks.Most, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(account.Task{}, "Code", "Waiting", "Messages")); d != "" {
		t.Fatal(d)
	}
	if a.Tasks.All.Work != work || a.Tasks.Count != int64(len(tasks)) {
		t.Fatalf("%d ns of %d tasks, want %d ns of %v", a.Tasks.All.Work, a.Tasks.Count, work, tasks)
	}
	codes := l.works(t, a.To)
	if len(a.Codes) == 0 {
		return
	}
	sampled := src.Counts()[tracer.Sample] > 0
	for i := range codes { // the rest is of no step
		if rest := a.Codes[i].Work - codes[i].Work; rest < 0 {
			t.Fatalf("%d ns of code %d, less than the %d ns of its steps", a.Codes[i].Work, i, codes[i].Work)
		}
		if i == 0 && !sampled && a.Codes[0].Work != codes[0].Work+l.unnamed {
			t.Fatalf("%d ns of unknown code, want %d in steps and %d of no step", a.Codes[0].Work, codes[0].Work, l.unnamed)
		}
		if i == 0 || sampled {
			a.Codes[i].Work, codes[i].Work = 0, 0
		}
	}
	if d := cmp.Diff(a.Codes, codes, cmpopts.EquateEmpty()); d != "" {
		t.Fatal(d)
	}
}

// TestPieces checks the pieces, pauses and steps of any trace.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { addsUp(t, draw(t, rapid.IntRange(0, 60).Draw(t, "events"))) })
}

// TestPauses checks pauses for reasons of the trace.
func TestPauses(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []tracer.Event
	}{
		{"a message that does not come", []tracer.Event{
			{Kind: tracer.Idle, Code: message},
			{Time: 1, Kind: tracer.Mark},
		}},
		{"a message that comes", []tracer.Event{
			{Kind: tracer.Idle, Code: message},
			{Time: 2, Kind: tracer.Send, PE: 1, Peer: 0, Ref: 1, Code: class},
			{Time: 5, Kind: tracer.Recv, Peer: 1, Ref: 1, Code: class},
			{Time: 5, Kind: tracer.Busy},
		}},
		{"a message and then a theft", []tracer.Event{
			{Kind: tracer.Idle, Code: message},
			{Time: 2, Kind: tracer.Overhead, Code: steal},
			{Time: 4, Kind: tracer.Move, Peer: 1, Task: 1},
			{Time: 4, Kind: tracer.Busy},
		}},
		{"a lock", []tracer.Event{
			{Kind: tracer.Idle, Code: lock},
			{Time: 3, Kind: tracer.Busy},
		}},
	} {
		t.Run(c.name, func(t *testing.T) { addsUp(t, source(2, c.events...)) })
	}
}

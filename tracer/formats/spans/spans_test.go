package spans_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/spans"
	"whorl/tracer/formats/spans/testdata/requests"
	"whorl/tracer/testdata/tracertest"
)

// share is a part of a critical path.
type share struct {
	what waits.Activity
	name string
}

// critical returns the critical path of a span of the model, recursively and by definition: from the end back, the child that ends last counts until
// its beginning; before it the one that ends last before that. What lies around the server's span of a call is time of the network.
func critical(s *requests.Span, shares map[share]int64) {
	runs := share{waits.Runs, s.Name}
	kids := slices.Clone(s.Children)
	slices.SortFunc(kids, func(a, b *requests.Span) int {
		return cmp.Or(cmp.Compare(b.End, a.End), cmp.Compare(b.Start, a.Start), cmp.Compare(b.ID, a.ID))
	})
	at := s.End
	for _, k := range kids {
		if k.End > at || k.Kind == "consumer" {
			continue
		}
		if k.Kind == "server" && s.Kind == "client" && k.Instance != s.Instance {
			shares[share{waits.Message, s.Name}] += at - k.End
			shares[share{waits.Message, k.Name}] += k.Start - s.Start
			critical(k, shares)
			return // the only child
		}
		shares[runs] += at - k.End
		critical(k, shares)
		at = k.Start
	}
	shares[runs] += at - s.Start
}

// TestPath compares the critical path of requests, as package waits finds it in the events, with the definition.
func TestPath(t *testing.T) {
	for seed := range uint64(40) {
		all := requests.Make(seed, requests.Options{Requests: 1, Depth: 1 + int(seed%7)})
		m := ofOTLP.trace(t, requests.OTLP(all))
		root := all[slices.IndexFunc(all, func(s *requests.Span) bool { return s.Parent == 0 })]
		want := map[share]int64{}
		critical(root, want)
		w := must.Get(waits.Build(m, nil))(t)
		p := must.Get(w.Path(m, 1, (root.End-root.Start)*1000, nil))(t)
		got := map[share]int64{}
		for _, s := range p.Shares {
			name, _, _ := strings.Cut(m.Dict().Code(s.Code).Name, " of ")
			got[share{s.Activity, name}] += s.Time / 1000
		}
		sum := int64(0)
		for k, ns := range want {
			if sum += ns; ns != got[k] {
				t.Errorf("seed %d: %v %q takes %d µs of the path, want %d", seed, k.what, k.name, got[k], ns)
			}
		}
		if sum != root.End-root.Start {
			t.Errorf("seed %d: the path takes %d µs of %d", seed, sum, root.End-root.Start)
		}
		if w.Lost != 0 || w.All.Times[waits.Ready] != 0 {
			t.Errorf("seed %d: %d events are lost, tasks wait for a PE for %d ns", seed, w.Lost, w.All.Times[waits.Ready])
		}
	}
}

// TestLanes checks that at most one span runs on a lane at a time, and that each PE goes on where it should.
func TestLanes(t *testing.T) {
	for seed := range uint64(12) {
		all := requests.Make(seed, requests.Options{Requests: 20, Depth: 4, Links: true, Skew: int64(seed%2) * 5000})
		m := ofOTLP.trace(t, requests.OTLP(all))
		on := map[int32]uint64{}
		last := int64(0)
		starts, ends := 0, 0
		for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
			if e.Time < last {
				t.Fatalf("seed %d: the time falls from %d to %d", seed, last, e.Time)
			}
			last = e.Time
			switch e.Kind {
			case tracer.Start:
				if on[e.PE] != 0 {
					t.Fatalf("seed %d: %+v while %d runs", seed, e, on[e.PE])
				}
				on[e.PE] = e.Task
				starts++
			case tracer.JoinBegin, tracer.Wait:
				if on[e.PE] == e.Task {
					on[e.PE] = 0
				}
			case tracer.JoinEnd:
				on[e.PE] = e.Task
			case tracer.End:
				if on[e.PE] != e.Task && on[e.PE] != 0 {
					t.Fatalf("seed %d: %+v while %d runs", seed, e, on[e.PE])
				}
				on[e.PE] = 0
				ends++
			}
		}
		if meta := m.Meta(); starts != len(all) || ends != len(all) || meta.Missing() != "" {
			t.Errorf("seed %d: %d starts and %d ends of %d spans, missing %q", seed, starts, ends, len(all), meta.Missing())
		}
	}
}

// TestHand has cases that the model does not make.
func TestHand(t *testing.T) {
	const ms = 1_000_000
	for _, c := range []struct {
		name, missing string
		spans         []spans.Span
		want          [tracer.NumKinds]int64
	}{
		{"a circle", "1 span whose parents form a circle", []spans.Span{{ID: 1, Parent: 2}, {ID: 2, Parent: 1}}, counts(tracer.Fork, 2, tracer.End, 2, tracer.JoinEnd, 1)},
		{"its own parent", "1 span whose parents form a circle", []spans.Span{{ID: 1, Parent: 1}}, counts(tracer.Fork, 1)},
		{"no parent", "1 parent outside the file", []spans.Span{{ID: 1, Parent: 7}}, counts(tracer.Fork, 1)},
		{"twice", "1 span occurring twice", []spans.Span{{ID: 1}, {ID: 1}}, counts(tracer.Fork, 1)},
		{"a shared id", "", []spans.Span{{ID: 1, Kind: spans.Client}, {ID: 1, Kind: spans.Server, Shared: true}, {ID: 2, Parent: 1}}, counts(tracer.Fork, 3, tracer.JoinEnd, 2)},
		{"no id", "1 span without an id", []spans.Span{{}, {ID: 1}}, counts(tracer.Fork, 1)},
		{"no time", "1 span without a time", []spans.Span{{ID: 1, Start: -1}}, counts(tracer.Fork, 0)},
		{"no end", "1 end of spans", []spans.Span{{ID: 1, Start: 5 * ms}}, counts(tracer.Fork, 1)},
		{"it ends before", "1 span ending before they begin", []spans.Span{{ID: 1, Start: 5 * ms, End: 4 * ms}}, counts(tracer.Fork, 1)},
		{"asynchronous", "", []spans.Span{{ID: 1}, {ID: 2, Parent: 1, Start: ms, End: 20 * ms}}, counts(tracer.JoinEnd, 0, tracer.Wait, 0)},
		{"it begins later", "", []spans.Span{{ID: 1}, {ID: 2, Parent: 1, Start: 12 * ms, End: 20 * ms}}, counts(tracer.JoinEnd, 0, tracer.Wait, 1, tracer.Wake, 1, tracer.Send, 1, tracer.Recv, 1)},
		{"it follows", "", []spans.Span{{ID: 1}, {ID: 2, Parent: 1, Start: 2 * ms, End: 3 * ms, Follows: true}}, counts(tracer.JoinEnd, 0)},
		{"it begins before", "", []spans.Span{{ID: 1}, {ID: 2, Parent: 1, Start: ms / 2, End: 3 * ms}}, counts(tracer.JoinEnd, 1)},
	} {
		m := tracer.NewMemory()
		r := spans.New(m, profile.Options{})
		n := r.Process("host", "service", "")
		for _, s := range c.spans {
			s.Trace = spans.TraceID{Low: 7}
			if s.Start == 0 {
				s.Start, s.End = ms, 10*ms
			}
			r.Span = s
			r.Add(n)
		}
		must.Do(t, r.Finish())
		must.Do(t, m.Close())
		meta, got := m.Meta(), m.Counts()
		for k, n := range c.want {
			if n >= 0 && got[k] != n {
				t.Errorf("%s: %d events %v, want %d", c.name, got[k], tracer.Kind(k), n)
			}
		}
		if meta.Missing() != c.missing {
			t.Errorf("%s: missing %q, want %q", c.name, meta.Missing(), c.missing)
		}
	}
}

// counts returns counts by kind, -1 for those that do not matter.
func counts(list ...any) (n [tracer.NumKinds]int64) {
	for k := range n {
		n[k] = -1
	}
	for i := 0; i < len(list); i += 2 {
		n[list[i].(tracer.Kind)] = int64(list[i+1].(int))
	}
	return n
}

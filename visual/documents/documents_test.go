package documents

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/visual/views"
)

// reductions returns a trace of n reductions, one for each ns.
func reductions(n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 1})
	record(m, n)
	return m
}

func record(to tracer.Recorder, n int) {
	s := to.Stream(tracer.StreamInfo{})
	for i := range n {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: int64(i), Task: uint64(i + 1), Peer: -1}
	}
	s.Sync()
}

// A script is a session that returns prepared bytes, a piece for each call of TakeTrace.
type script struct {
	pieces   [][]byte
	commands []session.Command
	closed   int
	replaced int
}

func (s *script) TakeTrace() []byte {
	if len(s.pieces) == 0 {
		return nil
	}
	b := s.pieces[0]
	s.pieces = s.pieces[1:]
	return b
}

func (s *script) Status() session.Status {
	if len(s.pieces) == 0 {
		return session.Status{State: session.Finished, Reductions: 3, Answer: "X = 1"}
	}
	return session.Status{State: session.Running}
}

func (s *script) Do(c session.Command) { s.commands = append(s.commands, c) }
func (s *script) Close()               { s.closed++ }

// scripted returns a session that records n reductions in two pieces.
func scripted(t *testing.T, n int) *script {
	t.Helper()
	var file bytes.Buffer
	w := store.New(&file)
	record(w, n)
	must.Do(t, w.Close())
	b := file.Bytes()
	return &script{pieces: [][]byte{b[:len(b)/2], b[len(b)/2:], nil}}
}

// A runner starts sessions, or fails.
type runner struct {
	t       *testing.T
	started []*script
	err     error
}

func (r *runner) Run(experiment.Run) (Session, error) {
	if r.err != nil {
		return nil, r.err
	}
	s := scripted(r.t, 5)
	r.started = append(r.started, s)
	return s, nil
}

// pumpAll pumps until all runs have finished and returns their documents.
func pumpAll(t *testing.T, s *Set) (finished []*Document) {
	t.Helper()
	for now := time.Duration(0); now < time.Minute; now += 2 * firstWait {
		p := s.Pump(now)
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
		finished = append(finished, p.Finished...)
		if _, runs := s.Pumps(now); !runs {
			return finished
		}
	}
	t.Fatal("the runs do not end")
	return nil
}

// TestLoad reads files of all kinds in the order of the calls, and checks that traces loaded together form a group.
func TestLoad(t *testing.T) {
	var b strings.Builder
	must.Do(t, tracer.WriteText(&b, reductions(4)))
	var s Set
	gate := make(chan struct{})
	s.Load(textFile("first.whorl", b.String(), gate), "", Search{})
	s.Load(textFile("second.whorl", b.String(), nil), "", Search{})
	s.Load(textFile("third.whorl", b.String(), nil), "awaited", Search{})
	s.Load(textFile("own.fghc", "p.", nil), "", Search{})
	s.Load(textFile("mine.toml", "version = 1", nil), "", Search{})
	s.Load(textFile("empty.kl1", " ", nil), "", Search{})
	s.Load(textFile("long.fghc", strings.Repeat("x", maxProgram+1), nil), "", Search{})
	locked := func() (io.ReadCloser, error) { return nil, errors.New("it may not be read") }
	s.Load(&File{Name: "locked.fghc", Read: locked}, "", Search{})
	s.Load(&File{Name: "locked.whorl", Read: locked}, "", Search{})
	s.Load(&File{Name: "none.fghc"}, "", Search{})
	s.Load(textFile("broken.whorl", "nonsense", nil), "", Search{})
	s.Load(&File{Name: "gone.whorl", Path: "/gone/gone.whorl"}, "", Search{Beside: "/gone/too.whorl"})
	if !s.Awaits("awaited") || s.Awaits("first") || !strings.HasPrefix(s.Progress(), "Reading gone.whorl") {
		t.Errorf("progress %q", s.Progress())
	}
	close(gate)
	all := loaded(&s)
	if len(all) != 12 {
		t.Fatalf("%d files", len(all))
	}
	byName := map[string]Loaded{}
	var traces []string
	for _, l := range all {
		byName[l.File.Name] = l
		if l.Trace != nil && l.As == "" {
			traces = append(traces, l.File.Name)
		}
	}
	if !slices.Equal(traces, []string{"first.whorl", "second.whorl"}) {
		t.Errorf("traces come in the order %q", traces)
	}
	if a, b, c := byName["first.whorl"].Trace, byName["second.whorl"].Trace, byName["third.whorl"].Trace; a.Group == 0 || a.Group != b.Group || c.Group != 0 {
		t.Errorf("groups %d, %d and %d", a.Group, b.Group, c.Group)
	}
	if !byName["mine.toml"].Workspace || byName["own.fghc"].Text != "p." {
		t.Error("texts are not read")
	}
	for _, c := range []struct{ name, want string }{
		{"empty.kl1", "the file is empty"},
		{"long.fghc", "longer than"},
		{"locked.fghc", "it may not be read"},
		{"locked.whorl", "it may not be read"},
		{"none.fghc", "cannot be read here"},
		{"broken.whorl", "not a trace of a known format"},
		{"gone.whorl", "no such file"},
	} {
		if err := byName[c.name].Err; err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q", c.name, err, c.want)
		}
	}
	byName["third.whorl"].Trace.Discard()
}

// TestSet checks that names are unique, that documents are compared within a group, and that Keep closes the others.
func TestSet(t *testing.T) {
	var s Set
	taken := func(name string) bool { return s.Get(name) != nil }
	for range 2 {
		s.Add(NameFor("a", taken), New(reductions(2)))
	}
	s.Add(NameFor("", taken), New(reductions(2)))
	var names []string
	for _, d := range s.All() {
		names = append(names, d.Name)
	}
	if !slices.Equal(names, []string{"a", "a (2)", "trace"}) {
		t.Fatalf("names %q", names)
	}
	a, b := s.Get("a"), s.Get("a (2)")
	if s.Compared(a, names) != nil {
		t.Error("documents without a group are compared")
	}
	a.Group = s.NewGroup()
	if s.Compared(a, names) != nil {
		t.Error("one document is compared with itself")
	}
	b.Group = a.Group
	if got := s.Compared(b, names); !slices.Equal(got, []*Document{a, b}) {
		t.Errorf("compared are %v", got)
	}
	a.Supply(0)
	s.Keep(map[string]bool{"a (2)": true})
	if len(s.All()) != 1 || s.Get("a") != nil {
		t.Error("Keep keeps others")
	}
	s.Close()
	if len(s.All()) != 0 {
		t.Error("Close keeps documents")
	}
}

// TestAgain checks that a trace can be reproduced only if it has the program.
func TestAgain(t *testing.T) {
	m := reductions(3)
	d := New(m)
	if d.Again() != nil {
		t.Error("a trace without a program can be made again")
	}
	m.SetMeta(tracer.Meta{Substrate: "fghc", Mode: "sim", Machine: "symmetry", PEs: 3, Goal: "p", Seed: 7, Source: []tracer.SourceFile{{Name: "p.fghc", Text: "p."}}})
	r := d.Again()
	if r == nil || r.Text != "p." || r.PEs != 3 || r.Seed != 7 || r.Goal != "p" || r.Program != "p.fghc" {
		t.Errorf("again as %+v", r)
	}
	if name, text := d.Program(); name != "p.fghc" || text != "p." {
		t.Errorf("the program is %q, %q", name, text)
	}
	if d.Edited("q.").Text != "q." {
		t.Error("the edited text is lost")
	}
	for _, c := range []struct{ network, want string }{{"bus", ""}, {"ring", "ring"}} {
		m.SetMeta(tracer.Meta{Machine: "symmetry", Network: c.network})
		if got := d.Edited("q.").Network; got != c.want {
			t.Errorf("a run on the symmetry with the network %s has the network %q, want %q", c.network, got, c.want)
		}
	}
	if from, to := d.Span(); from != 0 || to != 2 {
		t.Errorf("span %d to %d", from, to)
	}
}

// TestFits checks that a view fits a trace of reductions if it needs no other kind of event, an empty trace if it needs none, and every running program.
func TestFits(t *testing.T) {
	empty, goes := New(tracer.NewMemory()), new(Set).NewLive(&script{}, experiment.Run{})
	for _, k := range views.All {
		for range 2 { // the second answer is cached
			enough := slices.ContainsFunc(k.Needs, func(s tracer.KindSet) bool { return s&^tracer.Kinds(tracer.Reduce) == 0 })
			if (New(reductions(2)).Fits(k) == nil) != enough || goes.Fits(k) != nil || (empty.Fits(k) == nil) != slices.Contains(k.Needs, 0) {
				t.Errorf("%s: %v, %v, %v", k.Name, New(reductions(2)).Fits(k), goes.Fits(k), empty.Fits(k))
			}
		}
	}
}

// TestSameCodes checks that entries are matched by type and name, and equal ones by their order.
func TestSameCodes(t *testing.T) {
	from := []tracer.Code{{}, {Type: tracer.Procedure, Name: "p/1"}, {Type: tracer.Clause, Name: "p/1", Line: 3}, {Type: tracer.Clause, Name: "p/1", Line: 4}, {Type: tracer.Procedure, Name: "q/1"}}
	to := []tracer.Code{{}, {Type: tracer.Reason, Name: "p/1"}, {Type: tracer.Clause, Name: "p/1", Line: 9}, {Type: tracer.Procedure, Name: "p/1"}, {Type: tracer.Clause, Name: "p/1", Line: 10}}
	if got := SameCodes([]uint32{1, 2, 3, 4, 9}, from, to); !slices.Equal(got, []uint32{3, 2, 4}) {
		t.Errorf("%v", got)
	}
}

package gotrace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/trace"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/formats/gotrace/testdata/programs"
	"whorl/tracer/formats/profile"
)

// step is the unit of the clock on Linux in ns. The oracle adds a ns to the times of records that its step makes equal.
const step = 64

// A history holds the events of a trace as lines: of each goroutine, and of the whole program.
type history struct {
	lines map[string][]string
	names []string
}

func (h *history) add(whose, format string, a ...any) {
	if h.lines == nil {
		h.lines = map[string][]string{}
	}
	if h.lines[whose] == nil {
		h.names = append(h.names, whose)
	}
	h.lines[whose] = append(h.lines[whose], fmt.Sprintf(format, a...))
}

// dedupe removes lines that say again that a goroutine runs: it has collected garbage or stopped the world in between.
func (h *history) dedupe() {
	for name, ls := range h.lines {
		runs := false
		h.lines[name] = slices.DeleteFunc(ls, func(line string) bool {
			_, what, _ := strings.Cut(line, " ")
			switch verb, _, _ := strings.Cut(what, " "); verb {
			case "runs":
				again := runs
				runs = true
				return again
			case "waits", "woken", "loses", "call", "back":
				runs = false
			}
			return false
		})
	}
}

// A birth names a goroutine in the same way for the oracle and for the reader.
func birth(at int64, parent string) string { return fmt.Sprintf("at %d of (%s)", at, parent) }

// fromOracle returns the history of a trace as golang.org/x/exp/trace reads it.
func fromOracle(t *testing.T, data []byte) (h history) {
	r := must.Get(trace.NewReader(bytes.NewReader(data)))(t)
	names := map[trace.GoID]string{trace.NoGoroutine: "", 0: ""}
	var old []trace.GoID
	network := map[trace.GoID]bool{} // what waits for it
	marking := false
	begin := int64(-1)
	frames := func(s trace.Stack) string {
		var list []string
		for f := range s.Frames() {
			list = append(list, fmt.Sprintf("%s:%d", f.Func, f.Line))
		}
		return strings.Join(list, " ")
	}
	for {
		e, err := r.ReadEvent()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if begin < 0 {
			begin = int64(e.Time()) / step * step
		}
		at := int64(e.Time())/step*step - begin
		switch e.Kind() {
		case trace.EventStateTransition:
			st := e.StateTransition()
			if st.Resource.Kind != trace.ResourceGoroutine {
				continue
			}
			g := st.Resource.Goroutine()
			from, to := st.Goroutine()
			if from == to {
				continue
			}
			by := names[e.Goroutine()]
			if from == trace.GoNotExist || from == trace.GoUndetermined {
				if from == trace.GoUndetermined {
					by = ""
				}
				call := ""
				if from == trace.GoNotExist {
					names[g] = birth(at, by)
					call = frames(e.Stack())
				} else {
					at = 0
					names[g] = fmt.Sprint("old ", len(old))
					old = append(old, g)
				}
				h.add(names[g], "%d born from %s", at, call)
				if to == trace.GoRunnable {
					continue
				}
			}
			who := names[g]
			switch {
			case to == trace.GoRunning:
				if from == trace.GoWaiting { // a coroutine
					h.add(who, "%d woken by %s", at, by)
				}
				h.add(who, "%d runs", at)
			case to == trace.GoRunnable && from == trace.GoWaiting:
				if network[g] && !strings.Contains(frames(e.Stack()), "pollDesc") && !strings.Contains(frames(e.Stack()), "setDeadlineImpl") { // whoever polls, or nobody
					by = "the network"
				}
				h.add(who, "%d woken by %s", at, by)
			case to == trace.GoRunnable && from == trace.GoSyscall:
				h.add(who, "%d back from a call", at)
			case to == trace.GoRunnable:
				h.add(who, "%d loses its P", at)
			case to == trace.GoWaiting:
				network[g] = st.Reason == whyNetwork
				h.add(who, "%d waits at %s", at, frames(st.Stack))
			case to == trace.GoSyscall:
				h.add(who, "%d call", at)
			case to == trace.GoNotExist:
				h.add(who, "%d ends", at)
			}
		case trace.EventRegionBegin:
			h.add(names[e.Goroutine()], "%d begins %s", at, e.Region().Type)
		case trace.EventRegionEnd:
			h.add(names[e.Goroutine()], "%d ends %s", at, e.Region().Type)
		case trace.EventTaskBegin:
			h.add(names[e.Goroutine()], "%d begins %s", at, e.Task().Type)
		case trace.EventTaskEnd:
			h.add(names[e.Goroutine()], "%d ends %s", at, e.Task().Type)
		case trace.EventLog:
			h.add(names[e.Goroutine()], "%d says %s: %s", at, e.Log().Category, e.Log().Message)
		case trace.EventMetric:
			m := e.Metric()
			h.add(m.Name, "%d %d", at, m.Value.Uint64())
		case trace.EventStackSample:
			h.add("samples", "%d %s %s", at, names[e.Goroutine()], frames(e.Stack()))
		case trace.EventRangeBegin, trace.EventRangeActive, trace.EventRangeEnd:
			if on := e.Kind() != trace.EventRangeEnd; e.Range().Name == "GC concurrent mark phase" && on != marking {
				marking = on
				h.add("collections", "%d", at)
			}
		}
	}
	h.dedupe()
	return h
}

// fromReader returns the history of a trace as the reader records it.
func fromReader(t *testing.T, data []byte) (h history, m *tracer.Memory) {
	m = tracer.NewMemory()
	must.Do(t, Read(profile.File{Name: "test", R: bytes.NewReader(data)}, m, profile.Options{}))
	must.Do(t, m.Close())
	names := map[uint64]string{}
	codes, contexts := m.Dict().Codes(), m.Dict().Contexts()
	frames := func(context uint64) string {
		var list []string
		for c := contexts[context]; c.Code != 0; c = contexts[c.Parent] {
			line := codes[c.Code]
			if line.Type != tracer.Line { // made of a function where there is no stack
				continue
			}
			list = append(list, fmt.Sprintf("%s:%d", codes[line.Parent].Name, line.Line))
		}
		return strings.Join(list, " ")
	}
	call, old := "", 0
	network := map[uint64]bool{} // what waits for it
	metrics := map[string]string{"heap live": "/memory/classes/heap/objects:bytes", "heap goal": "/gc/heap/goal:bytes", "GOMAXPROCS": "/sched/gomaxprocs:threads"}
	must.Do(t, m.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for _, e := range es {
			who, code := names[e.Task], codes[e.Code].Name
			switch e.Kind {
			case tracer.Fork:
				if names[e.Task] = birth(e.Time, names[e.Ref]); e.Time == 0 {
					names[e.Task] = fmt.Sprint("old ", old)
					old++
				}
				h.add(names[e.Task], "%d born from %s", e.Time, call)
				call = ""
			case tracer.Busy:
				if e.Task != 0 {
					h.add(who, "%d runs", e.Time)
				}
			case tracer.Overhead:
				if code == whyCall {
					h.add(who, "%d call", e.Time)
				} else if e.Task != 0 {
					h.add(who, "%d runs", e.Time)
				}
			case tracer.Idle:
				if e.Task != 0 {
					h.add(who, "%d loses its P", e.Time)
				}
			case tracer.Wait:
				network[e.Task] = code == whyNetwork
				if code != whyCall {
					h.add(who, "%d waits at %s", e.Time, frames(e.Ref))
				} else if ls := h.lines[who]; !strings.HasSuffix(ls[len(ls)-1], " call") { // it was in the call before the trace
					h.add(who, "%d call", e.Time)
				}
			case tracer.Wake:
				if code == whyCall {
					h.add(who, "%d back from a call", e.Time)
				} else if network[e.Task] && (code == "inferred" || code == whyNetwork) {
					h.add(who, "%d woken by the network", e.Time)
				} else if code == "inferred" {
					h.add(who, "%d woken by ", e.Time)
				} else {
					h.add(who, "%d woken by %s", e.Time, names[e.Ref])
				}
			case tracer.End:
				h.add(who, "%d ends", e.Time)
			case tracer.Mark:
				switch {
				case code == "garbage collection":
					h.add("collections", "%d", e.Time)
				case e.Value == begins:
					h.add(who, "%d begins %s", e.Time, code)
				case e.Value == ends:
					h.add(who, "%d ends %s", e.Time, code)
				case !strings.HasPrefix(code, "GC ") && !strings.HasPrefix(code, "stop the world: "): // not a label of the collector
					h.add(who, "%d says %s", e.Time, code)
				}
			case tracer.Counter:
				if name, ok := metrics[code]; ok {
					h.add(name, "%d %d", e.Time, e.Value)
				}
			case tracer.Sample:
				switch code {
				case "forks":
					call = frames(e.Ref)
				case "cpu":
					h.add("samples", "%d %s %s", e.Time, who, frames(e.Ref))
				}
			}
		}
		return nil
	}))
	h.dedupe()
	return h, m
}

// agree compares the histories of the oracle and the reader.
func agree(t *testing.T, data []byte) *tracer.Memory {
	t.Helper()
	got, m := fromReader(t, data)
	want := fromOracle(t, data)
	slices.Sort(want.names)
	slices.Sort(got.names)
	if d := cmp.Diff(want.names, got.names); d != "" {
		t.Errorf("goroutines: %s", d)
	}
	for _, name := range want.names {
		if strings.HasPrefix(name, "/") { // of several Ps, at the same times
			slices.Sort(want.lines[name])
			slices.Sort(got.lines[name])
		}
		if !slices.EqualFunc(want.lines[name], got.lines[name], near) {
			t.Errorf("%s: %s", name, cmp.Diff(want.lines[name], got.lines[name]))
			break
		}
	}
	if meta := m.Meta(); meta.Missing() != "" {
		t.Errorf("missing: %s", meta.Missing())
	}
	return m
}

// near reports whether two lines are equal apart from the time that the oracle adds where many records have the same time.
func near(a, b string) bool {
	x, y := int64(0), int64(0)
	before, v, _ := strings.Cut(a, " ")
	after, w, _ := strings.Cut(b, " ")
	_, err := fmt.Sscan(before, &x)
	_, err2 := fmt.Sscan(after, &y)
	return err == nil && err2 == nil && v == w && x-y >= 0 && x-y <= 2*step
}

// TestFiles compares traces of all versions of the format with the oracle.
func TestFiles(t *testing.T) {
	names := append(must.Get(filepath.Glob("testdata/*.trace"))(t), network)
	if len(names) < 5 {
		t.Errorf("%d files", len(names))
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) { agree(t, must.Get(os.ReadFile(name))(t)) })
	}
}

// TestPrograms compares traces of programs that run now with the oracle.
func TestPrograms(t *testing.T) {
	var all []string
	for name := range programs.All {
		all = append(all, name)
	}
	slices.Sort(all)
	for _, name := range all {
		t.Run(name, func(t *testing.T) {
			data := programs.Record(programs.All[name])
			agree(t, data)
			if t.Failed() {
				_ = os.WriteFile(filepath.Join(os.TempDir(), name+".trace"), data, 0o600)
			}
		})
	}
}

// TestGenerations compares traces of several generations with the oracle: whole ones, and dumps of the flight recorder. Some goroutines live in all.
func TestGenerations(t *testing.T) {
	stop := make(chan bool)
	wait := func() {
		for range 3 {
			go func() { <-stop }()
		}
	}
	whole, dump := programs.Generations(wait, programs.All["pool"], programs.All["network"], programs.All["regions"], programs.All["memory"], func() { close(stop) })
	for _, data := range [][]byte{whole, dump} {
		m := agree(t, data)
		if n := m.Counts(); n[tracer.Fork] < 20 {
			t.Errorf("%d forks", n[tracer.Fork])
		}
		check(t, m)
	}
}

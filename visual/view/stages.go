package view

import (
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/store"
	"whorl/visual/flow"
)

// A Run holds the data of a trace about the run as a whole.
type Run struct {
	Meta     tracer.Meta
	Codes    []tracer.Code // by id; index 0 is the zero Code
	Counts   [tracer.NumKinds]int64
	From, To int64 // ns of the first and the last event, or of the end of its unit if times are rounded down
	Status   int64 // the largest exit status of a PE, or 0
	places   tracer.Places
	homonyms map[uint32]string // by code (tracer.Homonyms)
}

// Stages that several views share. A graph of many views runs each once.
var (
	// RunStage reads the metadata.
	RunStage = flow.Derive("run", "metadata, codes and counts of the trace", flow.In(Trace), nil,
		func(c *flow.Call[*Run]) (*Run, error) { return ReadRun(Trace.In(c)) })

	// SpawnTree derives the tree of reductions or threads.
	SpawnTree = flow.Derive("spawntree", "the tree of reductions or threads, in preorder",
		flow.In(Trace), nil,
		func(c *flow.Call[*spawntree.Tree]) (*spawntree.Tree, error) {
			return spawntree.Grow(Trace.In(c), c.Prev, c.Tick)
		})
)

// ReadRun reads the metadata of a trace.
func ReadRun(src tracer.Source) (*Run, error) {
	r := &Run{Meta: src.Meta(), Codes: src.Dict().Codes(), Counts: src.Counts()}
	r.From, r.To = bounds.Span(src)
	r.places, r.homonyms = r.Meta.Places(), tracer.Homonyms(r.Codes)
	if r.Counts[tracer.Exit] == 0 {
		return r, nil
	}
	return r, store.Select(src, store.Query{Kinds: tracer.Kinds(tracer.Exit), Apart: true}, func(es []tracer.Event) error {
		for i := range es {
			if es[i].Kind == tracer.Exit {
				r.Status = max(r.Status, es[i].Value)
			}
		}
		return nil
	})
}

// Owner returns the code that users know a code by (tracer.Owner).
func (r *Run) Owner(code uint32) uint32 { return tracer.Owner(r.Codes, code) }

// Name returns the name of a code's owner, with what tells it from others of the same name.
func (r *Run) Name(code uint32) string { return r.Short(code) + r.homonyms[r.Owner(code)] }

// Short returns the name of a code's owner, which others may have too.
func (r *Run) Short(code uint32) string {
	owner := r.Owner(code)
	if owner == 0 || r.Codes[owner].Name == "" {
		return "unknown"
	}
	return r.Codes[owner].Name
}

// TaskName returns the name of a task of a function: main 3, or main 3 of Renderer 2.
func (r *Run) TaskName(task uint64, code uint32) string {
	return r.Short(code) + " " + strconv.FormatUint(task, 10) + r.homonyms[r.Owner(code)]
}

// Noun returns the name for n nodes of the spawn tree: thread or reduction.
func (r *Run) Noun(n int64) string {
	s := "thread"
	if r.Counts[tracer.Reduce] > 0 {
		s = "reduction"
	}
	if n != 1 {
		s += "s"
	}
	return s
}

// Legend returns a legend with the program as its title, and a warning if the trace is not of a complete run.
func (r *Run) Legend(subtitle string) Legend {
	return Legend{Title: r.Program(), Subtitle: subtitle, Warning: r.warning()}
}

// endings are the warnings for incomplete runs, by exit status.
var endings = [...]string{"", "The run failed", "Stopped by a limit: the trace ends there", "Interrupted: the trace ends there"}

// warning returns what the trace lacks or why the run is incomplete, or "".
func (r *Run) warning() string {
	if missing := r.Meta.Missing(); missing != "" {
		return "Incomplete: " + missing
	}
	return endings[min(max(r.Status, 0), int64(len(endings)-1))]
}

// LegendOf is like Legend, for a view that counts only events in the time window. Its warning names the window, if there is one, and share,
// the share of the events in it, if that is not empty.
func (r *Run) LegendOf(f *Frame, subtitle, share string) Legend {
	l := r.Legend(subtitle)
	if f.Window == nil {
		return l
	}
	l.Warn("only "+figures.Duration(f.Window.First-r.From)+" to "+figures.Duration(f.Window.Last-r.From), share)
	return l
}

// Unit returns the name for a unit of the program: function or procedure.
func (r *Run) Unit() string {
	if r.Counts[tracer.Start] > 0 && r.Counts[tracer.Reduce] == 0 || r.sampled() {
		return "function"
	}
	return "procedure"
}

// sampled reports whether the run is that of a profile, whose code is functions.
func (r *Run) sampled() bool {
	return r.Counts[tracer.Sample] > 0 && r.Counts[tracer.Start]+r.Counts[tracer.Reduce] == 0 && r.Meta.Substrate != "hpf"
}

// lasting reports whether the run is that of a profile whose samples say how long they lasted (account.Account.Lasting).
func (r *Run) lasting() bool {
	k := slices.IndexFunc(r.Codes, func(c tracer.Code) bool { return c.Type == tracer.Metric })
	return r.sampled() && r.Meta.Substrate != "pprof" && k >= 0 && r.Codes[k].Unit == "ns" && r.Codes[k].Scale == 1
}

// CostNote explains how the times of the spawn tree's nodes differ from the work of the account, "" if they do not.
func (r *Run) CostNote() string {
	switch {
	case r.Counts[tracer.Suspend]+r.Counts[tracer.Fail] > 0:
		return "Times are those of reductions. Tries that ended in suspension or failure are left out; stats and measures count them as work."
	case r.Counts[tracer.Wait] > 0:
		return "Times are those from the start to the end of a thread, without its waits. Stats and measures also leave out the time without a PE."
	case r.Counts[tracer.Start] > 0 && r.Counts[tracer.Reduce] == 0 && r.Meta.Mode == tracer.Live:
		return "Times are those from the start to the end of a thread, without its joins. Stats and measures also leave out the operating system's time."
	case r.Counts[tracer.Start] > 0 && r.Counts[tracer.Reduce] == 0 && r.Counts[tracer.Overhead] > 0:
		return "Times are those from the start to the end of a thread, without its joins, for the PE on which it started. Stats and measures leave out" +
			" the overhead of messages, and count work for the PE that did it."
	}
	return ""
}

// CostNotes explains the times of tasks and of lines: their error, if they are shares of measured times, and how they differ from the work of the account.
func (r *Run) CostNotes() (notes []string) {
	if e, ok := r.Meta.CostError(); ok {
		notes = append(notes, "Times are ± "+figures.Share(e, 0)+": reductions share measured times by calibrated costs.")
	}
	if note := r.CostNote(); note != "" {
		notes = append(notes, note)
	}
	return notes
}

// Processes returns the places of the PEs of a profile, which name their processes; nil for other runs.
func (r *Run) Processes() []tracer.PE {
	if !r.Foreign() {
		return nil
	}
	return r.Meta.PEInfo
}

// fewProcesses is the largest number of PEs of a profile whose processes are listed by name.
const fewProcesses = 16

// Facts returns the facts of the run for the legend of every view.
func (r *Run) Facts() []Fact {
	m := &r.Meta
	var facts []Fact
	add := func(label, value string) {
		if value != "" {
			facts = append(facts, Fact{label, value})
		}
	}
	if m.PEs > 0 {
		add("PEs", figures.Count(int64(m.PEs)))
	}
	if processes := r.Processes(); len(processes) > 1 && len(processes) <= fewProcesses {
		var names []string
		for i := range processes {
			if name := processes[i].Process; name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		add("Processes", strings.Join(names, ", "))
	}
	switch {
	case m.Clock == tracer.Process: // times of different PEs cannot be compared
	case (r.onlySteps() || r.lasting()) && m.Resolution() == 0: // the run lasts until the last step ends
		add("Last event", figures.Duration(r.To-r.From))
	case r.To > r.From || r.Counts[tracer.Sample] == 0:
		add("Elapsed", figures.Duration(r.To-r.From))
	default: // a profile without times
		add("Samples", figures.Count(r.Counts[tracer.Sample]))
	}
	if r.Foreign() {
		add("Format", m.Substrate)
	}
	add("Policy", m.Policy)
	add("Network", m.Network)
	add("Machine", m.Machine)
	mode := m.Mode
	switch mode {
	case tracer.Sim:
		mode = "simulated"
	case tracer.Live:
		mode = "on real cores"
	}
	add("Mode", mode)
	if m.Seed != 0 {
		add("Seed", strconv.FormatUint(m.Seed, 10))
	}
	add("Goal", m.Goal)
	for _, kv := range m.Extra {
		if kv.Key == FilterKey {
			add("Filter", kv.Value)
		}
	}
	return facts
}

// onlySteps reports whether a trace has steps of goals but says neither what PEs did between them nor when the run ended.
func (r *Run) onlySteps() bool {
	c := &r.Counts
	return c[tracer.Reduce]+c[tracer.Suspend]+c[tracer.Fail] > 0 && c[tracer.Busy]+c[tracer.Idle]+c[tracer.Overhead]+c[tracer.Exit] == 0
}

// Foreign reports whether the trace was imported from the format of another program.
func (r *Run) Foreign() bool {
	switch r.Meta.Substrate {
	case "", "fghc", "dts", "hpf":
		return false
	}
	return true
}

// Program returns the program with its arguments.
func (r *Run) Program() string {
	s := strings.Join(append([]string{r.Meta.Program}, r.Meta.Args...), " ")
	if strings.TrimSpace(s) == "" {
		return "a program without a name"
	}
	return s
}

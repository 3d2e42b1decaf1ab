package experiment

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/derive/totals"
)

// Stats are the numbers of a run, as its trace tells them. In JSON each key says its unit, and what is not known is null.
type Stats struct {
	Program   *string  `json:"program"`
	Args      []string `json:"args"`
	Goal      *string  `json:"goal"`
	Substrate *string  `json:"substrate"`
	Mode      *string  `json:"mode"`
	Policy    *string  `json:"policy"`
	Network   *string  `json:"network"`
	Machine   *string  `json:"machine"`
	CostModel *string  `json:"cost_model"`
	PEs       int      `json:"pes"`
	Seed      *uint64  `json:"seed"`
	Outcome   *string  `json:"outcome"` // done, failed, limited or interrupted
	Missing   *string  `json:"missing"` // what the trace lacks because it was cut off, in words; null for nothing

	Events      int64     `json:"events"`
	Tasks       int64     `json:"tasks"`
	Reductions  int64     `json:"reductions"`
	Suspensions int64     `json:"suspensions"`
	Resumptions int64     `json:"resumptions"`
	Failures    int64     `json:"failures"`
	Height      *int32    `json:"height"`      // largest level of the spawn tree; the root has 0
	ElapsedNs   int64     `json:"elapsed_ns"`  // in the time of the trace
	WallNs      *int64    `json:"wall_ns"`     // real time; known only of a run that has just ended
	WorkNs      *int64    `json:"work_ns"`     // all tries and reductions, or what all threads ran
	SpanNs      *int64    `json:"span_ns"`     // longest chain of reductions, or parts of threads, that had to wait for each other
	OverheadNs  *int64    `json:"overhead_ns"` // of the system, all PEs together
	Speedup     *float64  `json:"speedup"`     // work / elapsed
	Parallelism *float64  `json:"parallelism"` // work / span
	IdleShare   *float64  `json:"idle_share"`  // of the time of all PEs, 0 to 1
	ActivePEs   int       `json:"active_pes"`  // PEs that reduced something
	Moves       int64     `json:"moves"`       // work that changed its PE
	MovedBytes  int64     `json:"moved_bytes"`
	Messages    int64     `json:"messages"`
	Bytes       int64     `json:"bytes"`   // of the messages
	Metrics     []Measure `json:"metrics"` // what samples measured; null where there are none

	Kinds []ProcessKind `json:"kinds"` // of processes that were sampled, the largest first; null where there are none

	Threads
}

// Summarise reads a trace and returns its numbers.
func Summarise(src tracer.Source) (*Stats, error) {
	t, err := totals.Of(src)
	if err != nil {
		return nil, err
	}
	sampled, err := measures(src)
	if err != nil {
		return nil, err
	}
	m := src.Meta()
	s := &Stats{
		Program: known(m.Program), Args: m.Args, Goal: known(m.Goal), Substrate: known(m.Substrate), Mode: known(m.Mode),
		Policy: known(m.Policy), Network: known(m.Network), Machine: known(m.Machine), CostModel: known(m.CostModel), PEs: m.PEs,
		Missing: missingIn(&m),
		Events:  t.Events, Tasks: t.Tasks, Reductions: t.Reductions, Suspensions: t.Suspensions, Resumptions: t.Resumptions,
		Failures: t.Failures, ElapsedNs: t.Elapsed,
		Moves: t.Moves, MovedBytes: t.MovedBytes, Messages: t.Messages, Bytes: t.Bytes, Metrics: sampled,
	}
	if t.Exits > 0 {
		name := Outcome(min(max(t.Status, 0), int64(Interrupted))).String()
		s.Outcome = &name
	}
	if s.Args == nil {
		s.Args = []string{}
	}
	for i := range t.PEs {
		if t.PEs[i].Reductions > 0 {
			s.ActivePEs++
		}
	}
	if m.Policy != "" || m.Seed != 0 {
		s.Seed = &m.Seed
	}
	counts := src.Counts()
	states := counts[tracer.Busy]+counts[tracer.Idle]+counts[tracer.Overhead] > 0
	if states {
		s.OverheadNs = &t.Overhead
	}
	if states || t.Work > 0 { // else nothing says what anything cost
		s.WorkNs = &t.Work
		s.Speedup = ratio(t.Work, t.Elapsed)
		if t.Reductions > 0 {
			s.SpanNs = &t.Span
			s.Parallelism = ratio(t.Work, t.Span)
		}
	}
	if t.Idle >= 0 {
		s.IdleShare = ratio(t.Idle, int64(m.PEs)*t.Elapsed)
	}
	if counts[tracer.Reduce]+counts[tracer.Fork] > 0 {
		tree, err := spawntree.Build(src)
		if err != nil {
			return nil, err
		}
		s.Height = &tree.Height
	}
	s.Steals = t.Steals
	if s.Kinds, err = processKinds(src); err != nil {
		return nil, err
	}
	return s, s.threads(src, t.Work)
}

// known is nil for a text that is not there.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// ratio is a/b, nil where b is none.
func ratio(a, b int64) *float64 {
	if b <= 0 {
		return nil
	}
	r := float64(a) / float64(b)
	return &r
}

// WriteJSON writes the numbers as one object.
func (s *Stats) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(s)
}

// WriteTable writes the numbers for a person, leaving out what is empty or not known.
func (s *Stats) WriteTable(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(tw, "%s\t%s\n", name, value)
		}
	}
	count := func(name string, n int64) {
		if n != 0 {
			row(name, figures.Count(n))
		}
	}
	program := text(s.Program)
	for _, a := range s.Args {
		program += " " + a
	}
	row("program", program)
	row("goal", text(s.Goal))
	if text(s.Mode) == string(Live) { // policies may still go by the distances of a network
		row("machine", joined("real cores", text(s.Network)))
	} else {
		row("machine", joined(text(s.Machine), text(s.Network)))
	}
	seed := ""
	if s.Seed != nil {
		seed = "seed " + strconv.FormatUint(*s.Seed, 10)
	}
	row("policy", joined(text(s.Policy), seed))
	row("outcome", text(s.Outcome))
	row("missing", text(s.Missing))
	pes := figures.Count(int64(s.PEs))
	if s.ActivePEs < s.PEs && s.Reductions > 0 {
		pes += ", " + figures.Count(int64(s.ActivePEs)) + " of them active"
	}
	if s.PEs > 0 {
		row("PEs", pes)
	}
	row("events", figures.Count(s.Events))
	if s.Tasks > 0 || len(s.Metrics) == 0 { // a profile knows of none
		row("tasks", figures.Count(s.Tasks))
	}
	for i := range s.Metrics {
		row(s.Metrics[i].Name, s.Metrics[i].String())
	}
	count("reductions", s.Reductions)
	if s.Height != nil {
		row("height", figures.Count(int64(*s.Height)))
	}
	count("suspensions", s.Suspensions)
	count("failures", s.Failures)
	if (s.Timing == nil || *s.Timing != sharedTiming) && (s.ElapsedNs > 0 || len(s.Metrics) == 0) { // else times of two PEs have nothing to do with each other
		row("elapsed", figures.Duration(s.ElapsedNs))
	}
	if s.WallNs != nil {
		row("real time", figures.Duration(*s.WallNs))
	}
	if s.WorkNs != nil {
		row("work", figures.Duration(*s.WorkNs))
	}
	if s.SpanNs != nil {
		row("span", figures.Duration(*s.SpanNs))
	}
	if s.Parallelism != nil {
		row("parallelism", fmt.Sprintf("%.2f", *s.Parallelism))
	}
	if s.Speedup != nil {
		row("speedup", fmt.Sprintf("%.2f", *s.Speedup))
	}
	if s.IdleShare != nil {
		row("idle", fmt.Sprintf("%.1f %%", *s.IdleShare*100))
	}
	s.Threads.table(row, count)
	count("moves", s.Moves)
	count("steals", s.Steals)
	count("messages", s.Messages)
	if s.Bytes > 0 {
		row("bytes sent", figures.Count(s.Bytes))
	}
	kindRows(s.Kinds, row)
	return tw.Flush()
}

// joined puts two things in a row with a comma, or the one that there is.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

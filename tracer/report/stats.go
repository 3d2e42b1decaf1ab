// Package report computes the statistics of a trace, compares the calling contexts of traces, and writes both as tables, CSV and JSON. It also
// writes comparisons of runs under several policies and on several numbers of PEs.
package report

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/totals"
)

// Stats are the statistics of a run, computed from its trace. In JSON each key names its unit, and unknown numbers are null.
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
	Missing   *string  `json:"missing"` // what a truncated trace lacks, in words

	Events      int64     `json:"events"`
	Tasks       int64     `json:"tasks"`
	Reductions  int64     `json:"reductions"`
	Suspensions int64     `json:"suspensions"`
	Resumptions int64     `json:"resumptions"`
	Failures    int64     `json:"failures"`
	Height      *int32    `json:"height"`      // the deepest level of the spawn tree; the root is level 0
	ElapsedNs   int64     `json:"elapsed_ns"`  // in the time of the trace
	WallNs      *int64    `json:"wall_ns"`     // real time; known only right after a run
	SpanNs      *int64    `json:"span_ns"`     // the longest chain of dependent reductions or parts of threads
	Parallelism *float64  `json:"parallelism"` // work / span
	ActivePEs   *int      `json:"active_pes"`  // PEs with work
	Moves       int64     `json:"moves"`       // of work to another PE
	MovedBytes  int64     `json:"moved_bytes"`
	Messages    int64     `json:"messages"`
	Bytes       int64     `json:"bytes"`   // of the messages
	Metrics     []Measure `json:"metrics"` // of the samples

	Kinds []ProcessKind `json:"kinds"` // of sampled processes, the largest first

	Account
	Efficiency Efficiency `json:"efficiency"`
	Threads
	WakeUps
}

// statsOf returns the statistics of a trace that was added up.
func statsOf(src tracer.Source, t *totals.Totals, a *account.Account, metrics []Measure) (*Stats, error) {
	m := src.Meta()
	s := &Stats{
		Program: known(m.Program), Args: append([]string{}, m.Args...), Goal: known(m.Goal), Substrate: known(m.Substrate), Mode: known(m.Mode),
		Policy: known(m.Policy), Network: known(m.Network), Machine: known(m.Machine), CostModel: known(m.CostModel), PEs: m.PEs,
		Missing: known(m.Missing()),
		Events:  t.Events, Tasks: t.Tasks, Reductions: t.Reductions, Suspensions: t.Suspensions, Resumptions: t.Resumptions,
		Failures: t.Failures, ElapsedNs: a.Elapsed(), Account: accountOf(src, a),
		Moves: t.Moves, MovedBytes: t.MovedBytes, Messages: t.Messages, Bytes: t.Bytes, Metrics: metrics,
	}
	if t.Exits > 0 {
		s.Outcome = known(tracer.Outcome(min(max(t.Status, 0), int64(tracer.Interrupted))).String())
	}
	if a.Basis != account.Nowhere && a.Basis != account.Samples {
		active := a.Active()
		s.ActivePEs = &active
	}
	if m.Policy != "" || m.Seed != 0 {
		s.Seed = &m.Seed
	}
	counts := src.Counts()
	if s.WorkNs != nil && t.Reductions > 0 { // otherwise the trace has no costs
		s.SpanNs = &t.Span
		s.Parallelism = Ratio(*s.WorkNs, t.Span)
	}
	if counts[tracer.Reduce]+counts[tracer.Fork] > 0 {
		s.Height = &t.Height
	}
	s.Steals = t.Steals
	s.Efficiency = efficiencyOf(src, a)
	var err error
	if s.Kinds, err = processKinds(src); err != nil {
		return nil, err
	}
	return s, s.threads(src, t)
}

// known returns nil for "".
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

// Ratio returns a/b, or nil if b is not positive.
func Ratio(a, b int64) *float64 {
	if b <= 0 {
		return nil
	}
	r := float64(a) / float64(b)
	return &r
}

// WriteJSON writes the numbers as one object.
func (s *Stats) WriteJSON(w io.Writer) error { return WriteJSON(w, s) }

// WriteJSON writes a value as JSON for people and programs: indented, with <, > and & as they are.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// WriteTable writes the numbers as a table.
func (s *Stats) WriteTable(w io.Writer) error {
	var b strings.Builder
	writeColumns(&b, s.Table(), 1)
	_, err := io.WriteString(w, b.String())
	return err
}

// Table returns lines with a name and a value. It omits zeros and unknown numbers.
func (s *Stats) Table() (lines [][]string) {
	t := rows(func(name, value string) {
		if value != "" {
			lines = append(lines, []string{name, value})
		}
	})
	t("program", strings.Join(append([]string{text(s.Program)}, s.Args...), " "))
	t("goal", text(s.Goal))
	machine := text(s.Machine)
	if text(s.Mode) == tracer.Live {
		machine = "real cores" // policies may still use the distances of a network
	}
	t("machine", joined(machine, text(s.Network)))
	seed := ""
	if s.Seed != nil {
		seed = strconv.FormatUint(*s.Seed, 10)
	}
	if policy := text(s.Policy); policy != "" && seed != "" {
		t("policy", policy+", seed "+seed)
	} else {
		t("policy", policy)
		t("seed", seed)
	}
	t("outcome", text(s.Outcome))
	t("missing", text(s.Missing))
	if s.PEs > 0 {
		pes := figures.Count(int64(s.PEs))
		if s.ActivePEs != nil && *s.ActivePEs < s.PEs {
			pes += ", " + figures.Count(int64(*s.ActivePEs)) + " of them active"
		}
		t("PEs", pes)
	}
	t("events", figures.Count(s.Events))
	if s.Tasks > 0 || len(s.Metrics) == 0 { // a profile has no tasks
		t("tasks", figures.Count(s.Tasks))
	}
	for i := range s.Metrics {
		name := s.Metrics[i].Name
		if s.Tasks > 0 { // the rows below tell what tasks and PEs did
			name = "sum of " + name
		}
		t(name, s.Metrics[i].String())
	}
	t.count("reductions", s.Reductions)
	if s.Height != nil {
		t("height", figures.Count(int64(*s.Height)))
	}
	t.count("suspensions", s.Suspensions)
	t.count("failures", s.Failures)
	if text(s.Timing) != sharedTiming && (s.ElapsedNs > 0 || len(s.Metrics) == 0) { // times of PEs with shared timing are not comparable
		t("elapsed", figures.Duration(s.ElapsedNs))
	}
	t.duration("real time", s.WallNs)
	if s.Time == nil { // shared timing
		t.duration("work", s.WorkNs)
	}
	s.Account.table(t)
	if s.Tasks > 0 || len(s.Metrics) == 0 || s.Time != nil { // a profile has no times of PEs
		s.Efficiency.table(t)
	}
	t.duration("span", s.SpanNs)
	t("parallelism", decimal(s.Parallelism, 2, ""))
	s.Threads.table(t)
	s.WakeUps.table(t)
	t.count("moves", s.Moves)
	t.count("steals", s.Steals)
	t.count("messages", s.Messages)
	t.count("bytes sent", s.Bytes)
	kindRows(s.Kinds, t)
	return lines
}

// A rows function adds a row to a table.
type rows func(name, value string)

// count adds a number above zero.
func (t rows) count(name string, n int64) {
	if n > 0 {
		t(name, figures.Count(n))
	}
}

// duration adds a known time.
func (t rows) duration(name string, ns *int64) {
	if ns != nil {
		t(name, figures.Duration(*ns))
	}
}

// joined returns a and b with a comma between them, or the one that is not empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// decimal returns x with a number of digits after the point, or none for nil.
func decimal(x *float64, digits int, none string) string {
	if x == nil {
		return none
	}
	return strconv.FormatFloat(*x, 'f', digits, 64)
}

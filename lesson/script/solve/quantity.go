package solve

import (
	"strings"

	"whorl/tracer"
	"whorl/tracer/query"
	"whorl/tracer/report"
)

// A Quantity is a number of a run that expressions can use, as RUN.NAME.
type Quantity struct {
	Name, Doc string
	Type      query.Type // Time or Number
	Share     bool       // it lies between 0 and 1 and is shown as a percentage

	get func(s *report.Stats) *float64 // nil for unknown
}

func whole(get func(s *report.Stats) int64) func(*report.Stats) *float64 {
	return func(s *report.Stats) *float64 { x := float64(get(s)); return &x }
}

func known(get func(s *report.Stats) *int64) func(*report.Stats) *float64 {
	return func(s *report.Stats) *float64 {
		n := get(s)
		if n == nil {
			return nil
		}
		x := float64(*n)
		return &x
	}
}

// ofClass returns the getter of the time of a class of the account.
func ofClass(get func(t *report.ClassTimes) int64) func(*report.Stats) *float64 {
	return func(s *report.Stats) *float64 {
		if s.Time == nil {
			return nil
		}
		x := float64(get(s.Time))
		return &x
	}
}

// Quantities lists the numbers of a run. They are those of whorl stats --format json, without their units.
var Quantities = []Quantity{
	{"elapsed", "time until the last event", query.Time, false, whole(func(s *report.Stats) int64 { return s.ElapsedNs })},
	{"pes", "PEs of the machine", query.Number, false, whole(func(s *report.Stats) int64 { return int64(s.PEs) })},
	{"work", "time that all PEs together worked", query.Time, false, known(func(s *report.Stats) *int64 { return s.WorkNs })},
	{"overhead", "time of the runtime system, messages and the operating system", query.Time, false, known(func(s *report.Stats) *int64 { return s.OverheadNs })},
	{"scheduling", "time of all PEs in the scheduler", query.Time, false, ofClass(func(t *report.ClassTimes) int64 { return t.SchedulingNs })},
	{"stealing", "time of all PEs from asking for work to the answer", query.Time, false, ofClass(func(t *report.ClassTimes) int64 { return t.StealingNs })},
	{"communication", "time of all PEs for messages", query.Time, false, ofClass(func(t *report.ClassTimes) int64 { return t.CommunicationNs })},
	{"waiting", "time of all PEs waiting for another PE", query.Time, false, ofClass(func(t *report.ClassTimes) int64 { return t.WaitingNs })},
	{"nothing", "time of all PEs without any task", query.Time, false, ofClass(func(t *report.ClassTimes) int64 { return t.NothingNs })},
	{"idle_share", "share of the time of all PEs without work: stealing, waiting and nothing to do", query.Number, true, func(s *report.Stats) *float64 { return s.IdleShare }},
	{"pes_at_work", "PEs at work on average: work / elapsed", query.Number, false, func(s *report.Stats) *float64 { return s.PEsAtWork }},
	{"active_pes", "PEs with work", query.Number, false, func(s *report.Stats) *float64 {
		if s.ActivePEs == nil {
			return nil
		}
		x := float64(*s.ActivePEs)
		return &x
	}},
	{"most_work", "work of the PE with the most", query.Time, false, known(func(s *report.Stats) *int64 { return s.Efficiency.MostWorkNs })},
	{"parallel_efficiency", "work / (elapsed x PEs)", query.Number, true, func(s *report.Stats) *float64 { return s.Efficiency.Parallel }},
	{"load_balance", "mean work of a PE / most work of a PE", query.Number, true, func(s *report.Stats) *float64 { return s.Efficiency.LoadBalance }},
	{"serialisation", "most work of a PE / time with free communication", query.Number, true, func(s *report.Stats) *float64 { return s.Efficiency.Serialisation }},
	{"transfer", "time with free communication / elapsed", query.Number, true, func(s *report.Stats) *float64 { return s.Efficiency.Transfer }},
	{"ideal", "time if communication were free", query.Time, false, known(func(s *report.Stats) *int64 { return s.Efficiency.IdealNs })},
	{"span", "longest chain of work that depends on each other", query.Time, false, known(func(s *report.Stats) *int64 { return s.SpanNs })},
	{"parallelism", "work / span", query.Number, false, func(s *report.Stats) *float64 { return s.Parallelism }},
	{"burdened_span", "the span with the cost of moving work at each fork and join", query.Time, false, known(func(s *report.Stats) *int64 { return s.BurdenedSpanNs })},
	{"speedup_most", "no schedule is faster than this", query.Number, false, func(s *report.Stats) *float64 { return s.SpeedupMost }},
	{"speedup_least", "no greedy schedule is slower than this", query.Number, false, func(s *report.Stats) *float64 { return s.SpeedupLeast }},
	{"blocked", "time in joins or for bindings, summed over threads or goals", query.Time, false, known(func(s *report.Stats) *int64 { return s.BlockedNs })},
	{"waiting_to_start", "time from forks to starts, summed over threads", query.Time, false, known(func(s *report.Stats) *int64 { return s.WaitingNs })},
	{"threads", "threads, with the main one", query.Number, false, known(func(s *report.Stats) *int64 { return s.Count })},
	{"migrated", "threads that started on another PE than their fork", query.Number, false, known(func(s *report.Stats) *int64 { return s.Migrated })},
	{"tasks", "tasks", query.Number, false, whole(func(s *report.Stats) int64 { return s.Tasks })},
	{"height", "deepest level of the tree of tasks", query.Number, false, func(s *report.Stats) *float64 {
		if s.Height == nil {
			return nil
		}
		x := float64(*s.Height)
		return &x
	}},
	{"reductions", "reductions", query.Number, false, whole(func(s *report.Stats) int64 { return s.Reductions })},
	{"suspensions", "tries that had to wait for a variable", query.Number, false, whole(func(s *report.Stats) int64 { return s.Suspensions })},
	{"moves", "moves of work to another PE", query.Number, false, whole(func(s *report.Stats) int64 { return s.Moves })},
	{"steals", "moves that an idle PE asked for", query.Number, false, whole(func(s *report.Stats) int64 { return s.Steals })},
	{"messages", "messages", query.Number, false, whole(func(s *report.Stats) int64 { return s.Messages })},
	{"kinds", "kinds of processes", query.Number, false, whole(func(s *report.Stats) int64 { return int64(len(s.Kinds)) })},
	{"smallest", "processes of the smallest kind", query.Number, false, func(s *report.Stats) *float64 {
		if len(s.Kinds) == 0 {
			return nil
		}
		x := float64(s.Kinds[len(s.Kinds)-1].Count)
		return &x
	}},
	{"bytes", "bytes of the messages", query.Number, false, whole(func(s *report.Stats) int64 { return s.Bytes })},
}

// A Name is a text of a run that an answer in words can use, as RUN.NAME.
type Name struct {
	Name, Doc string

	get func(m *Made) (text string, known []string)
}

// Names lists the texts of a run.
var Names = []Name{
	{"top_procedure", "the procedure or function with the most work", func(m *Made) (string, []string) {
		var all []string
		for _, f := range m.Stats.Functions {
			all = append(all, f.Function)
		}
		if all == nil {
			return "", nil
		}
		return all[0], all
	}},
	{"blocked_by", "the function for which others were blocked longest", func(m *Made) (string, []string) {
		var all []string
		for _, f := range m.Stats.Functions {
			all = append(all, f.Function)
		}
		if len(m.Stats.BlockedBy) == 0 {
			return "", all
		}
		return m.Stats.BlockedBy[0].By, all
	}},
	{"policy", "the scheduling policy", func(m *Made) (string, []string) {
		if m.Stats.Policy == nil {
			return "", nil
		}
		return *m.Stats.Policy, nil
	}},
	{"outcome", "how the run ended: done, failed or limited", func(m *Made) (string, []string) {
		return m.Outcome, []string{tracer.Done.String(), tracer.Failed.String(), tracer.Limited.String()}
	}},
	{"error", "why the run failed, in one line", func(m *Made) (string, []string) {
		line, _, _ := strings.Cut(m.Err, "\n")
		return line, nil
	}},
	{"smallest_kind", "the numbers of the processes of the smallest kind", func(m *Made) (string, []string) {
		if n := len(m.Stats.Kinds); n > 0 {
			return m.Stats.Kinds[n-1].Processes, nil
		}
		return "", nil
	}},
}

package report

import (
	"fmt"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// Account is the division of the time of all PEs among classes (tracer/derive/account).
type Account struct {
	WorkNs     *int64      `json:"work_ns"`     // of tasks
	OverheadNs *int64      `json:"overhead_ns"` // of the runtime system, messages and the operating system
	Time       *ClassTimes `json:"time"`        // by class, adding up to PEs times elapsed
	Waits      []Wait      `json:"waits"`       // the longest first
	Work
	PEsAtWork *float64 `json:"pes_at_work"` // work / elapsed
	IdleShare *float64 `json:"idle_share"`  // of the time of all PEs, 0 to 1: stealing, waiting and nothing to do
}

// ClassTimes holds ns of all PEs together.
type ClassTimes struct {
	WorkNs          int64 `json:"work_ns"`
	SchedulingNs    int64 `json:"scheduling_ns"`
	StealingNs      int64 `json:"stealing_ns"`
	CommunicationNs int64 `json:"communication_ns"`
	WaitingNs       int64 `json:"waiting_ns"`
	CollectorNs     int64 `json:"collector_ns"`
	SystemNs        int64 `json:"system_ns"`
	NothingNs       int64 `json:"nothing_ns"`
}

// A Wait is the time that PEs waited for one reason.
type Wait struct {
	For    string      `json:"for"` // binding, join, message or a reason of the trace
	TimeNs int64       `json:"time_ns"`
	Count  int64       `json:"count"`
	By     []WaitCause `json:"by"` // the longest first
}

// A WaitCause is the function that ended waits, with the PE on which it ran.
type WaitCause struct {
	PE       *int32 `json:"pe"`       // null if unknown
	Place    string `json:"place"`    // of the PE (tracer.Places.Name), "" if unknown
	Function string `json:"function"` // "" if unknown
	TimeNs   int64  `json:"time_ns"`
	Count    int64  `json:"count"`
}

// accountOf returns the numbers of an account.
func accountOf(src tracer.Source, a *account.Account) Account {
	s := Account{Waits: []Wait{}, Work: noWork()}
	if !a.Known() || a.Basis == account.Instants { // clock ticks are no times
		return s
	}
	t := a.Total()
	work := t[account.Work]
	s.WorkNs, s.PEsAtWork = &work, Ratio(work, a.Elapsed())
	s.Time = &ClassTimes{
		WorkNs: work, SchedulingNs: t[account.Scheduling], StealingNs: t[account.Stealing], CommunicationNs: t[account.Communication],
		WaitingNs: t[account.Waiting], CollectorNs: t[account.Collector], SystemNs: t[account.System], NothingNs: t[account.Nothing],
	}
	idle, overhead := t.Idle(), t.Overhead()
	s.IdleShare = Ratio(idle, t.Sum())
	if a.Basis == account.States {
		s.OverheadNs = &overhead
	}
	names, meta := namesOf(src), src.Meta()
	places := meta.Places()
	s.Work = workOf(src, a)
	for _, w := range a.Waits {
		x := Wait{For: w.For, TimeNs: w.Time, Count: w.Count}
		for _, c := range w.By {
			cause := WaitCause{TimeNs: c.Time, Count: c.Count}
			if c.PE >= 0 {
				cause.PE, cause.Place = &c.PE, places.Name(int(c.PE))
			}
			if c.Code > 0 {
				cause.Function = names.owner(c.Code)
			}
			x.By = append(x.By, cause)
		}
		s.Waits = append(s.Waits, x)
	}
	return s
}

// table adds the numbers to a table. It omits classes without time.
func (s *Account) table(t rows) {
	if s.Time == nil {
		return
	}
	x := s.Time
	times := account.Times{
		account.Work: x.WorkNs, account.Scheduling: x.SchedulingNs, account.Stealing: x.StealingNs, account.Communication: x.CommunicationNs,
		account.Waiting: x.WaitingNs, account.Collector: x.CollectorNs, account.System: x.SystemNs, account.Nothing: x.NothingNs,
	}
	all := times.Sum()
	for c, ns := range times {
		if ns > 0 || account.Class(c) == account.Work {
			t(account.Class(c).String(), figures.Duration(ns)+"  "+figures.PercentTo(ns, all, 1))
		}
		if account.Class(c) == account.Waiting {
			for _, w := range s.Waits {
				t("  for "+plural(w.For), w.text())
			}
		}
	}
	t("PEs at work", decimal(s.PEsAtWork, 2, ""))
	s.Work.table(t)
}

// plural returns the reason of several waits.
func plural(reason string) string {
	switch reason {
	case "binding", "join", "message":
		return reason + "s"
	}
	return reason
}

// text describes a wait with its largest cause.
func (w *Wait) text() string {
	s := figures.Duration(w.TimeNs)
	c := &w.By[0]
	if c.PE == nil {
		return s
	}
	if len(w.By) > 1 {
		s += ", most of it"
	}
	s += fmt.Sprintf(" for PE %d", *c.PE)
	if c.Place != "" {
		s += " (" + c.Place + ")"
	}
	if c.Function != "" {
		s += " in " + c.Function
	}
	if len(w.By) > 1 {
		s += ": " + figures.Duration(c.TimeNs)
	}
	return s
}

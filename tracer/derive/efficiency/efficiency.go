// Package efficiency says how well a run used its machine and where the rest of its time went, after the methodology of the centre of excellence
// POP (Performance Optimisation and Productivity, pop-coe.eu): efficiencies whose product is the parallel efficiency.
//
//	parallel efficiency  work / (PEs x elapsed)             = load balance x serialisation x transfer
//	load balance         mean work of a PE / most work of a PE
//	serialisation        most work of a PE / T(ideal)        what PEs lose by waiting for each other, and to the runtime system
//	transfer             T(ideal) / elapsed                  what messages cost
//
// T(ideal) is the time that the run would take if communication were free. It comes from a replay of the recording (account.WithoutTransfers) that
// keeps the schedule: for programs whose schedule does not depend on the network it is the time on a network without costs, for others an estimate
// that no new run can replace, since that run would have another schedule.
//
// The loss of serialisation has parts: further replays leave out the operating system, the collector and the runtime system. So the elapsed time is
// a sum of Steps from the ideal time, which is the work divided evenly among the PEs.
package efficiency

import (
	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// A Step is a part of the elapsed time.
type Step uint8

// The steps, from the ideal time to the measured one.
const (
	Ideal         Step = iota // the work divided evenly among all PEs
	Imbalance                 // until the PE with the most work has done it
	Serialisation             // PEs wait for each other
	Transfer                  // communication
	Scheduling                // the runtime system and requests for work
	Collector
	System
	NumSteps
)

// String returns the name of the step for people.
func (s Step) String() string { return stepNames[s] }

var stepNames = [NumSteps]string{
	"ideal time", "load imbalance", "serialisation", "transfer", "scheduling, stealing", "garbage collection", "operating system",
}

// A Factor is an efficiency.
type Factor uint8

// The factors. Parallel is the product of the others.
const (
	Parallel Factor = iota
	LoadBalance
	Serialised
	Transferred
	NumFactors
)

// String returns the name of the factor for people.
func (f Factor) String() string { return factorNames[f] }

var factorNames = [NumFactors]string{"parallel efficiency", "load balance", "serialisation", "transfer"}

// An Efficiency holds the efficiencies of a run. Times are in ns.
type Efficiency struct {
	PEs     int
	Elapsed int64
	Work    int64 // of all PEs
	Most    int64 // work of the PE Busiest, the most of a PE
	Busiest int
	Ideal   int64 // T(ideal); -1 if unknown
	Steps   [NumSteps]int64
	Doubt   string // why efficiencies are unknown, or what they do not include; "" for no reason
}

// Compute returns the efficiencies of a trace with an account. Without work they are all unknown. A trace without states of PEs does not tell
// communication from waiting: its serialisation and its transfer are unknown, and the loss of both is a step of serialisation.
func Compute(src tracer.Source, a *account.Account) *Efficiency {
	e := &Efficiency{PEs: a.PEs, Elapsed: a.Elapsed(), Ideal: -1}
	switch {
	case a.Basis == account.Nowhere || !a.Known():
		e.Doubt = "the recording does not say when PEs worked"
		return e
	case a.Basis == account.Instants:
		e.Doubt = "the recording has no durations"
		return e
	}
	for i := range a.Rows {
		work := a.Rows[i].Times[account.Work]
		e.Work += work
		if work > e.Most {
			e.Most, e.Busiest = work, i
		}
	}
	if e.Work == 0 {
		e.Doubt = "no PE worked"
		return e
	}
	e.Steps[Ideal] = e.Work / int64(e.PEs)
	e.Steps[Imbalance] = e.Most - e.Steps[Ideal]
	if a.Basis != account.States {
		e.Steps[Serialisation] = e.Elapsed - e.Most
		e.Doubt = "the recording does not tell communication from waiting"
		return e
	}
	r := &a.Replays
	e.Ideal = r[account.WithoutTransfers]
	e.Steps[Serialisation] = r[account.WithWork] - e.Most
	e.Steps[Scheduling] = r[account.WithRuntime] - r[account.WithWork]
	e.Steps[Collector] = r[account.WithCollector] - r[account.WithRuntime]
	e.Steps[System] = e.Ideal - r[account.WithCollector]
	e.Steps[Transfer] = e.Elapsed - e.Ideal
	if src.Meta().Mode == tracer.Live && src.Counts()[tracer.Send] == 0 {
		e.Doubt = "transfers through shared memory are not recorded; they count as work"
	}
	return e
}

// Known reports whether load balance and parallel efficiency are known.
func (e *Efficiency) Known() bool { return e.Work > 0 }

// Factor returns a factor from 0 to 1; ok is false if it is unknown.
func (e *Efficiency) Factor(f Factor) (value float64, ok bool) {
	ratio := func(a, b int64) float64 { return float64(a) / float64(b) }
	switch {
	case !e.Known():
		return 0, false
	case f == Parallel:
		return ratio(e.Work, e.Elapsed) / float64(e.PEs), true
	case f == LoadBalance:
		return ratio(e.Work, e.Most) / float64(e.PEs), true
	case e.Ideal < 0:
		return 0, false
	case f == Serialised:
		return ratio(e.Most, e.Ideal), true
	}
	return ratio(e.Ideal, e.Elapsed), true
}

// Note returns what Doubt says about a factor: why it is unknown, or what it does not include; "" if there is no doubt.
func (e *Efficiency) Note(f Factor) string {
	if _, ok := e.Factor(f); !ok || f == Transferred {
		return e.Doubt
	}
	return ""
}

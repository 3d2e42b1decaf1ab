package report

import (
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/efficiency"
)

// Efficiency holds the efficiencies of a run after the methodology of POP (tracer/derive/efficiency), from 0 to 1, and its elapsed time as a sum.
// Unknown numbers are null.
type Efficiency struct {
	Parallel      *float64   `json:"parallel"` // the product of the other three
	LoadBalance   *float64   `json:"load_balance"`
	Serialisation *float64   `json:"serialisation"`
	Transfer      *float64   `json:"transfer"`
	Doubt         *string    `json:"doubt"`        // why factors are unknown, or what transfer does not include
	MostWorkNs    *int64     `json:"most_work_ns"` // of a PE
	IdealNs       *int64     `json:"ideal_ns"`     // the time if communication were free
	Steps         []StepTime `json:"steps"`        // from the ideal time, adding up to the elapsed time

	factors [efficiency.NumFactors]string // as tables show them
}

// A StepTime is a part of the elapsed time.
type StepTime struct {
	Step   string `json:"step"`
	TimeNs int64  `json:"time_ns"`
}

func efficiencyOf(src tracer.Source, a *account.Account) Efficiency {
	e := efficiency.Compute(src, a)
	factor := func(f efficiency.Factor) *float64 {
		if x, ok := e.Factor(f); ok {
			return &x
		}
		return nil
	}
	s := Efficiency{
		Parallel: factor(efficiency.Parallel), LoadBalance: factor(efficiency.LoadBalance), Serialisation: factor(efficiency.Serialised),
		Transfer: factor(efficiency.Transferred), Doubt: known(e.Doubt), Steps: []StepTime{},
	}
	for f := range s.factors {
		s.factors[f] = factorText(e, efficiency.Factor(f))
	}
	if !e.Known() {
		return s
	}
	s.MostWorkNs = &e.Most
	if e.Ideal >= 0 {
		s.IdealNs = &e.Ideal
	}
	for step, ns := range e.Steps {
		s.Steps = append(s.Steps, StepTime{efficiency.Step(step).String(), ns})
	}
	return s
}

// factorText returns a factor with the doubts about it.
func factorText(e *efficiency.Efficiency, f efficiency.Factor) string {
	x, ok := e.Factor(f)
	note := e.Note(f)
	switch {
	case !ok:
		return "unknown: " + note
	case note != "":
		return figures.Share(x, 1) + ": " + note
	}
	return figures.Share(x, 1)
}

// table adds the efficiencies to a table.
func (s *Efficiency) table(t rows) {
	if s.Parallel == nil {
		t(efficiency.Parallel.String(), s.factors[efficiency.Parallel])
		return
	}
	for f, text := range s.factors {
		name := efficiency.Factor(f).String()
		if f > 0 {
			name = "  " + name
		}
		t(name, text)
	}
}

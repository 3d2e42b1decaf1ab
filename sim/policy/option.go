package policy

import (
	"errors"
	"fmt"
	"strings"

	"whorl/internal/nearest"
	"whorl/sim"
)

// An Option is a setting of on-demand. Options follow the name, as in on-demand:ask=next:body=reversed.
type Option struct {
	Name   string
	Values []Value // the default first
}

// A Value is a value of an Option.
type Value struct {
	Name, Doc string
	set       func(*OnDemand)
}

// Options lists the options of on-demand: what the paper on VISTA leaves open about the scheduling of Panda. Only ask
// applies to threads and live runs.
var Options = []Option{
	{"ask", []Value{
		{"random", "an idle PE asks the first PE with work from a random one on", func(d *OnDemand) { d.Victim = FromRandom }},
		{"next", "an idle PE asks the first PE with work after itself", func(d *OnDemand) { d.Victim = FromNext }},
		{"longest", "an idle PE asks the PE with the longest queue", func(d *OnDemand) { d.Victim = Longest }},
	}},
	{"body", []Value{
		{"forward", "the goals of a body run from the first to the last", func(d *OnDemand) { d.Goals.Reversed = false }},
		{"reversed", "simulated FGHC: the goals of a body run from the last to the first", func(d *OnDemand) { d.Goals.Reversed = true }},
	}},
	{"resume", []Value{
		{"next", "a resumed goal runs after the body that resumes it", func(d *OnDemand) { d.Goals.Resumed = sim.Next }},
		{"first", "simulated FGHC: a resumed goal runs before the body that resumes it", func(d *OnDemand) { d.Goals.Resumed = sim.First }},
		{"last", "simulated FGHC: a resumed goal runs behind all ready goals of its PE, and is given away first", func(d *OnDemand) { d.Goals.Resumed = sim.Last }},
	}},
	{"home", []Value{
		{"sleeper", "a resumed goal goes to the PE where it waited", func(d *OnDemand) { d.Goals.Binder = false }},
		{"binder", "simulated FGHC in shared memory: a resumed goal goes to the PE that binds the variable", func(d *OnDemand) { d.Goals.Binder = true }},
	}},
}

// configure returns on-demand with the options of a text such as ask=next:body=reversed.
func configure(text string) (sim.Policy, error) {
	var d OnDemand
	given := map[string]bool{}
	for setting := range strings.SplitSeq(text, ":") {
		name, value, ok := strings.Cut(setting, "=")
		if !ok {
			return nil, fmt.Errorf("option %s of the policy on-demand: expected OPTION=VALUE, such as ask=next", nearest.Quote(setting))
		}
		v, err := find(name, value)
		if err != nil {
			return nil, err
		}
		if given[name] {
			return nil, errors.New("the option " + name + " of the policy on-demand is given twice")
		}
		given[name] = true
		v.set(&d)
	}
	return d, nil
}

func find(name, value string) (*Value, error) {
	var options, values []string
	for _, o := range Options {
		options = append(options, o.Name)
		if o.Name != name {
			continue
		}
		for i := range o.Values {
			if o.Values[i].Name == value {
				return &o.Values[i], nil
			}
			values = append(values, o.Values[i].Name)
		}
		return nil, nearest.Unknown("value of the option "+name, value, values)
	}
	return nil, nearest.Unknown("option of the policy on-demand", name, options)
}

// Unordered is Named for threads and live runs, which run goals in one order only.
func Unordered(name string) (sim.Policy, error) {
	p, err := Named(name)
	if err == nil && p.Traits().Goals != (sim.Goals{}) {
		return nil, errors.New("policy " + name + ": body, resume and home are options of simulated runs of FGHC; threads and live runs have only ask")
	}
	return p, err
}

package flame

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/query"
	"whorl/visual/flow"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
	"whorl/visual/view/contexts/shares"
)

// The values of the parameter calls.
const (
	callees = "callees"
	callers = "callers"
	both    = "both"
)

func figure(n int) string { return figures.Count(int64(n)) }

// trees are the trees of the picture: one, or that of the callers and that of the callees of a function.
type trees struct {
	drawn []*shares.Drawn
	notes []string
	wrong error // the function is not known, or no regular expression
}

var treesStage = flow.Derive("flametrees", "the trees of the flame graph, of callees or of callers",
	append(flow.In(contexts.Recorded, contexts.Timed, contexts.SpreadStage, shares.DrawnStage, view.ProcedureStage), contexts.OtherRun...),
	append(flow.Params{calls.Name, function.Name, contexts.Processes.Name, contexts.Metric.Name, contexts.Value.Name, contexts.Against.Name, view.Root}, slices.Concat(contexts.Choosing, shares.ColorParams)...),
	func(c *flow.Call[*trees]) (*trees, error) {
		t := &trees{drawn: []*shares.Drawn{shares.DrawnStage.In(c)}}
		all, metric := contexts.Timed.In(c), c.Params.Text(contexts.Metric.Name)
		var turns []func(*contexts.Contexts) *contexts.Contexts
		switch c.Params.Text(calls.Name) {
		case callers:
			turns = append(turns, func(x *contexts.Contexts) *contexts.Contexts { return x.Callers(nil, metric) })
		case both:
			name := strings.TrimSpace(c.Params.Text(function.Name))
			if name == "" {
				t.notes = append(t.notes, "Select a function and press "+keyBoth+", or name it in “Function”, to see its callers and callees.")
				return t, nil
			}
			of, err := named(all, name)
			if err != nil {
				t.wrong = err
				return t, nil
			}
			turns = append(turns, func(x *contexts.Contexts) *contexts.Contexts { return x.Callers(of(x), metric) }, func(x *contexts.Contexts) *contexts.Contexts { return x.Callees(of(x)) })
		default:
			return t, nil
		}
		t.drawn = nil
		for _, turn := range turns {
			d, err := turned(c, all, turn)
			if err != nil {
				return nil, err
			}
			t.drawn = append(t.drawn, d)
		}
		return t, nil
	})

// turned lays out a tree made of the contexts.
func turned(c *flow.Call[*trees], all *contexts.Contexts, turn func(*contexts.Contexts) *contexts.Contexts) (*shares.Drawn, error) {
	p := c.Params
	whole := turn(all)
	some, err := whole.Chosen(p.Text(contexts.Processes.Name))
	if err != nil {
		return nil, err
	}
	v, err := some.Values(p.Text(contexts.Metric.Name), p.Text(contexts.Value.Name) != contexts.Exclusive)
	if err != nil {
		return nil, err
	}
	other := contexts.OtherOf(c)
	if other != nil && other.Wrong == nil && strings.TrimSpace(p.Text(contexts.Against.Name)) == contexts.AgainstTrace {
		other = &contexts.Other{Name: other.Name, Contexts: turn(other.Contexts)}
	}
	root := some.Root(uint64(p.Int(view.Root)))
	if one := callingcontext.Root + 1; root == 0 && p.Text(calls.Name) == both && int(one) < some.Nodes() && int(some.End[one]) == some.Nodes() {
		root = one // the function
	}
	return shares.Draw(shares.Canvas{
		Spreads: contexts.NewSpreads(v), Root: root, All: whole, Whole: contexts.Recorded.In(c), Ranks: view.ProcedureStage.In(c),
		Differences: v.Against(whole, other, p.Text(contexts.Against.Name)),
	}, whole, p), nil
}

// named returns the functions with a name, or else those that match it as a regular expression, of any run.
func named(all *contexts.Contexts, name string) (of func(*contexts.Contexts) func(code uint32) bool, err error) {
	exact := func(x *contexts.Contexts) func(code uint32) bool {
		return func(code uint32) bool { return x.FunctionName(code) == name }
	}
	if slices.ContainsFunc(all.Code[1:], exact(all)) {
		return exact, nil
	}
	re, err := query.Search(name)
	if err != nil {
		return nil, fmt.Errorf("%s %w", function.Name, err)
	}
	matching := func(x *contexts.Contexts) func(code uint32) bool { return callingcontext.Matching(re, x.FunctionName) }
	if slices.ContainsFunc(all.Code[1:], matching(all)) {
		return matching, nil
	}
	known := map[string]bool{}
	for _, code := range all.Code[1:] {
		known[all.FunctionName(code)] = true
	}
	return nil, errors.New(nearest.Suggest("no function is named "+nearest.Quote(name), nearest.Names(name, slices.Sorted(maps.Keys(known)))))
}

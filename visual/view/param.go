package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/palette"
)

// A Param is a parameter of a view that users set. Default fixes its type: bool, int64, float64 or string.
type Param struct {
	Name     string // key in --set, workspaces and error messages
	Label    string // a few words for people, capitalised, with the unit of a number in parentheses
	Doc      string // a phrase that explains the values
	Default  any
	Choices  []string // the allowed values of a string; none allows any
	Min, Max float64  // range of a number; both 0 allow any
	Common   bool     // all views of a trace share the value
}

// Parameters that every view has.
var (
	Palette = Param{
		Name: "palette", Label: "Palette", Doc: "colour scheme", Default: palette.Schemes[0].Name, Choices: palette.Names(),
	}
	Background = Param{
		Name: "background", Label: "Background", Doc: "brightness of the background", Default: "light", Choices: []string{"light", "dark"},
	}
)

// Type is the name of the parameter's type, as help texts show it.
func (p Param) Type() string {
	switch p.Default.(type) {
	case bool:
		return "bool"
	case int64:
		return "int"
	case float64:
		return "number"
	}
	if len(p.Choices) > 0 {
		return strings.Join(p.Choices, "|")
	}
	return "text"
}

// Parse reads a value of the parameter as users write it. The error says what was expected.
func (p Param) Parse(s string) (any, error) {
	var v any
	var err error
	want := "a number"
	number := math.NaN()
	switch p.Default.(type) {
	case bool:
		v, err = strconv.ParseBool(s)
		want = "true or false"
	case int64:
		var n int64
		n, err = strconv.ParseInt(s, 10, 64)
		v, number, want = n, float64(n), "a whole number"
	case float64:
		number, err = strconv.ParseFloat(s, 64)
		v = number
		if err == nil && (math.IsNaN(number) || math.IsInf(number, 0)) {
			err = strconv.ErrRange
		}
	default:
		if len(p.Choices) > 0 && !slices.Contains(p.Choices, s) {
			return nil, nearest.Unknown(p.Name, s, p.Choices)
		}
		return s, nil
	}
	limited := p.Min != 0 || p.Max != 0
	if limited {
		want += " from " + plain(p.Min) + " to " + plain(p.Max)
	}
	if err != nil || limited && (number < p.Min || number > p.Max) {
		return nil, fmt.Errorf("%s %q is not %s", p.Name, s, want)
	}
	return v, nil
}

// plain is a number without an exponent.
func plain(x float64) string {
	if x == math.Trunc(x) {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// Param returns the parameter of that name; an error names the nearest ones.
func (k *Kind) Param(name string) (Param, error) {
	names := make([]string, len(k.Params))
	for i, p := range k.Params {
		if p.Name == name {
			return p, nil
		}
		names[i] = p.Name
	}
	return Param{}, nearest.Unknown("parameter of the "+k.Name+" view", name, names)
}

// Set returns the action that gives the parameter a value in a pane.
func (p Param) Set(pane int, value string) []Action {
	return []Action{{Do: SetParam, Pane: pane, Name: p.Name, Value: value}}
}

// Defaults are the values that the parameters have until they are set.
func (k *Kind) Defaults() flow.Values {
	p := flow.Values{}
	for _, q := range k.Params {
		p[q.Name] = q.Default
	}
	return p
}

// CanOpen returns nil when the view can show a trace, and otherwise an error that says which events are missing and which are there. The text of
// a program can be shown before its first event.
func (k *Kind) CanOpen(src tracer.Source) error {
	counts := src.Counts()
	var has []string
	for kind, n := range counts {
		if n > 0 {
			has = append(has, fmt.Sprintf("%v (%s)", tracer.Kind(kind), figures.Count(n)))
		}
	}
	var wants []string
	for _, set := range k.Needs {
		var all, missing []string
		for kind := range tracer.NumKinds {
			if set.Contains(kind) {
				all = append(all, kind.String())
				if counts[kind] == 0 {
					missing = append(missing, kind.String())
				}
			}
		}
		if len(missing) == 0 {
			if k.Timed && set == tracer.Kinds(tracer.Sample) && !tracer.SampleTimes(src) {
				return fmt.Errorf("the %s view needs to know when the samples were taken; %s", k.Name, untimed(src))
			}
			return nil
		}
		wants = append(wants, strings.Join(all, " and "))
	}
	if len(wants) == 0 || k.Program && len(has) == 0 && len(src.Meta().Source) > 0 {
		return nil
	}
	there := "is empty"
	if len(has) > 0 {
		there = "has only " + strings.Join(has, ", ")
	}
	return fmt.Errorf("the %s view needs %s events; this trace %s", k.Name, strings.Join(wants, " or "), there)
}

// untimed returns the reason why the samples of a trace have no times.
func untimed(src tracer.Source) string {
	switch src.Meta().Substrate {
	case "pprof":
		return "a profile of pprof records sums over the whole run"
	case "collapsed":
		return "collapsed stacks are sums over the whole run"
	}
	return "all samples of this trace have the same time"
}

// Numbers returns the numbers of a value that lists nodes, separated by commas. A number need not be that of a node of the trace, since
// a value may have been set for another trace.
func (p Param) Numbers(list string) (out []uint64, err error) {
	for s := range strings.SplitSeq(list, ",") {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %q is not the number of a node", p.Name, s)
		}
		out = append(out, n)
	}
	return out, nil
}

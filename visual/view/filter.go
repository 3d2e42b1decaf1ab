package view

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// FilterKey is the key of the sentence in the metadata of a part of a trace that says what the part is.
const FilterKey = "filter"

// A Filter is an expression for a trace (visual/network/filter): all views show only what it selects.
type Filter struct {
	Trace string `json:"trace"`
	Where string `json:"where"`
}

// Filter returns the expression that says what views show of a trace, "" for the whole.
func (s *Shared) Filter(trace string) string {
	if i, found := s.filterOf(trace); found {
		return s.Filters[i].Where
	}
	return ""
}

func (s *Shared) filterOf(trace string) (i int, found bool) {
	return slices.BinarySearchFunc(s.Filters, trace, func(f Filter, trace string) int { return strings.Compare(f.Trace, trace) })
}

// setFilter returns the state with another filter of a trace.
func setFilter(s State, a Action) (State, error) {
	i, found := s.Shared.filterOf(a.Name)
	filters := slices.Clone(s.Shared.Filters)
	switch {
	case !slices.Contains(s.Shared.Traces, a.Name):
		return s, fmt.Errorf("no trace %q is open", a.Name)
	case len(a.Value) > maxExpr || !utf8.ValidString(a.Value):
		return s, fmt.Errorf("the expression of the filter of %q has %d bytes, expected at most %d", a.Name, len(a.Value), maxExpr)
	case a.Value == "" && found:
		filters = slices.Delete(filters, i, i+1)
	case a.Value == "":
	case found:
		filters[i].Where = a.Value
	default:
		filters = slices.Insert(filters, i, Filter{a.Name, a.Value})
	}
	s.Shared.Filters = filters
	return s, nil
}

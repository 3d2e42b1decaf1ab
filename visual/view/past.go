package view

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// selectNow makes sel the selection. The present one goes to the past, unless sel continues it.
func (s *State) selectNow(sel Selection, continues bool) {
	now := s.Shared.Selection
	if !continues && !now.Empty() && !now.Equal(sel) {
		past := s.Shared.Past[max(len(s.Shared.Past)-maxPast+1, 0):]
		s.Shared.Past, s.Shared.Future = append(slices.Clone(past), now), nil
	}
	s.Shared.Selection = sel
}

// step returns the state with the selection before this one, or after it.
func step(s State, do Do) (State, error) {
	from, to := &s.Shared.Past, &s.Shared.Future
	if do == SelectNext {
		from, to = to, from
	}
	n := len(*from)
	if n == 0 {
		return s, NotNow("there is no other selection in this direction")
	}
	if !s.Shared.Selection.Empty() {
		*to = append(slices.Clone(*to), s.Shared.Selection)
	}
	s.Shared.Selection, *from = (*from)[n-1], (*from)[:n-1:n-1]
	return s, nil
}

// keep returns the state with a selection kept under a name, or without it.
func keep(s State, a Action) (State, error) {
	k := Kept{Name: a.Name, Trace: a.Value}
	if a.Selection != nil {
		k.Trace, k.Expr = a.Selection.Trace, a.Selection.Expr
	}
	kept := slices.Clone(s.Shared.Kept)
	i, found := slices.BinarySearchFunc(kept, k, func(x, y Kept) int {
		return cmp.Or(cmp.Compare(x.Trace, y.Trace), cmp.Compare(x.Name, y.Name))
	})
	switch n := utf8.RuneCountInString(k.Name); {
	case a.Do == Forget && !found:
		return s, fmt.Errorf("trace %q has no selection named %q", k.Trace, k.Name)
	case a.Do == Forget:
		kept = slices.Delete(kept, i, i+1)
	case !slices.Contains(s.Shared.Traces, k.Trace):
		return s, fmt.Errorf("no trace %q is open", k.Trace)
	case n == 0 || n > maxName || !utf8.ValidString(k.Name):
		return s, fmt.Errorf("the name of a selection has %d characters, expected 1 to %d", n, maxName)
	case k.Expr == "" || len(k.Expr) > maxExpr || !utf8.ValidString(k.Expr):
		return s, fmt.Errorf("the expression of the selection %q has %d bytes, expected 1 to %d", k.Name, len(k.Expr), maxExpr)
	case found:
		kept[i] = k
	case len(kept) >= maxKept:
		return s, fmt.Errorf("%d selections have names already", maxKept)
	default:
		kept = slices.Insert(kept, i, k)
	}
	s.Shared.Kept = kept
	return s, nil
}

// forgetTrace removes the selections of a trace.
func (s *State) forgetTrace(name string) {
	ofTrace := func(sel Selection) bool { return sel.Trace == name }
	if ofTrace(s.Shared.Selection) {
		s.Shared.Selection = Selection{}
	}
	s.Shared.Past = slices.DeleteFunc(slices.Clone(s.Shared.Past), ofTrace)
	s.Shared.Future = slices.DeleteFunc(slices.Clone(s.Shared.Future), ofTrace)
	s.Shared.Kept = slices.DeleteFunc(slices.Clone(s.Shared.Kept), func(k Kept) bool { return k.Trace == name })
}

package network

import (
	"fmt"
	"maps"

	"whorl/internal/nearest"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// findParams gives the modules that stand for the groups their parameters. Those of a group may be parameters of another one inside it.
func (k *checker) findParams() {
	for range k.Groups {
		for _, g := range k.Groups {
			m := k.groups[g.Name]
			if m.Params = nil; k.within(g.Name, nil) != nil {
				continue
			}
			for _, p := range g.Params {
				if inner, err := k.param(&g, p); err == nil {
					inner.Name = p.Name
					m.Params = append(m.Params, inner)
				}
			}
			m.Check = func(v flow.Values) error { return k.checkInner(&g, v) }
		}
	}
}

// param returns the parameter of a use that a parameter of a group stands for, with its value there as the default.
func (k *checker) param(g *Group, p GroupParam) (view.Param, error) {
	u := k.find(g.Uses, p.Use)
	if u == nil {
		return view.Param{}, nearest.Unknown("module in the group", p.Use, names(g.Uses))
	}
	m, err := k.module(u.Module)
	if err != nil {
		return view.Param{}, err
	}
	inner, ok := m.Param(p.Param)
	if !ok {
		var known []string
		for _, q := range m.Params {
			known = append(known, q.Name)
		}
		return view.Param{}, nearest.Unknown("parameter of "+m.Name, p.Param, known)
	}
	if text, set := u.Values[p.Param]; set {
		if value, err := inner.Parse(text); err == nil {
			inner.Default = value
		}
	}
	return inner, nil
}

// checkInner returns an error for values of a group's parameters that a module inside does not accept.
func (k *checker) checkInner(g *Group, v flow.Values) error {
	for _, u := range g.Uses {
		m, err := k.module(u.Module)
		if err != nil {
			continue // reported at the module
		}
		values, set := maps.Clone(u.Values), false
		for _, p := range g.Params {
			if value, ok := v[p.Name]; ok && p.Use == u.Name {
				values[p.Param], set = fmt.Sprint(value), true
			}
		}
		if set {
			if _, err := m.Parse(values); err != nil {
				return err
			}
		}
	}
	return nil
}

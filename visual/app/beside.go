package app

import "whorl/visual/view/contexts"

// besides gives the views of calling contexts that ask for it what the run beside theirs has come to: of those that are compared the first
// other one that shows contexts, too. It says whether anything is new.
func (a *App) besides() bool {
	fresh := false
	for _, id := range a.IDs {
		p := a.panes[id]
		if p == nil || p.opened == nil || p.params[contexts.Against.Name] != contexts.AgainstTrace {
			continue
		}
		d := a.docs[p.trace]
		if d == nil || d.data == nil {
			continue
		}
		name, now := a.contextsBeside(d)
		if was := d.beside; was == nil && now == nil || was != nil && was.Contexts == now && was.Name == name {
			continue
		}
		if d.beside = nil; now == nil {
			d.data.SetBeside(nil)
		} else {
			d.beside = &contexts.Beside{Name: name, Contexts: now}
			d.data.SetBeside(d.beside)
		}
		for _, q := range a.panes {
			if q.trace == p.trace && q.opened != nil && q.kind.Contexts {
				q.working, fresh = true, true
			}
		}
	}
	return fresh
}

// contextsBeside are the calling contexts of a run that is compared with d, nil for none.
func (a *App) contextsBeside(d *document) (name string, c *contexts.Contexts) {
	for _, e := range a.compared(d) {
		if e == d {
			continue
		}
		for _, id := range a.IDs {
			q := a.panes[id]
			if q == nil || q.trace != e.name {
				continue
			}
			if g, ok := q.result.Value.(interface{ Itself() *contexts.Contexts }); ok {
				return e.name, g.Itself()
			}
		}
	}
	return "", nil
}

package app

import (
	"fmt"

	"whorl/tracer"
	"whorl/visual/view"
)

// show opens a document under a name with the views that suit it.
func (a *App) show(name string, d *document) {
	d.name = name
	a.docs[name] = d
	a.edit(func(w *workspace) error {
		if err := w.apply(view.Action{Do: view.OpenTrace, Name: name}); err != nil {
			return err
		}
		if d.group != 0 {
			return a.addColumn(w, d)
		}
		if w.root == nil {
			return a.arrangement(w, name)
		}
		id, err := w.open(a.firstView(d), name)
		if err != nil {
			return err
		}
		w.root = (&node{split: columns, share: 0.5, a: w.root, b: leaf(id)}).even()
		return nil
	})
	a.focusNewest()
}

// arrangement gives the first trace the whole window: the picture on the left, time and text on the right.
func (a *App) arrangement(w *workspace, trace string) error {
	main, err := w.open(a.firstView(a.docs[trace]), trace)
	if err != nil {
		return err
	}
	w.put(main, 0, asTab)
	switch w.pane(main).View {
	case profileView:
		return a.profile(w, main, trace)
	case processView:
		return a.processes(w, main, trace)
	}
	if forks(a.docs[trace]) && w.pane(main).View == threadView {
		tree, err := w.open(a.views[0].Name, trace)
		if err != nil {
			return err
		}
		w.put(tree, main, asTab)
		w.show(main)
	}
	if k := a.kind(bodiesView); k != nil && talks(a.docs[trace]) && w.pane(main).View != bodiesView {
		id, err := w.open(bodiesView, trace)
		if err != nil {
			return err
		}
		w.put(id, main, asTab)
		w.show(main)
	}
	beside := main
	for _, group := range [][]string{{"timeline", "utilisation"}, {"source", "measures"}} {
		tab := 0
		for _, name := range group {
			if k := a.kind(name); k == nil || a.unfit(k, a.docs[trace]) != nil || name == w.pane(main).View {
				continue
			}
			id, err := w.open(name, trace)
			if err != nil {
				return err
			}
			switch {
			case tab != 0:
				w.put(id, tab, asTab)
			case beside == main:
				w.put(id, main, toRight)
			default:
				w.put(id, beside, below)
			}
			if tab == 0 {
				tab = id
			}
		}
		if tab != 0 {
			beside = tab
			w.show(tab)
		}
	}
	if w.root.split == columns {
		c := *w.root
		c.share = 0.58
		w.root = &c
	}
	return nil
}

// A placed view stands beside or behind another one.
type placed struct {
	name, at string
	side     side
}

// profile arranges the views of a sampled run: the whole program above its procedures, and lines one by one beside them.
func (a *App) profile(w *workspace, main int, trace string) error {
	return a.placeAll(w, main, trace, 0.45, []string{"minmax", "detail", "procedures", profileView}, []placed{
		{"detail", profileView, toRight},
		{"minmax", "detail", toRight},
		{"procedures", profileView, below},
		{"cascade", profileView, asTab},
		{processView, profileView, asTab},
		{"sunburst", profileView, asTab},
		{"timeline", profileView, asTab},
		{"contexts", "procedures", asTab},
		{"surface", "procedures", asTab},
		{"assembler", "procedures", asTab},
		{"source", "detail", asTab},
		{"measures", "minmax", asTab},
	})
}

// processes arranges the views of a sampled run of many processes: where they differ, which of them are alike, and the lines.
func (a *App) processes(w *workspace, main int, trace string) error {
	return a.placeAll(w, main, trace, 0.62, []string{"detail", "kinds", processView}, []placed{
		{"kinds", processView, toRight},
		{"detail", "kinds", below},
		{"sunburst", processView, asTab},
		{"contexts", processView, asTab},
		{"functions", processView, asTab},
		{profileView, processView, asTab},
		{"timeline", processView, asTab},
		{"procedures", "kinds", asTab},
		{"source", "detail", asTab},
		{"minmax", "detail", asTab},
	})
}

// placeAll opens views around the first one, which has a share of the width, and brings some to the front.
func (a *App) placeAll(w *workspace, main int, trace string, share float64, front []string, views []placed) error {
	at := map[string]int{w.pane(main).View: main}
	for _, v := range views {
		k := a.kind(v.name)
		if k == nil || at[v.at] == 0 || a.unfit(k, a.docs[trace]) != nil {
			continue
		}
		id, err := w.open(v.name, trace)
		if err != nil {
			return err
		}
		w.put(id, at[v.at], v.side)
		at[v.name] = id
	}
	for _, name := range front {
		if at[name] != 0 {
			w.show(at[name])
		}
	}
	if w.root.split == columns {
		c := *w.root
		c.share = share
		w.root = &c
	}
	return nil
}

// kind is the view of that name, nil for none.
func (a *App) kind(name string) *view.Kind {
	for _, k := range a.views {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// bodiesView is the view that a run in which PEs talk to each other has behind its first one.
const bodiesView = "bodies"

// talks says whether PEs of a document send to each other.
func talks(d *document) bool { return d.src.Counts()[tracer.Send] > 0 }

// threadView is the view that a run of threads opens with.
const threadView = "threadgraph"

// profileView is the view that a run opens with of which there are samples and no more, processView where it has many processes: how these
// differ is then the first question, and lines beside columns have no room for them.
const (
	profileView   = "overview"
	processView   = "halo"
	manyProcesses = 32
)

// sampled says whether a document has samples, and neither goals nor threads.
func sampled(d *document) bool {
	n := d.src.Counts()
	return n[tracer.Sample] > 0 && n[tracer.Reduce] == 0 && !forks(d)
}

// forks says whether a document is a run of threads that fork and join.
func forks(d *document) bool {
	return d.src.Counts()[tracer.Fork] > 0 || d.src.Meta().Substrate == "dts"
}

// firstView is the first view that can show a document, of threads their graph, of samples the overview; of one that none can, the first of
// all, which then says why.
func (a *App) firstView(d *document) string {
	if k := a.kind(processView); k != nil && sampled(d) && d.src.Meta().PEs >= manyProcesses && a.unfit(k, d) == nil {
		return k.Name
	}
	if k := a.kind(profileView); k != nil && sampled(d) && a.unfit(k, d) == nil {
		return k.Name
	}
	if k := a.kind(threadView); k != nil && forks(d) && a.unfit(k, d) == nil {
		return k.Name
	}
	for _, k := range a.views {
		if a.unfit(k, d) == nil {
			return k.Name
		}
	}
	return a.views[0].Name
}

// unfit says why a view cannot show a document, nil where it can. A run that has only begun may have everything yet.
func (a *App) unfit(k *view.Kind, d *document) error {
	if d.live != nil && !d.live.ended() {
		return nil
	}
	return d.fits(k)
}

func (a *App) focusNewest() {
	if n := len(a.ids); n > 0 && a.pane(a.focus) == nil {
		a.focus = a.ids[0]
	}
}

// follow opens and closes panes as the workspace says.
func (a *App) follow() {
	for id, p := range a.panes {
		switch w := a.pane(id); {
		case w == nil || w.View != p.kind.Name:
			p.leave()
			delete(a.panes, id)
		case w.Trace != p.trace:
			p.leave()
			p.trace = w.Trace
		}
	}
	for i, id := range a.ids {
		w := &a.state.Personal.Panes[i]
		if a.panes[id] != nil {
			continue
		}
		p := &pane{id: id, trace: w.Trace, kind: a.kind(w.View)}
		if p.kind == nil {
			p.kind = &view.Kind{Name: w.View, Title: w.View} // of another version; it stays in the workspace
			p.err = fmt.Errorf("there is no view %q here", w.View)
		}
		a.panes[id] = p
	}
	if a.pane(a.focus) == nil {
		a.focus = 0
		if all := a.root.all(); len(all) > 0 {
			a.focus = a.root.leafOf(all[0]).shown
		}
	}
}

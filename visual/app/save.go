package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/internal/figures"
)

// saveWorkspace asks for the workspace to be written to a file. A trace that lies in no file and cannot be run again is lost with the
// window; that is said.
func (a *App) saveWorkspace() {
	a.settle()
	s := &saved{workspace: a.workspace, shares: a.kept.shares, rest: a.kept.rest}
	var lost []string
	groups := map[int]int64{} // numbered anew from 1
	for _, name := range a.state.Shared.Traces {
		e, group := a.kept.traces[name], a.kept.groups[name] // of one that was not found too
		e.name, e.group = name, 0
		if d := a.docs[name]; d != nil {
			e.path, e.run, group = d.path, d.run, 0
			if a.compared(d) != nil {
				group = d.group
			}
		}
		if group != 0 {
			if groups[group] == 0 {
				groups[group] = int64(len(groups) + 1)
			}
			e.group = groups[group]
		}
		if e.path == "" && e.run == nil {
			lost = append(lost, name)
		}
		s.traces = append(s.traces, e)
	}
	a.asks = append(a.asks, Ask{Do: SaveFile, Name: "workspace" + workspaceEnding, Data: s.write(a.scale)})
	if len(lost) > 0 {
		a.warn("The workspace names " + strings.Join(lost, ", ") + " but cannot find it again: drop its file when the workspace is opened.")
	}
}

// kept is what opened workspace files had that is not known here, and where their traces come from.
type kept struct {
	shares map[int]table         // by pane
	traces map[string]traceEntry // by trace
	groups map[string]int        // by trace, those that are compared
	rest   table
}

// openWorkspace puts the workspace of a file in place of what is shown. Its traces are read or run again; one that is open under its name
// already is taken as it is.
func (a *App) openWorkspace(name, text string) {
	s, err := readWorkspace(text, a.scale)
	if err != nil {
		a.fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	shift := a.next
	a.edit(func(w *workspace) error {
		*w = s.workspace
		w.renumber(shift)
		return nil
	})
	a.kept = kept{shares: map[int]table{}, traces: map[string]traceEntry{}, groups: map[string]int{}, rest: s.rest}
	for id, t := range s.shares {
		a.kept.shares[id+shift] = t
	}
	groups := map[int64]int{0: 0}
	for _, e := range s.traces {
		if _, ok := groups[e.group]; !ok {
			groups[e.group] = a.newGroup()
		}
		beside := filepath.Dir(name)
		if e.path != "" && !filepath.IsAbs(e.path) && filepath.Base(name) != name {
			e.path = filepath.Join(beside, e.path)
		}
		a.kept.traces[e.name], a.kept.groups[e.name] = e, groups[e.group]
		if d := a.docs[e.name]; d != nil {
			d.group = groups[e.group]
		} else {
			a.find(e, filepath.Join(beside, filepath.Base(e.path)))
		}
	}
	if report := s.report(); report != "" {
		a.warn(filepath.Base(name) + ": " + report)
	}
}

// find opens the trace of a workspace's entry. Where its file is not at its path any more it may lie beside the workspace.
func (a *App) find(e traceEntry, beside string) {
	switch {
	case e.run != nil && a.runner != nil:
		a.begin(*e.run, e.name)
	case e.path != "":
		a.load(&loading{file: &File{Name: filepath.Base(e.path), Path: e.path, Size: -1}, as: e.name, beside: beside})
	default:
		a.warn("Where the trace " + e.name + " lies is not known: drop its file.")
	}
}

// fill gives a trace of the workspace its document.
func (a *App) fill(name string, d *document) {
	d.name, d.group = name, a.kept.groups[name]
	a.docs[name] = d
	a.changed = true
}

// awaits says whether a trace of the workspace has no document yet.
func (a *App) awaits(name string) bool {
	return a.docs[name] == nil && slices.Contains(a.state.Shared.Traces, name)
}

// missed says whether a trace of the workspace has no document, and none is coming.
func (a *App) missed(name string) bool {
	return a.awaits(name) && !slices.ContainsFunc(a.loading, func(l *loading) bool { return l.as == name })
}

// renumber adds by to all ids, so that no pane of another workspace has the same.
func (w *workspace) renumber(by int) {
	for i := range w.ids {
		w.ids[i] += by
	}
	w.next += by
	var move func(n *node) *node
	move = func(n *node) *node {
		if n == nil {
			return nil
		}
		c := *n
		c.a, c.b = move(n.a), move(n.b)
		c.panes = nil
		for _, id := range n.panes {
			c.panes = append(c.panes, id+by)
		}
		c.shown += by
		return &c
	}
	w.root = move(w.root)
}

// begin starts a run whose trace gets a name; "" for a new one with views of its own.
func (a *App) begin(r experiment.Run, name string) *document {
	if a.runner == nil {
		a.fail(fmt.Errorf("programs cannot be run here"))
		return nil
	}
	session, err := a.runner.Run(r)
	if err != nil {
		a.fail(err)
		return nil
	}
	d := newLive(session, r)
	if name == "" {
		a.show(a.nameFor(runName(r)), d)
	} else {
		a.fill(name, d)
	}
	return d
}

// runName is what the trace of a run is called.
func runName(r experiment.Run) string {
	name := strings.TrimSuffix(filepath.Base(r.Program), filepath.Ext(r.Program))
	if len(r.Args) > 0 {
		name += " " + strings.Join(r.Args, " ")
	}
	return fmt.Sprintf("%s, %s, %s", name, countPEs(r.PEs), r.Policy)
}

// countPEs is so many PEs in words.
func countPEs(n int) string {
	if n == 1 {
		return "1 PE"
	}
	return figures.Count(int64(n)) + " PEs"
}

package app

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/workspace"
)

// saveWorkspace asks for the workspace to be written to a file. It warns of traces that come from no file and no run, which are lost
// with the window.
func (a *App) saveWorkspace() {
	a.settle()
	var traces []workspace.TraceEntry
	var lost []string
	numbers := map[int]int{0: 0} // of the groups, from 1
	for _, name := range a.State.Shared.Traces {
		e := a.file.Entry(name)
		group := a.groupOf[name] // of a trace that was not found too
		if d := a.docs[name]; d != nil {
			e.Path, e.Run, group = d.path, d.run, 0
			if a.compared(d) != nil {
				group = d.group
			}
		}
		if _, ok := numbers[group]; !ok {
			numbers[group] = len(numbers)
		}
		e.Group = numbers[group]
		if e.Path == "" && e.Run == nil {
			lost = append(lost, name)
		}
		traces = append(traces, e)
	}
	a.asks = append(a.asks, Ask{Do: SaveFile, Name: "workspace" + workspaceEnding, Data: a.file.Write(a.Workspace, traces, a.scale)})
	if len(lost) > 0 {
		a.warn("The workspace names " + strings.Join(lost, ", ") + " but cannot find it again: drop its file when the workspace is opened.")
	}
}

// openWorkspace replaces the workspace by that of a file. Its traces are read or run again; one that is open under its name is kept.
func (a *App) openWorkspace(name, text string) {
	f, err := workspace.Read(text, a.scale, a.Next+1)
	if err != nil {
		a.fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	a.edit(func(w *workspace.Workspace) error {
		*w = f.Workspace
		return nil
	})
	a.file, a.groupOf = *f, map[string]int{}
	groups := map[int]int{0: 0}
	for i := range f.Traces {
		e := &f.Traces[i]
		if _, ok := groups[e.Group]; !ok {
			groups[e.Group] = a.newGroup()
		}
		folder := filepath.Dir(name)
		if e.Path != "" && !filepath.IsAbs(e.Path) && filepath.Base(name) != name {
			e.Path = filepath.Join(folder, e.Path)
		}
		a.groupOf[e.Name] = groups[e.Group]
		if d := a.docs[e.Name]; d != nil {
			d.group = groups[e.Group]
		} else {
			a.find(*e, filepath.Join(folder, filepath.Base(e.Path)))
		}
	}
	if report := f.Report(); report != "" {
		a.warn(filepath.Base(name) + ": " + report)
	}
}

// find opens the trace of a workspace's entry. Where its file is not at its path any more it may lie beside the workspace.
func (a *App) find(e workspace.TraceEntry, beside string) {
	switch {
	case e.Run != nil && a.runner != nil:
		a.begin(*e.Run, e.Name)
	case e.Path != "":
		a.load(&loading{file: &File{Name: filepath.Base(e.Path), Path: e.Path, Size: -1}, as: e.Name, beside: beside})
	default:
		a.warn("Where the trace " + e.Name + " lies is not known: drop its file.")
	}
}

// fill gives a trace of the workspace its document.
func (a *App) fill(name string, d *document) {
	d.name, d.group = name, a.groupOf[name]
	a.docs[name] = d
	a.changed = true
}

// awaits says whether a trace of the workspace has no document yet.
func (a *App) awaits(name string) bool {
	return a.docs[name] == nil && slices.Contains(a.State.Shared.Traces, name)
}

// missed says whether a trace of the workspace has no document, and none is coming.
func (a *App) missed(name string) bool {
	return a.awaits(name) && !slices.ContainsFunc(a.loading, func(l *loading) bool { return l.as == name })
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

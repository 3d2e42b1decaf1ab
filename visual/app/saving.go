package app

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"whorl/visual/backend/svg"
	"whorl/visual/documents"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// pictureWidth is the width of a saved picture in pixels. Its height follows the shape of the pane.
const pictureWidth = 1400

// A saving writes the workspace to a file, opens such files, and saves pictures of panes.
type saving struct {
	model   *model
	links   *links
	cameras *cameras
	actions *actions
	window  *window
	out     *outbox

	file   workspace.File // the one that was opened last
	groups map[string]int // the groups of its traces, by name; 0 for traces that are compared with no other
}

// save asks for the workspace to be written to a file. It warns of traces that come from no file and no run, which are lost with the
// window.
func (s *saving) save() {
	s.cameras.settle()
	var traces []workspace.TraceEntry
	var lost []string
	numbers := map[int]int{0: 0} // of the groups, from 1
	for _, name := range s.model.State.Shared.Traces {
		e := s.file.Entry(name)
		group := s.groups[name] // of a trace that was not found too
		if d := s.model.docs.Get(name); d != nil {
			e.Path, e.Run, group = d.Path, d.Run, 0
			if s.links.compared(d) != nil {
				group = d.Group
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
	s.out.ask(Ask{Do: SaveFile, Name: "workspace" + documents.WorkspaceEnding, Data: s.file.Write(s.model.Workspace, traces, s.window.scale)})
	if len(lost) > 0 {
		s.out.warn("The workspace names " + strings.Join(lost, ", ") + " but cannot find it again: drop its file when the workspace is opened.")
	}
}

// open replaces the workspace by that of a file. Its traces are read or run again; one that is open under its name is kept.
func (s *saving) open(name, text string) {
	f, err := workspace.Read(text, s.window.scale, s.model.Next+1)
	if err != nil {
		s.out.fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	s.actions.edit(func(w *workspace.Workspace) error {
		*w = f.Workspace
		return nil
	})
	s.file, s.groups = *f, map[string]int{}
	groups := map[int]int{0: 0}
	for i := range f.Traces {
		e := &f.Traces[i]
		if _, ok := groups[e.Group]; !ok {
			groups[e.Group] = s.model.docs.NewGroup()
		}
		folder := filepath.Dir(name)
		if e.Path != "" && !filepath.IsAbs(e.Path) && filepath.Base(name) != name {
			e.Path = filepath.Join(folder, e.Path)
		}
		s.groups[e.Name] = groups[e.Group]
		if d := s.model.docs.Get(e.Name); d != nil {
			d.Group = groups[e.Group]
		} else {
			s.load(e, filepath.Join(folder, filepath.Base(e.Path)))
		}
	}
	if report := f.Report(); report != "" {
		s.out.warn(filepath.Base(name) + ": " + report)
	}
}

// load opens the trace of an entry. A file that is no longer at its path may lie beside the workspace.
func (s *saving) load(e *workspace.TraceEntry, beside string) {
	switch {
	case e.Run != nil && s.model.docs.Runner != nil:
		d, err := s.model.docs.Start(*e.Run)
		if err != nil {
			s.out.fail(err)
			return
		}
		s.fill(e.Name, d)
	case e.Path != "":
		s.model.docs.Load(&documents.File{Name: filepath.Base(e.Path), Path: e.Path, Size: -1}, e.Name, beside)
	default:
		s.out.warn("The file of the trace " + e.Name + " is unknown: drop it on the window.")
	}
}

// fill gives a trace of the workspace its document.
func (s *saving) fill(name string, d *documents.Document) {
	d.Group = s.groups[name]
	s.model.docs.Add(name, d)
	s.out.redraw()
}

// savePicture asks for an SVG picture of the focused pane to be written to a file, with its selection, its notes and its legend.
func (s *saving) savePicture() {
	s.cameras.settle()
	p, w := s.model.panes[s.model.focus], s.model.Pane(s.model.focus)
	if p == nil || w == nil || p.opened == nil || p.result.Value == nil {
		return
	}
	shape := p.area.H() / max(p.area.W(), 1)
	h := int(min(max(shape*pictureWidth, 0.4*pictureWidth), 1.5*pictureWidth))
	shot := view.Shot{Trace: p.trace, Camera: w.Camera, Area: p.area, Shared: s.links.translated(p).Shared, Span: s.links.span(s.model.document(p))}
	if _, ok := p.result.Value.(view.Moving); ok && shot.Shared.Until == nil { // as shown, not the middle
		_, end := s.model.document(p).Span()
		shot.Shared.Until = &end
	}
	list, err := p.opened.Shoot(context.Background(), pictureWidth, h, shot)
	p.window, p.working = 0, true // the stages have another size now
	if err != nil {
		s.out.fail(err)
		return
	}
	var b bytes.Buffer
	if err := svg.Write(&b, list, svg.Options{Measure: s.window.text, Title: p.kind.Title + " of " + p.trace}); err != nil {
		s.out.fail(err)
		return
	}
	s.out.ask(Ask{Do: SaveFile, Name: p.trace + "-" + p.kind.Name + ".svg", Data: b.Bytes()})
}

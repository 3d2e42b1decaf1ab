// Package saving writes the workspace to a file and opens such files, and saves programs and pictures of panes.
package saving

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"whorl/internal/figures"
	"whorl/visual/app/chooser"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/runs"
	"whorl/visual/backend/svg"
	"whorl/visual/documents"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/workspace"
)

// pictureWidth is the width of a saved picture in pixels. Its height follows the shape of the pane.
const pictureWidth = 1400

// A Saver writes the workspace to a file, opens such files, and saves pictures of panes.
type Saver struct {
	model   *panes.Model
	links   *panes.Links
	cameras *panes.Cameras
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox
	chooser *chooser.Chooser
	fetch   func(address string) *documents.File // Options.Fetch

	path   string            // of the workspace's file, which was opened or written last; "" for none
	file   workspace.File    // the one that was opened last
	waits  func() bool       // writes the workspace once the digests of its files are known, and reports that; nil for nothing
	wanted string            // the trace whose file the user chooses, "" for none
	checks []string          // the traces whose files are yet to be compared with their entries
	groups map[string]int    // the groups of its traces, by name; 0 for traces that are compared with no other
	writes map[string]func() // what follows the writing of a file, by path; nil for nothing
}

// New returns a saving of a workspace without a file. fetch opens an address, nil where there are no addresses.
func New(m *panes.Model, l *panes.Links, cs *panes.Cameras, a *panes.Actions, w *panes.Window, out *outbox.Outbox, files *chooser.Chooser, fetch func(address string) *documents.File) *Saver {
	return &Saver{model: m, links: l, cameras: cs, actions: a, window: w, out: out, chooser: files, fetch: fetch, writes: map[string]func(){}}
}

// Ask asks for a file to be written. written, which may be nil, is called when the file is on the disk; a page, which downloads it, never calls it.
func (s *Saver) Ask(name, path string, data []byte, written func()) {
	s.writes[path] = written
	s.out.Ask(outbox.Ask{Do: outbox.SaveFile, Name: name, Path: path, Data: data})
}

// Saved notes that a file was written.
func (s *Saver) Saved(path string) {
	s.out.Say(outbox.AboutWriting, "Saved as "+path)
	if written := s.writes[path]; written != nil {
		written()
	}
	delete(s.writes, path)
}

// Save writes the workspace to its file. A workspace without a file gets one first.
func (s *Saver) Save() {
	if s.path == "" {
		s.SaveAs()
		return
	}
	s.Write(s.path)
}

// SaveAs lets the user choose a file and writes the workspace there.
func (s *Saver) SaveAs() {
	name := "workspace"
	if s.path != "" {
		name = strings.TrimSuffix(filepath.Base(s.path), documents.WorkspaceEnding)
	}
	s.Choose(name, documents.WorkspaceEnding, s.Write)
}

// Choose lets the user choose the place of a file with a suggested name. then gets the path, "" if the shell chooses it.
func (s *Saver) Choose(name, ext string, then func(path string)) {
	if s.chooser.Disk == nil {
		then("")
		return
	}
	s.chooser.BeginSaving(FileName(name), ext, then)
}

// FileName returns a name without characters that have to be quoted in a shell: letters and digits with a dash between words.
func FileName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	})
	return strings.Join(words, "-")
}

// Remember puts a file that can be opened again at the front of the recent files.
func (s *Saver) Remember(path string) {
	if s.chooser.Disk != nil && path != "" {
		s.chooser.Disk.Remember(path)
	}
}

// SaveProgram lets the user choose a file and writes a program there.
func (s *Saver) SaveProgram(p *runs.Program) {
	name, text := p.FileName(), []byte(p.Text())
	ext := filepath.Ext(name)
	s.Choose(strings.TrimSuffix(name, ext), ext, func(path string) {
		s.Ask(name, path, text, func() { s.Remember(path) })
	})
}

// Write writes the workspace as soon as the digests of its files are known.
func (s *Saver) Write(path string) {
	s.waits = func() bool {
		ready := true
		for _, name := range s.model.State.Shared.Traces {
			if d := s.model.Docs.Get(name); d != nil {
				if _, known := d.Digest(); !known {
					ready = false
				}
			}
		}
		if ready {
			s.writeNow(path)
		}
		return ready
	}
	s.Proceed()
}

// Proceed finishes the work that waits for digests of files: it writes a workspace, and says which files have changed since their workspace was saved.
func (s *Saver) Proceed() {
	if s.waits != nil && s.waits() {
		s.waits = nil
	}
	s.checks = slices.DeleteFunc(s.checks, func(name string) bool {
		d := s.model.Docs.Get(name)
		if d == nil {
			return !s.model.Awaits(name)
		}
		got, known := d.Digest()
		if want := digestIn(s.file.Entry(name)); known && got != want && got.SHA256 != "" {
			s.out.Warn(outbox.AboutFile+name, fmt.Sprintf("%s has changed since the workspace was saved: it had %s, and has %s", d.Path, figures.Counted(want.Size, "byte"), figures.Counted(got.Size, "byte")))
		}
		return known
	})
}

// Digests reports whether digests of files are computed.
func (s *Saver) Digests() bool {
	return s.waits != nil || slices.ContainsFunc(s.checks, func(name string) bool { return s.model.Docs.Get(name) != nil })
}

// digestIn returns the digest of the file of an entry, the zero one if it has none.
func digestIn(e workspace.TraceEntry) documents.Digest {
	return documents.Digest{SHA256: e.SHA256, Size: e.Size}
}

// writeNow asks for the workspace to be written to a file, "" for one that the shell chooses. The file becomes that of the workspace when it is written.
// writeNow warns of traces that come from no file and no run, which are lost with the window.
func (s *Saver) writeNow(path string) {
	s.cameras.Settle()
	var traces []workspace.TraceEntry
	var lost []string
	numbers := map[int]int{0: 0} // of the groups, from 1
	for _, name := range s.model.State.Shared.Traces {
		e := s.file.Entry(name)
		group := s.groups[name] // of a trace that was not found too
		if d := s.model.Docs.Get(name); d != nil {
			e.Path, e.Run, group = d.Path, d.Run, 0
			if b := d.Before(); b != nil { // the state has the settings of the trial
				e.Run = b.Run
			}
			digest, _ := d.Digest()
			e.SHA256, e.Size = digest.SHA256, digest.Size
			if s.links.Compared(d) != nil {
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
		e.Path = nearPath(e.Path, path)
		traces = append(traces, e)
	}
	s.Ask("workspace"+documents.WorkspaceEnding, path, s.file.Write(s.model.Workspace, traces, s.window.Scale), func() {
		s.path = path
		s.Remember(path)
	})
	if len(lost) > 0 {
		s.out.Warn("", "The workspace names "+strings.Join(lost, ", ")+" but cannot find it again: drop its file when the workspace is opened.")
	}
}

// nearPath returns the path of a trace relative to the file of a workspace, so that both can move together. Where the two have no folder in common
// but the root, and without a path of the workspace, it returns the path as it is.
func nearPath(trace, workspace string) string {
	if trace == "" || workspace == "" {
		return trace
	}
	folder := filepath.Dir(workspace)
	rel, err := filepath.Rel(folder, trace)
	if up := strings.Count(rel, ".."+string(filepath.Separator)); err != nil || up > 0 && up >= strings.Count(folder, string(filepath.Separator)) {
		return trace
	}
	return filepath.ToSlash(rel)
}

// Open replaces the workspace by the text of a file with a name, and a path if it lies on a disk. It reads the traces of the workspace or runs them
// again, but keeps a trace that is open under its name.
func (s *Saver) Open(name, path, text string) {
	f, err := workspace.Read(text, s.window.Scale, s.model.Next+1)
	if err != nil {
		s.out.Fail(outbox.AboutFile+name, fmt.Errorf("%s: %w", name, err))
		return
	}
	s.Remember(path)
	s.actions.Edit(func(w *workspace.Workspace) error {
		*w = f.Workspace
		return nil
	})
	s.path, s.file, s.groups, s.checks, s.wanted = path, *f, map[string]int{}, nil, ""
	s.loadAll(f, path, map[int]int{0: 0})
	if report := f.Report(); report != "" {
		s.out.Warn("", name+": "+report)
	}
}

// Join adds the panes of the text of a file, with their traces, to the right of those of the window. It returns their ids.
func (s *Saver) Join(name, text string) []int {
	f, err := workspace.Read(text, s.window.Scale, s.model.Next+1)
	if err != nil {
		s.out.Fail(outbox.AboutFile+name, fmt.Errorf("%s: %w", name, err))
		return nil
	}
	s.actions.Edit(func(w *workspace.Workspace) error {
		w.Join(f.Workspace)
		return nil
	})
	if s.groups == nil {
		s.groups = map[string]int{}
	}
	groups := map[int]int{0: 0}
	for _, e := range f.Traces {
		if g := s.groups[e.Name]; g != 0 {
			groups[e.Group] = g
		}
	}
	s.file.Traces = append(s.file.Traces, f.Traces...)
	s.loadAll(f, "", groups)
	return f.IDs
}

// loadAll loads the traces of a file at a path. groups has the groups of the window for those of the file that it knows.
func (s *Saver) loadAll(f *workspace.File, path string, groups map[int]int) {
	for i := range f.Traces {
		e := &f.Traces[i]
		if _, ok := groups[e.Group]; !ok {
			groups[e.Group] = s.model.Docs.NewGroup()
		}
		folder := filepath.Dir(path)
		if e.Path = filepath.FromSlash(e.Path); e.Path != "" && !filepath.IsAbs(e.Path) && path != "" {
			e.Path = filepath.Join(folder, e.Path)
		}
		s.groups[e.Name] = groups[e.Group]
		if d := s.model.Docs.Get(e.Name); d != nil {
			d.Group = groups[e.Group]
		} else {
			if e.SHA256 != "" && e.Run == nil {
				s.checks = append(s.checks, e.Name)
			}
			s.load(e, folder)
		}
	}
}

// load opens the trace of an entry. A file that is no longer at its path may lie beside the workspace in a folder.
func (s *Saver) load(e *workspace.TraceEntry, folder string) {
	switch {
	case e.Run != nil && s.model.Docs.Runner != nil:
		d, err := s.model.Docs.Start(*e.Run)
		if err != nil {
			s.out.Fail(outbox.AboutFile+e.Name, err)
			return
		}
		s.Fill(e.Name, d)
	case s.fetched(e) != nil:
		s.model.Docs.Load(s.fetched(e), e.Name, documents.Search{})
	case e.Path != "" && s.fetch != nil:
		s.out.Warn(outbox.AboutFile+e.Name, "A page cannot read "+e.Path+" by its path: drop the file on the window.")
	case e.Path != "":
		s.model.Docs.Load(&documents.File{Name: filepath.Base(e.Path), Path: e.Path, Size: -1}, e.Name,
			documents.Search{Folder: folder, Beside: filepath.Join(folder, filepath.Base(e.Path)), Digest: digestIn(*e)})
	default:
		s.out.Warn(outbox.AboutFile+e.Name, "The file of the trace "+e.Name+" is unknown: drop it on the window.")
	}
}

// fetched returns the file of an entry whose path is an address, nil for others.
func (s *Saver) fetched(e *workspace.TraceEntry) *documents.File {
	if s.fetch == nil {
		return nil
	}
	return s.fetch(e.Path)
}

// ChooseFor lets the user choose the file of a trace of the workspace.
func (s *Saver) ChooseFor(name string) {
	if s.chooser.Disk == nil {
		s.wanted = name
		s.out.Ask(outbox.Ask{Do: outbox.OpenFile})
		return
	}
	s.chooser.Begin(func(path string) { s.model.Docs.Load(s.chooser.Disk.File(path), name, documents.Search{}) })
}

// TakeWanted returns the trace whose file the user has chosen, "" for none, and forgets it.
func (s *Saver) TakeWanted() (name string) {
	name, s.wanted = s.wanted, ""
	if s.model.Missing(name) {
		return name
	}
	return ""
}

// Entry returns what the file of the workspace says about a trace.
func (s *Saver) Entry(trace string) workspace.TraceEntry { return s.file.Entry(trace) }

// Path returns the path of the workspace's file, "" for none.
func (s *Saver) Path() string { return s.path }

// Fill gives a trace of the workspace its document.
func (s *Saver) Fill(name string, d *documents.Document) {
	d.Group = s.groups[name]
	s.model.Docs.Add(name, d)
	s.out.Mend(outbox.AboutFile + name)
	s.out.Redraw()
}

// Expect makes a trace of the workspace that is being read belong to a group, 0 for none.
func (s *Saver) Expect(name string, group int) {
	if s.groups == nil {
		s.groups = map[string]int{}
	}
	s.groups[name] = group
}

// Prints returns SVG pictures of the visible panes for white paper.
func (s *Saver) Prints() (pictures []string) {
	s.cameras.Settle()
	for _, p := range s.model.Visible() {
		if !p.Drawable() {
			continue
		}
		picture, err := s.picture(p)
		if err != nil {
			s.out.Fail(outbox.AboutWriting, err)
			continue
		}
		pictures = append(pictures, string(picture))
	}
	return pictures
}

// Shot returns the height of a saved picture of a pane, and its content.
func (s *Saver) Shot(p *panes.Pane) (height int, shot page.Shot) {
	shape := p.Area.H() / max(p.Area.W(), 1)
	height = int(min(max(shape*pictureWidth, 0.4*pictureWidth), 1.5*pictureWidth))
	shot = page.Shot{Trace: p.Trace, Camera: s.model.Pane(p.ID).Camera, Area: p.Area, Shared: s.links.Translated(p).Shared, Span: s.cameras.Span(s.model.Document(p))}
	if _, ok := p.Picture().(view.Moving); ok && shot.Shared.Until == nil { // as shown, not the middle
		_, end := s.model.Document(p).Span()
		shot.Shared.Until = &end
	}
	return height, shot
}

// picture returns an SVG picture of a pane for white paper, with its selection, its notes and its legend.
func (s *Saver) picture(p *panes.Pane) ([]byte, error) {
	h, shot := s.Shot(p)
	list, err := p.Shoot(pictureWidth, h, view.Background.Default.(string), shot)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = svg.Write(&b, list, svg.Options{Measure: s.window.Text, Title: p.Kind.Title + " of " + p.Trace})
	return b.Bytes(), err
}

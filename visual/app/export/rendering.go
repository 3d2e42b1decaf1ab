package export

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"whorl/internal/shell"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/saving"
	"whorl/visual/documents"
	"whorl/visual/view"
)

// paneCommand returns the command, render or film, that draws the focused pane as the dialog saves it, or "" without a picture. tail has its size and
// its file. If the trace has no file, the command that records it stands before.
func (e *Dialog) paneCommand(command string, dark bool, tail ...string) string {
	p := e.model.Panes[e.model.Focus]
	if p == nil || !p.Drawable() {
		return ""
	}
	d := e.model.Document(p)
	path, record := d.Path, ""
	if path == "" {
		path = saving.FileName(p.Trace) + ".whorl"
		if d.Run != nil {
			record = d.Run.Command(path) + " && "
		}
	}
	words := []string{"whorl", command, path, "--view", p.Kind.Name}
	if panes.HasParam(p.Kind, view.Background.Name) && dark {
		words = append(words, "--"+view.Background.Name, "dark")
	}
	for _, name := range slices.Sorted(maps.Keys(p.Values())) {
		value := p.Values()[name]
		switch {
		case name == view.Background.Name:
		case value == fmt.Sprint(p.Kind.Defaults()[name]):
		case name == view.Against && value == view.AgainstTrace:
			words = append(words, e.against(d)...)
		case name == view.Palette.Name || name == "color":
			words = append(words, "--"+name, value)
		default:
			words = append(words, "--set", name+"="+value)
		}
	}
	_, shot := e.saving.Shot(p)
	from, _ := d.Source.Span()
	after := func(t int64) string { return strings.ReplaceAll(time.Duration(t-from).String(), "µ", "u") }
	if u := shot.Shared.Until; u != nil && !p.Kind.Whole && command == "render" {
		words = append(words, "--until", after(max(*u, from)))
	}
	if w := shot.Shared.Window; w != nil {
		words = append(words, "--window", after(max(w.First, from))+".."+after(max(w.Last, from)))
	}
	if l := shot.Shared.Detail; l != nil && view.Implements[view.Shower](p.Kind) {
		words = append(words, "--detail", fmt.Sprintf("%s:%d..%d", l.File, l.First, l.End()))
	}
	if where := d.Filter(); where != "" {
		words = append(words, "--filter", where)
	}
	if sel := shot.Shared.Selection; !sel.Empty() && sel.Trace == p.Trace {
		words = append(words, "--select", e.selection(sel))
	}
	if shot.Camera.Scale != 0 {
		words = append(words, "--camera", shot.Camera.Format(shot.Area))
	}
	return record + shell.Line(append(words, tail...)...)
}

// PaneCommand returns the command that draws the focused pane with the choices of the dialog for pictures; "" without a picture.
func (e *Dialog) PaneCommand() string {
	pane := *e
	pane.whole = ofPane
	return pane.command()
}

// against returns the flag that names the trace with which the calling contexts of a document are compared, none if it has no file.
func (e *Dialog) against(d *documents.Document) []string {
	if other := e.links.Other(d); other != nil && other.Path != "" {
		return []string{"--against", other.Path}
	}
	return nil
}

// CopyCommand copies the command that draws the focused pane as the dialog for pictures was left.
func (e *Dialog) CopyCommand() {
	e.cameras.Settle()
	if text := e.PaneCommand(); text != "" {
		e.out.Ask(outbox.Ask{Do: outbox.CopyText, Text: text})
		e.out.Say(outbox.AboutWriting, "Copied the command that draws this pane")
	}
}

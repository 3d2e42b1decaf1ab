// Package tiles lays out the panes in the window: leaves with tabs, and the bars between them. Tabs are dragged from leaf to leaf, panes are moved to
// a side, and one leaf can have the whole window.
package tiles

import (
	"slices"
	"strconv"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// Tiles are the places of the panes.
type Tiles struct {
	model   *panes.Model
	cameras *panes.Cameras
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox

	Spots   []Spot         // of the last layout
	carried carried        // the tab that the pointer drags
	fronts  map[string]int // the pane in front of a node without room for all, by path
}

// New returns the places of the panes of a model.
func New(model *panes.Model, cameras *panes.Cameras, actions *panes.Actions, window *panes.Window, out *outbox.Outbox) *Tiles {
	return &Tiles{model: model, cameras: cameras, actions: actions, window: window, out: out, fronts: map[string]int{}}
}

// A Spot is the place of a leaf and of its tabs, in points.
type Spot struct {
	Node *workspace.Node
	Rect scene.Rect
	Bar  scene.Rect
	Tabs widget.TabsResult
}

// Clear forgets the last layout. No pane is seen until Draw places it.
func (t *Tiles) Clear() {
	t.Spots, t.carried = t.Spots[:0], carried{}
	for _, p := range t.model.Panes {
		p.Seen = false
	}
}

// Draw lays out the panes in r. leaf draws a leaf and calls DrawTabs for its tabs.
func (t *Tiles) Draw(c *ui.Context, r ui.Rect, leaf func(r ui.Rect, n *workspace.Node)) {
	if full := t.model.Maximised(t.model.Focus); full != nil {
		t.Spots = append(t.Spots, Spot{Node: full, Rect: t.window.Points(r)})
		leaf(r, full)
	} else {
		t.layOut(c, r, t.model.Root, "at", leaf)
	}
	t.carry(c)
}

// lowWindow is the least height in points of a touch screen that shows several panes.
const lowWindow = 480

// layOut draws the leaves of a node and the bars between them. path names the node. Panes without room for their least size become tabs,
// on a phone all of them.
func (t *Tiles) layOut(c *ui.Context, r ui.Rect, n *workspace.Node, path string, leaf func(r ui.Rect, n *workspace.Node)) {
	length := r.W()
	if n.Split == workspace.Rows {
		length = r.H()
	}
	one := widget.Narrow(c) || c.Theme.Least > 0 && c.Window().H() < c.Px(lowWindow) // a phone, upright or on its side
	if n.Split != workspace.Tabs && (one || length < c.Px(float32(n.Least(n.Split)))) {
		if slices.Contains(n.All(), t.model.Focus) {
			t.fronts[path] = t.model.Focus
		}
		n = n.Gather(t.fronts[path])
	}
	if n.Split == workspace.Tabs {
		t.Spots = append(t.Spots, Spot{Node: n, Rect: t.window.Points(r)})
		leaf(r, n)
		return
	}
	share := float32(n.Share)
	first, other := widget.Splitter(c, r, path, &share, widget.SplitterOptions{Rows: n.Split == workspace.Rows, First: float32(n.A.Least(n.Split)), Other: float32(n.B.Least(n.Split))})
	if share != float32(n.Share) {
		t.actions.SetShare(n, float64(share), path)
		c.Again()
	}
	t.layOut(c, first, n.A, path+"a", leaf)
	t.layOut(c, other, n.B, path+"b", leaf)
}

// Maximise gives the whole window to the leaf with the focus, or shows all leaves again.
func (t *Tiles) Maximise() {
	id := t.model.Focus
	if t.model.Maximised(id) != nil {
		id = 0
	}
	t.model.Maximise(id)
	t.actions.Redraw()
}

// DrawTabs draws the tabs of the leaf that was placed last.
func (t *Tiles) DrawTabs(c *ui.Context, r ui.Rect, n *workspace.Node) {
	list := make([]widget.Tab, len(n.Panes))
	titles := t.model.Titles()
	// If all panes of the leaf show the same trace, it is enough that the tab in front names it.
	oneTrace := !slices.ContainsFunc(n.Panes, func(id int) bool { return t.model.TraceOf(id) != t.model.TraceOf(n.Shown) })
	for i, id := range n.Panes {
		list[i] = widget.Tab{ID: strconv.Itoa(id)}
		p := t.model.Panes[id]
		if p == nil {
			continue
		}
		list[i].Title, list[i].Icon, list[i].Keys = p.Kind.Title, p.Kind.Icon, id == t.model.Focus
		if len(titles) > 1 && !p.Kind.Group && (id == n.Shown || !oneTrace) {
			list[i].Short = titles[p.Trace]
			list[i].Title += " · " + list[i].Short
			if timed, ok := p.Picture().(view.Timed); ok && timed != nil && t.cameras.OwnScale(t.model.Document(p)) {
				list[i].Title += " · own scale of time"
			}
		}
		if d := t.model.Document(p); d != nil && d.Before() != nil {
			list[i].Title += " · what if"
			if list[i].Short != "" {
				list[i].Short = "what if: " + list[i].Short
			}
		}
		e := t.model.Programs[t.model.Document(p)]
		list[i].Dirty = p.Kind.Program && e != nil && e.Dirty()
	}
	did := widget.Tabs(c, r, "tabs", list, slices.Index(n.Panes, n.Shown))
	spot := &t.Spots[len(t.Spots)-1]
	spot.Tabs, spot.Bar = did, t.window.Points(r)
	switch {
	case did.Twice >= 0:
		t.actions.SetFocus(n.Panes[did.Twice])
		t.Maximise()
	case did.Closed >= 0:
		t.actions.ClosePane(n.Panes[did.Closed])
	case did.From >= 0:
		id := n.Panes[did.From]
		t.actions.Move(id, beside(without(n.Panes, id), did.To))
	case did.Out >= 0:
		t.carried = carried{pane: n.Panes[did.Out], dropped: true}
	case did.Carried >= 0:
		t.carried = carried{pane: n.Panes[did.Carried]}
	case did.Changed && did.Active >= 0:
		t.model.Workspace.Show(n.Panes[did.Active]) // which tab is in front is no step of the undo
		t.actions.SetFocus(n.Panes[did.Active])
		t.out.Redraw()
	case did.Pressed && t.model.Focus != n.Shown: // gives a pane the keys without a click in its picture
		t.actions.SetFocus(n.Shown)
	}
}

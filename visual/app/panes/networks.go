package panes

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/flow"
	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/network/still"
	"whorl/visual/network/wiring"
	"whorl/visual/view"
	modulesview "whorl/visual/views/modules"
)

// Networks makes the views of panes that show networks of modules.
type Networks struct {
	Panels    wiring.Panels
	Workspace func() string // returns the path of its file, "" for none

	model   *Model
	window  *Window
	out     *outbox.Outbox
	catalog network.Catalog
	builder *network.Builder
	failed  map[string]error          // of sources, by name; until a network changes
	tables  map[string]*network.Table // by path; until a network changes
}

// NewNetworks returns the networks of the panes of a model.
func NewNetworks(m *Model, w *Window, out *outbox.Outbox) *Networks {
	c := modules.Catalog(m.Arranger.Kinds)
	return &Networks{Panels: wiring.New(), model: m, window: w, out: out, catalog: c, builder: &network.Builder{Catalog: c}, failed: map[string]error{}, tables: map[string]*network.Table{}}
}

// A wired is the network of a pane.
type wired struct {
	text     string                          // of the network, "" for none
	plan     *network.Plan                   // the modules that the picture needs, nil for none
	wrong    string                          // why there is no picture of the network, ""
	supplied map[string]uint64               // by the use of a source: the revision of the trace that it has
	shown    *flow.Source[modulesview.Shown] // of a pane with the modules of another one
	seen     lastSeen                        // the state shown
	stopped  bool                            // the pane shows an error of the network instead of a picture
}

// networkOf returns the network of a pane: its own or that of its view.
func (n *Networks) networkOf(w *view.Pane) (*network.Network, error) {
	if w.Network == "" {
		return n.catalog.Default(w.View, nil), nil
	}
	read, err := network.Read("network", w.Network)
	return n.catalog.Sort(read), err
}

// rewire gives a pane the view of its network. A network without a picture, as during changes, leaves the pane as it was. It reports whether the
// pane has another view.
func (n *Networks) rewire(p *Pane, w *view.Pane) bool {
	p.wired.text, p.wired.wrong = w.Network, ""
	clear(n.failed)
	clear(n.tables)
	before := p.Kind
	if w.Network == "" {
		p.wired.plan = nil
		if k := n.model.Arranger.Kind(w.View); k != nil {
			p.Kind = k
		}
		return p.Kind != before
	}
	read, err := n.networkOf(w)
	if err == nil {
		display := n.catalog.Display(read)
		if display == "" {
			err = cmp.Or(n.catalog.Check(read), errors.New("the network has no display"))
		} else {
			var plan *network.Plan
			if plan, err = n.builder.Build(read.Needed(display)); err == nil {
				p.wired.plan, p.wired.supplied = plan, map[string]uint64{}
				p.Kind = plan.Output(display).Kind()
			}
		}
	}
	if err != nil {
		p.wired.wrong = err.Error()
	}
	return p.Kind != before
}

// supply gives the sources of a pane's network the traces that they read, where those have changed. It reports whether one had. A pane that has
// neither a picture nor a network that gives one gets an error, not the picture of the whole trace.
func (n *Networks) supply(p *Pane, d *documents.Document) (changed bool, err error) {
	if p.Kind.Modules {
		return n.show(p, d), nil
	}
	if p.wired.plan == nil {
		if p.wired.wrong != "" && p.opened == nil {
			wrong, _, _ := strings.Cut(p.wired.wrong, "\n") // without the excerpt of the text
			return false, fmt.Errorf("the network of this pane gives no picture (Shift+H shows its modules): %s", wrong)
		}
		return false, nil
	}
	return n.feed(p.wired.plan, p.wired.supplied, d)
}

// feed gives the sources of a plan for a document their values, where those have changed since the revisions in supplied. It reports whether one had.
func (n *Networks) feed(plan *network.Plan, supplied map[string]uint64, d *documents.Document) (changed bool, err error) {
	var waits error
	for _, o := range plan.Outputs {
		if !o.Supplied() {
			continue
		}
		v, revision, err := n.value(o, d)
		if errors.Is(err, errWaiting) {
			waits = fmt.Errorf("%s: %w", o.Use.Name, err) // the others begin too
			continue
		} else if err != nil {
			return false, fmt.Errorf("%s: %w", o.Use.Name, err)
		}
		if supplied[o.Use.Name] != revision {
			supplied[o.Use.Name] = revision
			o.Supply(d.Data, v)
			changed = true
		}
	}
	return changed, waits
}

// Export returns the stages that an export in the network of a pane needs, with the values of their sources.
func (n *Networks) Export(p *Pane, use string) (*still.Network, *network.Output, error) {
	d := n.model.Document(p)
	if d == nil {
		return nil, nil, errors.New("the trace of the pane is not open")
	}
	s := n.Scene(p)
	whole, err := network.Read("network", n.File(&s))
	if err != nil {
		return nil, nil, err
	}
	plan, err := n.builder.Build(n.catalog.Sort(whole).Needed(use))
	if err == nil {
		_, err = n.feed(plan, map[string]uint64{}, d)
	}
	if err != nil {
		return nil, nil, err
	}
	return &still.Network{Plan: plan, Data: d.Data, Text: n.window.Text}, plan.Output(use), nil
}

// input returns the open trace that a source of a network reads. Trace 1 is that of the pane d.
func (n *Networks) input(o *network.Output, d *documents.Document) (*documents.Document, error) {
	number := o.Values.Int("input")
	for _, name := range n.model.State.Shared.Traces {
		if other := n.model.Docs.Get(name); other != nil && other != d {
			if number--; number == 1 {
				return other, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no open trace with the number %d; 1 is the trace of the pane, the others follow in the order in which they were opened", o.Values.Int("input"))
}

// File returns the text of the network of a scene with the parameters that its display has in the pane. A text that cannot be read stays as it is.
func (n *Networks) File(s *wiring.Scene) string {
	if s.Broken {
		return s.Text
	}
	whole := s.Network
	for _, name := range slices.Sorted(maps.Keys(s.Values)) {
		if with, err := n.catalog.Set(whole, s.Display, name, s.Values[name]); err == nil {
			whole = with
		}
	}
	return whole.Write()
}

// Scene returns what a pane with the modules of the pane p shows.
func (n *Networks) Scene(p *Pane) wiring.Scene {
	w := n.model.Pane(p.ID)
	shown, err := n.networkOf(w)
	s := wiring.Scene{
		Title: p.Kind.Title, Catalog: n.catalog, Network: shown, Plan: p.wired.plan, Display: n.catalog.Display(shown), Own: w.Network != "", Wrong: p.wired.wrong,
		Values: w.Params, Stages: p.Stages(),
	}
	if titles := n.model.Titles(); len(titles) > 1 {
		s.Title += " · " + titles[p.Trace]
	}
	if err != nil {
		s.Wrong = err.Error()
	}
	for i := range n.model.State.Personal.Panes {
		if other := &n.model.State.Personal.Panes[i]; other != w && strings.Contains(other.Network, "[groups.") {
			if read, err := n.networkOf(other); err == nil {
				s.Others = append(s.Others, read)
			}
		}
	}
	if s.Text = w.Network; s.Text == "" {
		s.Text = shown.Write()
	}
	if s.Broken = err != nil; s.Broken {
		s.Fault = err
	} else if w.Network != "" {
		_, s.Fault = n.catalog.Read("network", w.Network)
	}
	if s.Wrong == "" && p.Err != nil {
		s.Wrong = p.Err.Error()
	}
	return s
}

// lastSeen is the state of a pane at the last drawing of its modules.
type lastSeen struct {
	pane     int
	revision uint64
	working  bool
	network  string
	wrong    string
}

// show gives a pane with the modules of another one the picture of these, where that has done something. It reports whether it had.
func (n *Networks) show(p *Pane, d *documents.Document) bool {
	now := lastSeen{pane: n.model.ShownBy(p)}
	of := n.model.Panes[now.pane]
	if of != nil {
		now.revision, now.working, now.network, now.wrong = of.result.Revision, of.working, of.wired.text, of.wired.wrong
	}
	if now == p.wired.seen {
		return false
	}
	p.wired.seen = now
	shown := modulesview.Shown{Picture: &wiring.Picture{}}
	if of != nil {
		s := n.Scene(of)
		shown = modulesview.Shown{Title: s.Title, Picture: n.Panels.Picture(s)}
	}
	view.Supply(d.Data, p.wired.shown, shown)
	n.out.Redraw()
	return true
}

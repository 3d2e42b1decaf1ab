package app

import (
	"fmt"
	"maps"
	"slices"

	"whorl/visual/app/outbox"
	"whorl/visual/app/wiring"
	"whorl/visual/documents"
	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// networks makes the views of panes that show networks of modules.
type networks struct {
	model   *model
	catalog network.Catalog
	builder *network.Builder
}

func newNetworks(m *model) *networks {
	c := modules.Catalog(m.arranger.Kinds)
	return &networks{model: m, catalog: c, builder: &network.Builder{Catalog: c}}
}

// A wired is the network of a pane.
type wired struct {
	text     string            // of the network, "" for none
	plan     *network.Plan     // of what the picture needs, nil for none
	wrong    string            // why there is no picture of the network, ""
	supplied map[string]uint64 // by the use of a source: the revision of the trace that it has
	stopped  bool              // the pane shows an error of the network instead of a picture
}

// of returns the network of a pane: its own or that of its view.
func (n *networks) of(w *view.Pane) (*network.Network, error) {
	if w.Network == "" {
		return n.catalog.Default(w.View, nil), nil
	}
	read, err := network.Read("network", w.Network)
	return n.catalog.Sort(read), err
}

// rewire gives a pane the view of its network. A network without a picture, as during changes, leaves the pane as it was. It reports whether the
// pane has another view.
func (n *networks) rewire(p *pane, w *view.Pane) bool {
	p.wired.text, p.wired.wrong = w.Network, ""
	before := p.kind
	if w.Network == "" {
		p.wired.plan = nil
		if k := n.model.arranger.Kind(w.View); k != nil {
			p.kind = k
		}
		return p.kind != before
	}
	read, err := n.of(w)
	if err == nil {
		display := n.catalog.Display(read)
		if display == "" {
			err = fmt.Errorf("the network has no display")
		} else {
			var plan *network.Plan
			if plan, err = n.builder.Build(read.Needed(display)); err == nil {
				p.wired.plan, p.wired.supplied = plan, map[string]uint64{}
				p.kind = plan.Output(display).Kind()
			}
		}
	}
	if err != nil {
		p.wired.wrong = err.Error()
	}
	return p.kind != before
}

// supply gives the sources of a pane's network the traces that they read, where those have changed. It reports whether one had. A pane that has
// neither a picture nor a network that gives one gets an error, not the picture of the whole trace.
func (n *networks) supply(p *pane, d *documents.Document) (changed bool, err error) {
	if p.wired.plan == nil {
		if p.wired.wrong != "" && p.opened == nil {
			return false, fmt.Errorf("the network of this pane gives no picture (Shift+H shows its modules): %s", p.wired.wrong)
		}
		return false, nil
	}
	for _, o := range p.wired.plan.Outputs {
		if !o.Supplied() {
			continue
		}
		other, err := n.input(o, d)
		if err != nil {
			return false, fmt.Errorf("%s: %w", o.Use.Name, err)
		}
		if p.wired.supplied[o.Use.Name] != other.Revision() {
			p.wired.supplied[o.Use.Name] = other.Revision()
			o.Supply(d.Data, other.Source)
			changed = true
		}
	}
	return changed, nil
}

// input returns the open trace that a source of a network reads. Trace 1 is that of the pane d.
func (n *networks) input(o *network.Output, d *documents.Document) (*documents.Document, error) {
	if o.Module.Name != modules.TraceName || o.Values.Text("file") != "" {
		return nil, fmt.Errorf("a network in the viewer reads open traces: open the file or make the run, and use the module trace with its number")
	}
	number := o.Values.Int("input")
	for _, name := range n.model.State.Shared.Traces {
		if other := n.model.docs.Get(name); other != nil && other != d {
			if number--; number == 1 {
				return other, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no open trace with the number %d; 1 is the trace of the pane, the others follow in the order in which they were opened", o.Values.Int("input"))
}

// drawModules draws the modules of a pane below its picture, if they are shown.
func (a *App) drawModules(c *ui.Context, r *ui.Rect, p *pane) {
	w := a.model.Pane(p.id)
	if w == nil || !a.wiring.Open(p.id) {
		return
	}
	n, err := a.networks.of(w)
	s := wiring.Scene{
		Catalog: a.networks.catalog, Network: n, Plan: p.wired.plan, Display: a.networks.catalog.Display(n), Own: w.Network != "", Wrong: p.wired.wrong,
		Values: w.Params,
	}
	if err != nil {
		s.Wrong = err.Error()
	}
	if s.Wrong == "" && p.err != nil {
		s.Wrong = p.err.Error()
	}
	if p.opened != nil {
		s.Stages = p.opened.Stages()
	}
	asks := a.wiring.Draw(c, r, p.id, s)
	pane := a.model.Index(p.id)
	switch {
	case asks.Refusal != "":
		a.out.Notify(ui.Warning, outbox.AboutAction, asks.Refusal)
	case asks.Network != nil:
		a.actions.apply(view.Action{Do: view.SetNetwork, Pane: pane, Value: asks.Network.Write()})
	case asks.Param != "":
		a.actions.apply(view.Action{Do: view.SetParam, Pane: pane, Name: asks.Param, Value: asks.Value})
	case asks.Reset:
		a.actions.apply(view.Action{Do: view.SetNetwork, Pane: pane})
	case asks.Copy:
		c.Copy(a.networks.file(n, s.Display, w.Params))
		a.out.Say(outbox.AboutAction, "The network is in the clipboard, as a file for whorl render --network.")
	case asks.Close:
		a.wiring.Toggle(p.id)
		a.out.Redraw()
	default:
		return
	}
	a.actions.setFocus(p.id)
}

// file returns the text of a network with the parameters that its display has in a pane.
func (n *networks) file(of *network.Network, display string, params map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if with, err := n.catalog.Set(of, display, name, params[name]); err == nil {
			of = with
		}
	}
	return of.Write()
}

// watchModules draws the shown modules again when the stages of their pictures have done something.
func (a *App) watchModules() {
	for _, p := range a.model.visible() {
		if !a.wiring.Open(p.id) {
			continue
		}
		now := watched{p.result.Revision, p.working}
		if a.watched[p.id] != now {
			a.watched[p.id] = now
			a.out.Redraw()
		}
	}
}

// watched is what the modules of a pane were last drawn for.
type watched struct {
	revision uint64
	working  bool
}

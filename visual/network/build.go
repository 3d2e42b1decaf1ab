package network

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// A Builder makes the stages of networks. It returns the same stage for the same module with the same parameters and inputs, so that an edited
// network keeps the values of the modules that did not change. The zero Catalog builds nothing.
type Builder struct {
	Catalog Catalog
	stages  map[string]*Output
}

// An Output is the output of a use: a stage with its value.
type Output struct {
	Use    Use
	Module *Module
	Values flow.Values
	In     map[string][]*Output
	Stage  flow.Input // a *flow.Stage of tracer.Source, *Table or *Matrix; nil for a picture or an export

	number int
	read   func(c flow.Reading) any
	set    func(d *view.Data, v any) // of a source
	kind   *view.Kind                // of a display
}

// A Plan is a network as stages.
type Plan struct {
	Title   string
	Outputs []*Output // in the order of the network, groups replaced by their contents
}

// Output returns the output of a use, nil for none.
func (p *Plan) Output(use string) *Output {
	for _, o := range p.Outputs {
		if o.Use.Name == use {
			return o
		}
	}
	return nil
}

// Build returns the stages of a network. It checks the network first.
func (b *Builder) Build(n *Network) (*Plan, error) {
	if err := b.Catalog.Check(n); err != nil {
		return nil, err
	}
	uses := b.Catalog.flatten(n)
	if b.stages == nil {
		b.stages = map[string]*Output{}
	}
	p := &Plan{Title: n.Title}
	made := map[string]*Output{}
	var output func(name string) *Output
	output = func(name string) *Output {
		if o := made[name]; o != nil {
			return o
		}
		u := uses[slices.IndexFunc(uses, func(u Use) bool { return u.Name == name })]
		in := map[string][]*Output{}
		for _, port := range order(u.Links) {
			for _, from := range u.Links[port] {
				in[port] = append(in[port], output(from))
			}
		}
		o := b.output(u, in)
		made[name] = o
		return o
	}
	for _, u := range uses {
		p.Outputs = append(p.Outputs, output(u.Name))
	}
	return p, nil
}

// output returns the output of a use with the outputs that it reads.
func (b *Builder) output(u Use, in map[string][]*Output) *Output {
	m, _ := b.Catalog.Module(u.Module) // checked
	values, _ := m.Parse(u.Values)
	var id strings.Builder
	id.WriteString(m.Name)
	for _, p := range m.Params {
		fmt.Fprintf(&id, "\x00%#v", values[p.Name])
	}
	for _, p := range m.In {
		id.WriteString("\x00" + p.Name)
		for _, o := range in[p.Name] {
			id.WriteString(" " + strconv.Itoa(o.number))
		}
	}
	known := b.stages[id.String()]
	if known == nil {
		known = &Output{Use: u, Module: m, Values: values, number: len(b.stages)}
		known.In = in
		known.derive()
		b.stages[id.String()] = known
	}
	o := *known
	o.Use, o.In = u, in
	return &o
}

// recorded is the output of the trace that the network is applied to.
var recorded = flow.Derive("module trace", "the trace", flow.In(view.Recorded), nil, func(c *flow.Call[tracer.Source]) (tracer.Source, error) {
	return view.Recorded.In(c), nil
})

// derive makes the stage of an output.
func (o *Output) derive() {
	switch {
	case o.Module.View != nil:
		o.display()
	case o.Module.Out == Trace:
		if o.Module.Run == nil && o.Values.Text("file") == "" && o.Values.Int("input") == 1 { // the trace of the pane or of the command
			o.Stage = recorded
			o.read = func(c flow.Reading) any { return recorded.In(c) }
			return
		}
		deriveAs[tracer.Source](o)
	case o.Module.Out == Tabular:
		deriveAs[*Table](o)
	case o.Module.Out == Grid:
		deriveAs[*Matrix](o)
	}
}

func deriveAs[T any](o *Output) {
	m := o.Module
	if m.Run == nil {
		source := flow.NewSource[T](m.Name)
		s := flow.Derive("module "+m.Name, m.Title, flow.In(source), nil, func(c *flow.Call[T]) (T, error) { return source.In(c), nil })
		o.Stage = s
		o.read = func(c flow.Reading) any { return s.In(c) }
		o.set = func(d *view.Data, v any) { view.Supply(d, source, v.(T)) }
		return
	}
	var inputs []flow.Input
	for _, p := range m.In {
		for _, in := range o.In[p.Name] {
			if !slices.Contains(inputs, in.Stage) {
				inputs = append(inputs, in.Stage)
			}
		}
	}
	in, params, name := o.In, o.Values, o.Use.Name
	s := flow.Derive("module "+m.Name, m.Title, inputs, nil, func(c *flow.Call[T]) (T, error) {
		values := map[string][]any{}
		for _, p := range m.In {
			for _, from := range in[p.Name] {
				values[p.Name] = append(values[p.Name], from.read(c))
			}
		}
		v, err := m.Run(NewCall(c.Context, params, c.Tick, values))
		if err != nil {
			var none T
			return none, fmt.Errorf("%s, module %s: %w", nearest.Quote(name), m.Name, err)
		}
		return v.(T), nil
	})
	o.Stage = s
	o.read = func(c flow.Reading) any { return s.In(c) }
}

// display makes the view of a display: its view with the input in place of the trace, and the parameters of the network as defaults.
func (o *Output) display() {
	m := o.Module
	k := *m.View
	in := o.In[m.In[0].Name][0]
	k.Needs, k.First, k.Condensation = nil, nil, nil
	k.Params = slices.Clone(k.Params)
	for i, p := range k.Params {
		k.Params[i].Default = o.Values[p.Name]
	}
	if in.Stage == flow.Input(recorded) {
		k.Needs = m.View.Needs
	} else {
		k.Picture = k.Picture.With(m.Shows(in.checked(m.View)))
	}
	o.kind = &k
}

// checked returns the stage of an output, which for a trace fails if a view cannot show it.
func (o *Output) checked(k *view.Kind) flow.Input {
	s, ok := o.Stage.(*flow.Stage[tracer.Source])
	if !ok || len(k.Needs) == 0 {
		return o.Stage
	}
	return flow.Derive("events for "+k.Name, "the trace", flow.In(s), nil, func(c *flow.Call[tracer.Source]) (tracer.Source, error) {
		src := s.In(c)
		return src, k.CanOpen(src)
	})
}

// Kind returns the view of a display, nil for another module.
func (o *Output) Kind() *view.Kind { return o.kind }

// Supplied reports whether the output is that of a source whose value Supply sets.
func (o *Output) Supplied() bool { return o.set != nil }

// Supply sets the value of a source for the views of a Data.
func (o *Output) Supply(d *view.Data, v any) { o.set(d, v) }

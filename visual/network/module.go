package network

import (
	"context"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// A Type is the type of a port.
type Type uint8

// The types of ports.
const (
	NoType  Type = iota // of the output of an export
	Trace               // a tracer.Source
	Tabular             // a *Table
	Grid                // a *Matrix
	Picture             // a display, or several on a page
)

// String returns the name of the type with an article, as messages show it.
func (t Type) String() string {
	return [...]string{"nothing", "a trace", "a table", "a matrix", "a picture"}[t]
}

// A Class is a part of the catalog.
type Class uint8

// The classes of modules, in the order of lists.
const (
	Source Class = iota
	Filter
	Transform
	Layout
	Display
	Export
	Own // a group of the network
)

// String returns the name of a class.
func (c Class) String() string {
	return [...]string{"source", "filter", "transform", "layout", "display", "export", "group"}[c]
}

// A Port is an input of a module.
type Port struct {
	Name string
	Type Type
	Many bool // it accepts several links, in order
}

// A Module describes a kind of module. A source has no inputs and no Run: the caller of the network supplies its value (Need).
type Module struct {
	Name, Title, Doc string
	Class            Class
	In               []Port
	Out              Type
	Params           []view.Param

	// Check returns an error for parameters that are wrong although each can be parsed; nil accepts all.
	Check func(v flow.Values) error

	// Run computes the output: a tracer.Source, a *Table or a *Matrix by Out. It must be a pure function of the call's inputs and parameters.
	Run func(c *Call) (any, error)

	// View is the view of a display, which reads the value of its only input in the place of the stage Shows.
	View  *view.Kind
	Shows func(in flow.Input) flow.Swap
}

// Port returns an input of the module, or false for an unknown name.
func (m *Module) Port(name string) (Port, bool) {
	for _, p := range m.In {
		if p.Name == name {
			return p, true
		}
	}
	return Port{}, false
}

// Param returns a parameter of the module, or false for an unknown name.
func (m *Module) Param(name string) (view.Param, bool) {
	for _, p := range m.Params {
		if p.Name == name {
			return p, true
		}
	}
	return view.Param{}, false
}

// keys returns the names of the inputs and the parameters.
func (m *Module) keys() (names []string) {
	for _, p := range m.In {
		names = append(names, p.Name)
	}
	for _, p := range m.Params {
		names = append(names, p.Name)
	}
	return names
}

// A Call is one run of a module.
type Call struct {
	Context context.Context
	Params  flow.Values // all parameters of the module
	Tick    flow.Tick
	inputs  map[string][]any
}

// NewCall returns a call with the values of the inputs by port: one value for each link.
func NewCall(ctx context.Context, params flow.Values, tick flow.Tick, inputs map[string][]any) *Call {
	return &Call{Context: ctx, Params: params, Tick: tick, inputs: inputs}
}

// Trace returns the value of an input that accepts a trace.
func (c *Call) Trace(port string) tracer.Source { return c.inputs[port][0].(tracer.Source) }

// Traces returns the values of an input that accepts several traces.
func (c *Call) Traces(port string) (all []tracer.Source) {
	for _, v := range c.inputs[port] {
		all = append(all, v.(tracer.Source))
	}
	return all
}

// Table returns the value of an input that accepts a table.
func (c *Call) Table(port string) *Table { return c.inputs[port][0].(*Table) }

// Matrix returns the value of an input that accepts a matrix.
func (c *Call) Matrix(port string) *Matrix { return c.inputs[port][0].(*Matrix) }

// A Catalog holds the known modules, in the order of lists.
type Catalog []*Module

// Module returns the module of a name. The error names the nearest ones.
func (c Catalog) Module(name string) (*Module, error) {
	names := make([]string, len(c))
	for i, m := range c {
		if m.Name == name {
			return m, nil
		}
		names[i] = m.Name
	}
	return nil, &nearest.UnknownError{Kind: "module", Name: name, Known: names, See: "whorl list modules"}
}

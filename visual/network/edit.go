package network

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/nearest"
)

// The names of the uses in the network of Default.
const (
	defaultTrace   = "trace"
	defaultDisplay = "picture"
)

// Default returns the network of a trace in a view with some parameters.
func (c Catalog) Default(display string, values map[string]string) *Network {
	kept := map[string]string{}
	if m, err := c.Module(display); err == nil {
		for _, name := range order(values) {
			if _, err := m.parse(name, values[name]); err == nil {
				kept[name] = values[name]
			}
		}
	}
	return &Network{Uses: []Use{
		{Name: defaultTrace, Module: "trace", Values: map[string]string{}, Links: map[string][]string{}},
		{Name: defaultDisplay, Module: display, Values: kept, Links: map[string][]string{"trace": {defaultTrace}}},
	}}
}

// clone returns a copy that can be changed: the uses and their maps are copied when they change.
func (n *Network) clone() *Network {
	return &Network{Title: n.Title, Uses: slices.Clone(n.Uses), Groups: slices.Clone(n.Groups)}
}

// fresh returns a name for a new use.
func (n *Network) fresh(base string) string {
	name := base
	for i := 2; n.Use(name) >= 0; i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}

// module returns a module of the catalog or the one that stands for a group of a network.
func (c Catalog) module(n *Network, name string) (*Module, error) {
	k := &checker{Network: n, catalog: c}
	k.findGroups()
	return k.module(name)
}

// ModuleOf returns the module of a use, which may stand for a group of the network; nil if it is unknown.
func (c Catalog) ModuleOf(n *Network, u Use) *Module {
	m, _ := c.module(n, u.Module) // nil with an error
	return m
}

// Add returns the network with a further use of a module, and its name. If before is the name of a use with an input of the type of the new
// module's output, the new module is put in front of it: it reads what that input read, if its own first input has that type. An export, which has no
// output, reads the use itself or, if that has another type, what the use reads.
func (c Catalog) Add(n *Network, module, before string) (*Network, string, error) {
	m, err := c.module(n, module)
	if err != nil {
		return n, "", err
	}
	if len(n.Uses) >= maxUses {
		return n, "", fmt.Errorf("a network has at most %d modules", maxUses)
	}
	out := n.clone()
	u := Use{Name: n.fresh(m.Name), Module: m.Name, Values: map[string]string{}, Links: map[string][]string{}}
	if m.Class == Export {
		if from := c.source(n, before, m.In[0].Type); from != "" {
			u.Links[m.In[0].Name] = []string{from}
		}
	} else if i := n.Use(before); i >= 0 {
		if after := c.ModuleOf(n, n.Uses[i]); after != nil {
			for _, p := range after.In {
				if p.Type == m.Out && len(m.In) > 0 && m.In[0].Type == p.Type && len(n.Uses[i].Links[p.Name]) > 0 {
					u.Links[m.In[0].Name] = n.Uses[i].Links[p.Name][:1]
					out.Uses[i] = n.Uses[i].linked(p.Name, append([]string{u.Name}, n.Uses[i].Links[p.Name][1:]...))
					break
				}
			}
		}
	}
	out.Uses = append(out.Uses, u)
	return out, u.Name, nil
}

// source returns a use, or the first one that it reads, whose output has a type; "" if there is none.
func (c Catalog) source(n *Network, use string, t Type) string {
	i := n.Use(use)
	if i < 0 {
		return ""
	}
	m := c.ModuleOf(n, n.Uses[i])
	if m == nil || m.Out == t {
		return use
	}
	for _, p := range m.In {
		for _, from := range n.Uses[i].Links[p.Name] {
			if k := n.Use(from); k >= 0 {
				if read := c.ModuleOf(n, n.Uses[k]); read != nil && read.Out == t {
					return from
				}
			}
		}
	}
	return ""
}

// linked returns the use with other links at a port, none if from is empty.
func (u Use) linked(port string, from []string) Use {
	u.Links = maps.Clone(u.Links)
	if len(from) == 0 {
		delete(u.Links, port)
	} else {
		u.Links[port] = from
	}
	return u
}

// Connect returns the network with a link from the output of a use to an input of another, in the place of the one that was there. The error says
// why they cannot be connected.
func (c Catalog) Connect(n *Network, from, to, port string) (*Network, error) {
	i := n.Use(to)
	if i < 0 || n.Use(from) < 0 {
		return n, nearest.Unknown("module of the network", from, names(n.Uses))
	}
	m, err := c.module(n, n.Uses[i].Module)
	if err != nil {
		return n, err
	}
	p, ok := m.Port(port)
	if !ok {
		return n, nearest.Unknown("input of "+m.Name, port, m.keys())
	}
	k := &checker{Network: n, catalog: c}
	k.findGroups()
	if err := k.link(n.Uses, nil, from, to, p); err != nil {
		return n, err
	}
	links := []string{from}
	if old := n.Uses[i].Links[port]; p.Many && !slices.Contains(old, from) {
		links = append(slices.Clone(old), from)
	}
	out := n.clone()
	out.Uses[i] = n.Uses[i].linked(port, links)
	if cycle := Cycle(out.Uses); cycle != nil {
		return n, fmt.Errorf("the modules %s would form a cycle: each would read the one before it", strings.Join(cycle, ", "))
	}
	return out, nil
}

// Disconnect returns the network without the links of an input.
func (n *Network) Disconnect(to, port string) *Network {
	out := n.clone()
	if i := n.Use(to); i >= 0 {
		out.Uses[i] = n.Uses[i].linked(port, nil)
	}
	return out
}

// Remove returns the network without a use. What read its output reads what its first input read, if the types agree.
func (c Catalog) Remove(n *Network, name string) *Network {
	at := n.Use(name)
	if at < 0 {
		return n
	}
	var instead []string
	if m := c.ModuleOf(n, n.Uses[at]); m != nil && len(m.In) > 0 && m.In[0].Type == m.Out {
		instead = n.Uses[at].Links[m.In[0].Name]
	}
	out := n.clone()
	for i, u := range n.Uses {
		for _, port := range order(u.Links) {
			if k := slices.Index(u.Links[port], name); k >= 0 {
				links := slices.Concat(u.Links[port][:k], instead[:min(1, len(instead))], u.Links[port][k+1:])
				u = u.linked(port, links)
			}
		}
		out.Uses[i] = u
	}
	out.Uses = slices.Delete(out.Uses, at, at+1)
	return out
}

// Set returns the network with another value of a parameter. The error says what was expected.
func (c Catalog) Set(n *Network, name, param, value string) (*Network, error) {
	i := n.Use(name)
	if i < 0 {
		return n, nearest.Unknown("module of the network", name, names(n.Uses))
	}
	m, err := c.module(n, n.Uses[i].Module)
	if err != nil {
		return n, err
	}
	u := n.Uses[i]
	u.Values = maps.Clone(u.Values)
	u.Values[param] = value
	if _, err := m.Parse(u.Values); err != nil {
		return n, err
	}
	out := n.clone()
	out.Uses[i] = u
	return out, nil
}

// Group returns the network with some uses as a group of a name, used once in their place. One of them only may have readers outside. exposed lists
// the parameters of the members that the group has; each gets the name of the parameter, with that of the member before it if it is taken.
func (c Catalog) Group(n *Network, name string, members []string, exposed []GroupParam) (*Network, error) {
	if _, err := c.module(n, name); err == nil || name == "" || strings.HasPrefix(name, inside) {
		return n, fmt.Errorf("%s: expected a name that no module and no group has", nearest.Quote(name))
	}
	g := Group{Name: name}
	use := Use{Name: n.fresh(name), Module: name, Values: map[string]string{}, Links: map[string][]string{}}
	in := func(name string) bool { return slices.Contains(members, name) }
	out := n.clone()
	out.Uses = nil
	for _, u := range n.Uses {
		m := c.ModuleOf(n, u)
		if m == nil {
			return n, fmt.Errorf("the module %s is unknown", nearest.Quote(u.Module))
		}
		for _, p := range m.In {
			links := slices.Clone(u.Links[p.Name])
			for i, from := range links {
				switch {
				case in(u.Name) && !in(from): // an input of the group, shared by those that read the same
					port := from
					if _, ok := use.Links[port]; !ok {
						g.In = append(g.In, GroupPort{port, p.Type})
						use.Links[port] = []string{from}
					}
					links[i] = inside + port
				case !in(u.Name) && in(from):
					if g.Out != "" && g.Out != from {
						return n, fmt.Errorf("%s and %s are read outside the group, which has one output", nearest.Quote(g.Out), nearest.Quote(from))
					}
					g.Out = from
					links[i] = use.Name
				}
			}
			if len(links) > 0 {
				u = u.linked(p.Name, links)
			}
		}
		if in(u.Name) {
			g.Uses = append(g.Uses, u)
		} else {
			out.Uses = append(out.Uses, u)
		}
	}
	if len(g.Uses) == 0 {
		return n, fmt.Errorf("the group %s has no modules", nearest.Quote(name))
	}
	if g.Out == "" {
		g.Out = g.Uses[len(g.Uses)-1].Name
	}
	taken := map[string]bool{"module": true}
	for _, p := range g.In {
		taken[p.Name] = true
	}
	for _, p := range exposed {
		if p.Name = p.Param; taken[p.Name] {
			p.Name = p.Use + "-" + p.Param
		}
		taken[p.Name] = true
		g.Params = append(g.Params, p)
	}
	out.Uses = append(out.Uses, use)
	out.Groups = append(out.Groups, g)
	if cycle := Cycle(out.Uses); cycle != nil {
		return n, fmt.Errorf("a module outside the group reads it and is read by it: add it to the group: %s", strings.Join(cycle, ", "))
	}
	return out, nil
}

// Adopt returns the network with a group of another network, and with those that it uses. It returns the same network if it has a group of the name.
func (n *Network) Adopt(other *Network, name string) *Network {
	contains := func(m *Network) int { return slices.IndexFunc(m.Groups, func(g Group) bool { return g.Name == name }) }
	i := contains(other)
	if i < 0 || contains(n) >= 0 {
		return n
	}
	out := n.clone()
	out.Groups = append(out.Groups, other.Groups[i])
	for _, u := range other.Groups[i].Uses {
		out = out.Adopt(other, u.Module)
	}
	return out
}

// Display returns the name of the last display of the network, "" for none.
func (c Catalog) Display(n *Network) string {
	for _, u := range slices.Backward(n.Uses) {
		if m := c.ModuleOf(n, u); m != nil && m.Out == Picture && m.Class != Layout {
			return u.Name
		}
	}
	return ""
}

// Needed returns the network with only the uses that the output of one depends on. Messages about it name lines of the whole text.
func (n *Network) Needed(name string) *Network {
	needed := map[string]bool{}
	var need func(name string)
	need = func(name string) {
		i := n.Use(name)
		if i < 0 || needed[name] {
			return
		}
		needed[name] = true
		for _, port := range order(n.Uses[i].Links) {
			for _, from := range n.Uses[i].Links[port] {
				need(from)
			}
		}
	}
	need(name)
	out := n.clone()
	out.file, out.text = n.file, n.text
	out.Uses = slices.DeleteFunc(out.Uses, func(u Use) bool { return !needed[u.Name] })
	return out
}

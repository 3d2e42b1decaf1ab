package network

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"whorl/internal/fault"
	"whorl/internal/nearest"
	"whorl/visual/flow"
)

// inside begins the names by which the uses in a group read the inputs of the group.
const inside = "in."

// A checker finds the faults of a network.
type checker struct {
	*Network
	catalog Catalog
	groups  map[string]*Module // by name
	errs    fault.Errors
}

// Read reads a network from the text of a file and checks it. The error is a fault.Errors with everything that is wrong with the network; the
// network then has the parts that could be read.
func (c Catalog) Read(file, text string) (*Network, error) {
	n, err := Read(file, text)
	if err != nil {
		return n, err
	}
	n = c.Sort(n)
	return n, c.Check(n)
}

// Sort returns the network with the values of inputs among its links, where Read takes a single name for a parameter.
func (c Catalog) Sort(n *Network) *Network {
	k := &checker{Network: n, catalog: c}
	k.findGroups()
	sorted := *n
	sorted.Uses = k.sort(n.Uses)
	sorted.Groups = slices.Clone(n.Groups)
	for i := range sorted.Groups {
		sorted.Groups[i].Uses = k.sort(sorted.Groups[i].Uses)
	}
	return &sorted
}

func (k *checker) sort(uses []Use) []Use {
	uses = slices.Clone(uses)
	for i, u := range uses {
		m, err := k.module(u.Module)
		if err != nil {
			continue
		}
		values, links := map[string]string{}, map[string][]string{}
		for _, name := range order(u.Values) {
			if _, ok := m.Port(name); ok {
				links[name] = []string{u.Values[name]}
			} else {
				values[name] = u.Values[name]
			}
		}
		for _, name := range order(u.Links) {
			links[name] = u.Links[name]
		}
		uses[i].Values, uses[i].Links = values, links
	}
	return uses
}

// Check returns a fault.Errors with everything that is wrong with a network: unknown modules, keys, values and links, links of the wrong type,
// cycles and missing inputs.
func (c Catalog) Check(n *Network) error {
	k := &checker{Network: n, catalog: c}
	k.findGroups()
	for _, g := range n.Groups {
		at := "groups." + key(g.Name)
		if _, err := c.Module(g.Name); err == nil {
			k.wrong(at, "", "the group "+nearest.Quote(g.Name)+" has the name of a module", "a name of its own")
		}
		if g.Out == "" || k.find(g.Uses, g.Out) == nil {
			names := names(g.Uses)
			k.wrong(at, "output", "the group "+nearest.Quote(g.Name)+" has no output: "+nearest.Unknown("module in the group", g.Out, names).Error(), `output = "NAME", a module of the group`)
		}
		if path := k.within(g.Name, nil); path != nil {
			k.wrong(at, "", "the group "+nearest.Quote(g.Name)+" contains itself: "+strings.Join(path, ", "), "")
			continue
		}
		for _, p := range g.Params {
			if _, err := k.param(&g, p); err != nil {
				k.wrong(at+".parameters", p.Name, err.Error(), "")
			} else if _, taken := k.groups[g.Name].Port(p.Name); taken || p.Name == "module" {
				k.wrong(at+".parameters", p.Name, "the parameter "+nearest.Quote(p.Name)+" has the name of an input of the group, or of the key module", "another name")
			}
		}
		k.check(g.Uses, at+".modules.", g.In)
	}
	k.check(n.Uses, "modules.", nil)
	slices.SortStableFunc(k.errs, func(a, b *fault.Error) int { return int(a.Pos.Line - b.Pos.Line) })
	return k.errs.Locate(n.text).Err()
}

func (k *checker) wrong(table, key, msg, want string) {
	k.errs = append(k.errs, &fault.Error{Pos: k.place(table, key), Msg: msg, Want: want})
}

// findGroups makes the modules that stand for the groups.
func (k *checker) findGroups() {
	k.groups = map[string]*Module{}
	for _, g := range k.Groups {
		m := &Module{Name: g.Name, Title: g.Name, Doc: g.Doc, Class: Own}
		for _, p := range g.In {
			m.In = append(m.In, Port{Name: p.Name, Type: p.Type})
		}
		k.groups[g.Name] = m
	}
	for range k.Groups { // the output of a group may be that of another one
		for _, g := range k.Groups {
			if u := k.find(g.Uses, g.Out); u != nil {
				if m, err := k.module(u.Module); err == nil {
					k.groups[g.Name].Out = m.Out
				}
			}
		}
	}
	k.findParams()
}

// module returns a module of the catalog or the one that stands for a group.
func (k *checker) module(name string) (*Module, error) {
	if m := k.groups[name]; m != nil {
		return m, nil
	}
	m, err := k.catalog.Module(name)
	if wrong := (*nearest.UnknownError)(nil); errors.As(err, &wrong) {
		wrong.Known = append(wrong.Known, order(k.groups)...)
	}
	return m, err
}

func (k *checker) find(uses []Use, name string) *Use {
	if i := slices.IndexFunc(uses, func(u Use) bool { return u.Name == name }); i >= 0 {
		return &uses[i]
	}
	return nil
}

// within returns the path of groups from one to itself, nil for none.
func (k *checker) within(name string, path []string) []string {
	if len(path) > 0 && path[0] == name {
		return append(path, name)
	}
	if slices.Contains(path, name) {
		return nil
	}
	for _, g := range k.Groups {
		if g.Name != name {
			continue
		}
		for _, u := range g.Uses {
			if k.groups[u.Module] != nil {
				if found := k.within(u.Module, append(slices.Clip(path), name)); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

func names(uses []Use) (names []string) {
	for _, u := range uses {
		names = append(names, u.Name)
	}
	return names
}

// check checks the uses of a network or of a group with some inputs. path is that of their tables.
func (k *checker) check(uses []Use, path string, in []GroupPort) {
	for _, u := range uses {
		at := path + key(u.Name)
		m, err := k.module(u.Module)
		if err != nil {
			k.wrong(at, "module", err.Error(), "")
			continue
		}
		if _, err := m.Parse(u.Values); err != nil {
			name := "module"
			for _, v := range order(u.Values) {
				if _, err := m.Parse(map[string]string{v: u.Values[v]}); err != nil {
					name = v
					break
				}
			}
			k.wrong(at, name, err.Error(), "")
		}
		for _, port := range order(u.Links) {
			p, ok := m.Port(port)
			if !ok {
				k.wrong(at, port, nearest.Unknown("input of "+m.Name, port, m.keys()).Error(), "")
				continue
			}
			if !p.Many && len(u.Links[port]) > 1 {
				k.wrong(at, port, fmt.Sprintf("the input %s of %s accepts one link, not %d", port, nearest.Quote(u.Name), len(u.Links[port])), "")
			}
			for _, from := range u.Links[port] {
				if err := k.link(uses, in, from, u.Name, p); err != nil {
					k.wrong(at, port, err.Error(), "")
				}
			}
		}
		for _, p := range m.In {
			if len(u.Links[p.Name]) == 0 {
				k.wrong(at, "", fmt.Sprintf("the input %s of %s is missing: it accepts %v", p.Name, nearest.Quote(u.Name), p.Type), p.Name+` = "NAME", a module whose output is `+p.Type.String())
			}
		}
	}
	if cycle := Cycle(uses); cycle != nil {
		k.wrong(path+key(cycle[0]), "", "the modules "+strings.Join(cycle, ", ")+" form a cycle: each reads the one before it", "")
	}
}

// link checks a link from the use or the input of a group named from to a port of the use named to.
func (k *checker) link(uses []Use, in []GroupPort, from, to string, p Port) error {
	known := names(uses)
	for _, port := range in {
		if inside+port.Name == from {
			return fits(from, port.Type, to, p)
		}
		known = append(known, inside+port.Name)
	}
	u := k.find(uses, from)
	if u == nil {
		return nearest.Unknown("module of the network", from, known)
	}
	m, err := k.module(u.Module)
	if err != nil {
		return nil // reported at the module
	}
	return fits(from, m.Out, to, p)
}

func fits(from string, out Type, to string, p Port) error {
	if out == p.Type {
		return nil
	}
	if out == NoType {
		return fmt.Errorf("%s gives nothing, the input %s of %s expects %v", nearest.Quote(from), p.Name, nearest.Quote(to), p.Type)
	}
	return fmt.Errorf("%s gives %v, the input %s of %s expects %v", nearest.Quote(from), out, p.Name, nearest.Quote(to), p.Type)
}

// Cycle returns the names of uses that form a cycle of links, each a reader of the one before it, and the first once more at the end; nil if there
// is no cycle.
func Cycle(uses []Use) []string {
	const begun, done = 1, 2
	state := map[string]int{}
	var path []string
	var visit func(name string) []string
	visit = func(name string) []string {
		i := slices.IndexFunc(uses, func(u Use) bool { return u.Name == name })
		if i < 0 || state[name] == done {
			return nil
		}
		path = append(path, name)
		if state[name] == begun {
			cycle := slices.Clone(path[slices.Index(path, name):])
			slices.Reverse(cycle)
			return cycle
		}
		state[name] = begun
		for _, port := range order(uses[i].Links) {
			for _, from := range uses[i].Links[port] {
				if cycle := visit(from); cycle != nil {
					return cycle
				}
			}
		}
		state[name] = done
		path = path[:len(path)-1]
		return nil
	}
	for _, u := range uses {
		if cycle := visit(u.Name); cycle != nil {
			return cycle
		}
	}
	return nil
}

// parse reads the value of one parameter.
func (m *Module) parse(name, value string) (any, error) {
	p, ok := m.Param(name)
	if !ok {
		return nil, nearest.Unknown("key of the module "+m.Name, name, m.keys())
	}
	return p.Parse(value)
}

// Parse returns the values of all parameters for values as users write them.
func (m *Module) Parse(values map[string]string) (flow.Values, error) {
	v := flow.Values{}
	for _, p := range m.Params {
		v[p.Name] = p.Default
	}
	for _, name := range order(values) {
		value, err := m.parse(name, values[name])
		if err != nil {
			return nil, err
		}
		v[name] = value
	}
	if m.Check != nil {
		if err := m.Check(v); err != nil {
			return nil, err
		}
	}
	return v, nil
}

package network

import (
	"maps"
	"slices"
	"strings"
)

// flatten returns the uses of a checked network with each use of a group replaced by the uses in the group, which are named after both.
func (c Catalog) flatten(n *Network) []Use {
	groups := map[string]*Group{}
	for i := range n.Groups {
		groups[n.Groups[i].Name] = &n.Groups[i]
	}
	var all []Use
	expand(n.Uses, "", nil, groups, &all)
	return all
}

// outlet returns the full name of the use whose output a name inside a prefix stands for.
func outlet(uses []Use, name, prefix string, groups map[string]*Group) string {
	for _, u := range uses {
		if u.Name == name {
			if g := groups[u.Module]; g != nil {
				return outlet(g.Uses, g.Out, prefix+name+"/", groups)
			}
		}
	}
	return prefix + name
}

// with returns the uses of a group with values of its parameters.
func (g *Group) with(values map[string]string) []Use {
	uses := slices.Clone(g.Uses)
	for i, u := range uses {
		uses[i].Values = maps.Clone(u.Values)
		for _, p := range g.Params {
			if value, ok := values[p.Name]; ok && p.Use == u.Name {
				uses[i].Values[p.Param] = value
			}
		}
	}
	return uses
}

// expand appends uses. outer has the full names of the sources of the inputs of their group.
func expand(uses []Use, prefix string, outer map[string][]string, groups map[string]*Group, all *[]Use) {
	for _, u := range uses {
		links := map[string][]string{}
		for _, port := range order(u.Links) {
			for _, from := range u.Links[port] {
				if input, ok := strings.CutPrefix(from, inside); ok {
					links[port] = append(links[port], outer[input]...)
				} else {
					links[port] = append(links[port], outlet(uses, from, prefix, groups))
				}
			}
		}
		if g := groups[u.Module]; g != nil {
			expand(g.with(u.Values), prefix+u.Name+"/", links, groups, all)
			continue
		}
		*all = append(*all, Use{Name: prefix + u.Name, Module: u.Module, Values: u.Values, Links: links})
	}
}

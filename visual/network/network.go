package network

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Network is a graph of modules. Its values are never modified in place.
type Network struct {
	Title  string
	Uses   []Use // in the order of the file
	Groups []Group

	file, text string // of Read, for places in messages
}

// A Use is a module in a network.
type Use struct {
	Name   string            // unique in the network
	Module string            // its name in the catalog, or that of a group
	Values map[string]string // parameters that are not the defaults, as view.Param.Parse reads them; never nil
	Links  map[string][]string
}

// A Group is a part of a network that is used as a module.
type Group struct {
	Name, Doc string
	In        []GroupPort
	Params    []GroupParam
	Uses      []Use
	Out       string // the use inside whose output is that of the group
}

// A GroupPort is an input of a group. The uses inside read it by the name "in." followed by its name.
type GroupPort struct {
	Name string
	Type Type
}

// A GroupParam is a parameter of a group: one of a use inside, whose value there is the default.
type GroupParam struct{ Name, Use, Param string }

// Use returns the index of the use of a name, -1 for none.
func (n *Network) Use(name string) int {
	return slices.IndexFunc(n.Uses, func(u Use) bool { return u.Name == name })
}

// order returns the keys of a map in the order of the alphabet.
func order[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Write returns the text of the network. Read returns an equal network.
func (n *Network) Write() string {
	var b strings.Builder
	if n.Title != "" {
		b.WriteString("title = " + quote(n.Title) + "\n")
	}
	for _, u := range n.Uses {
		u.write(&b, "modules.")
	}
	for _, g := range n.Groups {
		path := "groups." + key(g.Name)
		b.WriteString("\n[" + path + "]\n")
		if g.Doc != "" {
			b.WriteString("doc = " + quote(g.Doc) + "\n")
		}
		b.WriteString("output = " + quote(g.Out) + "\n")
		if len(g.In) > 0 {
			b.WriteString("\n[" + path + ".inputs]\n")
			for _, p := range g.In {
				b.WriteString(key(p.Name) + " = " + quote(p.Type.Word()) + "\n")
			}
		}
		if len(g.Params) > 0 {
			b.WriteString("\n[" + path + ".parameters]\n")
			for _, p := range g.Params {
				b.WriteString(key(p.Name) + " = " + quote(p.Use+"."+p.Param) + "\n")
			}
		}
		for _, u := range g.Uses {
			u.write(&b, path+".modules.")
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}

func (u Use) write(b *strings.Builder, path string) {
	b.WriteString("\n[" + path + key(u.Name) + "]\nmodule = " + quote(u.Module) + "\n")
	for _, name := range order(u.Values) {
		b.WriteString(key(name) + " = " + quote(u.Values[name]) + "\n")
	}
	for _, port := range order(u.Links) {
		from := make([]string, len(u.Links[port]))
		for i, l := range u.Links[port] {
			from[i] = quote(l)
		}
		if len(from) == 1 {
			b.WriteString(key(port) + " = " + from[0] + "\n")
		} else if len(from) > 1 {
			b.WriteString(key(port) + " = [" + strings.Join(from, ", ") + "]\n")
		}
	}
}

// key returns a name as a TOML key.
func key(name string) string {
	bare := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	})
	if bare {
		return name
	}
	return quote(name)
}

// quote returns a text as a TOML string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			b.WriteString(`\u` + strings.Repeat("0", 4-len(strconv.FormatInt(int64(r), 16))) + strconv.FormatInt(int64(r), 16))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// words holds the names of the types in files.
var words = [...]string{"nothing", "trace", "table", "matrix", "picture"}

// Word returns the name of the type in files.
func (t Type) Word() string { return words[t] }

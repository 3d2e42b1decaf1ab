package network

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"whorl/internal/fault"
	"whorl/internal/nearest"
	"whorl/internal/nesting"
)

// Bounds of a file.
const (
	maxNesting = 20
	MaxText    = 1 << 20 // bytes
	maxUses    = 1000
)

// reader reads a network and notes its faults.
type reader struct {
	*Network
	order map[string]int // of keys in the file, by their path
	errs  fault.Errors
}

// Read reads a network from the text of a file. It returns what it understood, and a fault.Errors with everything that is wrong with the form of
// the text; Catalog.Check finds the faults of the network.
func Read(file, text string) (*Network, error) {
	r := &reader{Network: &Network{file: file, text: text}, order: map[string]int{}}
	if len(text) > MaxText || nesting.TOML(text) > maxNesting {
		return r.Network, fmt.Errorf("%s: not a network: more than %d bytes or %d nested tables", file, MaxText, maxNesting)
	}
	var top map[string]any
	meta, err := toml.Decode(text, &top)
	if wrong := (toml.ParseError{}); errors.As(err, &wrong) {
		at := fault.Pos{File: file, Line: int32(wrong.Position.Line), Column: 1}
		return r.Network, fault.Errors{{Pos: at, Msg: wrong.Message}}.Locate(text).Err()
	} else if err != nil {
		return r.Network, fmt.Errorf("%s: %w", file, err)
	}
	for i, k := range meta.Keys() {
		if path := strings.Join(k, "\x00"); r.order[path] == 0 {
			r.order[path] = i + 1
		}
	}
	for _, name := range r.inOrder("", top) {
		switch v := top[name].(type) {
		case string:
			if name == "title" {
				r.Title = v
				continue
			}
		case map[string]any:
			if name == "modules" {
				r.Uses = r.uses("modules", name, v)
				continue
			} else if name == "groups" {
				r.groups(v)
				continue
			}
		}
		r.wrong("", name, "a network has the keys title, modules and groups, not "+nearest.Quote(name), "[modules.NAME] begins a module")
	}
	return r.Network, r.errs.Locate(text).Err()
}

// inOrder returns the keys of a table in the order of the file.
func (r *reader) inOrder(path string, table map[string]any) []string {
	names := order(table)
	slices.SortStableFunc(names, func(a, b string) int { return r.order[path+a] - r.order[path+b] })
	return names
}

// wrong notes an error at a key of a table.
func (r *reader) wrong(table, key, msg, want string) {
	r.errs = append(r.errs, &fault.Error{Pos: r.place(table, key), Msg: msg, Want: want})
}

// place returns the place of a key in a table, which may both be "", in the text.
func (n *Network) place(table, key string) fault.Pos {
	text, before := n.text, 0
	if table != "" {
		before = nesting.Line(text, table) - 1
		lines := strings.SplitAfter(text, "\n")
		text = strings.Join(lines[min(before, len(lines)):], "")
	}
	line := 1
	if key != "" {
		line = nesting.Line(text, key)
	}
	return fault.Pos{File: n.file, Line: int32(before + line), Column: 1}
}

// uses reads the modules of a table. path names it in messages, and parts is its path with the separator of order.
func (r *reader) uses(path, parts string, table map[string]any) (uses []Use) {
	for _, name := range r.inOrder(parts+"\x00", table) {
		at := path + "." + key(name)
		t, ok := table[name].(map[string]any)
		switch {
		case !ok:
			r.wrong(path, name, "a module is a table, not a value", "["+at+"]")
			continue
		case len(uses) >= maxUses:
			r.wrong(at, "", fmt.Sprintf("a network has at most %d modules", maxUses), "")
			return uses
		case strings.HasPrefix(name, inside):
			r.wrong(at, "", fmt.Sprintf("the name of a module does not begin with %q, which names the inputs of a group", inside), "")
		}
		u := Use{Name: name, Values: map[string]string{}, Links: map[string][]string{}}
		for _, k := range order(t) {
			r.value(&u, at, k, t[k])
		}
		if u.Module == "" {
			r.wrong(at, "", "the module "+nearest.Quote(name)+" has no key module", `module = "timeline", for example`)
		}
		uses = append(uses, u)
	}
	return uses
}

// value reads one key of a module. Whether it is a link or a parameter is known with the catalog: a list is a link, and Catalog.Check moves texts.
func (r *reader) value(u *Use, at, k string, v any) {
	switch v := v.(type) {
	case string:
		if k == "module" {
			u.Module = v
		} else {
			u.Values[k] = v
		}
		return
	case int64, float64, bool:
		if k != "module" {
			u.Values[k] = fmt.Sprint(v)
			return
		}
	case []any:
		var names []string
		for _, e := range v {
			name, ok := e.(string)
			if !ok {
				break
			}
			names = append(names, name)
		}
		if len(names) == len(v) && k != "module" {
			u.Links[k] = names
			return
		}
	}
	r.wrong(at, k, nearest.Quote(k)+" has a value of another kind", "a text, a number, true, false, or a list of names of modules")
}

// groups reads the groups of the network.
func (r *reader) groups(table map[string]any) {
	for _, name := range r.inOrder("groups\x00", table) {
		at := "groups." + key(name)
		t, ok := table[name].(map[string]any)
		if !ok {
			r.wrong("groups", name, "a group is a table, not a value", "["+at+"]")
			continue
		}
		g := Group{Name: name}
		g.Doc, _ = t["doc"].(string)
		g.Out, _ = t["output"].(string)
		inputs, _ := t["inputs"].(map[string]any)
		parts := "groups\x00" + name + "\x00"
		for _, port := range r.inOrder(parts+"inputs\x00", inputs) {
			word, _ := inputs[port].(string)
			i := slices.Index(words[:], word)
			if i <= int(NoType) {
				r.wrong(at, port, "the input "+nearest.Quote(port)+" has no type", "one of "+strings.Join(words[1:], ", "))
				continue
			}
			g.In = append(g.In, GroupPort{port, Type(i)})
		}
		params, _ := t["parameters"].(map[string]any)
		for _, name := range r.inOrder(parts+"parameters\x00", params) {
			text, _ := params[name].(string)
			dot := strings.LastIndexByte(text, '.')
			if dot < 1 {
				r.wrong(at+".parameters", name, "the parameter "+nearest.Quote(name)+" of the group names no parameter of a module inside", name+` = "MODULE.PARAMETER"`)
				continue
			}
			g.Params = append(g.Params, GroupParam{name, text[:dot], text[dot+1:]})
		}
		uses, _ := t["modules"].(map[string]any)
		g.Uses = r.uses(at+".modules", parts+"modules", uses)
		for _, k := range order(t) {
			if !slices.Contains([]string{"doc", "output", "inputs", "parameters", "modules"}, k) {
				r.wrong(at, k, "a group has the keys doc, output, inputs, parameters and modules, not "+nearest.Quote(k), "")
			}
		}
		r.Groups = append(r.Groups, g)
	}
}

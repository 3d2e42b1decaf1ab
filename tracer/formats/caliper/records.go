package caliper

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer/formats/profile"
)

// Nodes with which every file begins unsaid: the types of values, and the attributes of attributes.
const (
	nameOf  = 8 // the value is the name of an attribute
	typeOf  = 9
	propsOf = 10 // the value is the properties of an attribute, as bits
)

// Properties of attributes.
const (
	asValue = 1
	nested  = 256
)

// A nodeOf is a node: an attribute, given by its node, with a value.
type nodeOf struct {
	attr, parent int
	data         string
}

// An attr is an attribute.
type attr struct {
	name, unit string
	props      int
}

// records is a reader of records.
type records struct {
	*reader
	nodes map[int]nodeOf
	attrs map[int]attr
	line  int
	rows  []row
	files map[string]string // a file with samples, by function
}

// A row is a record of values.
type row struct {
	path   []string
	place  profile.Line
	rank   string
	values []cell
}

type cell struct {
	attr  int
	value float64
}

// records reads a file of records.
func (r *reader) records(data []byte) error {
	rs := records{reader: r, nodes: map[int]nodeOf{}, attrs: map[int]attr{}}
	for line := range bytes.Lines(data) {
		rs.line++
		whole := bytes.HasSuffix(line, []byte("\n"))
		text := strings.TrimSpace(string(line))
		if text == "" {
			continue
		}
		if !whole && !strings.HasPrefix(text, "__rec=globals") && rs.line > 1 { // globals are the last line
			r.w.Dropped.Once(fmt.Sprintf("the end of %s: line %d is cut", r.f.Name, rs.line))
			break
		}
		if err := rs.record(text); err != nil {
			return fmt.Errorf("line %d: %w", rs.line, err)
		}
	}
	if !slices.ContainsFunc(rs.rows, func(w row) bool { return len(w.values) > 0 }) {
		return errors.New("no records of values: expected lines that begin with __rec=ctx")
	}
	return rs.finish()
}

// record reads a line.
func (rs *records) record(text string) error {
	fields := map[string][]string{}
	for _, field := range cut(text, ',') {
		values := cut(field, '=')
		if len(values) < 2 {
			return fmt.Errorf("the field %.40q: expected NAME=VALUE", field)
		}
		fields[values[0]] = values[1:]
	}
	kind := fields["__rec"]
	if kind == nil {
		return errors.New("expected a record that begins with __rec=")
	}
	switch kind[0] {
	case "node":
		return rs.node(fields)
	case "ctx":
		return rs.context(fields)
	case "globals":
		for _, ref := range fields["ref"] {
			for id := number(ref); id > 0; id = rs.up(id) {
				if name := rs.attr(rs.nodes[id].attr).name; name == "executablepath" && rs.w.Meta.Program == "" {
					rs.w.Meta.Program = path.Base(plain(rs.nodes[id].data))
				}
			}
		}
	}
	return nil
}

// cut divides a text at a byte that has no \ before it. The parts keep their \.
func cut(text string, at byte) (parts []string) {
	from := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case at:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}

// plain returns a text without the \ before special characters.
func plain(text string) string {
	if !strings.Contains(text, `\`) {
		return strings.ToValidUTF8(text, "\ufffd")
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return strings.ToValidUTF8(b.String(), "\ufffd")
}

// number returns the number of a node, -1 for an invalid one.
func number(text string) int {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return -1
	}
	return int(n)
}

func (rs *records) node(fields map[string][]string) error {
	if fields["id"] == nil || fields["attr"] == nil {
		return errors.New("a node without id= and attr=")
	}
	id, n := number(fields["id"][0]), nodeOf{attr: number(fields["attr"][0]), parent: -1}
	if id < 0 || n.attr < 0 {
		return errors.New("expected numbers for id= and attr=")
	}
	if fields["data"] != nil {
		n.data = strings.Join(fields["data"], "=")
	}
	if p := fields["parent"]; p != nil {
		if n.parent = number(p[0]); n.parent >= id && rs.nodes[n.parent] == (nodeOf{}) {
			n.parent = -1 // of an unknown node; nodes follow their parents
		}
	}
	if _, twice := rs.nodes[id]; twice {
		return nil
	}
	rs.nodes[id] = n
	return nil
}

// mostPath bounds the nodes of a path.
const mostPath = 1 << 12

// up returns the parent of a node, -1 for none.
func (rs *records) up(id int) int {
	if n, ok := rs.nodes[id]; ok && n.parent != id {
		return n.parent
	}
	return -1
}

// attr returns the attribute of a node.
func (rs *records) attr(id int) attr {
	if a, ok := rs.attrs[id]; ok {
		return a
	}
	n, ok := rs.nodes[id]
	if !ok || n.attr != nameOf {
		return attr{}
	}
	a := attr{name: plain(n.data)}
	for at, depth := rs.up(id), 0; at > 0 && depth < mostPath; at, depth = rs.up(at), depth+1 {
		switch n := rs.nodes[at]; {
		case n.attr == propsOf:
			a.props, _ = strconv.Atoi(n.data)
		case rs.nodes[n.attr].data == "attribute.unit":
			a.unit = plain(n.data)
		}
	}
	rs.attrs[id] = a
	return a
}

// context reads a record of values.
func (rs *records) context(fields map[string][]string) error {
	var w row
	for _, ref := range fields["ref"] {
		var path []string
		id := number(ref)
		if _, ok := rs.nodes[id]; !ok {
			rs.w.Dropped.Add("references to unknown nodes", 1)
			continue
		}
		for depth := 0; id > 0 && depth < mostPath; id, depth = rs.up(id), depth+1 {
			n := rs.nodes[id]
			switch a := rs.attr(n.attr); {
			case a.name == "mpi.rank":
				w.rank = plain(n.data)
			case strings.HasPrefix(a.name, "sourceloc#"):
				w.place = location(plain(n.data))
			case a.props&nested != 0 || strings.HasPrefix(a.name, "source.function#callpath"):
				path = append(path, plain(n.data))
			}
		}
		slices.Reverse(path)
		w.path = append(w.path, path...)
	}
	attrs, data := fields["attr"], fields["data"]
	if len(attrs) != len(data) {
		return fmt.Errorf("%d attributes with %d values", len(attrs), len(data))
	}
	for i, at := range attrs {
		a := rs.attr(number(at))
		switch {
		case a.name == "mpi.rank":
			w.rank = plain(data[i])
		case a.props&nested != 0:
			w.path = append(w.path, plain(data[i]))
		default:
			if v, err := strconv.ParseFloat(data[i], 64); err == nil && !math.IsInf(v, 0) && a.name != "" {
				w.values = append(w.values, cell{number(at), v})
			}
		}
	}
	rs.rows = append(rs.rows, w)
	return nil
}

// location returns the place of a text such as heat.c:12.
func location(text string) profile.Line {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return profile.Line{}
	}
	n, err := strconv.ParseInt(text[i+1:], 10, 32)
	if err != nil || n < 0 {
		return profile.Line{}
	}
	return profile.Line{File: text[:i], Line: int32(n)}
}

// finish adds the values of all rows to the tree, those of times first.
func (rs *records) finish() error {
	found := map[int]metric{}
	rs.files = map[string]string{}
	for _, w := range rs.rows {
		if n := len(w.path); n > 0 && rs.files[w.path[n-1]] == "" {
			rs.files[w.path[n-1]] = w.place.File
		}
	}
	plainOf := map[string]bool{} // metrics that are exclusive
	var order []int
	for _, w := range rs.rows {
		for _, c := range w.values {
			if _, ok := found[c.attr]; ok {
				continue
			}
			a := rs.attr(c.attr)
			m, ok := metricOf(a.name, a.unit)
			if !ok {
				m = metric{}
			}
			found[c.attr] = m
			if ok {
				order = append(order, c.attr)
				plainOf[m.name] = plainOf[m.name] || !m.inclusive
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if at, bt := found[a].name == "time", found[b].name == "time"; at != bt {
			return map[bool]int{true: -1, false: 1}[at]
		}
		return 0
	})
	numbers := map[int]int{}
	for _, id := range order {
		if m := found[id]; !m.inclusive || !plainOf[m.name] {
			numbers[id] = rs.tree.Metric(m.name, m.unit, m.inclusive)
		}
	}
	if len(order) < len(found) {
		rs.w.Dropped.Add("metrics that are no sums", int64(len(found)-len(order)))
	}
	for _, w := range rs.rows {
		if err := rs.add(w, numbers); err != nil {
			return err
		}
	}
	return nil
}

// add adds the values of a row to the tree.
func (rs *records) add(w row, numbers map[int]int) error {
	pe, err := rs.pe(w.rank)
	if err != nil {
		return err
	}
	n := int32(0)
	for i, name := range w.path {
		line := profile.Line{Function: name, File: rs.files[name]}
		if i == len(w.path)-1 && w.place.Line > 0 {
			line.File, line.Line, line.Home = w.place.File, w.place.Line, line.File
		}
		n = rs.tree.Child(n, line)
	}
	for _, c := range w.values {
		k, ok := numbers[c.attr]
		switch {
		case !ok:
		case n == 0 && c.value != 0:
			rs.tree.Value(k, rs.tree.Child(0, profile.Line{Function: "[outside of regions]"}), pe, c.value)
		default:
			rs.tree.Value(k, n, pe, c.value)
		}
	}
	return nil
}

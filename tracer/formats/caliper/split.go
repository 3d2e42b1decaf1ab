package caliper

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"

	"whorl/tracer/formats/jsonfile"
)

// split is the content of a file in the form json-split: rows of values, or of nodes for columns that are no values.
type split struct {
	Data     []jsonfile.Numbers `json:"data"`
	Columns  []string           `json:"columns"`
	Metadata []struct {
		Value bool `json:"is_value"`
	} `json:"column_metadata"`
	Nodes []struct {
		Column string   `json:"column"`
		Label  string   `json:"label"`
		Parent *float64 `json:"parent"`
	} `json:"nodes"`
}

// split reads a file in the form json-split.
func (r *reader) split(data []byte) error {
	var c split
	cut, err := jsonfile.Read(bytes.NewReader(data), 2, &c)
	if err != nil {
		return err
	}
	if c.Columns == nil || c.Nodes == nil || len(c.Metadata) != len(c.Columns) {
		return errors.New("not a profile of Caliper: expected the members data, columns, column_metadata and nodes")
	}
	jsonfile.Cut(&r.w.Dropped, r.f.Name, cut)
	rs := records{reader: r, nodes: map[int]nodeOf{}, attrs: map[int]attr{}}
	for k, name := range c.Columns {
		rs.attrs[k+1] = attr{name: name, props: asValue}
	}
	for _, numbers := range c.Data {
		var w row
		for k, name := range c.Columns {
			v := numbers.At(k)
			if math.IsNaN(v) {
				continue
			}
			if c.Metadata[k].Value {
				if name == "mpi.rank" {
					w.rank = strconv.FormatFloat(v, 'f', -1, 64)
				} else {
					w.values = append(w.values, cell{k + 1, v})
				}
				continue
			}
			at := numbers.Index(k, len(c.Nodes))
			if at < 0 {
				r.w.Dropped.Add("references to unknown nodes", 1)
				continue
			}
			switch {
			case name == "mpi.rank":
				w.rank = c.Nodes[at].Label
			case strings.HasPrefix(name, "sourceloc#"):
				w.place = location(c.Nodes[at].Label)
			case name == "path" || strings.HasPrefix(name, "source.function#callpath"):
				w.path = c.path(at)
			}
		}
		rs.rows = append(rs.rows, w)
	}
	if len(rs.rows) == 0 {
		return errors.New("no rows of values")
	}
	return rs.finish()
}

// path returns the labels of a node and of those above it, the outermost first.
func (c *split) path(at int) (labels []string) {
	for at >= 0 && at < len(c.Nodes) && len(labels) < mostPath {
		n := &c.Nodes[at]
		labels = append([]string{strings.ToValidUTF8(n.Label, "\ufffd")}, labels...)
		if n.Parent == nil || *n.Parent < 0 || *n.Parent >= float64(len(c.Nodes)) {
			break
		}
		at = int(*n.Parent)
	}
	return labels
}

// Package hatchet reads the profiles of Hatchet (A. Bhatele et al., "Hatchet: Pruning the Overgrowth in Parallel Profiles", 2019): the JSON of
// GraphFrame.to_json, and the literals of GraphFrame.from_literal and to_literal, as JSON or as Python prints them.
package hatchet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/jsonscan"
	"whorl/tracer"
	"whorl/tracer/formats/contexts"
	"whorl/tracer/formats/jsonfile"
	"whorl/tracer/formats/profile"
)

// most bounds a file, in bytes.
const most = 1 << 29

// content is the content of a file in the form of to_json: trees of nodes by number, and a table with rows for nodes and, in some, ranks.
type content struct {
	Graph     []map[string]graphNode       `json:"graph"`
	Rows      []map[string]json.RawMessage `json:"dataframe"`
	Inclusive []string                     `json:"inclusive_metrics"`
	Exclusive []string                     `json:"exclusive_metrics"`
}

type graphNode struct {
	Frame    map[string]any   `json:"data"`
	Children jsonfile.Numbers `json:"children"`
}

// A literal is a node in the form of from_literal.
type literal struct {
	Frame    map[string]any  `json:"frame"`
	Name     string          `json:"name"` // of older versions
	Metrics  map[string]any  `json:"metrics"`
	Children []literal       `json:"children"`
	Other    json.RawMessage `json:"duplicate"`
}

// Detect reports whether a file that begins with head may be of Hatchet.
func Detect(head []byte) bool {
	b := bytes.ReplaceAll(jsonscan.Start(head), []byte("'"), []byte(`"`))
	contains := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	switch {
	case len(b) == 0:
		return false
	case b[0] == '{':
		return contains(`"graph"`) && contains(`"data"`) && contains(`"children"`)
	case b[0] == '[':
		return contains(`"metrics"`) && (contains(`"frame"`) || contains(`"name"`)) && !contains(`"ph"`)
	}
	return false
}

// Read reads profiles into rec, one stream for each file, and does not close rec. A processor is a thread of a rank if the file has ranks or threads,
// otherwise a file. The files do not tell the units of their metrics: values with fractions are kept to a millionth. An error names the file.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("Hatchet", cmp.Or(o.Processor, "thread"), []string{"thread"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o)}
	r.w.Meta = tracer.Meta{Substrate: "hatchet", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

type reader struct {
	w      *profile.Writer
	f      *profile.File
	stream *tracer.Stream
	tree   *contexts.Tree
	pes    map[[2]string]int32
	nodes  map[int]int32
}

func (r *reader) file(f *profile.File) error {
	data, err := profile.ReadAll(f.R, most)
	if err != nil {
		return err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	r.f, r.tree, r.pes, r.nodes = f, contexts.New(r.w), map[[2]string]int32{}, map[int]int32{}
	r.stream = r.w.Rec.Stream(tracer.StreamInfo{Name: cmp.Or(f.Process, f.Name)})
	if text := bytes.TrimSpace(data); len(text) > 0 && text[0] == '[' {
		err = r.literal(data)
	} else {
		err = r.graph(data)
	}
	if err != nil {
		return err
	}
	before := r.w.Sampled
	r.tree.Record(r.stream)
	if r.w.Sampled == before {
		r.w.Dropped.Once(f.Name + " has only zero values")
	}
	r.stream.Sync()
	return nil
}

// pe returns the processor of a rank and a thread, "" for none.
func (r *reader) pe(rank, thread string) (int32, error) {
	key := [2]string{rank, thread}
	if pe, ok := r.pes[key]; ok {
		return pe, nil
	}
	who := tracer.PE{Host: r.f.Host, Process: cmp.Or(r.f.Process, r.f.Name)}
	if rank != "" {
		who.Process = "rank " + rank
	}
	if thread != "" {
		who.Thread = "thread " + thread
	}
	pe, err := r.w.Processor(who)
	if err == nil {
		r.pes[key] = pe
		r.w.Begin(r.stream, pe, 0)
	}
	return pe, err
}

// line returns the function of a frame.
func line(frame map[string]any) profile.Line {
	text := func(names ...string) string {
		for _, name := range names {
			if s, _ := frame[name].(string); s != "" && s != "None" && s != "<unknown file>" {
				return strings.ToValidUTF8(s, "\ufffd")
			}
		}
		return ""
	}
	number, _ := frame["line"].(float64)
	return profile.Line{Function: text("name", "function"), File: text("file"), Line: jsonfile.Number(number)}
}

// graph reads the form of to_json.
func (r *reader) graph(data []byte) error {
	var c content
	if err := json.Unmarshal(data, &c); err != nil {
		return jsonfile.Explain(data, err)
	}
	if c.Graph == nil || c.Rows == nil {
		return errors.New("not a profile of Hatchet: expected the members graph and dataframe")
	}
	for _, tree := range c.Graph {
		if err := r.addGraph(tree); err != nil {
			return err
		}
	}
	inclusive := map[string]bool{}
	for _, name := range c.Inclusive {
		inclusive[name] = true
	}
	names := c.Exclusive
	for _, name := range c.Inclusive { // only where there is no exclusive one
		base := strings.TrimSpace(strings.TrimSuffix(name, "(inc)"))
		if !slices.Contains(names, base) {
			names = append(names, name)
		}
	}
	for _, row := range c.Rows {
		var id float64
		if json.Unmarshal(row["node"], &id) != nil || r.nodes[int(id)] == 0 {
			r.w.Dropped.Add("rows of unknown nodes", 1)
			continue
		}
		pe, err := r.pe(plain(row["rank"]), plain(row["thread"]))
		if err != nil {
			return err
		}
		for _, name := range names {
			var v float64
			if raw := row[name]; raw != nil && json.Unmarshal(raw, &v) == nil {
				base := strings.TrimSpace(strings.TrimSuffix(name, "(inc)"))
				r.tree.Value(r.tree.Metric(base, base, inclusive[name]), r.nodes[int(id)], pe, v)
			}
		}
	}
	return nil
}

// plain returns the text of a number or a string in JSON.
func plain(raw json.RawMessage) string {
	return strings.Trim(strings.TrimSuffix(string(raw), ".0"), `"`)
}

// mostDepth bounds the nodes within each other.
const mostDepth = 1 << 12

// addGraph adds a tree of nodes. A node with several callers is added below the first one.
func (r *reader) addGraph(tree map[string]graphNode) error {
	byNumber := map[int]graphNode{}
	called := map[int]bool{}
	for key, n := range tree {
		id, err := strconv.Atoi(key)
		if err != nil || id < 0 {
			return fmt.Errorf("the node %.20q: expected a number", key)
		}
		byNumber[id] = n
		for _, c := range n.Children {
			called[int(c)] = true
		}
	}
	var add func(id int, parent int32, depth int)
	add = func(id int, parent int32, depth int) {
		n, ok := byNumber[id]
		if !ok || depth > mostDepth || r.nodes[id] != 0 {
			r.w.Dropped.Add("calls of unknown nodes, or of nodes with another caller", 1)
			return
		}
		at := r.tree.Add(parent, profile.Place{Lines: []profile.Line{line(n.Frame)}})
		r.nodes[id] = at
		for _, c := range n.Children {
			add(int(c), at, depth+1)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(byNumber)) {
		if !called[id] {
			add(id, 0, 0)
		}
	}
	return nil
}

// literal reads the form of from_literal.
func (r *reader) literal(data []byte) error {
	var roots []literal
	if err := json.Unmarshal(data, &roots); err != nil {
		if json.Unmarshal(fromPython(data), &roots) != nil {
			return jsonfile.Explain(data, err)
		}
	}
	pe, err := r.pe("", "")
	if err != nil {
		return err
	}
	names := map[string]bool{}
	var visit func(l *literal)
	visit = func(l *literal) {
		for name := range l.Metrics {
			names[name] = true
		}
		for i := range l.Children {
			visit(&l.Children[i])
		}
	}
	for i := range roots {
		visit(&roots[i])
	}
	var metrics []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		base, inclusive := strings.CutSuffix(name, "(inc)")
		if base = strings.TrimSpace(base); !inclusive || !names[base] {
			metrics = append(metrics, name)
		}
	}
	var add func(l *literal, parent int32)
	add = func(l *literal, parent int32) {
		place := line(l.Frame)
		place.Function = cmp.Or(place.Function, l.Name)
		n := r.tree.Add(parent, profile.Place{Lines: []profile.Line{place}})
		for _, name := range metrics {
			if v, ok := l.Metrics[name].(float64); ok {
				base, inclusive := strings.CutSuffix(name, "(inc)")
				base = strings.TrimSpace(base)
				r.tree.Value(r.tree.Metric(base, base, inclusive), n, pe, v)
			}
		}
		for i := range l.Children {
			add(&l.Children[i], n)
		}
	}
	for i := range roots {
		add(&roots[i], 0)
	}
	return nil
}

// fromPython returns JSON for the text of a list of Python: strings in single quotes, None, True, False, and commas before brackets.
func fromPython(data []byte) []byte {
	var b bytes.Buffer
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\'' || c == '"':
			b.WriteByte('"')
			for i++; i < len(data) && data[i] != c; i++ {
				switch {
				case data[i] == '\\' && i+1 < len(data):
					if i++; data[i] != '\'' {
						b.WriteByte('\\')
					}
				case data[i] == '"':
					b.WriteByte('\\')
				}
				b.WriteByte(data[i])
			}
			b.WriteByte('"')
		case c == ',':
			if next := bytes.TrimLeft(data[i+1:min(len(data), i+200)], " \t\r\n"); len(next) == 0 || next[0] != ']' && next[0] != '}' {
				b.WriteByte(c)
			}
		case bytes.HasPrefix(data[i:], []byte("None")):
			b.WriteString("null")
			i += len("None") - 1
		case bytes.HasPrefix(data[i:], []byte("True")):
			b.WriteString("true")
			i += len("True") - 1
		case bytes.HasPrefix(data[i:], []byte("False")):
			b.WriteString("false")
			i += len("False") - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.Bytes()
}

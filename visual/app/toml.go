package app

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"whorl/experiment"
	"whorl/internal/nesting"
	"whorl/visual/view"
)

// A workspace as a TOML file: the traces with where they come from, the panes, where these stand, and what is marked. What this version
// does not know is kept where it stood and written again.

// workspaceVersion is written into the files. Files of later versions open too, with what is known of them.
const workspaceVersion = 1

// maxNesting is how deep tables of a file may lie in each other, those that are not known included.
const maxNesting = 100

// table is a table of a file. What is taken out of it is known; what is left is kept.
type table map[string]any

// take returns the value of a key as a T, the zero T where there is none, and takes it out of the table. Whole numbers count as numbers.
func take[T any](t table, key string, wrong *[]string, path string) (v T, ok bool) {
	raw, there := t[key]
	if !there {
		return v, false
	}
	if v, ok = raw.(T); ok {
		delete(t, key)
		return v, true
	}
	if n, whole := raw.(int64); whole {
		if v, ok = any(float64(n)).(T); ok {
			delete(t, key)
			return v, true
		}
	}
	*wrong = append(*wrong, fmt.Sprintf("%s%s is a %T", path, key, raw))
	return v, false
}

// takeTables returns an array of tables.
func takeTables(t table, key string, wrong *[]string) []table {
	list, _ := take[[]map[string]any](t, key, wrong, "")
	out := make([]table, len(list))
	for i, m := range list {
		out[i] = m
	}
	return out
}

// A traceEntry says where a trace comes from: a file, or a run that can be made again.
type traceEntry struct {
	name, path string
	group      int64 // of those that are compared with each other, 0 for none
	run        *experiment.Run
	rest       table
}

// A saved workspace is one as a file has it.
type saved struct {
	workspace
	traces  []traceEntry
	shares  map[int]table // by pane id, what was not known of its entry
	rest    table         // what was not known of the whole
	unknown []string      // the names of all that
	wrong   []string      // what was known but of another type
	newer   int64         // the version, where it is a later one
}

// readWorkspace reads a file. Panes have the ids 1, 2, ... in its order.
func readWorkspace(text string, scale float64) (*saved, error) {
	s := &saved{rest: table{}, shares: map[int]table{}}
	if nesting.TOML(text) > maxNesting {
		return nil, fmt.Errorf("more than %d tables and arrays lie in each other", maxNesting)
	}
	if _, err := toml.Decode(text, (*map[string]any)(&s.rest)); err != nil {
		return nil, err
	}
	version, ok := take[int64](s.rest, "version", &s.wrong, "")
	if !ok {
		return nil, fmt.Errorf("it is no workspace: it has no version")
	}
	if version > workspaceVersion {
		s.newer = version
	}
	s.dark, _ = take[bool](s.rest, "dark", &s.wrong, "")
	for i, t := range takeTables(s.rest, "trace", &s.wrong) {
		if err := s.readTrace(t); err != nil {
			return nil, fmt.Errorf("trace %d: %w", i+1, err)
		}
	}
	s.next = 1
	for i, t := range takeTables(s.rest, "pane", &s.wrong) {
		if err := s.readPane(t, scale); err != nil {
			return nil, fmt.Errorf("pane %d: %w", i+1, err)
		}
	}
	if t, ok := take[map[string]any](s.rest, "layout", &s.wrong, ""); ok {
		seen := map[int]bool{}
		if root, err := s.readNode(t, "layout.", seen, 0); err == nil {
			s.root = root
		} else {
			s.wrong = append(s.wrong, err.Error())
		}
	}
	for _, id := range s.ids { // those that the layout forgets
		if s.root.leafOf(id) == nil {
			s.put(id, 0, toRight)
		}
	}
	if t, ok := take[map[string]any](s.rest, "shared", &s.wrong, ""); ok {
		s.readShared(t)
	}
	s.note("", s.rest)
	return s, nil
}

func (s *saved) readTrace(t table) error {
	e := traceEntry{}
	e.name, _ = take[string](t, "name", &s.wrong, "trace.")
	e.path, _ = take[string](t, "path", &s.wrong, "trace.")
	e.group, _ = take[int64](t, "compared", &s.wrong, "trace.")
	if r, ok := take[map[string]any](t, "run", &s.wrong, "trace."); ok {
		e.run = readRun(r, &s.wrong)
		s.keep(t, "run", r)
	}
	if err := s.apply(view.Action{Do: view.OpenTrace, Name: e.name}); err != nil {
		return err
	}
	e.rest = t
	s.traces = append(s.traces, e)
	s.note("trace.", t)
	return nil
}

// keep puts what is left of an inner table back.
func (s *saved) keep(t table, key string, inner table) {
	if len(inner) > 0 {
		t[key] = map[string]any(inner)
	}
}

// note adds the names of what is left to those that are not known.
func (s *saved) note(path string, t table) {
	for _, key := range slices.Sorted(maps.Keys(t)) {
		s.unknown = append(s.unknown, path+key)
	}
}

func (s *saved) readPane(t table, scale float64) error {
	const path = "pane."
	name, _ := take[string](t, "view", &s.wrong, path)
	trace, _ := take[string](t, "trace", &s.wrong, path)
	id, err := s.open(name, trace)
	if err != nil {
		return err
	}
	i := s.index(id)
	if c, ok := take[map[string]any](t, "camera", &s.wrong, path); ok {
		x, _ := take[float64](c, "x", &s.wrong, path)
		y, _ := take[float64](c, "y", &s.wrong, path)
		z, _ := take[float64](c, "scale", &s.wrong, path)
		own, _ := take[float64](c, "scale_y", &s.wrong, path)
		turn, _ := take[float64](c, "turn", &s.wrong, path)
		tilt, _ := take[float64](c, "tilt", &s.wrong, path)
		if err := s.apply(view.Action{Do: view.SetCamera, Pane: i, Camera: zoomed(view.Camera{X: x, Y: y, Scale: z, ScaleY: own, Turn: turn, Tilt: tilt}, scale)}); err != nil {
			s.wrong = append(s.wrong, err.Error())
		}
		s.keep(t, "camera", c)
	}
	if p, ok := take[map[string]any](t, "params", &s.wrong, path); ok {
		for _, key := range slices.Sorted(maps.Keys(p)) {
			if err := s.apply(view.Action{Do: view.SetParam, Pane: i, Name: key, Value: fmt.Sprint(p[key])}); err != nil {
				s.wrong = append(s.wrong, err.Error())
			}
		}
	}
	if len(t) > 0 {
		s.shares[id] = t
		s.note(path, t)
	}
	return nil
}

// maxDepth is how deep splits of a file may lie in each other.
const maxDepth = 64

func (s *saved) readNode(t table, path string, seen map[int]bool, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%s: more than %d splits in each other", path, maxDepth)
	}
	if kind, ok := take[string](t, "split", &s.wrong, path); ok {
		n := &node{split: columns}
		if kind == "rows" {
			n.split = rows
		}
		n.share, _ = take[float64](t, "share", &s.wrong, path)
		if !(n.share >= 0.01 && n.share <= 0.99) {
			n.share = 0.5
		}
		for _, part := range []struct {
			key  string
			node **node
		}{{"a", &n.a}, {"b", &n.b}} {
			inner, ok := take[map[string]any](t, part.key, &s.wrong, path)
			if !ok {
				continue
			}
			var err error
			if *part.node, err = s.readNode(inner, path+part.key+".", seen, depth+1); err != nil {
				return nil, err
			}
			s.keep(t, part.key, inner)
		}
		s.note(path, t)
		return n.keep(func(int) bool { return true }), nil
	}
	n := &node{}
	list, _ := take[[]any](t, "panes", &s.wrong, path)
	for _, v := range list {
		id, ok := v.(int64)
		if !ok || s.index(int(id)) < 0 || seen[int(id)] {
			s.wrong = append(s.wrong, fmt.Sprintf("%spanes names the pane %v", path, v))
			continue
		}
		seen[int(id)] = true
		n.panes = append(n.panes, int(id))
	}
	shown, _ := take[int64](t, "shown", &s.wrong, path)
	n.shown = int(shown)
	s.note(path, t)
	if len(n.panes) == 0 {
		return nil, nil
	}
	if !slices.Contains(n.panes, n.shown) {
		n.shown = n.panes[0]
	}
	return n, nil
}

func (s *saved) readShared(t table) {
	const path = "shared."
	if name, ok := take[string](t, "palette", &s.wrong, path); ok {
		s.try(view.Action{Do: view.SetPalette, Name: name})
	}
	if until, ok := take[int64](t, "until", &s.wrong, path); ok {
		s.try(view.Action{Do: view.SetUntil, Until: &until})
	}
	if w, ok := take[[]any](t, "window", &s.wrong, path); ok && len(w) == 2 {
		from, _ := w[0].(int64)
		to, _ := w[1].(int64)
		s.try(view.Action{Do: view.SetWindow, Window: &view.Span{First: from, Last: to}})
	}
	if speed, ok := take[int64](t, "speed", &s.wrong, path); ok {
		s.try(view.Action{Do: view.SetSpeed, Index: int(min(max(speed, -view.MaxSpeed-1), view.MaxSpeed+1))})
	}
	s.readFlag(t, "parts", view.SetParts)
	s.readFlag(t, "apart", view.SetApart)
	if d, ok := take[map[string]any](t, "detail", &s.wrong, path); ok {
		file, _ := take[string](d, "file", &s.wrong, path)
		first, _ := take[int64](d, "first", &s.wrong, path)
		last, _ := take[int64](d, "last", &s.wrong, path)
		line := func(n int64) int32 { return int32(min(max(n, 0), math.MaxInt32)) }
		s.try(view.Action{Do: view.SetDetail, Lines: &view.Lines{File: file, First: line(first), Last: line(last)}})
		s.keep(t, "detail", d)
	}
	for _, n := range takeTables(t, "annotation", &s.wrong) {
		trace, _ := take[string](n, "trace", &s.wrong, path)
		task, _ := take[string](n, "task", &s.wrong, path) // ids have 64 bits, numbers of a file 63
		text, _ := take[string](n, "text", &s.wrong, path)
		id, err := strconv.ParseUint(task, 10, 64)
		if err != nil {
			s.wrong = append(s.wrong, fmt.Sprintf("shared.annotation: task %q is no number", task))
			continue
		}
		s.try(view.Action{Do: view.Annotate, Name: trace, Task: id, Value: text})
	}
	s.keep(s.rest, "shared", t)
}

// readFlag makes a change where what a key of the shared table says is true.
func (s *saved) readFlag(t table, key string, do view.Do) {
	if on, _ := take[bool](t, key, &s.wrong, "shared."); on {
		s.try(view.Action{Do: do, Index: 1})
	}
}

// try makes a change that a file asks for; what cannot be made is noted.
func (s *saved) try(a view.Action) {
	if err := s.apply(a); err != nil {
		s.wrong = append(s.wrong, err.Error())
	}
}

// report says what of a file was not understood, "" for nothing.
func (s *saved) report() string {
	var b strings.Builder
	if s.newer > 0 {
		fmt.Fprintf(&b, "It was written by a later version (%d). ", s.newer)
	}
	if len(s.wrong) > 0 {
		fmt.Fprintf(&b, "Left out: %s. ", strings.Join(s.wrong, "; "))
	}
	if len(s.unknown) > 0 {
		fmt.Fprintf(&b, "Kept, but not known here: %s.", strings.Join(s.unknown, ", "))
	}
	return strings.TrimSpace(b.String())
}

// write is the file of a workspace. Panes are numbered anew from 1.
func (s *saved) write(scale float64) []byte {
	out := table{}
	maps.Copy(out, s.rest)
	out["version"], out["dark"] = int64(workspaceVersion), s.dark
	var traces, panes []map[string]any
	for _, e := range s.traces {
		t := table{}
		maps.Copy(t, e.rest)
		t["name"] = e.name
		if e.path != "" {
			t["path"] = e.path
		}
		if e.group != 0 {
			t["compared"] = e.group
		}
		if e.run != nil {
			t["run"] = writeRun(e.run, t["run"])
		}
		traces = append(traces, t)
	}
	numbers := map[int]int64{}
	for i, id := range s.ids {
		numbers[id] = int64(i + 1)
		p := &s.state.Personal.Panes[i]
		t := table{}
		maps.Copy(t, s.shares[id])
		t["view"], t["trace"] = p.View, p.Trace
		if p.Camera.Scale != 0 {
			c := zoomed(p.Camera, 1/scale)
			camera := map[string]any{"x": c.X, "y": c.Y, "scale": c.Scale}
			if c.ScaleY != 0 {
				camera["scale_y"] = c.ScaleY
			}
			if c.Turn != 0 || c.Tilt != 0 {
				camera["turn"], camera["tilt"] = c.Turn, c.Tilt
			}
			t["camera"] = camera
		}
		if len(p.Params) > 0 {
			t["params"] = p.Params
		}
		panes = append(panes, t)
	}
	if traces != nil {
		out["trace"] = traces
	}
	if panes != nil {
		out["pane"] = panes
	}
	if s.root != nil {
		out["layout"] = writeNode(s.root, numbers)
	}
	if shared := s.writeShared(); len(shared) > 0 {
		out["shared"] = map[string]any(shared)
	}
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(map[string]any(out)); err != nil {
		panic("a workspace cannot be written: " + err.Error()) // it holds nothing but numbers, texts and tables
	}
	return b.Bytes()
}

func (s *saved) writeShared() table {
	t := table{}
	if kept, ok := s.rest["shared"].(map[string]any); ok {
		maps.Copy(t, kept)
	}
	sh := &s.state.Shared
	if sh.Palette != "" {
		t["palette"] = sh.Palette
	}
	if sh.Until != nil {
		t["until"] = *sh.Until
	}
	if sh.Window != nil {
		t["window"] = []int64{sh.Window.First, sh.Window.Last}
	}
	if sh.Speed != 0 {
		t["speed"] = int64(sh.Speed)
	}
	if sh.Parts {
		t["parts"] = true
	}
	if sh.Apart {
		t["apart"] = true
	}
	if d := sh.Detail; d != nil {
		inner := table{}
		if kept, ok := t["detail"].(map[string]any); ok {
			maps.Copy(inner, kept)
		}
		inner["file"], inner["first"], inner["last"] = d.File, int64(d.First), int64(d.End())
		t["detail"] = map[string]any(inner)
	}
	var notes []map[string]any
	for _, n := range sh.Annotations {
		notes = append(notes, map[string]any{"trace": n.Trace, "task": strconv.FormatUint(n.Task, 10), "text": n.Text})
	}
	if notes != nil {
		t["annotation"] = notes
	}
	return t
}

func writeNode(n *node, numbers map[int]int64) map[string]any {
	if n.split == tabs {
		var panes []int64
		for _, id := range n.panes {
			panes = append(panes, numbers[id])
		}
		return map[string]any{"panes": panes, "shown": numbers[n.shown]}
	}
	kind := "columns"
	if n.split == rows {
		kind = "rows"
	}
	return map[string]any{"split": kind, "share": n.share, "a": writeNode(n.a, numbers), "b": writeNode(n.b, numbers)}
}

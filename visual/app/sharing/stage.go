package sharing

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"whorl/visual/share"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// The registers of the stage (docs/sharing.md).
const (
	stagePrefix  = "stage/"
	panePrefix   = "stage/pane/"
	filterPrefix = "stage/filter/"
	trialPrefix  = "stage/trial/"
	keptPrefix   = "stage/kept/"
	notePrefix   = "note/"
	layoutKey    = "stage/layout"
	untilKey     = "stage/until"
	playKey      = "stage/play"
)

// A layout is the value of stage/layout.
type layout struct {
	Full int   `json:"full,omitempty"`
	Root *node `json:"root,omitempty"`
}

// A node is a workspace.Node in JSON.
type node struct {
	Split string  `json:"split,omitempty"` // "columns" or "rows"; "" for a leaf
	Share float64 `json:"share,omitempty"`
	A     *node   `json:"a,omitempty"`
	B     *node   `json:"b,omitempty"`
	Panes []int   `json:"panes,omitempty"`
	Shown int     `json:"shown,omitempty"`
}

// splits are the names of divisions.
var splits = map[workspace.Split]string{workspace.Columns: "columns", workspace.Rows: "rows"}

func nodeOf(n *workspace.Node) *node {
	if n == nil {
		return nil
	}
	return &node{splits[n.Split], n.Share, nodeOf(n.A), nodeOf(n.B), n.Panes, n.Shown}
}

// tree returns the workspace tree of a node, with the panes that are there and not placed yet; nil without any.
func (n *node) tree(there map[int]bool) *workspace.Node {
	if n == nil {
		return nil
	}
	if n.Split == "" {
		leaf := workspace.Node{Shown: n.Shown}
		for _, id := range n.Panes {
			if there[id] {
				there[id] = false
				leaf.Panes = append(leaf.Panes, id)
			}
		}
		if len(leaf.Panes) == 0 {
			return nil
		}
		if !slices.Contains(leaf.Panes, leaf.Shown) {
			leaf.Shown = leaf.Panes[0]
		}
		return &leaf
	}
	a, b := n.A.tree(there), n.B.tree(there)
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := workspace.Divide(workspace.Columns, a, b)
	if n.Split == splits[workspace.Rows] {
		out.Split = workspace.Rows
	}
	if n.Share > 0 && n.Share < 1 {
		out.Share = n.Share
	}
	return out
}

// registers returns the registers of the stage that a workspace is, and of its notes. Cameras and selections belong to people and are not among them.
func registers(w *workspace.Workspace) map[string]string {
	all := map[string]string{}
	put := func(key string, value any) {
		if b, err := json.Marshal(value); err == nil { // all numbers in a state are finite
			all[key] = string(b)
		}
	}
	s := &w.State.Shared
	for i, id := range w.IDs {
		p := w.State.Personal.Panes[i]
		p.Camera = view.Camera{}
		if p.Of > 0 {
			p.Of = w.IDs[p.Of-1]
		}
		put(panePrefix+strconv.Itoa(id), p)
	}
	if w.Root != nil {
		put(layoutKey, layout{w.Full, nodeOf(w.Root)})
	}
	for key, set := range map[string]bool{"parts": s.Parts, "apart": s.Apart, "alone": s.Alone} {
		if set {
			put(stagePrefix+key, true)
		}
	}
	if s.Window != nil {
		put(stagePrefix+"window", s.Window)
	}
	if s.Until != nil {
		put(untilKey, s.Until)
	}
	if s.Detail != nil {
		put(stagePrefix+"detail", s.Detail)
	}
	if s.Palette != "" {
		put(stagePrefix+"palette", s.Palette)
	}
	if s.Speed != 0 {
		put(stagePrefix+"speed", s.Speed)
	}
	for _, f := range s.Filters {
		put(filterPrefix+url.PathEscape(f.Trace), f.Where)
	}
	for _, t := range s.Trials {
		put(trialPrefix+url.PathEscape(t.Trace), t.Settings)
	}
	for _, k := range s.Kept {
		put(keptPrefix+url.PathEscape(k.Trace)+"/"+url.PathEscape(k.Name), k.Expr)
	}
	for _, n := range s.Annotations {
		put(notePrefix+url.PathEscape(n.Trace)+"/"+strconv.FormatUint(n.Task, 10), n.Text)
	}
	return all
}

// parts splits the rest of a key after its prefix into its unescaped parts, nil if there are not as many as wanted.
func parts(key, prefix string, wanted int) []string {
	rest, ok := strings.CutPrefix(key, prefix)
	all := strings.Split(rest, "/")
	if !ok || len(all) != wanted {
		return nil
	}
	for i, part := range all {
		text, err := url.PathUnescape(part)
		if err != nil {
			return nil
		}
		all[i] = text
	}
	return all
}

// stage changes a workspace to the stage of a session. Panes that are there keep their cameras. Registers that are not understood have no effect.
func stage(m *share.Member, w *workspace.Workspace) {
	panes := map[int]view.Pane{}
	for _, key := range m.Keys(panePrefix) {
		id, err := strconv.Atoi(key[len(panePrefix):])
		var p view.Pane
		if err != nil || id <= 0 || id >= 1<<40 || !m.Get(key, &p) || p.Check() != nil {
			continue
		}
		if old := w.Pane(id); old != nil && old.View == p.View && old.Trace == p.Trace {
			p.Camera = old.Camera
		}
		panes[id] = p
	}
	if len(panes) > view.MaxPanes {
		return
	}
	ids := slices.Sorted(maps.Keys(panes))
	there := map[int]bool{}
	list := make([]view.Pane, len(ids))
	for i, id := range ids {
		p := panes[id]
		p.Of = slices.Index(ids, p.Of) + 1
		list[i] = p
		there[id] = true
		w.Next = max(w.Next, id+1)
	}
	w.State.Personal.Panes, w.IDs = list, ids
	var l layout
	m.Get(layoutKey, &l)
	w.Root = l.Root.tree(there)
	for _, id := range ids { // whose register of the layout is on its way
		if there[id] {
			w.Put(id, 0, workspace.ToRight)
		}
	}
	w.Full = 0
	if w.Root.LeafOf(l.Full) != nil {
		w.Full = l.Full
	}
	settings(m, w)
}

// settings changes the shared settings of a workspace to those of a session.
func settings(m *share.Member, w *workspace.Workspace) {
	try := func(a view.Action) { _ = w.Apply(a) } // what is wrong has no effect
	flag := func(key string) (n int) {
		var on bool
		if m.Get(stagePrefix+key, &on); on {
			n = 1
		}
		return n
	}
	var window *view.Span
	m.Get(stagePrefix+"window", &window)
	try(view.Action{Do: view.SetWindow, Window: window})
	var until *int64
	m.Get(untilKey, &until)
	try(view.Action{Do: view.SetUntil, Until: until})
	var detail *view.Lines
	m.Get(stagePrefix+"detail", &detail)
	try(view.Action{Do: view.SetDetail, Lines: detail})
	var palette string
	m.Get(stagePrefix+"palette", &palette)
	try(view.Action{Do: view.SetPalette, Name: palette})
	var speed int
	m.Get(stagePrefix+"speed", &speed)
	try(view.Action{Do: view.SetSpeed, Index: speed})
	try(view.Action{Do: view.SetParts, Index: flag("parts")})
	try(view.Action{Do: view.SetApart, Index: flag("apart")})
	try(view.Action{Do: view.SetAlone, Index: flag("alone")})

	s := &w.State.Shared
	filters := map[string]string{}
	for _, key := range m.Keys(filterPrefix) {
		var where string
		if p := parts(key, filterPrefix, 1); p != nil && m.Get(key, &where) {
			filters[p[0]] = where
		}
	}
	for _, f := range s.Filters {
		if filters[f.Trace] == "" {
			try(view.Action{Do: view.SetFilter, Name: f.Trace})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		try(view.Action{Do: view.SetFilter, Name: name, Value: filters[name]})
	}
	trials := map[string]map[string]string{}
	for _, key := range m.Keys(trialPrefix) {
		var set map[string]string
		if p := parts(key, trialPrefix, 1); p != nil && m.Get(key, &set) {
			trials[p[0]] = set
		}
	}
	for _, name := range s.Traces {
		if set := trials[name]; !maps.Equal(set, s.Trial(name)) {
			try(view.Action{Do: view.Try, Name: name, Settings: set})
		}
	}
	kept := map[[2]string]string{}
	for _, key := range m.Keys(keptPrefix) {
		var expr string
		if p := parts(key, keptPrefix, 2); p != nil && m.Get(key, &expr) {
			kept[[2]string{p[0], p[1]}] = expr
		}
	}
	for _, k := range s.Kept {
		if _, ok := kept[[2]string{k.Trace, k.Name}]; !ok {
			try(view.Action{Do: view.Forget, Name: k.Name, Value: k.Trace})
		}
	}
	for at, expr := range kept {
		try(view.Action{Do: view.Keep, Name: at[1], Selection: &view.Selection{Trace: at[0], Expr: expr}})
	}
}

// notes changes the notes of a workspace to those of a session.
func notes(m *share.Member, w *workspace.Workspace) {
	type place struct {
		trace string
		task  uint64
	}
	texts := map[place]string{}
	for _, key := range m.Keys(notePrefix) {
		var text string
		if p := parts(key, notePrefix, 2); p != nil && m.Get(key, &text) {
			if task, err := strconv.ParseUint(p[1], 10, 64); err == nil {
				texts[place{p[0], task}] = text
			}
		}
	}
	for _, n := range w.State.Shared.Annotations {
		if _, ok := texts[place{n.Trace, n.Task}]; !ok {
			_ = w.Apply(view.Action{Do: view.Unannotate, Name: n.Trace, Task: n.Task}) // it is there
		}
	}
	for at, text := range texts {
		_ = w.Apply(view.Action{Do: view.Annotate, Name: at.trace, Task: at.task, Value: text}) // a wrong one has no effect
	}
}

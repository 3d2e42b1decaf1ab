// Package stage writes the stage of a shared session, the view that followers see, as registers, and makes a workspace the stage of a session. It is
// used by the windows of members, and by whoever begins a session with a workspace.
package stage

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"whorl/visual/view"
	"whorl/visual/workspace"
)

// Keys and beginnings of keys of registers (docs/sharing.md).
const (
	Prefix  = "stage/"
	Panes   = "stage/pane/"
	Until   = "stage/until"
	Play    = "stage/play"
	Lesson  = "stage/lesson"
	runs    = "stage/run/"
	filters = "stage/filter/"
	trials  = "stage/trial/"
	kept    = "stage/kept/"
	tree    = "stage/layout"
	note    = "note/"
)

// A Board is the copy of a session that a member has (share.Member).
type Board interface {
	Keys(prefix string) []string    // of all registers with a prefix, in order
	Get(key string, value any) bool // decodes the value of a register
}

// IsNote reports whether a register is a note.
func IsNote(key string) bool { return strings.HasPrefix(key, note) }

// RunKey returns the key of a run that each member makes again.
func RunKey(name string) string { return runs + url.PathEscape(name) }

// RunOf returns the name of the run of a key of RunKey; false for other keys.
func RunOf(key string) (name string, ok bool) {
	if p := parts(key, runs, 1); p != nil {
		return p[0], true
	}
	return "", false
}

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

// grow returns the workspace tree of a node, with the panes that are there and not placed yet; nil without any.
func (n *node) grow(there map[int]bool) *workspace.Node {
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
	a, b := n.A.grow(there), n.B.grow(there)
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

// Registers returns the registers of the stage that a workspace is, and of its notes. Cameras and selections belong to people and are not among them.
func Registers(w *workspace.Workspace) map[string]string { return registers(w, false) }

// Opening returns the registers with which a session begins that shows a workspace: those of Registers, and with them the cameras of the panes. A member
// who has not seen a pane before begins with its camera. Cameras are in points.
func Opening(w *workspace.Workspace) map[string]string { return registers(w, true) }

func registers(w *workspace.Workspace, cameras bool) map[string]string {
	all := map[string]string{}
	put := func(key string, value any) {
		if b, err := json.Marshal(value); err == nil { // all numbers in a state are finite
			all[key] = string(b)
		}
	}
	s := &w.State.Shared
	for i, id := range w.IDs {
		p := w.State.Personal.Panes[i]
		if !cameras {
			p.Camera = view.Camera{}
		}
		if p.ModulesOf > 0 {
			p.ModulesOf = w.IDs[p.ModulesOf-1]
		}
		put(Panes+strconv.Itoa(id), p)
	}
	if w.Root != nil {
		put(tree, layout{w.Full, nodeOf(w.Root)})
	}
	for key, set := range map[string]bool{"parts": s.Parts, "apart": s.Apart, "alone": s.Alone} {
		if set {
			put(Prefix+key, true)
		}
	}
	if s.Window != nil {
		put(Prefix+"window", s.Window)
	}
	if s.Until != nil {
		put(Until, s.Until)
	}
	if s.Detail != nil {
		put(Prefix+"detail", s.Detail)
	}
	if s.Palette != "" {
		put(Prefix+"palette", s.Palette)
	}
	if s.Speed != 0 {
		put(Prefix+"speed", s.Speed)
	}
	for _, f := range s.Filters {
		put(filters+url.PathEscape(f.Trace), f.Where)
	}
	for _, t := range s.Trials {
		put(trials+url.PathEscape(t.Trace), t.Settings)
	}
	for _, k := range s.Kept {
		put(kept+url.PathEscape(k.Trace)+"/"+url.PathEscape(k.Name), k.Expr)
	}
	for _, n := range s.Annotations {
		put(note+url.PathEscape(n.Trace)+"/"+strconv.FormatUint(n.Task, 10), n.Text)
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

// Show changes a workspace to the stage of a session, in a window with some device pixels per point. Panes that are there keep their cameras. Registers
// that are not understood have no effect.
func Show(b Board, w *workspace.Workspace, scale float64) {
	panes := map[int]view.Pane{}
	for _, key := range b.Keys(Panes) {
		id, err := strconv.Atoi(key[len(Panes):])
		var p view.Pane
		if err != nil || id <= 0 || id >= 1<<40 || !b.Get(key, &p) || p.Check() != nil {
			continue
		}
		p.Camera = workspace.Zoomed(p.Camera, scale)
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
		p.ModulesOf = slices.Index(ids, p.ModulesOf) + 1
		list[i] = p
		there[id] = true
		w.Next = max(w.Next, id+1)
	}
	w.State.Personal.Panes, w.IDs = list, ids
	var l layout
	b.Get(tree, &l)
	w.Root = l.Root.grow(there)
	for _, id := range ids { // whose register of the layout is on its way
		if there[id] {
			w.Put(id, 0, workspace.ToRight)
		}
	}
	w.Full = 0
	if w.Root.LeafOf(l.Full) != nil {
		w.Full = l.Full
	}
	settings(b, w)
}

// settings changes the shared settings of a workspace to those of a session.
func settings(b Board, w *workspace.Workspace) {
	try := func(a view.Action) { _ = w.Apply(a) } // a wrong action has no effect
	flag := func(key string) (n int) {
		var on bool
		if b.Get(Prefix+key, &on); on {
			n = 1
		}
		return n
	}
	var window *view.Span
	b.Get(Prefix+"window", &window)
	try(view.Action{Do: view.SetWindow, Window: window})
	var until *int64
	b.Get(Until, &until)
	try(view.Action{Do: view.SetUntil, Until: until})
	var detail *view.Lines
	b.Get(Prefix+"detail", &detail)
	try(view.Action{Do: view.SetDetail, Lines: detail})
	var palette string
	b.Get(Prefix+"palette", &palette)
	try(view.Action{Do: view.SetPalette, Name: palette})
	var speed int
	b.Get(Prefix+"speed", &speed)
	try(view.Action{Do: view.SetSpeed, Index: speed})
	try(view.Action{Do: view.SetParts, Index: flag("parts")})
	try(view.Action{Do: view.SetApart, Index: flag("apart")})
	try(view.Action{Do: view.SetAlone, Index: flag("alone")})

	s := &w.State.Shared
	wheres := map[string]string{}
	for _, key := range b.Keys(filters) {
		var where string
		if p := parts(key, filters, 1); p != nil && b.Get(key, &where) {
			wheres[p[0]] = where
		}
	}
	for _, f := range s.Filters {
		if wheres[f.Trace] == "" {
			try(view.Action{Do: view.SetFilter, Name: f.Trace})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wheres)) {
		try(view.Action{Do: view.SetFilter, Name: name, Value: wheres[name]})
	}
	tried := map[string]map[string]string{}
	for _, key := range b.Keys(trials) {
		var set map[string]string
		if p := parts(key, trials, 1); p != nil && b.Get(key, &set) {
			tried[p[0]] = set
		}
	}
	for _, name := range s.Traces {
		if set := tried[name]; !maps.Equal(set, s.Trial(name)) {
			try(view.Action{Do: view.Try, Name: name, Settings: set})
		}
	}
	named := map[[2]string]string{}
	for _, key := range b.Keys(kept) {
		var expr string
		if p := parts(key, kept, 2); p != nil && b.Get(key, &expr) {
			named[[2]string{p[0], p[1]}] = expr
		}
	}
	for _, k := range s.Kept {
		if _, ok := named[[2]string{k.Trace, k.Name}]; !ok {
			try(view.Action{Do: view.Forget, Name: k.Name, Value: k.Trace})
		}
	}
	for at, expr := range named {
		try(view.Action{Do: view.Keep, Name: at[1], Selection: &view.Selection{Trace: at[0], Expr: expr}})
	}
}

// Notes changes the notes of a workspace to those of a session.
func Notes(b Board, w *workspace.Workspace) {
	type place struct {
		trace string
		task  uint64
	}
	texts := map[place]string{}
	for _, key := range b.Keys(note) {
		var text string
		if p := parts(key, note, 2); p != nil && b.Get(key, &text) {
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

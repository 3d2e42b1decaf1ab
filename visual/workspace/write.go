package workspace

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"whorl/experiment"
	"whorl/visual/view"
)

// Report describes the parts of the file that were not understood, "" if there are none.
func (f *File) Report() string {
	var b strings.Builder
	if f.newer > 0 {
		fmt.Fprintf(&b, "Written by a later version (%d). ", f.newer)
	}
	if len(f.unlisted) > 0 {
		fmt.Fprintf(&b, "Panes show traces that the file does not list: %s. ", strings.Join(brief(f.unlisted), ", "))
	}
	if len(f.wrong) > 0 {
		fmt.Fprintf(&b, "Omitted: %s. ", strings.Join(brief(f.wrong), "; "))
	}
	if len(f.unknown) > 0 {
		fmt.Fprintf(&b, "Kept unknown keys: %s.", strings.Join(brief(f.unknown), ", "))
	}
	return strings.TrimSpace(b.String())
}

// brief returns the first different texts of a list, and the number of the others.
func brief(all []string) []string {
	const most = 10
	var first []string
	others := 0
	for _, text := range all {
		switch {
		case slices.Contains(first, text):
		case len(first) < most:
			first = append(first, text)
		default:
			others++
		}
	}
	if others > 0 {
		first = append(first, fmt.Sprintf("and %d more", others))
	}
	return first
}

// Entry returns the entry of a trace with its unknown keys, or a new entry if the file does not have the trace.
func (f *File) Entry(name string) TraceEntry {
	for _, e := range f.Traces {
		if e.Name == name {
			return e
		}
	}
	return TraceEntry{Name: name}
}

// Write returns the text of a file with a workspace and its traces, and with the unknown keys of this file. Panes are numbered from 1.
func (f *File) Write(w Workspace, traces []TraceEntry, scale float64) []byte {
	out := table{}
	maps.Copy(out, f.rest)
	out["version"], out["dark"] = max(f.newer, version), w.Dark
	var entries, panes []map[string]any
	for i := range traces {
		entries = append(entries, writeTrace(&traces[i]))
	}
	numbers := map[int]int64{}
	for i, id := range w.IDs {
		numbers[id] = int64(i + 1)
		t := f.writePane(&w, i, scale)
		put(t, "of", int64(w.State.Personal.Panes[i].ModulesOf), w.State.Personal.Panes[i].ModulesOf != 0)
		panes = append(panes, t)
	}
	if entries = append(entries, f.spare.traces...); entries != nil {
		out["trace"] = entries
	}
	if panes = append(panes, f.spare.panes...); panes != nil {
		out["pane"] = panes
	}
	if w.Root != nil {
		layout := writeNode(w.Root, numbers)
		put(layout, "maximised", numbers[w.Full], numbers[w.Full] != 0)
		out["layout"] = layout
	}
	if shared := f.writeShared(&w); len(shared) > 0 {
		out["shared"] = map[string]any(shared)
	}
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(map[string]any(out)); err != nil {
		panic("workspace: tables of numbers and texts are not written: " + err.Error())
	}
	return b.Bytes()
}

func writeTrace(e *TraceEntry) map[string]any {
	t := table{}
	maps.Copy(t, e.rest)
	t["name"] = e.Name
	put(t, "path", e.Path, e.Path != "")
	put(t, "sha256", e.SHA256, e.SHA256 != "")
	put(t, "bytes", e.Size, e.SHA256 != "")
	if e.Group != 0 {
		t["compared"] = int64(e.Group)
	}
	if e.Run != nil {
		run := t.inner("run")
		writeRun(e.Run, run)
		t["run"] = map[string]any(run)
	}
	return t
}

// A runEntry is a key of [trace.run] with a pointer to its value in a run.
type runEntry struct {
	key   string
	value any
}

// runEntries lists everything of a run that a file holds, so that the run can be made again.
func runEntries(r *experiment.Run) []runEntry {
	return []runEntry{
		{"program", &r.Program},
		{"trace", &r.Trace},
		{"text", &r.Text},
		{"args", &r.Args},
		{"goal", &r.Goal},
		{"argv", &r.Argv},
		{"pes", &r.PEs},
		{"mode", (*string)(&r.Mode)},
		{"policy", &r.Policy},
		{"slice", &r.Slice},
		{"machine", &r.Machine},
		{"network", &r.Network},
		{"seed", &r.Seed},
		{"speeds", &r.Speeds},
		{"zero", &r.Zero},
		{"map", &r.Map},
		{"max_time", (*int64)(&r.Limits.Time)},
		{"max_reductions", &r.Limits.Reductions},
		{"max_memory", &r.Limits.Memory},
		{"sample", (*int64)(&r.Sample)},
		{"break", &r.Break},
		{"defines", &r.Defines},
		{"check_independent", &r.CheckIndependent},
	}
}

// writeRun writes the entries of a run that differ from zero, and the seed.
func writeRun(r *experiment.Run, t table) {
	for _, e := range runEntries(r) {
		switch v := e.value.(type) {
		case *string:
			put(t, e.key, *v, *v != "")
		case *[]string:
			put(t, e.key, *v, len(*v) > 0)
		case *int:
			put(t, e.key, int64(*v), *v != 0)
		case *int64:
			put(t, e.key, *v, *v != 0)
		case *uint64: // seeds from 2^63 are negative in the file, which has signed integers only
			t[e.key] = int64(*v)
		case *bool:
			put(t, e.key, *v, *v)
		}
	}
}

// put writes a value if it is given.
func put(t table, key string, value any, given bool) {
	if given {
		t[key] = value
	}
}

func (f *File) writePane(w *Workspace, i int, scale float64) map[string]any {
	t := table{}
	maps.Copy(t, f.panes[w.IDs[i]])
	p := &w.State.Personal.Panes[i]
	t["view"], t["trace"] = p.View, p.Trace
	if p.Camera.Scale != 0 {
		t["camera"] = writeCamera(p.Camera, t.inner("camera"), scale)
	}
	if len(p.Params) > 0 {
		t["params"] = p.Params
	}
	if p.Network != "" {
		t["network"] = p.Network
	}
	var trail []map[string]any
	for _, place := range p.Trail {
		entry := map[string]any{"root": strconv.FormatUint(place.Root, 10)}
		if place.Camera.Scale != 0 {
			entry["camera"] = writeCamera(place.Camera, table{}, scale)
		}
		trail = append(trail, entry)
	}
	if trail != nil {
		t["trail"] = trail
	}
	return t
}

// writeCamera writes a camera into a table, for a screen with scale device pixels per point.
func writeCamera(camera view.Camera, t table, scale float64) map[string]any {
	c := Zoomed(camera, 1/scale)
	t["x"], t["y"], t["scale"] = c.X, c.Y, c.Scale
	if c.ScaleY != 0 {
		t["scale_y"] = c.ScaleY
	}
	if c.Turn != 0 || c.Tilt != 0 {
		t["turn"], t["tilt"] = c.Turn, c.Tilt
	}
	return t
}

func (f *File) writeShared(w *Workspace) table {
	t := f.rest.inner("shared")
	s := &w.State.Shared
	if s.Palette != "" {
		t["palette"] = s.Palette
	}
	if s.Until != nil {
		t["until"] = *s.Until
	}
	if s.Window != nil {
		t["window"] = []int64{s.Window.First, s.Window.Last}
	}
	if s.Speed != 0 {
		t["speed"] = int64(s.Speed)
	}
	if s.Parts {
		t["parts"] = true
	}
	if s.Apart {
		t["apart"] = true
	}
	if s.Alone {
		t["alone"] = true
	}
	var trials []map[string]any
	for _, trial := range s.Trials {
		trials = append(trials, map[string]any{"trace": trial.Trace, "settings": trial.Settings})
	}
	if trials != nil {
		t["trial"] = trials
	}
	if d := s.Detail; d != nil {
		lines := t.inner("detail")
		lines["file"], lines["first"], lines["last"] = d.File, int64(d.First), int64(d.End())
		t["detail"] = map[string]any(lines)
	}
	var notes []map[string]any
	for _, n := range s.Annotations {
		notes = append(notes, map[string]any{"trace": n.Trace, "task": strconv.FormatUint(n.Task, 10), "text": n.Text})
	}
	if notes != nil {
		t["annotation"] = notes
	}
	var filters []map[string]any
	for _, f := range s.Filters {
		filters = append(filters, map[string]any{"trace": f.Trace, "where": f.Where})
	}
	if filters != nil {
		t["filter"] = filters
	}
	var kept []map[string]any
	for _, k := range s.Kept {
		kept = append(kept, map[string]any{"trace": k.Trace, "name": k.Name, "select": k.Expr})
	}
	if kept != nil {
		t["selection"] = kept
	}
	return t
}

func writeNode(n *Node, numbers map[int]int64) map[string]any {
	if n.Split == Tabs {
		var panes []int64
		for _, id := range n.Panes {
			panes = append(panes, numbers[id])
		}
		return map[string]any{"panes": panes, "shown": numbers[n.Shown]}
	}
	kind := "columns"
	if n.Split == Rows {
		kind = "rows"
	}
	return map[string]any{"split": kind, "share": n.Share, "a": writeNode(n.A, numbers), "b": writeNode(n.B, numbers)}
}

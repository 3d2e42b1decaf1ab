package workspace

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/BurntSushi/toml"

	"whorl/experiment"
	"whorl/internal/nesting"
	"whorl/visual/view"
)

// version is the version of the files. Files of later versions open too, without the keys that this version does not know.
const version = 1

// Bounds of a file.
const (
	maxNesting = 100 // levels of tables and arrays
	maxDepth   = 64  // levels of splits
)

// A TraceEntry is the origin of a trace of a workspace: a file, or a run that can be repeated.
type TraceEntry struct {
	Name, Path string
	SHA256     string // of the file, in hexadecimal digits, "" if unknown
	Size       int64  // of the file in bytes
	Group      int    // runs of the same group are compared; 0 for none
	Run        *experiment.Run

	rest table
}

// A File is a workspace as TOML: the traces and their origins, the panes and their places, the selection and the annotations. Unknown keys are kept in
// their tables and written back.
type File struct {
	Workspace
	Traces []TraceEntry

	panes map[int]table // unknown keys, by pane id
	rest  table         // unknown keys of the whole
	spare spare         // what cannot be shown and is written again
	newer int64         // the version of the file if it is a later one

	unlisted []string // traces that panes show and the file does not list
	unread
}

// spare holds the tables of a file that cannot be shown: traces without a name or with one that is taken, and panes without a view.
type spare struct {
	traces, panes []map[string]any
}

// Read reads a file for a screen with scale device pixels per point. Panes get the ids from first, in the order of the file.
func Read(text string, scale float64, first int) (*File, error) {
	f := &File{rest: table{}, panes: map[int]table{}}
	if nesting.TOML(text) > maxNesting {
		return nil, fmt.Errorf("more than %d nested tables and arrays", maxNesting)
	}
	if _, err := toml.Decode(text, (*map[string]any)(&f.rest)); err != nil {
		return nil, err
	}
	v, ok := extract[int64](f.rest, "", "version", &f.unread)
	if !ok {
		return nil, fmt.Errorf("not a workspace: no version")
	}
	if v < 1 {
		return nil, fmt.Errorf("version %d: expected %d or later", v, version)
	}
	if v > version {
		f.newer = v
	}
	f.Dark, _ = extract[bool](f.rest, "", "dark", &f.unread)
	for i, t := range takeTables(f.rest, "", "trace", &f.unread) {
		whole := maps.Clone(t)
		if err := f.readTrace(t); err != nil {
			f.spare.traces = append(f.spare.traces, whole)
			f.wrong = append(f.wrong, fmt.Sprintf("trace %d: %v", i+1, err))
		}
	}
	f.Next = 1
	numbers := map[int]int{} // the ids of the panes by their numbers in the file
	type reference struct{ pane, trace int }
	var references []reference
	for i, t := range takeTables(f.rest, "", "pane", &f.unread) {
		whole := maps.Clone(t)
		of, _ := extract[int64](t, "pane.", "of", &f.unread)
		id, err := f.readPane(t, scale)
		if err != nil {
			f.spare.panes = append(f.spare.panes, whole)
			f.wrong = append(f.wrong, fmt.Sprintf("pane %d: %v", i+1, err))
			continue
		}
		numbers[i+1] = id
		if of != 0 {
			references = append(references, reference{id, int(of)})
		}
	}
	for _, r := range references {
		f.try(view.Action{Do: view.SetOf, Pane: f.Index(r.pane), Index: f.Index(numbers[r.trace]) + 1})
	}
	if t, ok := extract[map[string]any](f.rest, "", "layout", &f.unread); ok {
		full, _ := extract[int64](t, "layout.", "maximised", &f.unread)
		f.Full = numbers[int(full)]
		if root, err := f.readNode(t, "layout.", &numbering{ids: numbers, seen: map[int64]bool{}}, 0); err == nil {
			f.Root = root
		} else {
			f.wrong = append(f.wrong, err.Error())
		}
	}
	for _, id := range f.IDs { // panes that the layout does not name
		if f.Root.LeafOf(id) == nil {
			f.Put(id, 0, ToRight)
		}
	}
	takeTable(f.rest, "", "shared", &f.unread, f.readShared)
	f.note("", f.rest)
	f.renumberFrom(first)
	return f, nil
}

// renumberFrom renumbers the panes from first.
func (f *File) renumberFrom(first int) {
	by := first - 1
	f.renumber(by)
	panes := map[int]table{}
	for id, t := range f.panes {
		panes[id+by] = t
	}
	f.panes = panes
}

func (f *File) readTrace(t table) error {
	const path = "trace."
	e := TraceEntry{}
	e.Name, _ = extract[string](t, path, "name", &f.unread)
	if err := f.Apply(view.Action{Do: view.OpenTrace, Name: e.Name}); err != nil {
		return err
	}
	e.Path, _ = extract[string](t, path, "path", &f.unread)
	e.SHA256, _ = extract[string](t, path, "sha256", &f.unread)
	e.Size, _ = extract[int64](t, path, "bytes", &f.unread)
	group, _ := extract[int64](t, path, "compared", &f.unread)
	e.Group = int(group)
	takeTable(t, path, "run", &f.unread, func(run table) { e.Run = readRun(run, &f.unread) })
	e.rest = t
	f.Traces = append(f.Traces, e)
	f.note(path, t)
	return nil
}

func readRun(t table, u *unread) *experiment.Run {
	const path = "trace.run."
	program, _ := extract[string](t, path, "program", u)
	r := experiment.Defaults(program)
	for _, e := range runEntries(&r) {
		switch v := e.value.(type) {
		case *string:
			read(t, path, e.key, u, func(s string) { *v = s })
		case *[]string:
			read(t, path, e.key, u, func(list []any) { *v = texts(list) })
		case *int:
			read(t, path, e.key, u, func(n int64) { *v = int(n) })
		case *int64:
			read(t, path, e.key, u, func(n int64) { *v = n })
		case *uint64:
			read(t, path, e.key, u, func(n int64) { *v = uint64(n) })
		case *bool:
			read(t, path, e.key, u, func(on bool) { *v = on })
		}
	}
	return &r
}

// read removes a key from the table and passes its value to set if it is a T.
func read[T any](t table, path, key string, u *unread, set func(T)) {
	if v, ok := extract[T](t, path, key, u); ok {
		set(v)
	}
}

// texts returns the texts of a list.
func texts(list []any) (all []string) {
	for _, v := range list {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// readPane reads a pane and returns its id. A pane may name a trace that the file does not list: the pane then waits for the file of that trace.
func (f *File) readPane(t table, scale float64) (int, error) {
	const path = "pane."
	name, _ := extract[string](t, path, "view", &f.unread)
	trace, _ := extract[string](t, path, "trace", &f.unread)
	if name != "" && trace != "" && !slices.Contains(f.State.Shared.Traces, trace) {
		if err := f.Apply(view.Action{Do: view.OpenTrace, Name: trace}); err != nil {
			return 0, err
		}
		f.Traces = append(f.Traces, TraceEntry{Name: trace})
		f.unlisted = append(f.unlisted, trace)
	}
	id, err := f.Open(name, trace)
	if err != nil {
		return 0, err
	}
	i := f.Index(id)
	params, _ := extract[map[string]any](t, path, "params", &f.unread)
	root, _ := strconv.ParseUint(fmt.Sprint(params[view.Root]), 10, 64)
	f.readTrail(takeTables(t, path, "trail", &f.unread), i, root, scale)
	takeTable(t, path, "camera", &f.unread, func(c table) {
		camera := f.readCamera(c, path, scale)
		f.try(view.Action{Do: view.SetCamera, Pane: i, Camera: &camera})
	})
	for _, key := range slices.Sorted(maps.Keys(params)) {
		f.try(view.Action{Do: view.SetParam, Pane: i, Name: key, Value: fmt.Sprint(params[key])})
	}
	if text, ok := extract[string](t, path, "network", &f.unread); ok {
		f.try(view.Action{Do: view.SetNetwork, Pane: i, Value: text})
	}
	if len(t) > 0 {
		f.panes[id] = t
		f.note(path, t)
	}
	return id, nil
}

// readCamera reads the camera of a pane for a screen with scale device pixels per point.
func (f *File) readCamera(t table, path string, scale float64) view.Camera {
	number := func(key string) float64 {
		x, _ := extract[float64](t, path, key, &f.unread)
		return x
	}
	return Zoomed(view.Camera{
		X: number("x"), Y: number("y"), Scale: number("scale"), ScaleY: number("scale_y"), Turn: number("turn"), Tilt: number("tilt"),
	}, scale)
}

// readTrail enters the subtrees of a trail one after the other, the last one being root.
func (f *File) readTrail(trail []table, i int, root uint64, scale float64) {
	const path = "pane.trail."
	roots := make([]uint64, len(trail), len(trail)+1)
	for k, t := range trail {
		text, _ := extract[string](t, path, "root", &f.unread) // ids have 64 bits, integers of TOML 63
		var err error
		if roots[k], err = strconv.ParseUint(text, 10, 64); err != nil {
			f.wrong = append(f.wrong, fmt.Sprintf("pane.trail: invalid root %q", text))
			return
		}
	}
	roots = append(roots, root)
	for k, t := range trail {
		f.try(view.Action{Do: view.SetParam, Pane: i, Name: view.Root, Value: strconv.FormatUint(roots[k], 10)})
		takeTable(t, path, "camera", &f.unread, func(c table) {
			camera := f.readCamera(c, path, scale)
			f.try(view.Action{Do: view.SetCamera, Pane: i, Camera: &camera})
		})
		f.try(view.Action{Do: view.EnterSubtree, Pane: i, Task: roots[k+1]})
	}
}

func (f *File) readShared(t table) {
	const path = "shared."
	if name, ok := extract[string](t, path, "palette", &f.unread); ok {
		f.try(view.Action{Do: view.SetPalette, Name: name})
	}
	if until, ok := extract[int64](t, path, "until", &f.unread); ok {
		f.try(view.Action{Do: view.SetUntil, Until: &until})
	}
	if w, ok := extract[[]any](t, path, "window", &f.unread); ok && len(w) == 2 {
		from, _ := w[0].(int64)
		to, _ := w[1].(int64)
		f.try(view.Action{Do: view.SetWindow, Window: &view.Span{First: from, Last: to}})
	}
	if speed, ok := extract[int64](t, path, "speed", &f.unread); ok {
		f.try(view.Action{Do: view.SetSpeed, Index: int(min(max(speed, -view.MaxSpeed-1), view.MaxSpeed+1))})
	}
	for _, flag := range []struct {
		key string
		do  view.Do
	}{{"parts", view.SetParts}, {"apart", view.SetApart}, {"alone", view.SetAlone}} {
		if on, _ := extract[bool](t, path, flag.key, &f.unread); on {
			f.try(view.Action{Do: flag.do, Index: 1})
		}
	}
	takeTable(t, path, "detail", &f.unread, func(d table) {
		file, _ := extract[string](d, path, "file", &f.unread)
		first, _ := extract[int64](d, path, "first", &f.unread)
		last, _ := extract[int64](d, path, "last", &f.unread)
		line := func(n int64) int32 { return int32(min(max(n, 0), math.MaxInt32)) }
		f.try(view.Action{Do: view.SetDetail, Lines: &view.Lines{File: file, First: line(first), Last: line(last)}})
	})
	for _, n := range takeTables(t, path, "trial", &f.unread) {
		trace, _ := extract[string](n, path, "trace", &f.unread)
		values, _ := extract[map[string]any](n, path, "settings", &f.unread)
		settings := map[string]string{}
		for name, value := range values {
			settings[name] = fmt.Sprint(value)
		}
		f.try(view.Action{Do: view.Try, Name: trace, Settings: settings})
	}
	for _, n := range takeTables(t, path, "annotation", &f.unread) {
		trace, _ := extract[string](n, path, "trace", &f.unread)
		task, _ := extract[string](n, path, "task", &f.unread) // ids have 64 bits, integers of TOML 63
		text, _ := extract[string](n, path, "text", &f.unread)
		id, err := strconv.ParseUint(task, 10, 64)
		if err != nil {
			f.wrong = append(f.wrong, fmt.Sprintf("shared.annotation: invalid task %q", task))
			continue
		}
		f.try(view.Action{Do: view.Annotate, Name: trace, Task: id, Value: text})
	}
	for _, k := range takeTables(t, path, "filter", &f.unread) {
		trace, _ := extract[string](k, path, "trace", &f.unread)
		where, _ := extract[string](k, path, "where", &f.unread)
		f.try(view.Action{Do: view.SetFilter, Name: trace, Value: where})
	}
	for _, k := range takeTables(t, path, "selection", &f.unread) {
		var sel view.Selection
		sel.Trace, _ = extract[string](k, path, "trace", &f.unread)
		sel.Expr, _ = extract[string](k, path, "select", &f.unread)
		name, _ := extract[string](k, path, "name", &f.unread)
		f.try(view.Action{Do: view.Keep, Name: name, Selection: &sel})
	}
}

// try applies an action of the file and reports an error.
func (f *File) try(a view.Action) {
	if err := f.Apply(a); err != nil {
		f.wrong = append(f.wrong, err.Error())
	}
}

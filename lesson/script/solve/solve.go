// Package solve makes the runs of a lesson, computes its numbers, texts and answers from them, and checks it.
package solve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"whorl/experiment"
	"whorl/internal/fault"
	"whorl/lesson"
	"whorl/lesson/script"
	"whorl/tracer"
	"whorl/visual/view/selector"
	"whorl/visual/workspace"
)

// A Solution is a lesson with its runs.
type Solution struct {
	Lesson *lesson.Lesson
	Made   map[string]*Made // by the names of the runs

	// Problems are mistakes of the lesson that show in its runs: two right choices, near misses that equal the answer.
	Problems fault.Errors

	pictures map[*script.Part][]*lesson.Picture
}

// A solver computes a lesson for one choice of its parameters.
type solver struct {
	ctx    context.Context
	script *script.Script
	cache  *Cache
	world  *world
	out    *Solution

	selectors map[string]*selector.Selector
	runs      map[string]map[string]any // the tables of the settings by name
}

// Values returns the values of all parameters for a set by its name, "" for the defaults, with others by name.
func Values(s *script.Script, set string, others map[string]string) (map[string]string, error) {
	values := map[string]string{}
	for i := range s.Front.Parameters {
		p := &s.Front.Parameters[i]
		values[p.Name] = fmt.Sprint(p.Default)
	}
	if set != "" {
		i := slices.IndexFunc(s.Front.Sets, func(m map[string]any) bool { return m["name"] == set })
		if i < 0 {
			return nil, fmt.Errorf("the lesson has no set %q", set)
		}
		for key, v := range s.Front.Sets[i] {
			if key != "name" {
				values[key] = fmt.Sprint(v)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		p := s.Front.Parameter(name)
		if p == nil {
			return nil, unknownParameter(s, name)
		}
		if _, err := p.Parse(others[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values[name] = others[name]
	}
	return values, nil
}

// Sets returns the names of the choices of parameters that exports hold: "" for the defaults, then those of the lesson.
func Sets(s *script.Script) []string {
	sets := []string{""}
	for _, set := range s.Front.Sets {
		name, _ := set["name"].(string)
		sets = append(sets, name)
	}
	return sets
}

// Solve makes the runs of a lesson with values of its parameters and computes it. Errors in the lesson are of type *fault.Error, with their places.
func (c *Cache) Solve(ctx context.Context, s *script.Script, set string, values map[string]string) (*Solution, error) {
	v := &solver{
		ctx: ctx, script: s, cache: c, world: newWorld(), selectors: map[string]*selector.Selector{}, runs: map[string]map[string]any{},
		out: &Solution{Lesson: &lesson.Lesson{Head: s.Head(), Set: set, Sets: Sets(s)}, Made: map[string]*Made{}, pictures: map[*script.Part][]*lesson.Picture{}},
	}
	for _, step := range []func() error{func() error { return v.parameters(values) }, v.makeRuns, v.makeSeries, v.values, v.workspace, v.blocks} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return v.out, nil
}

// wrong returns an error about a text of the lesson at an offset. If err is about a place in an expression that stands there, so is the result.
func (v *solver) wrong(offset int, expression, where string, err error) error {
	pos := v.script.Pos(offset)
	out := &fault.Error{Pos: pos, Msg: err.Error()}
	if e := new(fault.Error); errors.As(err, &e) && e.Pos.File == "expression" {
		out.Msg, out.Want = e.Msg, e.Want
		if e.Pos.Line == 1 && strings.HasPrefix(v.script.Text[min(offset, len(v.script.Text)):], expression) {
			out.Pos.Column += e.Pos.Column - 1
		}
	}
	if where != "" {
		out.Msg = where + ": " + out.Msg
	}
	return fault.Errors{out}.Locate(v.script.Text).Err()
}

// inFront is wrong for a text of the settings.
func (v *solver) inFront(expression, where string, err error) error {
	return v.wrong(v.script.InFront(expression), expression, where, err)
}

// inPart is wrong for a text of a block.
func (v *solver) inPart(p *script.Part, expression, where string, err error) error {
	return v.wrong(v.script.In(p, expression), expression, where, err)
}

// problem notes a mistake that does not stop the lesson.
func (v *solver) problem(p *script.Part, text, msg, want string) {
	v.out.Problems = append(v.out.Problems, &fault.Error{Pos: v.script.Pos(v.script.In(p, text)), Msg: msg, Want: want})
}

func (v *solver) parameters(values map[string]string) error {
	for i := range v.script.Front.Parameters {
		p := &v.script.Front.Parameters[i]
		x, err := p.Parse(values[p.Name])
		if err != nil {
			return v.inFront(`"`+p.Name+`"`, p.Name, err)
		}
		switch x := x.(type) {
		case int64:
			v.world.set(p.Name, number{value: float64(x)})
		case string:
			v.world.words[p.Name] = words{x, p.Choices}
		}
		v.out.Lesson.Parameters = append(v.out.Lesson.Parameters, p.Describe(values[p.Name]))
	}
	return nil
}

func (v *solver) makeRuns() error {
	for _, table := range v.script.Front.Runs {
		name, _ := table["name"].(string)
		title, _ := table["title"].(string)
		v.runs[name] = table
		m, err := v.make(table)
		if err != nil {
			return v.inFront(`"`+name+`"`, "run "+name, err)
		}
		v.out.Made[name] = m
		v.world.addRun(name, m)
		v.out.Lesson.Runs = append(v.out.Lesson.Runs, lesson.Run{Name: name, Title: title, Run: m.Run, Command: command(m.Run, name+".whorl")})
	}
	return nil
}

func (v *solver) make(table map[string]any) (*Made, error) {
	r, err := describe(v.script, table, v.world)
	if err != nil {
		return nil, err
	}
	m, err := v.cache.run(v.ctx, r)
	if err != nil {
		return nil, err
	}
	ends, ok := table["ends"]
	if !ok {
		ends = tracer.Done.String()
	}
	if m.Outcome != ends {
		return nil, fmt.Errorf("the run is %s and not %v: %s", m.Outcome, ends, m.Err)
	}
	return m, nil
}

// makeSeries makes the runs of all series. The names first and each are those of a point for y.
func (v *solver) makeSeries() error {
	for i := range v.script.Front.Series {
		s := &v.script.Front.Series[i]
		at := `"` + s.Name + `"`
		low, high, best, lowest := 0.0, 0.0, 0.0, 0.0
		inner := newWorld()
		for _, name := range v.world.names {
			inner.set(name, v.world.numbers[name])
		}
		last := 0.0
		for k, x := range s.Points {
			n, ok := toFloat(x)
			if !ok || k > 0 && n <= last {
				return v.inFront(at, "series "+s.Name, errors.New("the values of at are no ascending numbers"))
			}
			last = n
			inner.set("x", number{value: n})
			table := maps.Clone(v.runs[s.Run])
			table[s.Over] = x
			for _, key := range slices.Sorted(maps.Keys(s.With)) {
				var err error
				if table[key], err = fillValue(s.With[key], inner); err != nil {
					return v.inFront(at, "series "+s.Name, err)
				}
			}
			if n, isSize := sizeNumber(s.Over); isSize {
				args, _ := table["args"].([]any)
				if n >= len(args) {
					return v.inFront(at, "series "+s.Name, fmt.Errorf("the run %s has %d sizes in args", s.Run, len(args)))
				}
				delete(table, s.Over)
				args = slices.Clone(args)
				args[n], table["args"] = fmt.Sprint(x), args
			}
			m, err := v.make(table)
			if err != nil {
				return v.inFront(at, "series "+s.Name, err)
			}
			if k == 0 {
				inner.addRun("first", m)
			}
			inner.addRun("each", m)
			y, err := inner.number(s.Y)
			if err != nil {
				return v.inFront(s.Y, "series "+s.Name, err)
			}
			if y.value > high || k == 0 {
				high, best = y.value, n
			}
			if y.value < low || k == 0 {
				low, lowest = y.value, n
			}
			v.world.set(s.Name+"."+fmt.Sprint(x), y)
			y.value = high
			v.world.set(s.Name+".max", y)
			y.value = low
			v.world.set(s.Name+".min", y)
		}
		v.world.set(s.Name+".best", number{value: best})
		v.world.set(s.Name+".lowest", number{value: lowest})
	}
	return nil
}

// sizeNumber returns the index among the arguments of a benchmark that a series is over: size is the first, size2 the second.
func sizeNumber(over string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(over, "size")
	switch {
	case !ok:
		return 0, false
	case digits == "":
		return 0, true
	}
	n, err := strconv.Atoi(digits)
	return n - 1, err == nil && n > 0
}

func toFloat(x any) (float64, bool) {
	switch x := x.(type) {
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// series returns the points of a series.
func (v *solver) series(name string) *lesson.Series {
	for i := range v.script.Front.Series {
		s := &v.script.Front.Series[i]
		if s.Name != name {
			continue
		}
		out := &lesson.Series{Name: name, X: s.XAxis, Y: s.Label, Ideal: s.Ideal}
		if out.X == "" {
			out.X = map[string]string{"pes": "PEs", "size": "size"}[s.Over]
		}
		for _, x := range s.Points {
			f, _ := toFloat(x)
			n := v.world.numbers[name+"."+fmt.Sprint(x)]
			out.Points = append(out.Points, lesson.Point{X: f, Y: n.value})
			if n.dimension == 1 {
				out.Unit = "ns"
			} else if n.share {
				out.Unit = "%"
			}
		}
		first, last := out.Points[0].X, out.Points[len(out.Points)-1].X
		out.Log = first > 0 && last >= 8*first
		return out
	}
	return nil
}

// workspace describes what the viewer shows.
func (v *solver) workspace() error {
	f := &v.script.Front
	w := lesson.Workspace{Run: f.Shows}
	if w.Run == "" {
		w.Run = v.out.Lesson.Runs[0].Name
	}
	switch t := f.Workspace.(type) {
	case nil:
	case string:
		if !slices.ContainsFunc(workspace.Questions, func(q workspace.Question) bool { return q.Name == t }) {
			return v.inFront(`"`+t+`"`, "workspace", unknownQuestion(t))
		}
		w.Question = t
	case map[string]any:
		var names []string
		var runs []experiment.Run
		for _, r := range v.out.Lesson.Runs {
			names, runs = append(names, r.Name), append(runs, r.Run)
		}
		text, err := workspace.RunsFile(t, names, runs)
		if err != nil {
			return v.inFront("[workspace", "workspace", err)
		}
		w.Text = text
	default:
		return v.inFront("workspace", "workspace", errors.New("expected the name of a default workspace, or tables [[workspace.pane]] and [workspace.layout]"))
	}
	v.out.Lesson.Workspace = w
	return nil
}

// selector returns the selector of the trace of a run.
func (v *solver) selector(run string) *selector.Selector {
	if v.selectors[run] == nil {
		v.selectors[run] = selector.New(run, v.out.Made[run].Trace, nil)
	}
	return v.selectors[run]
}

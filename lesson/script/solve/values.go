package solve

import (
	"errors"
	"fmt"
	"strings"

	"whorl/internal/nearest"
	"whorl/lesson/script"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/query"
	"whorl/visual/view/selector"
	"whorl/visual/workspace"
)

func unknownParameter(s *script.Script, name string) error {
	var known []string
	for i := range s.Front.Parameters {
		known = append(known, s.Front.Parameters[i].Name)
	}
	return nearest.Unknown("parameter of the lesson", name, known)
}

func unknownQuestion(name string) error {
	var known []string
	for _, q := range workspace.Questions {
		known = append(known, q.Name)
	}
	return nearest.Unknown("default workspace", name, known)
}

// values computes the values of the settings.
func (v *solver) values() error {
	for i := range v.script.Front.Values {
		val := &v.script.Front.Values[i]
		if val.Is != "" {
			n, err := v.world.number(val.Is)
			if err != nil {
				return v.inFront(val.Is, "value "+val.Name, err)
			}
			v.world.set(val.Name, n)
			v.world.runs[val.Name] = v.world.from(val.Is)
			continue
		}
		v.world.runs[val.Name] = []string{val.Run}
		names, texts := val.Measures()
		where, err := v.world.fill(val.Where, true)
		if err != nil {
			return v.inFront(val.Where, "value "+val.Name, err)
		}
		measure := texts[0]
		if names[0] == "first" {
			measure = val.By
		}
		var a aggregate
		each := v.eachTask
		switch val.Rows {
		case "pes":
			each = v.eachPE
		case "events":
			each = v.eachEvent
		case "functions", "lines":
			each = func(run, where, measure string, a *aggregate) (int, error) {
				return v.eachPart(run, val.Rows, where, measure, a)
			}
		}
		dimension, err := each(val.Run, where, measure, &a)
		if err != nil {
			at := measure
			if val.Where != "" {
				at = val.Where
			}
			return v.inFront(at, "value "+val.Name, err)
		}
		if a.count == 0 && names[0] != "count" && names[0] != "sum" {
			return v.inFront(`"`+val.Name+`"`, "value "+val.Name, fmt.Errorf("none of the %s of the run %s fulfils the condition", val.Rows, val.Run))
		}
		n := number{dimension: dimension}
		switch names[0] {
		case "max":
			n.value = a.max
		case "min":
			n.value = a.min
		case "sum":
			n.value = a.sum
		case "mean":
			n.value = a.sum / float64(a.count)
		case "count":
			n = number{value: float64(a.count)}
		case "first":
			if err := v.first(val, &a); err != nil {
				return v.inFront(`"`+val.Name+`"`, "value "+val.Name, err)
			}
			continue
		}
		v.world.set(val.Name, n)
	}
	return nil
}

// An aggregate adds up the rows of a value.
type aggregate struct {
	count         int64
	max, min, sum float64
	most          selector.Task // the row with the largest measure, the first one of equals
	part          partRow       // of functions or lines: that row
}

func (a *aggregate) add(t selector.Task) {
	if a.count == 0 || t.Value > a.max {
		a.max, a.most = t.Value, t
	}
	if a.count == 0 || t.Value < a.min {
		a.min = t.Value
	}
	a.count++
	a.sum += t.Value
}

// first sets a value to a field of the row with the largest measure.
func (v *solver) first(val *script.Value, a *aggregate) error {
	made := v.out.Made[val.Run]
	codes := made.Trace.Dict().Codes()
	switch val.First {
	case "line":
		if val.Rows != "lines" {
			return errors.New("only lines have a line")
		}
		v.world.set(val.Name, number{value: float64(a.part.line)})
	case "procedure":
		if a.part.name != "" {
			var known []string
			for _, f := range made.Stats.Functions {
				known = append(known, f.Function)
			}
			v.world.words[val.Name] = words{a.part.name, known}
			return nil
		}
		owner := tracer.Owner(codes, a.most.Code)
		if val.Rows == "pes" || owner == 0 {
			return errors.New("the rows have no procedure")
		}
		var known []string
		for _, c := range codes {
			if c.Type == tracer.Procedure || c.Type == tracer.Function {
				known = append(known, c.Name)
			}
		}
		v.world.words[val.Name] = words{codes[owner].Name, known}
		return nil
	case "pe":
		v.world.set(val.Name, number{value: float64(a.most.PE)})
	case "task":
		v.world.set(val.Name, number{value: float64(a.most.Task)})
	case "begin":
		v.world.set(val.Name, number{value: float64(a.most.Begin), dimension: 1})
	case "time":
		v.world.set(val.Name, number{value: float64(a.most.Time), dimension: 1})
	default:
		return nearest.Unknown("field", val.First, []string{"procedure", "line", "pe", "task", "begin", "time"})
	}
	return nil
}

func (v *solver) eachTask(run, where, measure string, a *aggregate) (int, error) {
	return v.selector(run).Each(where, measure, a.add)
}

// A peRow is a PE with its account.
type peRow struct {
	pe    int64
	times account.Times
}

// peFields are the fields of PEs.
var peFields = query.Schema[*peRow]{Rows: "PEs", Fields: append([]query.Field[*peRow]{
	{Name: "pe", Doc: "number of the PE", Int: func(r *peRow) int64 { return r.pe }},
	{Name: "idle", Doc: "time without work: stealing, waiting, nothing to do", Type: query.Time, Int: func(r *peRow) int64 {
		return r.times[account.Stealing] + r.times[account.Waiting] + r.times[account.Nothing]
	}},
}, classFields()...)}

// classFields returns a field for each class of the account: work, scheduling, ...
func classFields() (fields []query.Field[*peRow]) {
	for c, name := range []string{"work", "scheduling", "stealing", "communication", "waiting", "collector", "system", "nothing"} {
		fields = append(fields, query.Field[*peRow]{Name: name, Doc: account.Class(c).String(), Type: query.Time, Int: func(r *peRow) int64 { return r.times[c] }})
	}
	return fields
}

func (v *solver) eachPE(run, where, measure string, a *aggregate) (int, error) {
	match, value, dimension, err := compile(peFields, where, measure)
	if err != nil {
		return 0, err
	}
	trace := v.out.Made[run].Trace
	acc, err := account.Compute(trace)
	if err != nil {
		return 0, err
	}
	for pe := range max(acc.PEs, 1) {
		row := peRow{int64(pe), acc.Row(pe).Times}
		if match(&row) {
			a.add(selector.Task{PE: int32(pe), Value: value(&row), Time: row.times[account.Work]})
		}
	}
	return dimension, nil
}

func (v *solver) eachEvent(run, where, measure string, a *aggregate) (int, error) {
	trace := v.out.Made[run].Trace
	match, value, dimension, err := compile(query.Events(trace.Dict()), where, measure)
	if err != nil {
		return 0, err
	}
	err = trace.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for i := range es {
			if e := &es[i]; match(e) {
				a.add(selector.Task{Task: e.Task, PE: e.PE, Code: e.Code, Begin: e.Time, Value: value(e)})
			}
		}
		return nil
	})
	return dimension, err
}

// A partRow is the work in a function or in a line.
type partRow struct {
	index int64
	name  string // of the function
	line  int32
	time  int64
	share float64
	parts int64
}

// eachPart adds up functions or lines.
func (v *solver) eachPart(run, of, where, measure string, a *aggregate) (int, error) {
	stats := v.out.Made[run].Stats
	var rows []partRow
	var names []string
	if of == "functions" {
		for i, f := range stats.Functions {
			rows, names = append(rows, partRow{int64(i), f.Function, 0, f.TimeNs, f.Share, f.Parts}), append(names, f.Function)
		}
	} else {
		for i, l := range stats.Lines {
			rows, names = append(rows, partRow{int64(i), l.Function, l.Line, l.TimeNs, l.Share, 0}), append(names, l.Function)
		}
	}
	fields := query.Schema[*partRow]{Rows: of, Fields: []query.Field[*partRow]{
		{Name: "procedure", Type: query.Text, Texts: names, Int: func(r *partRow) int64 { return r.index }, Short: withoutArity},
		{Name: "line", Int: func(r *partRow) int64 { return int64(r.line) }},
		{Name: "time", Type: query.Time, Int: func(r *partRow) int64 { return r.time }},
		{Name: "share", Real: func(r *partRow) float64 { return r.share }},
		{Name: "parts", Int: func(r *partRow) int64 { return r.parts }},
	}}
	match, value, dimension, err := compile(fields, where, measure)
	if err != nil {
		return 0, err
	}
	for i := range rows {
		if r := &rows[i]; match(r) {
			x := value(r)
			if a.count == 0 || x > a.max {
				a.part = *r
			}
			a.add(selector.Task{Value: x, Time: r.time})
		}
	}
	return dimension, nil
}

// withoutArity returns the name of a procedure without its arity.
func withoutArity(name string) string {
	short, _, _ := strings.Cut(name, "/")
	return short
}

// compile compiles a condition and a measure. Each may be empty.
func compile[R any](s query.Schema[R], where, measure string) (match func(R) bool, value func(R) float64, dimension int, err error) {
	match, value = func(R) bool { return true }, func(R) float64 { return 0 }
	if where != "" {
		e, err := query.Parse(where)
		if err != nil {
			return nil, nil, 0, err
		}
		if match, err = query.Where(s, e); err != nil {
			return nil, nil, 0, err
		}
	}
	if measure != "" {
		e, err := query.Parse(measure)
		if err != nil {
			return nil, nil, 0, err
		}
		if value, dimension, err = query.Measure(s, e); err != nil {
			return nil, nil, 0, err
		}
	}
	return match, value, dimension, nil
}

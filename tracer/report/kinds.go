package report

import (
	"fmt"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/ranges"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/derive/kinds"
)

// A ProcessKind is a group of processes that spend similar amounts in the same calling contexts.
type ProcessKind struct {
	Processes string        `json:"processes"` // their numbers and ranges, as in 0-79,176
	Places    string        `json:"places"`    // of the same (tracer.Places.List), "" if unknown
	Count     int           `json:"count"`
	Medoid    int32         `json:"medoid"`   // the process that represents them
	Contexts  []ContextPart `json:"contexts"` // those that distinguish them most from all others
}

// A ContextPart compares the exclusive values of a calling context in two groups of processes: means over the processes of each.
type ContextPart struct {
	Context    string  `json:"context"` // procedures from the program down, with > between them
	Mean       float64 `json:"mean"`    // in the unit of the metric
	Other      float64 `json:"other"`   // of the other group
	Difference float64 `json:"difference"`
	Share      float64 `json:"share"` // the difference as a share of a process's total
}

// Limits of the contexts of a kind: their number, and the smallest share of a difference.
const (
	kindContexts = 5
	kindShare    = 0.005
)

// processKinds finds the kinds of sampled processors or processes. It returns nil if fewer than two were sampled.
func processKinds(src tracer.Source) ([]ProcessKind, error) {
	if src.Counts()[tracer.Sample] == 0 || src.Meta().PEs < 2 {
		return nil, nil
	}
	t, err := callingcontext.BuildOwn(src, nil)
	if err != nil || len(t.Metrics) == 0 || len(t.Processes) < 2 {
		return nil, err
	}
	metric := t.FirstMetric()
	k, err := kinds.Find(t, metric, 0, nil)
	if err != nil {
		return nil, err
	}
	name, meta := procedureNames(src), src.Meta()
	places := meta.Places()
	var all []ProcessKind
	for _, x := range k.All {
		p := ProcessKind{Processes: ranges.FormatNumbers(x.Members), Places: places.List(x.Members, meta.PEs), Count: len(x.Members), Medoid: x.Medoid, Contexts: []ContextPart{}}
		if len(k.All) > 1 {
			p.Contexts = contextParts(t, metric, t.Difference(metric, false, x.Members, t.Rest(x.Members)), kindContexts, kindShare, name)
		}
		all = append(all, p)
	}
	return all, nil
}

// contextParts returns at most most contexts that distinguish two groups most, in either direction, by at least the share least.
func contextParts(t *callingcontext.Tree, metric int, d *callingcontext.Difference, most int, least float64, name func(code uint32) string) []ContextPart {
	scale := scaleOf(t.Metrics[metric])
	parts := []ContextPart{}
	for _, v := range d.Most(most) {
		if s := d.Share(v); s >= least || s <= -least {
			parts = append(parts, ContextPart{contextPath(t, v, name), d.A[v] * scale, d.B[v] * scale, (d.A[v] - d.B[v]) * scale, s})
		}
	}
	return parts
}

func scaleOf(m callingcontext.Metric) float64 {
	if m.Scale == 0 {
		return 1
	}
	return m.Scale
}

// contextPath returns the procedures of a context, from the program down.
func contextPath(t *callingcontext.Tree, v int32, name func(code uint32) string) string {
	var names []string
	for ; v > callingcontext.Root; v = t.Parent[v] {
		names = append([]string{name(t.Code[v])}, names...)
	}
	if names == nil {
		return "the program"
	}
	return strings.Join(names, " > ")
}

// procedureNames returns the function that names the procedures of one trace.
func procedureNames(src tracer.Source) func(code uint32) string {
	names := namesOf(src)
	return func(code uint32) string { return procedureName(src.Dict(), code) + names.homonyms[code] }
}

// procedureName returns the name of a procedure, which has to be the same in other runs, or its file and line if it has no name.
func procedureName(d *tracer.Dict, code uint32) string {
	c := d.Code(code)
	if c.Type == tracer.Label && c.Parent == 0 { // samples without a label of this key
		return "no " + c.Name
	}
	if c.Name == "" && c.File != "" {
		return fmt.Sprintf("%s:%d", c.File, c.Line)
	}
	if c.Name == "" {
		return "unknown"
	}
	return c.Name
}

// kindRows adds the kinds of processes to a table.
func kindRows(all []ProcessKind, t rows) {
	if len(all) < 2 {
		if len(all) == 1 {
			t("processes", "all alike")
		}
		return
	}
	t("processes", fmt.Sprintf("%d kinds", len(all)))
	for i := range all {
		k := &all[i]
		value := shortened(k.Processes, 60)
		if k.Places != "" {
			value += " (" + shortened(k.Places, 60) + ")"
		}
		for _, c := range k.Contexts[:min(len(k.Contexts), 3)] {
			names := strings.Split(c.Context, " > ")
			value += fmt.Sprintf(", %s %+.1f %%", names[len(names)-1], 100*c.Share)
		}
		t("  "+figures.Count(int64(k.Count)), value)
	}
}

// shortened cuts a list of ranges after at most most characters.
func shortened(list string, most int) string {
	if len(list) <= most {
		return list
	}
	end := strings.LastIndexByte(list[:most], ',')
	return list[:max(end, 0)] + ",..."
}

package experiment

import (
	"fmt"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/derive/kinds"
)

// A ProcessKind is a group of processes that spend about the same in the same calling contexts.
type ProcessKind struct {
	Processes string        `json:"processes"` // their numbers and ranges, as in 0-79,176
	Count     int           `json:"count"`
	Medoid    int32         `json:"medoid"`   // the process that stands for them
	Contexts  []ContextPart `json:"contexts"` // in which they differ most from all others
}

// A ContextPart is what two groups of processes spend in a calling context itself: means over the processes of each.
type ContextPart struct {
	Context    string  `json:"context"` // procedures from the program on, with > between them
	Mean       float64 `json:"mean"`    // in the unit of the metric
	Other      float64 `json:"other"`   // of the other group
	Difference float64 `json:"difference"`
	Share      float64 `json:"share"` // the difference as a part of what a process spends in all
}

// Most that is said of a kind, and how much a difference has to be that is worth a word.
const (
	mostContexts = 5
	leastShare   = 0.005
)

// processKinds finds the kinds of the processors or processes that were sampled; nil where there are not two.
func processKinds(src tracer.Source) ([]ProcessKind, error) {
	if src.Counts()[tracer.Sample] == 0 || src.Meta().PEs < 2 {
		return nil, nil
	}
	t, err := callingcontext.Of(src, nil)
	if err != nil || len(t.Metrics) == 0 || len(t.Processes) < 2 {
		return nil, err
	}
	metric := t.FirstMetric()
	k, err := kinds.Find(t, metric, 0, nil)
	if err != nil {
		return nil, err
	}
	name := func(code uint32) string { return called(src.Dict(), code) }
	var all []ProcessKind
	for _, x := range k.All {
		p := ProcessKind{Processes: ranges(x.Members), Count: len(x.Members), Medoid: x.Medoid, Contexts: []ContextPart{}}
		if len(k.All) > 1 {
			p.Contexts = contextParts(t, metric, t.Difference(metric, false, x.Members, t.Rest(x.Members)), mostContexts, leastShare, name)
		}
		all = append(all, p)
	}
	return all, nil
}

// contextParts are the contexts in which two groups differ most: so many of those with a share of at least so much, either way.
func contextParts(t *callingcontext.Tree, metric int, d *callingcontext.Difference, most int, least float64, name func(code uint32) string) []ContextPart {
	scale := t.Metrics[metric].Scale
	if scale == 0 {
		scale = 1
	}
	parts := []ContextPart{}
	for _, v := range d.Most(most) {
		if s := d.Share(v); s >= least || s <= -least {
			parts = append(parts, ContextPart{way(t, v, name), d.A[v] * scale, d.B[v] * scale, (d.A[v] - d.B[v]) * scale, s})
		}
	}
	return parts
}

// way is a context: its procedures from the program on.
func way(t *callingcontext.Tree, v int32, name func(code uint32) string) string {
	var names []string
	for ; v > callingcontext.Root; v = t.Parent[v] {
		names = append([]string{name(t.Code[v])}, names...)
	}
	if names == nil {
		return "the program"
	}
	return strings.Join(names, " > ")
}

// called is the name of a procedure, or the place where it stands.
func called(d *tracer.Dict, code uint32) string {
	c := d.Code(code)
	if c.Name == "" && c.File != "" {
		return fmt.Sprintf("%s:%d", c.File, c.Line)
	}
	if c.Name == "" {
		return "unknown"
	}
	return c.Name
}

// ranges are numbers, ascending, as text.
func ranges(numbers []int32) string {
	var b strings.Builder
	for i := 0; i < len(numbers); i++ {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		first := i
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		fmt.Fprint(&b, numbers[first])
		if i > first {
			fmt.Fprintf(&b, "-%d", numbers[i])
		}
	}
	return b.String()
}

// kindRows writes kinds of processes as rows of a table.
func kindRows(all []ProcessKind, row func(name, value string)) {
	if len(all) < 2 {
		if len(all) == 1 {
			row("processes", "all alike")
		}
		return
	}
	row("processes", fmt.Sprintf("%d kinds", len(all)))
	for i := range all {
		k := &all[i]
		text := cutOff(k.Processes, 60)
		for j, c := range k.Contexts {
			if j == 3 {
				break
			}
			names := strings.Split(c.Context, " > ")
			text += fmt.Sprintf(", %s %+.1f %%", names[len(names)-1], 100*c.Share)
		}
		row("  "+figures.Count(int64(k.Count)), text)
	}
}

// cutOff is a list of ranges in so many characters.
func cutOff(list string, most int) string {
	if len(list) <= most {
		return list
	}
	at := strings.LastIndexByte(list[:most], ',')
	return list[:max(at, 0)] + ",..."
}

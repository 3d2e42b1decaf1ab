//go:build !js

package speedscope

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/numbering"
	"whorl/tracer"
)

// Write writes a trace. Samples become a sampled profile for each PE and metric, in the order of their times, with stacks of functions.
// Threads and goals become an evented profile for each PE, with the functions and procedures that it ran and their times in ns. A goal is
// inside its ancestor procedures, each of them once. Write holds the profiles in memory until they are written.
func Write(w io.Writer, src tracer.Source) error {
	o := writer{codes: src.Dict().Codes(), contexts: src.Dict().Contexts(), meta: src.Meta(), tasks: map[uint64]int32{}, goals: newGoals()}
	o.frames = make([]int32, len(o.codes))
	for i := range o.frames {
		o.frames[i] = -1
	}
	err := src.Scan(Kinds, func(es []tracer.Event) error {
		for i := range es {
			o.record(&es[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	return o.write(w)
}

type writer struct {
	codes    []tracer.Code
	contexts []tracer.Context
	meta     tracer.Meta

	list   numbering.List[frame]
	frames []int32          // by code
	lanes  []lane           // by PE
	tasks  map[uint64]int32 // frames of threads
	goals  goals
	names  map[string]int // number of PEs with a name
}

// A lane holds the samples and instants of a PE.
type lane struct {
	sampled []sampled // by metric, in order of appearance
	events  []instant
	open    []running
	ways    bool    // some events are of goals
	way     []int32 // open frames around the last goal
	until   int64   // end of the last goal
}

type sampled struct {
	metric   uint32
	contexts []uint32
	weights  []int64
}

type instant struct {
	time  int64
	frame int32
	open  bool
}

// running is a running thread of a PE.
type running struct {
	task  uint64
	frame int32
}

// mostPEs bounds the PEs, which a damaged trace may exceed.
const mostPEs = 1 << 20

// record adds one event.
func (o *writer) record(e *tracer.Event) {
	if e.PE < 0 || e.PE >= mostPEs {
		return
	}
	for int(e.PE) >= len(o.lanes) {
		o.lanes = append(o.lanes, lane{})
	}
	l := &o.lanes[e.PE]
	switch e.Kind {
	case tracer.Sample:
		if e.Ref > 0 && e.Ref < uint64(len(o.contexts)) {
			l.sample(e)
		}
	case tracer.Reduce, tracer.Suspend, tracer.Fail:
		l.goal(e.Time, e.Time+max(e.Value, 0), o.goals.way(e.Task, e.Ref, o.frame(e.Code)))
	case tracer.Start:
		f := o.frame(e.Code)
		o.tasks[e.Task] = f
		l.enter(e.Time, running{e.Task, f})
	case tracer.JoinEnd:
		if f, ok := o.tasks[e.Task]; ok {
			l.enter(e.Time, running{e.Task, f})
		}
	case tracer.JoinBegin, tracer.End:
		l.leave(e.Time, e.Task)
		if e.Kind == tracer.End {
			delete(o.tasks, e.Task)
		}
	}
}

// sample adds a sample. It merges consecutive samples of the same context.
func (l *lane) sample(e *tracer.Event) {
	k := slices.IndexFunc(l.sampled, func(s sampled) bool { return s.metric == e.Code })
	if k < 0 {
		k = len(l.sampled)
		l.sampled = append(l.sampled, sampled{metric: e.Code})
	}
	s := &l.sampled[k]
	if n := len(s.contexts); n > 0 && s.contexts[n-1] == uint32(e.Ref) {
		const most = math.MaxInt64 / 2
		if sum := s.weights[n-1]/2 + e.Value/2; sum > -most && sum < most {
			s.weights[n-1] += e.Value
			return
		}
	}
	s.contexts, s.weights = append(s.contexts, uint32(e.Ref)), append(s.weights, e.Value)
}

// add adds an instant, no earlier than the last one: costs of goals may be estimates.
func (l *lane) add(at int64, frame int32, open bool) {
	if n := len(l.events); n > 0 {
		at = max(at, l.events[n-1].time)
	}
	l.events = append(l.events, instant{at, frame, open})
}

func (l *lane) enter(at int64, r running) {
	l.leaveWay(0)
	l.open = append(l.open, r)
	l.add(at, r.frame, true)
}

// leave closes a thread. It closes the threads above it first and reopens them; a complete trace has none.
func (l *lane) leave(at int64, task uint64) {
	k := len(l.open) - 1
	for k >= 0 && l.open[k].task != task {
		k--
	}
	if k < 0 {
		return
	}
	l.leaveWay(0)
	for i := len(l.open) - 1; i >= k; i-- {
		l.add(at, l.open[i].frame, false)
	}
	l.open = slices.Delete(l.open, k, k+1)
	for _, r := range l.open[k:] {
		l.add(at, r.frame, true)
	}
}

// frame returns the index of the frame of the function or procedure of a code.
func (o *writer) frame(code uint32) int32 {
	if int(code) >= len(o.frames) {
		code = 0
	}
	if o.frames[code] >= 0 {
		return o.frames[code]
	}
	c := o.codes[code]
	for at := c; ; at = o.codes[at.Parent] {
		if at.Type == tracer.Function || at.Type == tracer.Procedure {
			c = at
			break
		}
		if at.Parent == 0 || int(at.Parent) >= len(o.codes) {
			break
		}
	}
	f := frame{Name: c.Name, File: c.File, Line: float64(max(c.Line, 0))}
	if f.Name == "" {
		f.Name = "[unknown]"
		if f.File != "" {
			f.Name = f.File + ":" + strconv.Itoa(int(c.Line))
		}
	}
	o.frames[code] = o.list.Number(f)
	return o.frames[code]
}

// stack appends the frames of a calling context, the outermost first.
func (o *writer) stack(context uint32, out []int32) []int32 {
	for ; context != 0; context = o.contexts[context].Parent {
		out = append(out, o.frame(o.contexts[context].Code))
	}
	slices.Reverse(out)
	return out
}

func (o *writer) write(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(b, "{\"$schema\": %q, \"exporter\": \"whorl\", \"name\": %s, \"profiles\": [", schema, quoted(o.meta.Program))
	metrics := map[uint32]bool{}
	for p := range o.lanes {
		for _, s := range o.lanes[p].sampled {
			metrics[s.metric] = true
		}
	}
	before := ""
	for p := range o.lanes {
		l, name := &o.lanes[p], o.name(p)
		for i := range l.sampled {
			_, _ = b.WriteString(before + "\n")
			before = ","
			title := name
			if len(metrics) > 1 {
				title += ": " + cmp.Or(o.code(l.sampled[i].metric).Name, "ticks")
			}
			o.sampled(b, title, o.processor(p), &l.sampled[i])
		}
		if len(l.events) > 0 {
			_, _ = b.WriteString(before + "\n")
			before = ","
			o.evented(b, name, l)
		}
	}
	_, _ = b.WriteString("\n], \"shared\": {\"frames\": [")
	for i, f := range o.list.Keys {
		if i > 0 {
			_ = b.WriteByte(',')
		}
		text, err := json.Marshal(f)
		if err != nil {
			return err
		}
		_ = b.WriteByte('\n')
		_, _ = b.Write(text)
	}
	_, _ = b.WriteString("\n]}}\n")
	return b.Flush() // Flush returns the first error of all writes
}

func quoted(s string) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		return []byte(`""`)
	}
	return text
}

func (o *writer) code(id uint32) (c tracer.Code) {
	if int(id) < len(o.codes) {
		return o.codes[id]
	}
	return c
}

// name returns the name of a PE.
func (o *writer) name(p int) string {
	if p < len(o.meta.PEInfo) {
		i := &o.meta.PEInfo[p]
		name := i.Process
		if i.Thread != "" {
			name = strings.TrimSpace(strings.TrimPrefix(i.Thread, i.Process)) // as in: heat 10, heat 10/12
			name = strings.TrimSpace(i.Process + " " + name)
		}
		if name = strings.TrimSpace(i.Host + " " + name); name != "" {
			return name
		}
	}
	return "PE " + strconv.Itoa(p)
}

// processor returns the unique name of a PE.
func (o *writer) processor(p int) string {
	if o.names == nil {
		o.names = map[string]int{}
		for i := range o.lanes {
			o.names[o.name(i)]++
		}
	}
	if name := o.name(p); o.names[name] == 1 {
		return name
	}
	return fmt.Sprintf("%s (PE %d)", o.name(p), p)
}

func (o *writer) sampled(b *bufio.Writer, name, processor string, s *sampled) {
	c := o.code(s.metric)
	unit, scale := "none", c.Scale
	switch c.Unit {
	case "ns":
		unit = "nanoseconds"
	case "bytes":
		unit = "bytes"
	}
	if scale == 0 || math.IsInf(scale, 0) {
		scale = 1
	}
	total := 0.0
	for _, v := range s.weights {
		total += float64(max(v, 0)) * scale
	}
	fmt.Fprintf(b, "{\"type\": \"sampled\", \"name\": %s, \"unit\": %q, \"startValue\": 0, \"endValue\": %s,\n\"whorl\": {\"processor\": %s, \"metric\": %s, \"unit\": %s},\n\"samples\": [",
		quoted(name), unit, decimal(total), quoted(processor), quoted(cmp.Or(c.Name, "ticks")), quoted(c.Unit))
	var stack []int32
	var text []byte
	for i, context := range s.contexts {
		stack, text = o.stack(context, stack[:0]), text[:0]
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, '[')
		for k, f := range stack {
			if k > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendInt(text, int64(f), 10)
		}
		_, _ = b.Write(append(text, ']'))
	}
	_, _ = b.WriteString("],\n\"weights\": [")
	for i, v := range s.weights {
		if i > 0 {
			_ = b.WriteByte(',')
		}
		_, _ = b.WriteString(decimal(float64(v) * scale))
	}
	_, _ = b.WriteString("]}")
}

// decimal formats a number, without an exponent if it has at most 15 digits.
func decimal(v float64) string {
	if math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// evented writes the evented profile of a PE. It closes frames that are still open at the last instant.
func (o *writer) evented(b *bufio.Writer, name string, l *lane) {
	l.leaveWay(0)
	last := l.events[len(l.events)-1].time
	for i := len(l.open) - 1; i >= 0; i-- {
		l.add(last, l.open[i].frame, false)
	}
	fmt.Fprintf(b, "{\"type\": \"evented\", \"name\": %s, \"unit\": \"nanoseconds\", \"startValue\": 0, \"endValue\": %d,\n", quoted(name), last)
	if l.ways {
		_, _ = b.WriteString("\"whorl\": {\"ways\": true},\n")
	}
	_, _ = b.WriteString("\"events\": [")
	for i, e := range l.events {
		if i > 0 {
			_ = b.WriteByte(',')
		}
		kind := "C"
		if e.open {
			kind = "O"
		}
		fmt.Fprintf(b, "\n{\"type\": %q, \"frame\": %d, \"at\": %d}", kind, e.frame, e.time)
	}
	_, _ = b.WriteString("]}")
}

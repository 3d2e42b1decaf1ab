package callgrind

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/formats/arcs"
	"whorl/tracer/formats/profile"
)

type reader struct {
	w  *profile.Writer
	by string
	f  *profile.File

	line    int64
	count   int64 // lines with costs
	strange int64 // lines of unknown form
	first   string
	events  []string
	metrics []uint32
	threads []*thread
	at      *thread
	address bool  // lines begin with an address
	told    int64 // the total of the first event, as the file tells it
	sum     int64 // of the costs of the first event
	summary int64 // of the part, until its totals come
	creator string
	open    bool // the part has a summary and no totals
	cut     bool // a part of Callgrind has no totals

	names    [3]map[string]string // compressed names, by their numbers in brackets: of files, functions and objects
	object   string
	file     string // of the function
	source   string // of the next lines, which differs from file for inlined code
	function string
	callee   position // as far as it is known
	target   position // of the next call
	calls    int64    // of the next line
	called   bool     // the next line has the costs of calls
	where    uint64   // address of the last line
	number   int64    // of the last line
	values   []int64
}

// A position names a function.
type position struct{ object, file, function string }

// A thread has a graph of its own.
type thread struct {
	name      string
	graph     *arcs.Graph
	functions map[position]int32
}

func (r *reader) read(f *profile.File) error {
	*r = reader{w: r.w, by: r.by, f: f}
	r.begin()
	in := bufio.NewScanner(f.R)
	in.Buffer(nil, mostLine)
	for in.Scan() {
		r.line++
		if err := r.text(strings.TrimSpace(in.Text())); err != nil {
			return fmt.Errorf("line %d: %w", r.line, err)
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: longer than %s", r.line+1, figures.Size(mostLine))
	}
	if in.Err() != nil {
		return in.Err()
	}
	return r.finish()
}

// begin forgets what a part of a file leaves behind.
func (r *reader) begin() {
	for i := range r.names {
		if r.names[i] == nil {
			r.names[i] = map[string]string{}
		}
	}
	r.cut = r.cut || r.open && strings.HasPrefix(r.creator, "callgrind")
	r.told += r.summary
	r.open, r.summary, r.number, r.where, r.called, r.callee = false, 0, 0, 0, false, position{}
}

// finish records the threads.
func (r *reader) finish() error {
	r.begin()
	if r.count == 0 {
		text := "no costs of functions"
		if r.first != "" {
			text += "; " + r.first
		}
		return errors.New(text)
	}
	if r.strange > 0 {
		r.w.Dropped.Add("lines of unknown form; "+r.first, r.strange)
	}
	switch {
	case r.told > r.sum:
		r.w.Dropped.Once(fmt.Sprintf("the end of %s: the file is cut, since its lines have %s %s of %s", r.f.Name, figures.Count(r.sum), r.events[0], figures.Count(r.told)))
	case r.cut:
		r.w.Dropped.Once("the end of " + r.f.Name + ": the file is cut, since it has no totals")
	}
	name := cmp.Or(r.f.Process, r.f.Name)
	stream := r.w.Rec.Stream(tracer.StreamInfo{Name: name})
	for _, t := range r.threads {
		who := tracer.PE{Host: r.f.Host, Process: name}
		if len(r.threads) > 1 {
			who.Thread = "thread " + cmp.Or(t.name, "1")
		}
		pe, err := r.w.Processor(who)
		if err != nil {
			return err
		}
		r.w.Begin(stream, pe, 0)
		t.graph.Record(stream, pe)
	}
	stream.Sync()
	return nil
}

// text reads a line.
func (r *reader) text(line string) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	if c := line[0]; c >= '0' && c <= '9' || c == '+' || c == '-' || c == '*' {
		return r.costs(line)
	}
	if key, value, ok := strings.Cut(line, "="); ok && r.place(key, value) {
		return nil
	}
	if key, value, ok := strings.Cut(line, ":"); ok {
		return r.header(key, strings.TrimSpace(value))
	}
	r.unknown(line)
	return nil
}

func (r *reader) unknown(line string) {
	if r.strange++; r.strange == 1 {
		r.first = fmt.Sprintf("line %d: %.40q; expected KEY: VALUE, fn=NAME or a line number with costs", r.line, line)
	}
}

// withUnit matches the names of events that Xdebug and pprof write: Time_(10ns), cpu(ms).
var withUnit = regexp.MustCompile(`^(.+?)_?\((\d*)(\w+)\)$`)

// header reads a line of the head of a part.
func (r *reader) header(key, value string) error {
	switch key {
	case "creator":
		r.creator = value
	case "cmd":
		program, _, _ := strings.Cut(value, " ")
		r.w.Meta.Program = cmp.Or(r.w.Meta.Program, program[strings.LastIndexByte(program, '/')+1:])
	case "part":
		r.begin()
	case "thread":
		r.begin()
		r.thread(value)
	case "positions":
		r.address = strings.HasPrefix(value, "instr")
	case "events":
		return r.setEvents(strings.Fields(value))
	case "summary", "totals":
		r.open = key == "summary"
		if len(strings.Fields(value)) > 0 {
			n, err := strconv.ParseInt(strings.Fields(value)[0], 10, 64)
			if err == nil && n >= 0 && n <= mostValue {
				r.summary = n
			}
		}
	}
	return nil
}

func (r *reader) setEvents(names []string) error {
	if len(names) == 0 || len(names) > mostEvents {
		return fmt.Errorf("%d events: expected 1 to %d", len(names), mostEvents)
	}
	if r.events != nil {
		if strings.Join(names, " ") != strings.Join(r.events, " ") {
			return fmt.Errorf("events %s: the part before has %s", strings.Join(names, " "), strings.Join(r.events, " "))
		}
		return nil
	}
	r.events, r.values = names, make([]int64, len(names))
	for _, name := range names {
		if m := withUnit.FindStringSubmatch(name); m != nil {
			n, err := strconv.ParseFloat(cmp.Or(m[2], "1"), 64)
			if err != nil || n < 1 || n > 1e9 {
				n = 1
			}
			r.metrics = append(r.metrics, r.w.Scaled(m[1], m[3], n))
			continue
		}
		r.metrics = append(r.metrics, r.w.Metric(name, name))
	}
	return nil
}

// thread goes to the graph of a thread.
func (r *reader) thread(name string) {
	if r.by == "process" {
		name = ""
	}
	for _, t := range r.threads {
		if t.name == name {
			r.at = t
			return
		}
	}
	r.at = &thread{name: name, functions: map[position]int32{}}
	r.threads = append(r.threads, r.at)
}

// Kinds of compressed names.
const (
	files = iota
	functions
	objects
)

// name returns a name, which may stand behind its number or be the number of an earlier name: (3) main, then (3).
func (r *reader) name(kind int, text string) string {
	if strings.HasPrefix(text, "(") {
		if i := strings.IndexByte(text, ')'); i > 1 && strings.Trim(text[1:i], "0123456789") == "" {
			number, name := text[:i+1], strings.TrimSpace(text[i+1:])
			if name == "" {
				return r.names[kind][number]
			}
			text = strings.Clone(name)
			r.names[kind][strings.Clone(number)] = text
		}
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// place reads a line that names a place of the costs that follow, or a call. It returns false for another line.
func (r *reader) place(key, value string) bool {
	switch key {
	case "ob":
		r.object = r.name(objects, value)
	case "fl":
		r.file = r.name(files, value)
		r.source = r.file
	case "fi", "fe":
		r.source = r.name(files, value)
	case "fn":
		r.function, r.file = r.name(functions, value), r.source
	case "cob":
		r.callee.object = r.name(objects, value)
	case "cfi", "cfl":
		r.callee.file = r.name(files, value)
	case "cfn":
		r.callee.object, r.callee.file = cmp.Or(r.callee.object, r.object), cmp.Or(r.callee.file, r.source)
		r.callee.function = r.name(functions, value)
		r.target, r.callee = r.callee, position{}
	case "calls":
		count, _, _ := strings.Cut(value, " ") // then the position of the target
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil || n < 0 || n > mostValue {
			r.w.Dropped.Add("calls without a number", 1)
			n = 0
		}
		r.calls, r.called = n, true
	case "jfi":
		r.name(files, value)
	case "jfn":
		r.name(functions, value)
	case "jump", "jcnd":
	default:
		return false
	}
	return true
}

// costs reads a line with costs. They belong to a line of the function or, after a line with calls, to the calls there.
func (r *reader) costs(line string) error {
	if r.events == nil {
		return errors.New("costs before a line \"events:\"")
	}
	rest := line
	next := func() (item string) {
		item, rest, _ = strings.Cut(rest, " ")
		rest = strings.TrimLeft(rest, " \t")
		return item
	}
	ok := true
	if r.address {
		r.where, ok = relative(next(), r.where)
	}
	if ok && !(r.address && rest == "") {
		var at uint64
		if at, ok = relative(next(), uint64(r.number)); ok {
			r.number = int64(at)
		}
	}
	if !ok {
		r.unknown(line)
		return nil
	}
	for k := range r.values {
		item := next()
		before := r.values[k]
		r.values[k] = 0
		if item == "" {
			continue
		}
		v, ok := relative(item, uint64(before))
		if !ok || v > mostValue {
			r.w.Dropped.Add("costs without a valid number", 1)
			continue
		}
		r.values[k] = int64(v)
	}
	if r.at == nil {
		r.thread("")
	}
	if r.at.graph == nil {
		r.at.graph = arcs.New(r.w, r.metrics, r.w.Metric("calls", "calls"))
	}
	r.count++
	number := int32(min(r.number, 1<<31-1))
	f := r.numbered(position{r.object, r.file, r.function})
	if r.called {
		r.called = false
		r.at.graph.Arc(f, known(r.source), number, r.numbered(r.target), r.calls, r.values)
		return nil
	}
	r.sum += r.values[0]
	r.at.graph.Cost(f, known(r.source), number, r.values)
	return nil
}

// relative returns a number, which may be written as its difference to the one before it: +3, -3, or * for the same.
func relative(text string, before uint64) (uint64, bool) {
	if text == "" {
		return 0, false
	}
	if text == "*" {
		return before, true
	}
	digits := strings.TrimLeft(text, "+-")
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		n, err = strconv.ParseUint(digits, 10, 64)
	}
	switch {
	case err != nil || len(text) > len(digits)+1:
		return 0, false
	case text[0] == '+':
		n += before
	case text[0] == '-':
		if n > before {
			return 0, false
		}
		n = before - n
	}
	return n, true
}

// recursive matches the ends of names by which Callgrind tells inner calls of a function from outer ones: fib'2.
var recursive = regexp.MustCompile(`'\d+$`)

// known returns a name, "" for an unknown one.
func known(name string) string {
	if name == "???" {
		return ""
	}
	return name
}

// numbered returns the number of a function in the graph of the thread.
func (r *reader) numbered(p position) int32 {
	t := r.at
	p.function = recursive.ReplaceAllString(p.function, "")
	n, ok := t.functions[p]
	if !ok {
		var m *profile.Module
		if path := known(p.object); path != "" {
			m = &profile.Module{Path: path}
		}
		n = t.graph.Function(profile.Line{Function: known(p.function), File: known(p.file)}, m)
		t.functions[p] = n
	}
	return n
}

// Package tau reads the profiles of TAU (S. Shende and A. Malony, "The TAU Parallel Performance System", 2006): a folder with a file
// profile.NODE.CONTEXT.THREAD for each thread of each rank, or such a folder MULTI__METRIC for each metric. A line has the number of calls of a function,
// and its exclusive and inclusive value. With TAU_CALLPATH there are lines for paths of functions too: main() => solve() => MPI_Send().
//
// Paths may have all functions from the first one on, or only the last few (TAU_CALLPATH_DEPTH). Package arcs makes calling contexts of the latter.
package tau

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/formats/arcs"
	"whorl/tracer/formats/contexts"
	"whorl/tracer/formats/profile"
)

// Ending is the end of the name of the first file of a profile.
const Ending = "profile.0.0.0"

// mostLine bounds a line, in bytes.
const mostLine = 1 << 22

// heading matches the first line of a file: 23 templated_functions_MULTI_TIME.
var heading = regexp.MustCompile(`^(\d+) templated_functions(?:_MULTI_(\S+))?\s*$`)

// Detect reports whether a file that begins with head may be of TAU.
func Detect(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return heading.Match(line)
}

// Read reads files into rec, one stream for each, and does not close rec. A processor is a thread of a rank. The metrics are those of TAU, and calls. An
// error names the file and the line.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	if err := profile.CheckProcessor("TAU", cmp.Or(o.Processor, "thread"), []string{"thread"}); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o), pes: map[place]int32{}, called: map[place]bool{}}
	r.w.Meta = tracer.Meta{Substrate: "tau", Clock: tracer.Aligned}
	for i := range files {
		p, ok := placeOf(files[i].Name)
		r.threads = r.threads || ok && p.thread != "0"
		r.contexts = r.contexts || ok && p.context != "0"
	}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

type reader struct {
	w                 *profile.Writer
	threads, contexts bool // ranks have several
	pes               map[place]int32
	called            map[place]bool // the calls of a thread are recorded
}

// A place is the place of a thread.
type place struct{ host, node, context, thread string }

var fileName = regexp.MustCompile(`^profile\.(\d+)\.(\d+)\.(\d+)$`)

// placeOf returns the place that the name of a file tells.
func placeOf(name string) (place, bool) {
	m := fileName.FindStringSubmatch(path.Base(filepath.ToSlash(name)))
	if m == nil {
		return place{node: name}, false
	}
	return place{"", m[1], m[2], m[3]}, true
}

// A line has the values of a function or of a path of functions.
type line struct {
	path                        []string
	calls, exclusive, inclusive float64
}

// file reads a file.
func (r *reader) file(f *profile.File) error {
	in := bufio.NewScanner(f.R)
	in.Buffer(nil, mostLine)
	number := 0
	next := func() bool { number++; return in.Scan() }
	if !next() {
		return cmp.Or(in.Err(), errors.New("the file is empty"))
	}
	m := heading.FindStringSubmatch(in.Text())
	if m == nil {
		return errors.New(`line 1: expected "NUMBER templated_functions_MULTI_METRIC"`)
	}
	count, err := strconv.Atoi(m[1])
	if err != nil {
		return errors.New("line 1: too many functions")
	}
	metric := cmp.Or(m[2], "TIME")
	host := ""
	var lines []line
	for len(lines) < count && next() {
		text := in.Text()
		if strings.HasPrefix(text, "#") {
			host = metadata(text, "Hostname")
			if program := metadata(text, "Executable"); program != "" {
				r.w.Meta.Program = cmp.Or(r.w.Meta.Program, path.Base(program))
			}
			continue
		}
		l, err := parse(text)
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		lines = append(lines, l)
	}
	if in.Err() != nil {
		return fmt.Errorf("line %d: %w, or longer than %s", number, in.Err(), figures.Size(mostLine))
	}
	if len(lines) < count {
		r.w.Dropped.Add("functions of "+f.Name+", which is cut", int64(count-len(lines)))
	}
	for next() {
		if n, ok := strings.CutSuffix(in.Text(), " userevents"); ok {
			events, _ := strconv.ParseInt(n, 10, 32)
			r.w.Dropped.Add("counters of events", max(events, 0))
		}
	}
	p, _ := placeOf(f.Name)
	if p.host = host; !strings.HasPrefix(f.Host, "MULTI__") {
		p.host = cmp.Or(host, f.Host)
	}
	return r.record(f, p, metric, lines)
}

// metadata returns an attribute in the heading of the lines.
func metadata(text, name string) string {
	_, rest, ok := strings.Cut(text, "<name>"+name+"</name><value>")
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, "</value>")
	return strings.ToValidUTF8(value, "\ufffd")
}

// parse reads a line: the name in quotes, calls, calls of others, exclusive and inclusive value.
func parse(text string) (line, error) {
	text, _, _ = strings.Cut(text, ` GROUP="`)
	end := strings.LastIndexByte(text, '"')
	if !strings.HasPrefix(text, `"`) || end < 1 {
		return line{}, errors.New(`expected a name in quotes and numbers, such as "main()" 1 2 30 40 0`)
	}
	fields := strings.Fields(text[end+1:])
	if len(fields) < 4 {
		return line{}, errors.New("expected calls, subroutines, the exclusive and the inclusive value behind the name")
	}
	var l line
	for i, to := range []*float64{&l.calls, nil, &l.exclusive, &l.inclusive} {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return line{}, fmt.Errorf("%q: expected a number", fields[i])
		}
		if to != nil {
			*to = v
		}
	}
	for name := range strings.SplitSeq(text[1:end], " => ") {
		l.path = append(l.path, strings.ToValidUTF8(strings.TrimSpace(name), "\ufffd"))
	}
	return l, nil
}

// source matches the place of a function behind its name: [{heat.c} {12,1}-{40,1}].
var source = regexp.MustCompile(`^(.*?)\s*\[\{([^}]*)\}\s*\{(\d+)[^\]]*\]\s*$`)

// function returns the function of a name.
func function(name string) profile.Line {
	l := profile.Line{Function: name}
	if m := source.FindStringSubmatch(name); m != nil {
		n, _ := strconv.ParseInt(m[3], 10, 32)
		l = profile.Line{Function: strings.TrimSuffix(m[1], " C"), File: m[2], Start: int32(n)}
		if strings.HasPrefix(name, "[SAMPLE]") {
			l.Start, l.Line = 0, int32(n)
		}
	}
	l.Function = strings.TrimPrefix(l.Function, "[SAMPLE] ")
	return l
}

// times are the metrics of TAU in µs.
var times = []string{"TIME", "GET_TIME_OF_DAY", "P_WALL_CLOCK_TIME", "P_VIRTUAL_TIME", "CPU_TIME", "LINUX_TIMERS", "TAUGPU_TIME", "CRAYTIMERS", "BGL_TIMERS", "BGP_TIMERS", "BGQ_TIMERS"}

// record records the lines of a file.
func (r *reader) record(f *profile.File, p place, metric string, lines []line) error {
	who := tracer.PE{Host: p.host, Process: "rank " + p.node}
	if _, ok := placeOf(f.Name); !ok {
		who.Process = cmp.Or(f.Process, f.Name)
	}
	if r.contexts {
		who.Process += " context " + p.context
	}
	if r.threads {
		who.Thread = "thread " + p.thread
	}
	pe, ok := r.pes[p]
	if !ok {
		var err error
		if pe, err = r.w.Processor(who); err != nil {
			return err
		}
		r.pes[p] = pe
	}
	name, unit := metric, metric
	if slices.Contains(times, metric) {
		name, unit = "time", "us"
		if metric != "TIME" {
			name = metric
		}
	}
	stream := r.w.Rec.Stream(tracer.StreamInfo{Name: strings.TrimSpace(who.Process + " " + who.Thread + " " + metric)})
	r.w.Begin(stream, pe, 0)
	before := r.w.Sampled
	if calls := !r.called[p]; whole(lines) {
		r.paths(stream, pe, name, unit, lines, calls)
	} else {
		r.suffixes(stream, pe, name, unit, lines, calls)
	}
	r.called[p] = true
	if r.w.Sampled == before {
		r.w.Dropped.Once(f.Name + " has only zero values")
	}
	stream.Sync()
	return nil
}

// whole reports whether all paths begin with functions that no other function calls.
func whole(lines []line) bool {
	callees := map[string]bool{}
	for _, l := range lines {
		for _, name := range l.path[1:] {
			callees[name] = true
		}
	}
	return !slices.ContainsFunc(lines, func(l line) bool { return len(l.path) > 1 && callees[l.path[0]] })
}

// paths records lines whose paths are whole. What paths do not account for in a function is its value without a caller.
func (r *reader) paths(s *tracer.Stream, pe int32, name, unit string, lines []line, calls bool) {
	t := contexts.New(r.w)
	metric, called := t.Metric(name, unit, false), 0
	if calls {
		called = t.Metric("calls", "calls", false)
	}
	left := map[string]*line{}
	for i := range lines {
		if l := lines[i]; len(l.path) == 1 {
			left[l.path[0]] = &l
		}
	}
	for _, l := range lines {
		if last := left[l.path[len(l.path)-1]]; len(l.path) > 1 && last != nil {
			last.exclusive -= l.exclusive
			last.calls -= l.calls
		}
	}
	add := func(l *line) {
		n := int32(0)
		for _, name := range l.path {
			n = t.Child(n, function(name))
		}
		if l.exclusive > 0 {
			t.Value(metric, n, pe, l.exclusive)
		}
		if calls && l.calls > 0 {
			t.Value(called, n, pe, l.calls)
		}
	}
	for i := range lines {
		l := &lines[i]
		if len(l.path) == 1 {
			l = left[l.path[0]]
		}
		add(l)
	}
	t.Record(s)
}

// suffixes records lines whose paths have only the last functions: the last two are an arc.
func (r *reader) suffixes(s *tracer.Stream, pe int32, name, unit string, lines []line, calls bool) {
	scale := 1.0
	metric := r.w.Metric(name, unit)
	if unit == "us" {
		metric, scale = r.w.Metric(name, "ns"), 1e3
	}
	counted := uint32(0)
	if calls {
		counted = r.w.Metric("calls", "calls")
	}
	g := arcs.New(r.w, []uint32{metric}, counted)
	numbers := map[string]int32{}
	number := func(name string) int32 {
		n, ok := numbers[name]
		if !ok {
			n = g.Function(function(name), nil)
			numbers[name] = n
		}
		return n
	}
	amount := func(v, scale float64) int64 { return int64(math.Round(min(max(v, 0), 1<<43) * scale)) }
	for _, l := range lines {
		f := number(l.path[len(l.path)-1])
		if n := len(l.path); n > 1 {
			g.Arc(number(l.path[n-2]), "", 0, f, amount(l.calls, 1), []int64{amount(l.inclusive, scale)})
		} else {
			g.Cost(f, "", 0, []int64{amount(l.exclusive, scale)})
		}
	}
	g.Record(s, pe)
}

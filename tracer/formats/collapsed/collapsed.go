// Package collapsed reads collapsed stacks, the text input of flame graph tools (B. Gregg, "The flame graph", CACM 59(6), 2016). A line is a
// stack and its count. Semicolons separate the functions of the stack, the outermost first.
//
//	heat-4711/4713;main;solve;sweep 12
//
// If every stack of a file begins with the name and number of a process, or of a process and a thread as above, these become processors, not
// functions.
package collapsed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// Bounds of a file.
const (
	mostText   = 1 << 30 // bytes
	mostFrames = 1 << 16 // in a stack
	mostCount  = 1 << 53 // of one stack
)

// processors are the choices of profile.Options.Processor.
var processors = []string{"thread", "process", "file"}

// fraction is the recorded value of a count of 1 in files with fractional counts.
const fraction = 1e6

// Detect reports whether a file that begins with head may hold collapsed stacks: most lines are stacks, and one has several functions.
func Detect(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	if bytes.IndexByte(head, 0) >= 0 || markup.Match(head) {
		return false
	}
	whole := bytes.LastIndexByte(head, '\n') // the last line may be truncated
	switch {
	case len(head) < full:
		if _, _, ok := cut(bytes.TrimSpace(head[whole+1:])); ok { // a line without an end; others are cut
			whole = len(head) - 1
		}
	case whole < 0:
		first := bytes.TrimLeft(head, " \t\r")
		return bytes.IndexByte(head, ';') >= 0 && bytes.IndexAny(first, "}\t") != 0
	}
	several, stacks, others := false, 0, 0
	for line := range bytes.Lines(head[:whole+1]) {
		if line = bytes.TrimSpace(line); nothing(line) {
			continue
		}
		stack, _, ok := cut(line)
		switch {
		case !ok:
			others++
		default:
			stacks++
			several = several || bytes.IndexByte(stack, ';') > 0
		}
	}
	return several && stacks > others // damaged lines
}

// full is the number of bytes of a head that is not the whole file.
const full = 4096

// markup matches the beginnings of JSON, HTML and XML, which frames such as <module> and {closure} are not.
var markup = regexp.MustCompile(`^\s*(?i:<!|<\?|<html|<svg|[{\[]\s*("|$|[}\]{]))`)

// Plain reports whether a file that begins with head has only lines with a name and a whole number, as stacks of one function have. A name has blanks
// only if it has brackets, as that of a function with arguments. Much else has such lines:
// a file is taken for stacks only if it is in no other format.
func Plain(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	if bytes.IndexByte(head, 0) >= 0 || markup.Match(head) {
		return false
	}
	if whole := bytes.LastIndexByte(head, '\n'); len(head) >= full {
		head = head[:whole+1]
	}
	stacks := 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); nothing(line) {
			continue
		}
		stack, count, ok := cut(line)
		if !ok || count < 0 || !number(string(line[bytes.LastIndexAny(line, " \t")+1:])) || !bytes.ContainsFunc(stack, unicode.IsLetter) || bytes.ContainsAny(stack, " \t") && !bytes.ContainsAny(stack, "(<[") {
			return false
		}
		stacks++
	}
	return stacks > 0
}

// Read reads the stacks of several files into rec, one stream for each in order, and does not close rec. A processor is a thread if the file
// names threads, else a process if it names processes, else the file; o.Processor chooses another. A file with two counts in each line has two
// processors, one for each run. Stacks have no times: all samples are at
// time 0. Memory holds one file at a time. An error names the file.
func Read(files []profile.File, rec tracer.Recorder, o profile.Options) error {
	by := cmp.Or(o.Processor, processors[0])
	if err := profile.CheckProcessor("collapsed stacks", by, processors); err != nil {
		return err
	}
	r := reader{w: profile.NewWriter(rec, o), by: by, several: len(files) > 1, frames: map[string][]uint32{}}
	r.w.Meta = tracer.Meta{Substrate: "collapsed", Clock: tracer.Aligned}
	err := r.w.Each(files, r.file)
	r.w.Finish()
	return err
}

type reader struct {
	w       *profile.Writer
	by      string
	several bool // there are several files

	frames map[string][]uint32 // by function name
	pes    map[string]int32    // of the file, by first function; "" if that names no processor
	stack  [][]byte
}

func (r *reader) file(f *profile.File) error {
	data, err := profile.ReadAll(f.R, mostText)
	if err != nil {
		return err
	}
	form := survey(data)
	if form.twice = form.twice && differs(data); form.twice {
		form.named = false
	}
	switch {
	case form.stacks == 0 && form.strange > 0:
		return errors.New("no collapsed stacks: expected lines that end with a count, such as main;solve 12")
	case form.stacks == 0:
		r.w.Dropped.Once(f.Name + " has no stacks")
	}
	if form.cut > 0 {
		r.w.Dropped.Once(fmt.Sprintf("the end of %s: line %d has no count and no end, so the file is cut", f.Name, form.cut))
		form.strange--
	}
	r.w.Dropped.Add("lines without a count", form.strange)
	stream := r.w.Rec.Stream(tracer.StreamInfo{Name: cmp.Or(f.Process, f.Name)})
	if err := r.processors(f, stream, &form); err != nil {
		return err
	}
	scale := 1.0
	metric := r.w.Metric("samples", "samples")
	if form.fractions {
		scale = fraction
		metric = r.w.Scaled("samples", "samples", 1/scale)
	}
	before := r.w.Sampled
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		stack, count, ok := cut(line)
		if !ok || nothing(line) {
			continue
		}
		before := 0.0
		if form.twice {
			stack, before, _ = cut(stack)
		}
		r.split(stack)
		first := string(r.stack[0])
		pe, named := r.pes[first]
		if named && first != "" {
			r.stack = r.stack[1:]
		} else {
			pe = r.pes[""]
		}
		context := uint32(0)
		for _, name := range r.stack {
			context = r.w.Call(context, r.frame(name))
		}
		if context == 0 {
			context = r.w.Call(0, r.frame(nil))
		}
		if n := int64(math.Round(before * scale)); n != 0 {
			r.w.Sample(stream, 0, r.pes[firstRun], context, metric, n)
		}
		if n := int64(math.Round(count * scale)); n != 0 {
			r.w.Sample(stream, 0, pe, context, metric, n)
		}
	}
	if form.stacks > 0 && r.w.Sampled == before {
		r.w.Dropped.Once(f.Name + " has only zero values")
	}
	stream.Sync()
	return nil
}

// frame returns the dictionary entries of a function. The name may be empty.
func (r *reader) frame(name []byte) []uint32 {
	codes, ok := r.frames[string(name)]
	if !ok {
		codes = r.w.Frames(profile.Place{Lines: []profile.Line{{Function: strings.ToValidUTF8(string(name), "\ufffd")}}})
		r.frames[string(name)] = codes
	}
	return codes
}

// split puts the functions of a stack into r.stack. It drops the innermost functions of a stack beyond mostFrames.
func (r *reader) split(stack []byte) {
	r.stack = r.stack[:0]
	for {
		name, rest, more := bytes.Cut(stack, []byte(";"))
		if len(r.stack) < mostFrames {
			r.stack = append(r.stack, bytes.TrimSpace(name))
		} else {
			r.w.Dropped.Add("frames beyond the stack depth limit", 1)
		}
		if !more {
			return
		}
		stack = rest
	}
}

// processors numbers the processors of a file.
func (r *reader) processors(f *profile.File, s *tracer.Stream, form *form) error {
	r.pes = map[string]int32{}
	file := tracer.PE{Host: f.Host, Process: cmp.Or(f.Process, f.Name)}
	added := map[[2]string]int32{} // with processes as processors, the threads of a process share one
	add := func(key string, p tracer.PE) error {
		who := [2]string{p.Process, p.Thread}
		pe, ok := added[who]
		if !ok {
			var err error
			if pe, err = r.w.Processor(p); err != nil {
				return err
			}
			added[who] = pe
			r.w.Begin(s, pe, 0)
		}
		r.pes[key] = pe
		return nil
	}
	if form.twice {
		first, second := file, file
		first.Process += " run 1"
		second.Process += " run 2"
		if err := add(firstRun, first); err != nil {
			return err
		}
		return add("", second)
	}
	if !form.named || r.by == "file" {
		return add("", file)
	}
	for _, first := range slices.SortedFunc(maps.Keys(form.first), profile.Natural) {
		p, _ := named(first)
		p.Host = f.Host
		if r.by == "process" {
			p.Thread = ""
		}
		if r.several {
			p.Process = file.Process + " " + p.Process
		}
		if err := add(first, p); err != nil {
			return err
		}
	}
	return nil
}

// firstRun is the key of the processor of the first counts in a file with two counts. No function has this name.
const firstRun = "\x00"

// differs reports whether each line of a file has two counts, of two runs, as difffolded.pl writes them. Names that end in a number look alike, but then
// the names without it are not all different.
func differs(data []byte) bool {
	seen := map[string]bool{}
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); nothing(line) {
			continue
		}
		stack, _, ok := cut(line)
		if !ok {
			continue
		}
		if stack, _, ok = cut(stack); !ok || seen[string(stack)] {
			return false
		}
		seen[string(stack)] = true
	}
	return len(seen) > 1
}

// A form holds the common properties of the lines of a file.
type form struct {
	stacks, strange int64
	cut             int64           // the number of the last line if it is strange and has no end
	fractions       bool            // there are fractional counts
	named           bool            // all stacks begin with a process
	twice           bool            // all lines have two counts
	first           map[string]bool // first functions of the stacks, as long as named holds
}

// survey finds the form of a file.
func survey(data []byte) form {
	f := form{first: map[string]bool{}, named: true, twice: true}
	n := int64(0)
	for line := range bytes.Lines(data) {
		n++
		whole := bytes.HasSuffix(line, []byte("\n"))
		line = bytes.TrimSpace(line)
		if nothing(line) {
			continue
		}
		stack, count, ok := cut(line)
		if !ok {
			f.strange++
			if !whole {
				f.cut = n
			}
			continue
		}
		f.stacks++
		if f.twice {
			var before float64
			_, before, f.twice = cut(stack)
			f.fractions = f.fractions || f.twice && before != math.Trunc(before)
		}
		f.fractions = f.fractions || count != math.Trunc(count)
		if first, _, _ := bytes.Cut(stack, []byte(";")); f.named && !f.first[string(bytes.TrimSpace(first))] {
			name := string(bytes.TrimSpace(first))
			if _, f.named = named(name); f.named {
				f.first[name] = true
			}
		}
	}
	f.named = f.named && f.stacks > 0
	return f
}

// nothing reports whether a line is empty or a comment. Some tools write comments.
func nothing(line []byte) bool {
	return len(line) == 0 || line[0] == '#' && bytes.IndexByte(line, ';') < 0
}

// cut splits a line into a stack and its count.
func cut(line []byte) (stack []byte, count float64, ok bool) {
	i := bytes.LastIndexAny(line, " \t")
	if i <= 0 {
		return nil, 0, false
	}
	text := string(line[i+1:])
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && max(n, -n) <= mostCount && n != math.MinInt64 {
		return bytes.TrimSpace(line[:i]), float64(n), true
	}
	count, err := strconv.ParseFloat(text, 64)
	ok = err == nil && math.Abs(count) <= mostCount/fraction && text[len(text)-1] <= '9' // no infinities
	return bytes.TrimSpace(line[:i]), count, ok
}

// named parses the name of a process or a thread: heat-4711, heat-4711/4713, heat-?/4713.
func named(s string) (p tracer.PE, ok bool) {
	dash := strings.LastIndexByte(s, '-')
	if dash <= 0 {
		return p, false
	}
	pid, tid, threaded := strings.Cut(s[dash+1:], "/")
	if !number(pid) || threaded && !number(tid) {
		return p, false
	}
	p.Process = s[:dash]
	if pid != "?" {
		p.Process += " " + pid
	}
	if threaded {
		p.Thread = s[:dash] + " " + tid
	}
	return p, true
}

func number(s string) bool {
	return s == "?" || s != "" && strings.Trim(s, "0123456789") == ""
}

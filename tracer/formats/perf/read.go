// Package perf reads the text output of perf of Linux. That of perf script has samples with their stacks, of one process or of many, and records of
// the scheduler. The first line of a record names its thread and time. The lines below it are its stack, the innermost function first. An empty line
// ends the record.
//
//	heat 4711/4713 [002] 1234.567890:    1001001 cpu-clock:
//	            11e0 sweep+0x47 (/home/me/heat)
//	            12b9 main+0x5e (/home/me/heat)
//
// The option -F of perf script selects the fields. The package reads the fields above; process identifiers, CPUs, times, periods, offsets and
// modules may be missing. It also reads source lines (+srcline), inlined functions, and the records of --show-mmap-events and
// --show-lost-events. It skips other fields and counts lines that it cannot parse.
//
// If a file has records of the scheduler with CPUs, the CPUs are the processors and the threads tasks, which package tracks plays. docs/events.md has
// the meaning of each record in the trace. ftrace and trace-cmd report write these records in nearly the same form. perf trace writes a line for each
// system call, with its duration and without the CPU, so that each thread has a processor of its own.
package perf

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"whorl/internal/figures"
	"whorl/internal/lines"
	"whorl/internal/numbering"
	"whorl/tracer"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/tracks"
)

// A File is the output of perf script for a recording.
type File = profile.File

// Bounds of a file.
const (
	mostLine    = 1 << 20 // bytes
	mostFrames  = 1 << 16 // in a stack
	mostSamples = 1 << 28
)

// processors are the choices of profile.Options.Processor.
var processors = []string{"thread", "process", "cpu"}

// Read reads recordings into rec, one stream for each, and does not close rec. A processor is a thread, or with o.Processor a process or a CPU of
// the machine. Each event has a metric for its number of samples and one for their periods. Times count from the first sample of a host. All
// samples are held in memory, 48 bytes each, because processors are numbered in the order of their processes and threads.
func Read(files []File, rec tracer.Recorder, o profile.Options) error {
	by := cmp.Or(o.Processor, processors[0])
	if err := profile.CheckProcessor("perf script", by, processors); err != nil {
		return err
	}
	w := profile.NewWriter(rec, o)
	w.Meta = tracer.Meta{Substrate: "perf", Clock: tracer.Aligned}
	var all []*file
	sched := &schedule{bases: map[string]int64{}}
	err := w.Each(files, func(in *profile.File) error {
		f := newFile(w, *in, by)
		f.plain, f.several, f.sched.all = o.Processor != "", len(files) > 1, sched
		text, err := gzipped.Reader(in.R)
		if err != nil {
			return err
		}
		if err := f.read(text); err != nil {
			return err
		}
		if f.samples == nil && f.lines > 0 && f.strange == f.lines {
			return errors.New("not the output of perf script: no samples")
		}
		all = append(all, f)
		return nil
	})
	if sched.out != nil {
		finish(w, sched.out, all)
	} else {
		record(w, all)
	}
	return err
}

// who identifies a processor: a thread, a process or a CPU.
type who struct {
	pid, tid, cpu int64
	comm          string // if there are no numbers
}

func (a who) compare(b who) int {
	return cmp.Or(cmp.Compare(a.pid, b.pid), cmp.Compare(a.tid, b.tid), cmp.Compare(a.cpu, b.cpu), strings.Compare(a.comm, b.comm))
}

// A sample is held in memory until all files are read.
type sample struct {
	time, period int64
	who          int32 // in order of appearance
	context      uint32
	event        int32
	cpu          int32     // -1 for none
	thread       tracks.ID // 0 for unknown
}

// A file is a file being read.
type file struct {
	w       *profile.Writer
	name    string
	by      string
	plain   bool  // all records are samples
	several bool  // files
	bare    int64 // samples without a stack that may be records of the scheduler
	host    string
	command string
	lines   int64
	strange int64
	spaced  bool // an empty line ends a stack

	mapped  map[image]spans
	maps    int
	modules map[string]*profile.Module
	frames  map[frameKey][]uint32

	sample header  // of the current sample
	open   bool    // there is a current sample
	stack  []frame // of the current sample, innermost first
	who    numbering.List[who]
	names  []string // of threads, by who
	events numbering.List[string]

	samples []sample
	sched   scheduling
}

type frameKey struct {
	frame   frame
	pid     int64
	calling bool
}

func newFile(w *profile.Writer, f File, by string) *file {
	return &file{
		w: w, name: cmp.Or(f.Process, f.Name), by: by, host: f.Host,
		mapped: map[image]spans{}, modules: map[string]*profile.Module{}, frames: map[frameKey][]uint32{},
	}
}

// read reads all lines of the file.
func (f *file) read(r io.Reader) error {
	in := lines.New(r, mostLine)
	n := 0
	for {
		line, _, err := in.Next()
		if len(line) > 0 {
			n++
			f.line(strings.TrimRight(strings.ToValidUTF8(string(line), "\ufffd"), "\r\n"))
		}
		if len(f.samples) > mostSamples {
			return fmt.Errorf("more than %d samples", mostSamples)
		}
		if errors.Is(err, io.EOF) {
			if len(line) > 0 || f.spaced && f.open && len(f.stack) > 0 {
				f.w.Dropped.Once(fmt.Sprintf("the end of %s, from line %d on: the file is cut", f.name, n))
			}
			break
		}
		if err != nil && f.lines == 0 {
			return err
		}
		if err != nil {
			f.w.Dropped.Once(fmt.Sprintf("the rest after %s: %v", figures.Counted(f.lines, "line"), err))
			break
		}
	}
	f.close()
	f.finish()
	f.w.Dropped.Add("lines outside a sample", f.strange)
	return nil
}

// line handles a line.
func (f *file) line(line string) {
	if strings.TrimSpace(line) == "" {
		f.spaced = f.spaced || f.open && len(f.stack) > 0
		f.close()
		return
	}
	if line[0] == '#' {
		f.comment(line)
		return
	}
	if f.lines == 0 && strings.HasPrefix(line, "cpus=") { // of trace-cmd
		return
	}
	f.lines++
	if !f.plain {
		if c, ok := parseCall(line); ok {
			f.close()
			f.called(&c)
			return
		}
	}
	margin := !blank(line[0])
	if line[0] == '\t' && f.open { // perf indents names of threads by spaces
		if fr, ok := parseFrame(line); ok {
			f.push(fr)
			return
		}
	}
	if f.open && f.traced(line) {
		return
	}
	if h, ok := parseHeader(line); ok && (h.timed || margin) {
		if f.open && f.above(&h) {
			return
		}
		f.close()
		if h.flags != "" && h.event == "" || strings.ContainsFunc(h.event, garbled) {
			f.strange++
			return
		}
		if strings.HasPrefix(h.event, "PERF_RECORD_") || strings.HasPrefix(h.rest, "PERF_RECORD_") {
			f.event(&h)
			return
		}
		f.sample, f.open = h, true
		if fr, ok := parseFrame(h.rest); ok && !scheduled(h.event) && (fr.symbol != "" || fr.module != "" || fr.address > 0xffff) {
			f.push(fr)
			f.close()
		}
		return
	}
	if !margin {
		if fr, ok := parseFrame(line); ok {
			if !f.open { // a stack without a first line
				f.sample, f.open = header{pid: -1, tid: -1, cpu: -1}, true
			}
			f.push(fr)
			return
		}
		if file, n, ok := sourceLine(line); ok && len(f.stack) > 0 {
			last := &f.stack[len(f.stack)-1]
			last.file, last.line = file, n
			return
		}
	}
	if f.open && !margin && f.sample.flags == "" && !strings.ContainsFunc(line, garbled) { // a field of perf that is not read
		return
	}
	f.strange++
}

// garbled reports whether a character is in no text.
func garbled(c rune) bool { return c == utf8.RuneError || unicode.IsControl(c) && c != '\t' }

func (f *file) push(fr frame) {
	if len(f.stack) == mostFrames {
		f.w.Dropped.Add("frames beyond the stack depth limit", 1)
		return
	}
	f.stack = append(f.stack, fr)
}

// comment handles a line of perf script --header.
func (f *file) comment(line string) {
	key, value, ok := strings.Cut(strings.TrimLeft(line, "# "), ":")
	if !ok {
		return
	}
	switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
	case "hostname":
		f.host = value
	case "cmdline":
		f.command = value
	}
}

// close ends the current sample.
func (f *file) close() {
	if !f.open {
		return
	}
	f.open = false
	h := &f.sample
	context := uint32(0)
	for i := len(f.stack) - 1; i >= 0; {
		first := i // inlined functions precede the function that contains them
		for i--; i >= 0 && f.stack[i].inlined; i-- {
		}
		context = f.w.Call(context, f.place(h.pid, f.stack[i+1:first+1], i >= 0))
	}
	if f.schedule(h, context) {
		f.stack = f.stack[:0]
		return
	}
	if context == 0 {
		if f.concerns(h) && scheduled(h.event) {
			f.bare++ // of no use for the scheduler
		} else {
			f.w.Dropped.Add("samples without a stack", 1)
		}
		context = f.w.Call(0, f.w.Frames(profile.Place{}))
	}
	f.stack = f.stack[:0]
	f.samples = append(f.samples, sample{
		time: h.time, period: h.period, who: f.processor(h), context: context, event: f.events.Number(h.event), cpu: int32(h.cpu),
		thread: f.sampled(h),
	})
}

// place returns the entries of a place: the last of frames, and the functions inlined there before it. calling reports that it is not the
// innermost frame of its stack.
func (f *file) place(pid int64, frames []frame, calling bool) []uint32 {
	outer := frames[len(frames)-1]
	key := frameKey{frame: outer, calling: calling}
	if len(f.mapped) > 0 {
		key.pid = pid
	}
	if len(frames) == 1 {
		if codes, ok := f.frames[key]; ok {
			return codes
		}
	}
	if strings.ContainsFunc(outer.symbol, garbled) {
		f.w.Dropped.Add("names of functions with bytes that are no text", 1)
	}
	p := profile.Place{
		Module: f.module(pid, outer.address, outer.module), Address: outer.address, Symbol: outer.symbol, Offset: outer.offset, Return: calling, Leaf: !calling,
	}
	if len(frames) > 1 || outer.line > 0 {
		for _, fr := range frames {
			p.Lines = append(p.Lines, profile.Line{Function: fr.symbol, File: fr.file, Line: fr.line})
		}
	}
	codes := f.w.Frames(p)
	if len(frames) == 1 {
		f.frames[key] = codes
	}
	return codes
}

// processor returns the number of the processor of a sample.
func (f *file) processor(h *header) int32 {
	key := who{-1, -1, -1, ""}
	switch f.by {
	case "cpu":
		key.cpu = h.cpu
	case "process":
		if key.pid = h.pid; h.pid < 0 {
			key.comm = h.comm
		}
	default:
		key.pid, key.tid = h.pid, h.tid
		if h.tid <= 0 { // the idle threads of all CPUs have the number 0
			key.cpu, key.comm = h.cpu, h.comm
		}
	}
	n := f.who.Number(key)
	if int(n) == len(f.names) {
		f.names = append(f.names, "")
	}
	f.names[n] = h.comm // the last name counts: a new process first has the name of its shell
	return n
}

package gotrace

import (
	"cmp"
	"slices"

	"whorl/tracer/formats/profile"
)

// A text is an entry of the string table, with its entries in the dictionary of the trace, which are 0 until they are needed.
type text struct {
	raw      []byte
	file     uint32 // the file of function
	function uint32
	reason   uint32
	why      string // raw, if reason is set
	mark     uint32
}

// A stack is an entry of the stack table.
type stack struct {
	raw     []byte // its frames, the innermost first
	frames  int
	read    bool
	context uint32 // of the writer
	root    uint32 // the function that the goroutine runs; 0 if the stack does not have it
	wrapped bool   // root is a wrapper
	reason  uint32 // of about.waits
	about
}

// Bounds of the tables. The runtime writes no longer stacks and strings.
const (
	mostEntries = 1 << 21
	mostFrames  = 128
	mostText    = 1 << 10
)

// grown returns a table with n+1 zero entries, in the same memory if it is large enough.
func grown[T any](table []T, n int) []T {
	table = slices.Grow(table[:0], n+1)[:n+1]
	clear(table)
	return table
}

// entries bounds the numbers of the entries of a table in some batches: they count from 1, and each takes at least three bytes.
func entries(bs []batch) (most int) {
	for _, b := range bs {
		most += len(b.data)
	}
	return min(most/3, mostEntries)
}

// readStrings reads the string table of the generation.
func (r *reader) readStrings() {
	most := uint64(entries(r.gen.strings))
	r.texts = grown(r.texts, int(most))
	for _, b := range r.gen.strings {
		m := message{rest: b.data[1:]}
		for len(m.rest) > 0 {
			kind, id, n := m.record(), m.number(), m.number()
			raw := m.bytes(n)
			if m.bad || kind != stringEntry || n > mostText {
				r.w.Dropped.Add("blocks of strings damaged", 1)
				break
			}
			if id > most {
				r.w.Dropped.Add("strings with strange numbers", 1)
				continue
			}
			r.texts[id].raw = raw
		}
	}
}

// readStacks reads the stack table of the generation. Their frames are read when an event refers to them.
func (r *reader) readStacks() {
	most := uint64(entries(r.gen.stacks))
	r.stacks = grown(r.stacks, int(most))
	for _, b := range r.gen.stacks {
		m := message{rest: b.data[1:]}
		for len(m.rest) > 0 {
			kind, id, n := m.record(), m.number(), m.number()
			if m.bad || kind != stackEntry || n > mostFrames {
				r.w.Dropped.Add("blocks of stacks damaged", 1)
				break
			}
			from := m.rest
			for range 4 * n {
				m.number()
			}
			if m.bad || id > most {
				r.w.Dropped.Add("stacks damaged", 1)
				continue
			}
			r.stacks[id].raw, r.stacks[id].frames = from[:len(from)-len(m.rest)], int(n)
		}
	}
}

// A sampled is a sample of the processor's profile.
type sampled struct {
	time      int64
	pe        int32
	goroutine uint64
	stack     uint64
}

// readSamples reads the processor samples of the generation and sorts them by time.
func (r *reader) readSamples() {
	r.samples = r.samples[:0]
	for _, b := range r.gen.samples {
		m := message{rest: b.data[1:]}
		for len(m.rest) > 0 {
			kind, at := m.record(), m.number()
			m.number() // the thread
			p, g, s := m.number(), m.number(), m.number()
			if m.bad || kind != cpuSample {
				r.w.Dropped.Add("blocks of processor samples damaged", 1)
				break
			}
			pe := int32(-1)
			if p < mostProcs {
				pe = int32(p)
			}
			r.samples = append(r.samples, sampled{r.clocks.ns(at), pe, g, s})
		}
	}
	slices.SortStableFunc(r.samples, func(a, b sampled) int { return cmp.Compare(a.time, b.time) })
}

// text returns an entry of the string table, an empty one if it lacks the number.
func (r *reader) text(id uint64) *text {
	if id < uint64(len(r.texts)) && (id == 0 || r.texts[id].raw != nil) {
		return &r.texts[id]
	}
	r.w.Dropped.Add("strings missing", 1)
	r.texts[0] = text{}
	return &r.texts[0]
}

// stack returns an entry of the stack table with its context, nil for none.
func (r *reader) stack(id uint64) *stack {
	if id == 0 {
		return nil
	}
	if id >= uint64(len(r.stacks)) || r.stacks[id].raw == nil {
		r.w.Dropped.Add("stacks missing", 1)
		return nil
	}
	s := &r.stacks[id]
	if !s.read {
		r.read(s)
	}
	return s
}

// read enters the calling context of a stack.
func (r *reader) read(s *stack) {
	s.read = true
	r.frames = r.frames[:0]
	m := message{rest: s.raw}
	for range s.frames {
		m.number() // the program counter
		function, file, line := m.number(), m.number(), m.number()
		r.frames = append(r.frames, r.frame(function, file, line))
	}
	for i := len(r.frames) - 1; i >= 0; i-- {
		f := &r.frames[i]
		s.context = r.w.Call(s.context, []uint32{f.line})
	}
	s.learn(r)
}

// A frame is a frame of a stack.
type frame struct {
	function uint32
	line     uint32
	fn       *function
}

// frame returns the codes of a frame.
func (r *reader) frame(function, file, line uint64) frame {
	t := r.text(function)
	if t.function == 0 || uint64(t.file) != file {
		t.function, t.file = r.function(string(t.raw), string(r.text(file).raw)), uint32(min(file, 1<<32-1))
	}
	f := frame{function: t.function, line: t.function, fn: r.functions[t.function]}
	if line == 0 || line > 1<<31-1 {
		return f
	}
	at := lineKey{t.function, uint32(line)}
	code, ok := r.lines[at]
	if !ok {
		code = r.w.Frames(profile.Place{Lines: []profile.Line{{Function: f.fn.name, File: f.fn.file, Line: int32(line)}}})[0]
		r.lines[at] = code
	}
	f.line = code
	return f
}

type lineKey struct{ function, line uint32 }

// A function is a function of the program.
type function struct {
	name, file string
	about
}

// function returns the code of a function.
func (r *reader) function(name, file string) uint32 {
	code := r.w.Frames(profile.Place{Lines: []profile.Line{{Function: name, File: file}}})[0]
	if r.functions[code] == nil {
		r.functions[code] = &function{name: name, file: file, about: aboutFunction(name)}
	}
	return code
}

//go:build !js

package hpctoolkit

import (
	"bytes"
	"encoding/binary"
	"math"
)

// These functions write databases of version 4.0 with entry points, as doc/FORMATS.md of HPCToolkit's repository describes them. The tests use
// the content of the small example of that repository (tests/lib/formats/v4).

// A file is a file being written. Its methods return the offsets of the data they append.
type file struct{ bytes.Buffer }

// align appends zeros up to a multiple of 8 bytes.
func (f *file) align() uint64 {
	for f.Len()%8 != 0 {
		f.WriteByte(0)
	}
	return uint64(f.Len())
}

func (f *file) put(values ...any) {
	for _, v := range values {
		if err := binary.Write(f, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
}

// text writes a string and returns its offset, or 0 for "".
func (f *file) text(s string) uint64 {
	if s == "" {
		return 0
	}
	at := f.align()
	f.WriteString(s + "\x00")
	return at
}

// set overwrites the number at an offset.
func (f *file) set(at, v uint64) { binary.LittleEndian.PutUint64(f.Bytes()[at:], v) }

func begin(kind string, sections int) *file {
	f := &file{}
	f.WriteString(magic + kind)
	f.put([]byte{4, 0}, make([]uint64, 2*sections))
	return f
}

// section enters the offset of section i in the header.
func (f *file) section(i int, at uint64) {
	f.set(uint64(0x10+16*i), uint64(f.Len())-at)
	f.set(uint64(0x18+16*i), at)
}

// The specifications of a test's program.
type (
	functionSpec struct {
		name, module string
		offset       uint64
		file         string
		line         uint32
	}
	contextSpec struct {
		id             uint32
		relation, kind byte // as the format numbers them
		function       string
		file           string
		line           uint32
		module         string
		offset         uint64
		children       []contextSpec
	}
	entrySpec struct {
		id       uint32
		name     string
		children []contextSpec
	}
	scopeSpec struct {
		scope int // index of the scope in the table: 0 point, 1 function, 2 execution
		id    uint16
	}
	metricSpec struct {
		name   string
		scopes []scopeSpec
	}
	metaSpec struct {
		title     string
		kinds     []string
		metrics   []metricSpec
		modules   []string
		files     []string
		functions []functionSpec
		entries   []entrySpec
	}
	idSpec struct {
		kind     byte
		physical uint16
		logical  uint32
		number   uint64
	}
	profileSpec struct {
		ids    []idSpec // none for the sums of all threads
		values []valueSpec
	}
	valueSpec struct {
		context uint32
		metrics []uint16
		values  []float64
	}
	instantSpec struct {
		time uint64
		id   uint32
	}
)

func (s *metaSpec) write() []byte {
	f := begin("meta", 8)
	title, description := f.text(s.title), f.text("made for a test")
	at := f.align()
	f.put(title, description)
	f.section(0, at)

	var names []uint64
	for _, k := range s.kinds {
		names = append(names, f.text(k))
	}
	array := f.align()
	f.put(names)
	at = f.align()
	f.put(array, byte(len(names)))
	f.section(1, at)

	var scopeNames []uint64
	for _, n := range []string{"point", "function", "execution"} {
		scopeNames = append(scopeNames, f.text(n))
	}
	scopesAt := f.align()
	for i, kind := range []byte{1, 3, 2} {
		f.put(scopeNames[i], kind, byte(0), make([]byte, 6))
	}
	var metrics [][]any
	for _, m := range s.metrics {
		name := f.text(m.name)
		inst := f.align()
		for _, sc := range m.scopes {
			f.put(scopesAt+uint64(16*sc.scope), sc.id, make([]byte, 6))
		}
		metrics = append(metrics, []any{name, inst, uint64(0), uint16(len(m.scopes)), uint16(0), uint32(0)})
	}
	array = f.align()
	for _, m := range metrics {
		f.put(m...)
	}
	at = f.align()
	f.put(array, uint32(len(metrics)), []byte{32, 16, 24, 0}, scopesAt, uint16(3), byte(16))
	f.section(2, at)

	modules, files, functions := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	var texts []uint64
	for _, m := range s.modules {
		texts = append(texts, f.text(m))
	}
	array = f.align()
	for i, m := range s.modules {
		modules[m] = f.align()
		f.put(uint32(0), uint32(0), texts[i])
	}
	at = f.align()
	f.put(array, uint32(len(texts)), uint16(16))
	f.section(5, at)

	texts = nil
	for _, n := range s.files {
		texts = append(texts, f.text(n))
	}
	array = f.align()
	for i, n := range s.files {
		files[n] = f.align()
		f.put(uint32(1), uint32(0), texts[i])
	}
	at = f.align()
	f.put(array, uint32(len(texts)), uint16(16))
	f.section(6, at)

	texts = nil
	for _, n := range s.functions {
		texts = append(texts, f.text(n.name))
	}
	array = f.align()
	for i, n := range s.functions {
		functions[n.name] = f.align()
		f.put(texts[i], modules[n.module], n.offset, files[n.file], n.line, uint32(0))
	}
	at = f.align()
	f.put(array, uint32(len(texts)), uint16(40))
	f.section(7, at)

	var contexts func(all []contextSpec) (at, size uint64)
	contexts = func(all []contextSpec) (at, size uint64) {
		if len(all) == 0 {
			return 0, 0
		}
		below := make([][2]uint64, len(all))
		for i, c := range all {
			below[i][0], below[i][1] = contexts(c.children)
		}
		at = f.align()
		for i, c := range all {
			var flags byte
			var words []uint64
			if c.function != "" {
				flags |= 1
				words = append(words, functions[c.function])
			}
			if c.file != "" {
				flags |= 2
				words = append(words, files[c.file], uint64(c.line))
			}
			if c.module != "" {
				flags |= 4
				words = append(words, modules[c.module], c.offset)
			}
			f.put(below[i][1], below[i][0], c.id, []byte{flags, c.relation, c.kind, byte(len(words))}, uint16(0), make([]byte, 6), words)
		}
		return at, uint64(f.Len()) - at
	}
	var entries [][]any
	for i, e := range s.entries {
		name := f.text(e.name)
		at, size := contexts(e.children)
		entries = append(entries, []any{size, at, e.id, uint16(i), uint16(0), name})
	}
	array = f.align()
	for _, e := range entries {
		f.put(e...)
	}
	at = f.align()
	f.put(array, uint16(len(entries)), byte(32))
	f.section(3, at)
	f.WriteString("_meta.db")
	return f.Bytes()
}

func writeProfiles(all []profileSpec) []byte {
	f := begin("prof", 2)
	var infos [][]any
	for _, p := range all {
		tuple := uint64(0)
		if p.ids != nil {
			tuple = f.align()
			f.put(uint16(len(p.ids)), make([]byte, 6))
			for _, id := range p.ids {
				f.put(id.kind, byte(0), id.physical, id.logical, id.number)
			}
		}
		at := f.align()
		n := uint64(0)
		for _, v := range p.values {
			for i := range v.metrics {
				f.put(v.metrics[i], math.Float64bits(v.values[i]))
				n++
			}
		}
		indices := f.align()
		start := uint64(0)
		for _, v := range p.values {
			f.put(v.context, start)
			start += uint64(len(v.metrics))
		}
		summary := uint32(0)
		if p.ids == nil {
			summary = 1
		}
		infos = append(infos, []any{n, at, uint32(len(p.values)), uint32(0), indices, tuple, summary, uint32(0)})
	}
	array := f.align()
	for _, i := range infos {
		f.put(i...)
	}
	at := f.align()
	f.put(array, uint32(len(infos)), byte(48))
	f.section(0, at)
	f.WriteString("_prof.db")
	return f.Bytes()
}

// writeTraces writes the trace lines of the profiles from number 1.
func writeTraces(lines [][]instantSpec) []byte {
	f := begin("trce", 1)
	var heads [][]any
	first, last := uint64(math.MaxUint64), uint64(0)
	for i, l := range lines {
		from := f.align()
		for _, e := range l {
			f.put(e.time, e.id)
			first, last = min(first, e.time), max(last, e.time)
		}
		heads = append(heads, []any{uint32(i + 1), uint32(0), from, uint64(f.Len())})
	}
	array := f.align()
	for _, h := range heads {
		f.put(h...)
	}
	at := f.align()
	f.put(array, uint32(len(heads)), []byte{24, 0, 0, 0}, first, last)
	f.section(0, at)
	f.WriteString("trace.db")
	return f.Bytes()
}

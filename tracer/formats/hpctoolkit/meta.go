//go:build !js

package hpctoolkit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"whorl/tracer/formats/profile"
)

// A meta is the file meta.db, held in memory.
type meta struct {
	b    []byte
	bad  error    // the first error
	kind []string // names of the identifier kinds of threads

	modules   map[uint64]*profile.Module // by file offset
	functions map[uint64]*called
	files     map[uint64]string
}

// A called is a function of the file.
type called struct {
	line   profile.Line
	module *profile.Module
}

// bytes returns n bytes of the file, or zeros beyond its end.
func (m *meta) bytes(offset, n uint64) []byte {
	if n > uint64(len(m.b)) || offset > uint64(len(m.b))-n {
		if m.bad == nil {
			m.bad = fmt.Errorf("truncated at offset %d: expected data at offset %d", len(m.b), offset)
		}
		return make([]byte, min(n, 64))
	}
	return m.b[offset : offset+n]
}

func (m *meta) u16(offset uint64) uint16 { return little.Uint16(m.bytes(offset, 2)) }
func (m *meta) u32(offset uint64) uint32 { return little.Uint32(m.bytes(offset, 4)) }
func (m *meta) u64(offset uint64) uint64 { return little.Uint64(m.bytes(offset, 8)) }

// text returns a zero-terminated string, or "" for none.
func (m *meta) text(offset uint64) string {
	if offset == 0 {
		return ""
	}
	m.bytes(offset, 1)
	if offset >= uint64(len(m.b)) {
		return ""
	}
	b := m.b[offset:min(offset+1<<16, uint64(len(m.b)))]
	if end := bytes.IndexByte(b, 0); end >= 0 {
		b = b[:end]
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

// entries calls f with the offset of each entry of an array, up to the end of the file.
func (m *meta) entries(offset, n, size, least uint64, f func(at uint64)) {
	if n == 0 {
		return
	}
	if size < least {
		m.bad = cmp.Or(m.bad, fmt.Errorf("entries at offset %d have %d bytes: expected at least %d", offset, size, least))
		return
	}
	if n > uint64(len(m.b))/size {
		m.bad = cmp.Or(m.bad, fmt.Errorf("truncated: expected %d entries of %d bytes at offset %d", n, size, offset))
		return
	}
	for i := range n {
		f(offset + i*size)
	}
}

// meta reads meta.db.
func (d *database) meta(b *blob) (*meta, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	data, err := b.part(0, uint64(b.size))
	if err != nil {
		return nil, err
	}
	m := &meta{b: data, modules: map[uint64]*profile.Module{}, functions: map[uint64]*called{}, files: map[uint64]string{}}
	d.name = m.text(m.u64(m.u64(0x18)))
	names := m.u64(0x28)
	m.entries(m.u64(names), uint64(m.bytes(names+8, 1)[0]), 8, 8, func(at uint64) { m.kind = append(m.kind, m.text(m.u64(at))) })
	modules := m.u64(0x68)
	m.entries(m.u64(modules), uint64(m.u32(modules+8)), uint64(m.u16(modules+12)), 16, func(at uint64) {
		m.modules[at] = &profile.Module{Path: m.text(m.u64(at + 8))}
	})
	files := m.u64(0x78)
	m.entries(m.u64(files), uint64(m.u32(files+8)), uint64(m.u16(files+12)), 16, func(at uint64) {
		m.files[at] = strings.TrimPrefix(m.text(m.u64(at+8)), "./")
	})
	functions := m.u64(0x88)
	m.entries(m.u64(functions), uint64(m.u32(functions+8)), uint64(m.u16(functions+12)), 40, func(at uint64) {
		f := &called{module: m.modules[m.u64(at+8)]}
		f.line = profile.Line{Function: m.text(m.u64(at)), File: m.files[m.u64(at+24)], Start: number(m.u32(at + 32))}
		if f.line.Function == "" && f.module != nil {
			f.line.Function = fmt.Sprintf("0x%x [%s]", m.u64(at+16), f.module.Name())
		}
		m.functions[at] = f
	})
	if err := d.metricsOf(m); err != nil {
		return nil, err
	}
	if err := d.contextsOf(m); err != nil {
		return nil, err
	}
	return m, m.bad
}

// number converts a line number. It returns 0 for an invalid one.
func number(n uint32) int32 { return int32(min(n, 1<<31-1)) }

// Types of metric scopes.
var scopes = map[byte]scope{1: point, 2: execution, 3: function}

// metricsOf chooses for each metric the scope from which the exclusive values are computed.
func (d *database) metricsOf(m *meta) error {
	head := m.u64(0x38)
	inst := uint64(m.bytes(head+13, 1)[0])
	m.entries(m.u64(head), uint64(m.u32(head+8)), uint64(m.bytes(head+12, 1)[0]), 28, func(at uint64) {
		best, id := scope(255), uint16(0)
		m.entries(m.u64(at+8), uint64(m.u16(at+24)), inst, 10, func(at uint64) {
			ps := m.u64(at)
			s, ok := scopes[m.bytes(ps+8, 1)[0]]
			if ok && (s != function || m.text(m.u64(ps)) == "function") && s < best {
				best, id = s, m.u16(at+8)
			}
		})
		if best == 255 {
			d.w.Dropped.Add("metrics of unknown scope", 1)
			return
		}
		if d.ofID == nil {
			d.ofID = map[uint16]int{}
		}
		d.ofID[id] = len(d.metrics)
		d.metrics = append(d.metrics, newMetric(d.w, m.text(m.u64(at)), best))
	})
	if m.bad == nil && len(d.metrics) == 0 {
		return errors.New("no metrics")
	}
	return m.bad
}

// mostNodes bounds the number of contexts of a database.
const mostNodes = 1 << 24

// contextsOf reads the tree of contexts.
func (d *database) contextsOf(m *meta) error {
	type span struct {
		start, end uint64
		parent     int32
	}
	head := m.u64(0x48)
	var todo []span
	m.entries(m.u64(head), uint64(m.u16(head+8)), uint64(m.bytes(head+10, 1)[0]), 32, func(at uint64) {
		n := d.node(m.u32(at+16), node{parent: -1, line: profile.Line{Function: "<" + cmp.Or(m.text(m.u64(at+24)), "unknown entry") + ">"}})
		todo = append(todo, span{m.u64(at + 8), m.u64(at+8) + m.u64(at), n})
	})
	for len(todo) > 0 && m.bad == nil {
		s := &todo[len(todo)-1]
		if s.start >= s.end {
			todo = todo[:len(todo)-1]
			continue
		}
		at, parent := s.start, s.parent
		c := m.bytes(at, 32)
		words := uint64(c[23])
		s.start += 32 + 8*words
		if len(d.tree.nodes) >= min(mostNodes, len(m.b)/32) { // the file has a cycle
			return errors.New("too many contexts, or a cycle of contexts")
		}
		n := node{parent: parent, called: c[21] != 0 || c[22] == 0}
		flex := at + 32
		end := flex + 8*words
		word := func() (v uint64) {
			if flex+8 <= end {
				v = m.u64(flex)
			}
			flex += 8
			return v
		}
		flags := c[20]
		if flags&1 != 0 {
			if f := m.functions[word()]; f != nil && n.called {
				n.line, n.module = f.line, f.module
			}
		}
		if flags&2 != 0 {
			file, line := m.files[word()], number(uint32(word()))
			if !n.called {
				n.line.File, n.line.Line = file, line
			}
		}
		if flags&4 != 0 {
			if module := m.modules[word()]; module != nil {
				n.module = module
			}
			if offset := word(); c[22] == 3 {
				n.address = offset
			}
		}
		i := d.node(little.Uint32(c[16:]), n)
		if size := little.Uint64(c); size > 0 {
			from := little.Uint64(c[8:])
			if from+size < from {
				return fmt.Errorf("the children of the context at offset %d exceed the file", at)
			}
			todo = append(todo, span{from, from + size, i})
		}
	}
	return m.bad
}

// node adds a context to the tree.
func (d *database) node(id uint32, n node) int32 {
	i := d.tree.add(n)
	if _, ok := d.ids[id]; ok {
		d.w.Dropped.Add("contexts with a duplicate number", 1)
	} else {
		d.ids[id] = i
	}
	return i
}

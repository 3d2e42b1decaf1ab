package pprof

import (
	"encoding/hex"
	"fmt"
	"strings"

	"whorl/tracer/formats/profile"
)

// Bounds of what a profile holds: a file that has more is none that a profiler has written.
const (
	mostText    = 1 << 28 // bytes, unpacked
	mostEntries = 1 << 22 // of a table
	mostStrings = 1 << 24
	mostSamples = 1 << 24
	mostTypes   = 64      // values in a sample
	mostFrames  = 1 << 16 // in a stack
	mostLines   = 1 << 24 // of all places
	mostValues  = 1 << 25 // of all samples
)

// A valueType names what one value of a sample is.
type valueType struct{ name, unit string }

// Tables are all of a profile but its samples, which are looked up in them. Ids are those of the file.
type tables struct {
	text    [][]byte
	types   []valueType
	modules []profile.Module

	module   map[uint64]int // index in modules
	function map[uint64]profile.Line
	location index
	order    []*location // as they stand in the file

	samples, lines   int // how many
	began, lasted    int64
	period           int64
	periodType       valueType
	comments         []string
	cut              bool // the file ends, or becomes something else, before its end
	lostNames        int64
	lostTypes        int64
	twice, malformed int64
}

// A location is a place of the profile, and what has become of it.
type location struct {
	id, module, address uint64
	lines               []rawLine
	frames              []uint32 // nil until it is needed
	noModule, leaf      bool
	noFunction          int
}

// An index finds locations by their ids: most profiles number them from 1, and some by their addresses.
type index struct {
	dense  []*location
	sparse map[uint64]*location
}

// at is the location of an id, nil for none.
func (x *index) at(id uint64) *location {
	if id < uint64(len(x.dense)) {
		return x.dense[id]
	}
	return x.sparse[id]
}

// add adds a location, unless there is one of its id.
func (x *index) add(l *location) bool {
	if x.at(l.id) != nil {
		return false
	}
	switch n := uint64(len(x.dense)); {
	case l.id < n:
		x.dense[l.id] = l
	case l.id <= n+64 && len(x.sparse) == 0:
		for uint64(len(x.dense)) < l.id {
			x.dense = append(x.dense, nil)
		}
		x.dense = append(x.dense, l)
	default:
		if x.sparse == nil {
			x.sparse = map[uint64]*location{}
		}
		x.sparse[l.id] = l
	}
	return true
}

type rawLine struct {
	function     uint64
	line, column int64
}

// read reads the tables of a profile. An error is for what is no profile at all, or has too much of something.
func (t *tables) read(data []byte) error {
	t.module, t.function, t.location = map[uint64]int{}, map[uint64]profile.Line{}, index{}
	if err := t.strings(data); err != nil {
		return err
	}
	var types [][]byte
	var periodType []byte
	m := message{rest: data}
	for m.next() {
		switch m.number {
		case 1:
			types = append(types, m.bytes)
		case 2:
			t.samples++
		case 3:
			t.mapping(m.bytes)
		case 4:
			t.place(m.bytes)
		case 5:
			t.functionAt(m.bytes)
		case 9:
			t.began = int64(m.value)
		case 10:
			t.lasted = int64(m.value)
		case 11:
			periodType = m.bytes
		case 12:
			t.period = int64(m.value)
		case 13:
			for _, n := range m.numbers(nil) {
				if len(t.comments) < mostTypes {
					t.comments = append(t.comments, t.string(n))
				}
			}
		}
		if len(types) > mostTypes || t.samples > mostSamples || max(len(t.modules), len(t.order), len(t.function)) > mostEntries {
			return fmt.Errorf("more than %d kinds of values, %d samples or %d functions and places", mostTypes, mostSamples, mostEntries)
		}
	}
	t.cut = m.bad
	for _, b := range types {
		t.types = append(t.types, t.valueType(b))
	}
	if periodType != nil {
		t.periodType = t.valueType(periodType)
	}
	return nil
}

// strings reads the table of strings, to which all else refers and which stands behind it in most files.
func (t *tables) strings(data []byte) error {
	m := message{rest: data}
	for m.next() {
		if m.number != 6 {
			continue
		}
		if len(t.text) == mostStrings {
			return fmt.Errorf("more than %d strings", mostStrings)
		}
		t.text = append(t.text, m.bytes)
	}
	return nil
}

// string is a text of the table.
func (t *tables) string(i uint64) string {
	if i >= uint64(len(t.text)) {
		t.lostNames++
		return ""
	}
	return strings.ToValidUTF8(string(t.text[i]), "\ufffd")
}

func (t *tables) valueType(b []byte) (v valueType) {
	m := message{rest: b}
	for m.next() {
		switch m.number {
		case 1:
			v.name = t.string(m.value)
		case 2:
			v.unit = t.string(m.value)
		}
	}
	if v.name == "" {
		t.lostTypes++
		v.name = fmt.Sprintf("value %d", len(t.types)+1)
	}
	return v
}

func (t *tables) mapping(b []byte) {
	var id uint64
	var mod profile.Module
	m := message{rest: b}
	for m.next() {
		switch m.number {
		case 1:
			id = m.value
		case 2:
			mod.Start = m.value
		case 3:
			mod.Limit = m.value
		case 4:
			mod.Offset = m.value
		case 5:
			mod.Path = t.string(m.value)
		case 6:
			mod.BuildID = t.string(m.value)
		}
	}
	t.note(&m)
	if _, again := t.module[id]; again || id == 0 {
		t.twice++
		return
	}
	if strings.ContainsFunc(mod.BuildID, func(r rune) bool { return r < ' ' || r > '~' }) { // some write its bytes as they are
		mod.BuildID = hex.EncodeToString([]byte(mod.BuildID))
	}
	t.module[id] = len(t.modules)
	t.modules = append(t.modules, mod)
}

func (t *tables) place(b []byte) {
	l := &location{}
	m := message{rest: b}
	for m.next() {
		switch m.number {
		case 1:
			l.id = m.value
		case 2:
			l.module = m.value
		case 3:
			l.address = m.value
		case 4:
			var line rawLine
			in := message{rest: m.bytes}
			for in.next() {
				switch in.number {
				case 1:
					line.function = in.value
				case 2:
					line.line = int64(in.value)
				case 3:
					line.column = int64(in.value)
				}
			}
			t.note(&in)
			if t.lines++; len(l.lines) < mostTypes && t.lines <= mostLines {
				l.lines = append(l.lines, line)
			}
		}
	}
	t.note(&m)
	if l.id == 0 || !t.location.add(l) {
		t.twice++
		return
	}
	t.order = append(t.order, l)
}

func (t *tables) functionAt(b []byte) {
	var id uint64
	var f profile.Line
	var system string
	m := message{rest: b}
	for m.next() {
		switch m.number {
		case 1:
			id = m.value
		case 2:
			f.Function = t.string(m.value)
		case 3:
			system = t.string(m.value)
		case 4:
			f.File = t.string(m.value)
		case 5:
			f.Start = lineNumber(int64(m.value))
		}
	}
	t.note(&m)
	if f.Function == "" {
		f.Function = system
	}
	if _, again := t.function[id]; again || id == 0 {
		t.twice++
		return
	}
	t.function[id] = f
}

// starts has functions of which the profile does not say where they begin do so at the first of their lines that it knows.
func (t *tables) starts() {
	first := map[uint64]int32{}
	for _, l := range t.order {
		for _, raw := range l.lines {
			n := lineNumber(raw.line)
			if old := first[raw.function]; n > 0 && (old == 0 || n < old) {
				first[raw.function] = n
			}
		}
	}
	for id, n := range first {
		if f, ok := t.function[id]; ok && f.Start == 0 {
			f.Start = n
			t.function[id] = f
		}
	}
}

// note counts a message that was not whole.
func (t *tables) note(m *message) {
	if m.bad {
		t.malformed++
	}
}

// lineNumber is the number of a line, 0 for one that is none.
func lineNumber(n int64) int32 {
	if n < 0 || n > 1<<31-1 {
		return 0
	}
	return int32(n)
}

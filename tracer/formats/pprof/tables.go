package pprof

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"whorl/internal/protobuf"
	"whorl/tracer/formats/profile"
)

// Bounds of a profile. No profiler writes more.
const (
	mostText    = 1 << 28 // bytes of the tables of a long file, which are held in memory
	mostEntries = 1 << 22 // of a table
	mostStrings = 1 << 24
	mostStacks  = 1 << 25 // different stacks of all files
	mostTypes   = 64      // values in a sample
	mostFrames  = 1 << 16 // in a stack
	mostLines   = 1 << 24 // of all places
	mostValues  = 1 << 25 // of all samples
)

// A valueType is the name and the unit of a value of the samples.
type valueType struct{ name, unit string }

// tables holds a profile without its samples, which refer to the tables by the ids of the file.
type tables struct {
	text      [][]byte
	names     map[string]string // strings of all files so far
	types     []valueType
	standard  uint64 // the string that names the value to show, 0 for the last
	modules   []profile.Module
	places    []place
	lines     []rawLine      // of all places
	functions []profile.Line // without lines

	module, location, function index

	samples          int // their number
	began, lasted    int64
	comments         []string
	cut              bool // the file is truncated or damaged
	lostNames        int64
	lostTypes        int64
	twice, malformed int64
}

// A place is a Location of the profile.
type place struct {
	module, address      uint64
	from, to             int32 // its lines
	noModule, noFunction bool  // its module or function is missing from the table
}

type rawLine struct {
	function     uint64
	line, column int64
}

// reset clears the tables for the next file and keeps their memory.
func (t *tables) reset() {
	names := t.names
	if len(names) > mostNames || names == nil {
		names = map[string]string{}
	}
	old := *t
	*t = tables{
		text: old.text[:0], names: names, types: old.types[:0], modules: old.modules[:0], places: old.places[:0], lines: old.lines[:0],
		functions: old.functions[:0], module: old.module, location: old.location, function: old.function,
	}
	t.module.reset()
	t.location.reset()
	t.function.reset()
}

// mostNames bounds the names kept for the next files.
const mostNames = 1 << 18

// read reads the tables of a profile. It fails if the data is no profile or exceeds a bound.
func (t *tables) read(data []byte) error {
	if err := t.strings(data); err != nil {
		return err
	}
	var types [][]byte
	m := protobuf.Message{Rest: data}
	for m.Next() {
		switch m.Number {
		case 1:
			types = append(types, m.Bytes)
		case 2:
			t.samples++
		case 3:
			t.mapping(m.Bytes)
		case 4:
			t.placeAt(m.Bytes)
		case 5:
			t.functionAt(m.Bytes)
		case 9:
			t.began = int64(m.Value)
		case 10:
			t.lasted = int64(m.Value)
		case 14:
			t.standard = m.Value
		case 13:
			for _, n := range m.Numbers(nil) {
				if len(t.comments) < mostTypes {
					t.comments = append(t.comments, t.string(n))
				}
			}
		}
		if len(types) > mostTypes || max(len(t.modules), len(t.places), len(t.functions)) > mostEntries {
			return fmt.Errorf("more than %d value types or %d functions and places", mostTypes, mostEntries)
		}
	}
	t.cut = m.Bad
	for _, b := range types {
		t.types = append(t.types, t.valueType(b))
	}
	return nil
}

// order returns the numbers of the values. The first is the one that the profile names to be shown, or the last one, as go tool pprof has it.
func (t *tables) order() []int {
	first := len(t.types) - 1
	if t.standard > 0 && t.standard < uint64(len(t.text)) {
		name := string(t.text[t.standard])
		if k := slices.IndexFunc(t.types, func(v valueType) bool { return v.name == name }); k >= 0 {
			first = k
		}
	}
	order := make([]int, 0, len(t.types))
	for k := range t.types {
		if k == first {
			order = append([]int{k}, order...)
		} else {
			order = append(order, k)
		}
	}
	return order
}

// strings reads the table of strings first: all other tables refer to it, but most files have it last. It makes room for the other tables.
func (t *tables) strings(data []byte) error {
	places, functions := 0, 0
	defer func() {
		t.places = slices.Grow(t.places, min(places, mostEntries))
		t.lines = slices.Grow(t.lines, min(places, mostEntries))
		t.functions = slices.Grow(t.functions, min(functions, mostEntries))
	}()
	m := protobuf.Message{Rest: data}
	for m.Next() {
		switch m.Number {
		case 4:
			places++
		case 5:
			functions++
		}
		if m.Number != 6 {
			continue
		}
		if len(t.text) == mostStrings {
			return fmt.Errorf("more than %d strings", mostStrings)
		}
		t.text = append(t.text, m.Bytes)
	}
	return nil
}

// string returns a string of the table.
func (t *tables) string(i uint64) string {
	if i >= uint64(len(t.text)) {
		t.lostNames++
		return ""
	}
	name, ok := t.names[string(t.text[i])]
	if !ok {
		name = strings.ToValidUTF8(string(t.text[i]), "\ufffd")
		t.names[string(t.text[i])] = name
	}
	return name
}

func (t *tables) valueType(b []byte) (v valueType) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1:
			v.name = t.string(m.Value)
		case 2:
			v.unit = t.string(m.Value)
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
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1:
			id = m.Value
		case 2:
			mod.Start = m.Value
		case 3:
			mod.Limit = m.Value
		case 4:
			mod.Offset = m.Value
		case 5:
			mod.Path = t.string(m.Value)
		case 6:
			mod.BuildID = t.string(m.Value)
		}
	}
	t.note(&m)
	if !t.module.add(id, len(t.modules)) {
		t.twice++
		return
	}
	if strings.ContainsFunc(mod.BuildID, func(r rune) bool { return r < ' ' || r > '~' }) { // some profilers write raw bytes
		mod.BuildID = hex.EncodeToString([]byte(mod.BuildID))
	}
	t.modules = append(t.modules, mod)
}

func (t *tables) placeAt(b []byte) {
	var id uint64
	p := place{from: int32(len(t.lines))}
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1:
			id = m.Value
		case 2:
			p.module = m.Value
		case 3:
			p.address = m.Value
		case 4:
			var line rawLine
			in := protobuf.Message{Rest: m.Bytes}
			for in.Next() {
				switch in.Number {
				case 1:
					line.function = in.Value
				case 2:
					line.line = int64(in.Value)
				case 3:
					line.column = int64(in.Value)
				}
			}
			t.note(&in)
			if len(t.lines)-int(p.from) < mostTypes && len(t.lines) < mostLines {
				t.lines = append(t.lines, line)
			}
		}
	}
	t.note(&m)
	if !t.location.add(id, len(t.places)) {
		t.twice++
		t.lines = t.lines[:p.from]
		return
	}
	p.to = int32(len(t.lines))
	t.places = append(t.places, p)
}

// place converts p to a profile.Place.
func (t *tables) place(p *place) profile.Place {
	out := profile.Place{Address: p.address}
	if m, ok := t.module.position(p.module); ok {
		out.Module = &t.modules[m]
	}
	for _, raw := range t.lines[p.from:p.to] {
		if f, ok := t.function.position(raw.function); ok {
			line := t.functions[f]
			line.Line, line.Column = lineNumber(raw.line), lineNumber(raw.column)
			out.Lines = append(out.Lines, line)
		}
	}
	return out
}

func (t *tables) functionAt(b []byte) {
	var id uint64
	var f profile.Line
	var system string
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1:
			id = m.Value
		case 2:
			f.Function = t.string(m.Value)
		case 3:
			system = t.string(m.Value)
		case 4:
			f.File = t.string(m.Value)
		case 5:
			f.Start = lineNumber(int64(m.Value))
		}
	}
	t.note(&m)
	if f.Function == "" {
		f.Function = system
	}
	if !t.function.add(id, len(t.functions)) {
		t.twice++
		return
	}
	t.functions = append(t.functions, f)
}

// starts sets the missing start lines of functions to the first known line of the function.
func (t *tables) starts() {
	for i := range t.functions {
		if t.functions[i].Start == 0 {
			t.functions[i].Start = unknownStart
		}
	}
	for _, raw := range t.lines {
		n := lineNumber(raw.line)
		if i, ok := t.function.position(raw.function); ok && n > 0 && t.functions[i].Start < 0 {
			f := &t.functions[i]
			f.Start = max(f.Start, -n)
		}
	}
	for i := range t.functions {
		switch f := &t.functions[i]; {
		case f.Start == unknownStart:
			f.Start = 0
		case f.Start < 0:
			f.Start = -f.Start
		}
	}
}

// unknownStart is the start of a function without a known line.
const unknownStart = math.MinInt32

// note counts a truncated or damaged message.
func (t *tables) note(m *protobuf.Message) {
	if m.Bad {
		t.malformed++
	}
}

// lineNumber converts a line number. It returns 0 for an invalid one.
func lineNumber(n int64) int32 {
	if n < 0 || n > 1<<31-1 {
		return 0
	}
	return int32(n)
}

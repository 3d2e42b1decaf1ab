package pprof

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/numbering"
	"whorl/internal/protobuf"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// sums adds up the values of a file by calling context and labels.
type sums struct {
	w       *profile.Writer
	dict    *tracer.Dict
	tables  *tables
	kinds   int      // of values
	spots   []spot   // by place
	numbers []uint32 // spot.number by the id of the place, as far as ids are dense
	stacks  stacks   // of this file and earlier ones
	nowhere uint32   // context of samples without a stack
	leaves  bool     // contexts are the innermost places alone

	label  string                 // the label whose values are processors; "" for none
	wanted map[uint64]bool        // indices of strings equal to label
	keys   map[uint64]int64       // number of samples with a label, by the index of its name
	sets   map[string]uint32      // labels of the samples of the file, by their bytes
	key    []byte                 // of sets
	who    numbering.List[string] // processors, the values of the label; a single "" without a label

	cells  []cell // in order of appearance
	values []int64
	s      sample
}

// A spot is the state of a place of the current file.
type spot struct {
	number uint32   // among the places of all files; 0 for a damaged place, which is counted
	leaf   bool     // samples with new stacks were taken here
	frames []uint32 // its dictionary entries
}

// A cell holds the values of a processor in a stack with some labels. Several stacks may have the same context.
type cell struct {
	who            int32
	stack, context uint32
	labels         uint32
}

// A sample is a sample of the file.
type sample struct {
	places, values []uint64
	labels         [][]byte
}

// begin resets s for the next file, whose spots are set.
func (s *sums) begin(t *tables) {
	s.tables, s.kinds = t, len(t.types)
	s.cells, s.values, s.who = s.cells[:0], s.values[:0], numbering.List[string]{}
	s.wanted, s.keys, s.sets = map[uint64]bool{}, map[uint64]int64{}, map[string]uint32{}
	s.numbers = s.numbers[:0]
	for _, p := range t.location.dense {
		number := uint32(0)
		if p > 0 {
			number = s.spots[p-1].number
		}
		s.numbers = append(s.numbers, number)
	}
	if s.label == "" {
		s.who.Number("")
		return
	}
	for i, text := range t.text {
		if string(text) == s.label {
			s.wanted[uint64(i)] = true
		}
	}
}

// sample adds a sample of the file.
func (s *sums) sample(data []byte) {
	one, d := &s.s, &s.w.Dropped
	one.places, one.values, one.labels = one.places[:0], one.values[:0], one.labels[:0]
	in := protobuf.Message{Rest: data}
	for in.Next() {
		switch in.Number {
		case 1:
			one.places = in.Numbers(one.places)
		case 2:
			one.values = in.Numbers(one.values)
		case 3:
			one.labels = append(one.labels, in.Bytes)
		}
	}
	s.tables.note(&in)
	who := int32(0)
	if s.label != "" {
		who = s.who.Number(s.value())
	}
	for _, b := range one.labels {
		s.keys[parseLabel(b).key]++
	}
	labels := s.labels(one.labels)
	if len(one.values) != s.kinds {
		d.Add("samples with the wrong number of values", 1)
	}
	var f *found
	h, whole := s.hash(one.places, labels)
	if whole {
		f = s.stacks.find(h)
	} else {
		f = s.stacks.unknown()
	}
	switch {
	case f.context > 0:
	case whole && s.leaves:
		f.context = s.context(one.places[:1])
	default:
		f.context = s.context(one.places)
	}
	if n := min(len(one.values), s.kinds); n > 0 {
		s.add(f, cell{who, f.number, f.context, labels}, one.values[:n])
	}
}

// hash returns the hash of a stack with labels, and false if one of its places is damaged.
func (s *sums) hash(places []uint64, labels uint32) (h stack, ok bool) {
	h = s.stacks.seed.and(^labels) // places have smaller numbers
	for _, id := range places {
		number := uint32(0)
		if id < uint64(len(s.numbers)) {
			number = s.numbers[id]
		} else if p, ok := s.tables.location.position(id); ok {
			number = s.spots[p].number
		}
		if number == 0 {
			return h, false
		}
		h = h.and(number)
	}
	return h, 0 < len(places) && len(places) <= mostFrames && s.stacks.used < mostStacks && !s.w.Full()
}

// context returns the calling context of a stack, whose innermost place is the first.
func (s *sums) context(places []uint64) (context uint32) {
	d := &s.w.Dropped
	if len(places) > mostFrames {
		d.Add("frames beyond the stack depth limit", int64(len(places)-mostFrames))
		places = places[:mostFrames]
	}
	inner := slices.IndexFunc(places, func(id uint64) bool {
		_, ok := s.tables.location.position(id)
		return ok
	})
	for i := len(places) - 1; i >= 0; i-- {
		p, ok := s.tables.location.position(places[i])
		if !ok {
			d.Add("frames whose location is missing", 1)
			continue
		}
		at := &s.spots[p]
		at.leaf = at.leaf || i == 0
		if !s.leaves || i == inner {
			context = s.w.Call(context, at.frames)
		}
		if s.tables.places[p].noModule {
			d.Add("frames whose module is missing", 1)
		}
		if s.tables.places[p].noFunction {
			d.Add("frames whose function is missing", 1)
		}
	}
	if len(places) == 0 {
		d.Add("samples without a stack", 1)
	}
	if context == 0 {
		if s.nowhere == 0 {
			s.nowhere = s.w.Call(0, s.w.Frames(profile.Place{}))
		}
		context = s.nowhere
	}
	return context
}

// add adds values to the cell of a stack. The first values of the stack in a file make a new cell.
func (s *sums) add(f *found, at cell, values []uint64) {
	if int(f.cell) >= len(s.cells) || s.cells[f.cell] != at {
		if len(s.values)+s.kinds > mostValues {
			s.w.Dropped.Add("values beyond the limit of a file", int64(len(values)))
			return
		}
		f.cell = uint32(len(s.cells))
		s.cells = append(s.cells, at)
		for range s.kinds {
			s.values = append(s.values, 0)
		}
	}
	of := s.values[int(f.cell)*s.kinds:]
	for i, v := range values {
		of[i] += int64(v)
	}
}

// value returns the value of the processor label in the current sample.
func (s *sums) value() string {
	for _, b := range s.s.labels {
		l := parseLabel(b)
		switch {
		case !s.wanted[l.key]:
		case l.text != 0:
			return s.tables.string(l.text)
		default:
			return strconv.FormatInt(l.number, 10)
		}
	}
	return ""
}

// labels returns the labels of a sample in the dictionary, those of one key next to each other, 0 for none. Leaves have none.
func (s *sums) labels(all [][]byte) uint32 {
	if len(all) == 0 || s.leaves {
		return 0
	}
	s.key = s.key[:0]
	for _, b := range all {
		s.key = append(binary.AppendUvarint(s.key, uint64(len(b))), b...)
	}
	set, ok := s.sets[string(s.key)]
	if ok {
		return set
	}
	values := make([]tracer.LabelValue, len(all))
	for i, b := range all {
		l := parseLabel(b)
		v := &values[i]
		if v.Key = s.tables.string(l.key); l.text != 0 {
			v.Text = s.tables.string(l.text)
			continue
		}
		v.Number, v.Numeric = l.number, true
		if l.unit != 0 {
			v.Unit = s.tables.string(l.unit)
		}
	}
	slices.SortStableFunc(values, func(a, b tracer.LabelValue) int { return strings.Compare(a.Key, b.Key) })
	codes := make([]uint32, len(values))
	for i, v := range values {
		codes[i] = s.dict.AddLabel(v)
	}
	set = s.w.Labels(codes)
	s.sets[string(s.key)] = set
	return set
}

// A label is a label of a sample: indices of strings, 0 for none, and a number.
type label struct {
	key, text, unit uint64
	number          int64
}

func parseLabel(b []byte) (l label) {
	m := protobuf.Message{Rest: b}
	for m.Next() {
		switch m.Number {
		case 1:
			l.key = m.Value
		case 2:
			l.text = m.Value
		case 3:
			l.number = int64(m.Value)
		case 4:
			l.unit = m.Value
		}
	}
	return l
}

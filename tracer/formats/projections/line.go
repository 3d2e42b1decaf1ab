package projections

import (
	"bytes"
	"strconv"

	"whorl/internal/integer"
)

// Types of records.
const (
	creation         = 1
	beginProcessing  = 2
	endProcessing    = 3
	enqueue          = 4
	dequeue          = 5
	beginComputation = 6
	endComputation   = 7
	beginInterrupt   = 8
	endInterrupt     = 9
	messageRecv      = 10
	beginTrace       = 11
	endTrace         = 12
	userEvent        = 13
	beginIdle        = 14
	endIdle          = 15
	beginPack        = 16
	endPack          = 17
	beginUnpack      = 18
	endUnpack        = 19
	creationBcast    = 20
	creationMulti    = 21
	beginFunc        = 22
	endFunc          = 23
	memoryMalloc     = 24
	memoryFree       = 25
	userSupplied     = 26
	memoryUsage      = 27
	userNote         = 28
	bracketedNote    = 29
	endPhase         = 30
	surrogate        = 31
	userStat         = 32
	beginUserPair    = 98
	endUserPair      = 99
	userPair         = 100
)

var typeNames = map[int64]string{
	enqueue: "ENQUEUE", dequeue: "DEQUEUE", messageRecv: "MESSAGE_RECV", memoryMalloc: "MEMORY_MALLOC", memoryFree: "MEMORY_FREE", surrogate: "SURROGATE_BLOCK",
}

// typeName names a type of records that is left out.
func typeName(t int64) string {
	if name, ok := typeNames[t]; ok {
		return "type " + name
	}
	return "the unknown type " + strconv.FormatInt(t, 10)
}

// A record is a line of a log.
type record struct {
	kind    int64
	time    int64  // µs
	end     int64  // µs, of a note with a length
	id      int32  // of the entry method, user event, function, statistic or phase
	event   int64  // number of the creation
	pe      int64  // of the creation
	size    int64  // bytes of the message, or of memory; the value that the user supplies
	element uint32 // distinguishes the elements of an array, 0 if they cannot be distinguished
	nested  int64
	cpu     int64 // µs
	value   float64
	text    []byte // of a note
}

// fields are the rest of a line.
type fields struct {
	b     []byte
	short bool // a field was missing
	bad   bool // a field was no whole number
}

// num reads a whole number. A missing one is 0.
func (f *fields) num() int64 {
	b := f.b
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	if len(b) == 0 {
		f.b, f.short = b, true
		return 0
	}
	negative := b[0] == '-'
	if negative {
		b = b[1:]
	}
	n, i := uint64(0), 0
	for i < len(b) && b[i]-'0' <= 9 {
		n = 10*n + uint64(b[i]-'0')
		i++
	}
	if i == 0 || i > 20 || i < len(b) && b[i] != ' ' {
		f.bad = true
	}
	f.b = b[i:]
	if negative {
		return -int64(n)
	}
	return int64(n) // differences of times that go back are written without a sign
}

// float reads a number with fractions.
func (f *fields) float() float64 {
	word, rest, _ := bytes.Cut(bytes.TrimLeft(f.b, " "), []byte(" "))
	f.b = rest
	x, err := strconv.ParseFloat(string(word), 64)
	f.bad = f.bad || err != nil
	return x
}

// note reads a text with its length before it. There may be a space between them, so the end of the length follows from the text.
func (f *fields) note() []byte {
	b := bytes.TrimLeft(f.b, " ")
	n := 0
	for i := 0; i < len(b) && i < 9 && b[i]-'0' <= 9; i++ {
		n = 10*n + int(b[i]-'0')
		rest := b[i+1:]
		if len(rest) == n+1 && rest[0] == ' ' {
			return rest[1:]
		}
		if len(rest) == n {
			return rest
		}
	}
	return bytes.TrimLeft(b, "0123456789 ")
}

// number reads a number that fits into 32 bits.
func (f *fields) number() int32 {
	n := f.num()
	if int64(int32(n)) != n {
		f.bad = true
	}
	return int32(n)
}

// forPairs has a bit for each type of record that the first pass needs.
const forPairs = 1<<creation | 1<<creationBcast | 1<<creationMulti | 1<<beginProcessing | 1<<endProcessing | 1<<beginIdle | 1<<endIdle |
	1<<beginComputation | 1<<endComputation

// A parser reads the lines of a log.
type parser struct {
	r     *reader
	delta bool  // times are differences
	pairs bool  // only the records of executions and their creations are needed
	last  int64 // time of the last record
	rec   record
	count []int64 // hardware counters of the record
}

// parse reads a record. It returns false for other lines, and for records of types that are left out.
func (p *parser) parse(line []byte) bool {
	for n := len(line); n > 0 && (line[n-1] == '\n' || line[n-1] == '\r'); n-- {
		line = line[:n-1]
	}
	if bytes.HasPrefix(line, []byte(header)) {
		p.delta = bytes.HasSuffix(bytes.TrimSpace(line), []byte("DELTA"))
		return false
	}
	f := fields{b: line}
	rec := &p.rec
	kind := f.num()
	if f.bad || f.short {
		if len(line) > 0 {
			p.r.lost.bad++
		}
		return false
	}
	if p.pairs && !p.delta && kind >= 0 && kind < 64 && forPairs>>kind&1 == 0 {
		return false
	}
	*rec = record{kind: kind}
	if !p.fields(&f) {
		p.r.unknown[kind]++
		return false
	}
	if p.delta {
		rec.time += p.last
	}
	if f.short || f.bad || rec.time < 0 || rec.time > mostTime || rec.end < 0 || rec.end > mostTime {
		p.r.lost.bad++
		return false
	}
	p.last = rec.time
	switch kind {
	case enqueue, dequeue, messageRecv:
		p.r.unknown[kind]++
		return false
	}
	return true
}

// fields reads the fields of a record after its type. It returns false for an unknown type.
func (p *parser) fields(f *fields) bool {
	rec := &p.rec
	switch rec.kind {
	case creation, creationBcast, creationMulti, beginProcessing, endProcessing, messageRecv:
		f.num()
		rec.id, rec.time, rec.event, rec.pe = f.number(), f.num(), f.num(), f.num()
		bad := f.short || f.bad
		rec.size = f.num()
		switch rec.kind {
		case beginProcessing:
			f.num() // time of the receipt
			p.indices(f)
			rec.cpu = f.num()
			p.counters(f)
		case endProcessing:
			rec.cpu = f.num()
			p.counters(f)
		}
		f.short, f.bad = bad, bad
	case enqueue, dequeue:
		f.num()
		rec.time = f.num()
	case beginComputation, endComputation, beginTrace, endTrace, beginInterrupt, endInterrupt, beginIdle, endIdle, beginPack, endPack, beginUnpack, endUnpack:
		rec.time = f.num()
	case userEvent, userPair, beginUserPair, endUserPair:
		rec.id, rec.time, rec.event = f.number(), f.num(), f.num()
		bad := f.short || f.bad
		f.num()
		rec.nested = f.num()
		f.short, f.bad = bad, bad
	case beginFunc, endFunc:
		rec.time, rec.id = f.num(), f.number()
	case userSupplied, memoryUsage:
		rec.size, rec.time = f.num(), f.num()
		if f.short && !p.delta { // older versions have no time
			rec.time, f.short = p.last, false
		}
	case userNote:
		rec.time = f.num()
		rec.text = f.note()
	case bracketedNote:
		rec.time, rec.end, rec.id = f.num(), f.num(), f.number()
		rec.text = f.note()
	case endPhase:
		rec.id, rec.time = f.number(), f.num()
	case userStat:
		rec.time = f.num()
		f.float()
		rec.value = f.float()
		f.num()
		rec.id = f.number()
	default:
		return false
	}
	return true
}

// indices reads the indices of a chare in its array, and notes them in the record, to distinguish executions of one message.
func (p *parser) indices(f *fields) {
	rec := &p.rec
	m := p.r.method(rec.id)
	h := uint64(rec.id)
	for range m.indices {
		h = integer.Mix(h ^ uint64(f.num()))
	}
	if m.indices > 0 && !f.short {
		rec.element = uint32(h) | 1
	}
}

func (p *parser) counters(f *fields) {
	for i := range p.count {
		p.count[i] = f.num()
	}
}

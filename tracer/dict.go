package tracer

import (
	"fmt"
	"sync"

	"whorl/internal/nearest"
)

// CodeType is the type of a code entry.
type CodeType uint8

// The types of code entries. Their numbers, like those of kinds, never change.
const (
	CodeInvalid  CodeType = iota
	Procedure             // Name with arity, File, Line
	Clause                // Parent its procedure; Children goals in its body
	Function              // Name, File, Line; Children its lines, where that is known
	Line                  // File, Line, Column; Parent its function
	Instruction           // Name its text; Parent its line
	Metric                // Name, Unit, and Scale: the amount in Unit of a Value of 1
	MessageClass          // Name
	Reason                // Name, which may be one of the constants such as ReasonNoWork
	Host                  // Name of a host or a process
	Name                  // anything else with a name
	NumCodeTypes
)

var codeTypeNames = [NumCodeTypes]string{
	"invalid", "procedure", "clause", "function", "line", "instruction", "metric", "message", "reason", "host", "name",
}

// String returns the type's name as the text form writes it, or type(n) for an unknown type.
func (t CodeType) String() string {
	if t < NumCodeTypes {
		return codeTypeNames[t]
	}
	return "type(" + uitoa(uint(t)) + ")"
}

// codeTypeNamed returns the type with the given name, the inverse of CodeType.String.
func codeTypeNamed(s string) (CodeType, error) {
	for t, name := range codeTypeNames {
		if s == name {
			return CodeType(t), nil
		}
	}
	var n uint8
	if _, err := fmt.Sscanf(s, "type(%d)", &n); err == nil {
		return CodeType(n), nil
	}
	return 0, nearest.Unknown("type of code", s, codeTypeNames[1:])
}

// A Code is an entry of the code table: a part of the program, of its source or of the machine, to which events refer.
type Code struct {
	Type         CodeType
	Name, File   string
	Line, Column int32  // from 1, 0 for none
	Parent       uint32 // the entry that this one belongs to, 0 for none; always an earlier entry
	Children     int32  // a clause: goals in its body; a function: lines of its text, 0 where that is not known
	Unit         string // a metric: ns, bytes, ...
	Scale        float64
}

// Owner returns the code that users know a code by: the procedure of a clause, or the function of a line or an instruction. It returns 0 if there is
// none.
func Owner(codes []Code, code uint32) uint32 {
	for int(code) < len(codes) {
		c := &codes[code]
		if c.Type != Clause && c.Type != Line && c.Type != Instruction || c.Parent == 0 || c.Parent >= code {
			return code
		}
		code = c.Parent
	}
	return 0
}

// A Context is a calling context: the context of the caller and the code that it called. Parent 0 marks an outermost context.
type Context struct {
	Parent, Code uint32
}

// A Dict holds the code table and the calling contexts of a trace. Both only grow, and ids count from 1. The zero Dict is empty and
// ready to use. It is safe for concurrent use.
type Dict struct {
	mu       sync.RWMutex
	codes    table[Code]
	contexts contextTable
}

// RegionTime is the name of the metric, in ns, whose samples are the exact times of nested regions.
const RegionTime = "region time"

// Add returns the id of the entry c. Equal entries have the same id. A parent that does not exist yet counts as none, so every chain of
// parents ends. A scale of NaN counts as 0.
func (d *Dict) Add(c Code) uint32 {
	if c.Scale != c.Scale {
		c.Scale = 0
	}
	return d.codes.add(&d.mu, c, func(c *Code) *uint32 { return &c.Parent })
}

// Code returns the entry with the given id, the zero Code if there is none.
func (d *Dict) Code(id uint32) Code { return d.codes.entry(&d.mu, id) }

// Codes returns the present entries by id; index 0 is the zero Code. The caller must not change them.
func (d *Dict) Codes() []Code { return d.codes.all(&d.mu) }

// AddContext returns the id of the calling context c. Equal contexts have the same id. A parent that does not exist yet counts as none.
func (d *Dict) AddContext(c Context) uint32 {
	d.mu.RLock()
	id := d.contexts.find(c)
	d.mu.RUnlock()
	if id != 0 {
		return id
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.contexts.add(c)
}

// Context returns the calling context with the given id, the zero Context if there is none.
func (d *Dict) Context(id uint32) Context {
	if all := d.Contexts(); int(id) < len(all) {
		return all[id]
	}
	return Context{}
}

// Contexts returns the present calling contexts by id; index 0 is the zero Context. The caller must not change them.
func (d *Dict) Contexts() []Context {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if len(d.contexts.entries) == 0 {
		return make([]Context, 1)
	}
	return d.contexts.entries[:len(d.contexts.entries):len(d.contexts.entries)]
}

// Watch calls code or context for every entry added from now on, in the order of ids and before Add or AddContext returns the id. Thus a
// recorder writes an entry before the first event that refers to it. The two functions must not use the Dict.
func (d *Dict) Watch(code func(id uint32, c Code), context func(id uint32, c Context)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.codes.notify, d.contexts.notify = code, context
}

// A table numbers entries from 1. Its methods lock the mutex that the caller passes.
type table[T comparable] struct {
	entries []T // from index 1
	ids     map[T]uint32
	notify  func(id uint32, e T)
}

func (t *table[T]) add(mu *sync.RWMutex, e T, parent func(*T) *uint32) uint32 {
	mu.RLock()
	id, ok := t.ids[e]
	mu.RUnlock()
	if ok {
		return id
	}
	mu.Lock()
	defer mu.Unlock()
	if p := parent(&e); int(*p) >= max(1, len(t.entries)) {
		*p = 0
	}
	if id, ok := t.ids[e]; ok {
		return id
	}
	if t.ids == nil {
		t.ids, t.entries = map[T]uint32{}, make([]T, 1)
	}
	id = uint32(len(t.entries))
	t.entries = append(t.entries, e)
	t.ids[e] = id
	if t.notify != nil {
		t.notify(id, e)
	}
	return id
}

// entry returns the entry with an id, or the zero value for an unknown id.
func (t *table[T]) entry(mu *sync.RWMutex, id uint32) (e T) {
	mu.RLock()
	defer mu.RUnlock()
	if int(id) < len(t.entries) {
		return t.entries[id]
	}
	return e
}

func (t *table[T]) all(mu *sync.RWMutex) []T {
	mu.RLock()
	defer mu.RUnlock()
	if len(t.entries) == 0 {
		return make([]T, 1)
	}
	return t.entries[:len(t.entries):len(t.entries)]
}

// A contextTable numbers contexts from 1. It is a hash table with open addressing and linear probing, because a Go map is too slow for the
// millions of contexts that traces often have.
type contextTable struct {
	entries []Context // from index 1
	slots   []uint32  // ids, 0 where there is none
	notify  func(id uint32, c Context)
}

// find returns the id of a context, 0 if it has none.
func (t *contextTable) find(c Context) uint32 {
	if len(t.slots) == 0 {
		return 0
	}
	return t.slots[t.slot(c)]
}

// slot returns the slot of a context, or the free slot where it belongs.
func (t *contextTable) slot(c Context) uint64 {
	x := (uint64(c.Parent)<<32 | uint64(c.Code)) * 0x9e3779b97f4a7c15
	mask := uint64(len(t.slots) - 1)
	i := (x ^ x>>32) & mask
	for t.slots[i] != 0 && t.entries[t.slots[i]] != c {
		i = (i + 1) & mask
	}
	return i
}

func (t *contextTable) add(c Context) uint32 {
	if int(c.Parent) >= max(1, len(t.entries)) {
		c.Parent = 0
	}
	if id := t.find(c); id != 0 {
		return id
	}
	if len(t.entries) == 0 {
		t.entries = make([]Context, 1)
	}
	if 2*len(t.entries) >= len(t.slots) {
		t.slots = make([]uint32, max(2*len(t.slots), 64))
		for id := 1; id < len(t.entries); id++ {
			t.slots[t.slot(t.entries[id])] = uint32(id)
		}
	}
	id := uint32(len(t.entries))
	t.slots[t.slot(c)] = id
	t.entries = append(t.entries, c)
	if t.notify != nil {
		t.notify(id, c)
	}
	return id
}

package tracer

import (
	"fmt"
	"hash/maphash"
	"slices"
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
	Label                 // Name a label of samples, key:value, Parent its key; Unit and the Scale 1 if it is a number (LabelValue)
	NumCodeTypes
)

var codeTypeNames = [NumCodeTypes]string{
	"invalid", "procedure", "clause", "function", "line", "instruction", "metric", "message", "reason", "host", "name", "label",
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
	contexts table[Context]
}

// RegionTime is the name of the metric, in ns, whose samples are the exact times of nested regions.
const RegionTime = "region time"

// Add returns the id of the entry c. Equal entries have the same id. A parent that does not exist yet counts as none, so every chain of
// parents ends. A scale of NaN counts as 0.
func (d *Dict) Add(c Code) uint32 { return d.codes.add(&d.mu, c) }

// Code returns the entry with the given id, the zero Code if there is none.
func (d *Dict) Code(id uint32) Code { return d.codes.entry(&d.mu, id) }

// Codes returns the present entries by id; index 0 is the zero Code. The caller must not change them.
func (d *Dict) Codes() []Code { return d.codes.all(&d.mu) }

// AddContext returns the id of the calling context c. Equal contexts have the same id. A parent that does not exist yet counts as none.
func (d *Dict) AddContext(c Context) uint32 { return d.contexts.add(&d.mu, c) }

// Extend adds entries that the dictionary does not have, in the order of their ids. Many entries take less time than with Add and AddContext, because
// those that are there already are looked for only by later calls of these. An entry that is there already gets a second id.
func (d *Dict) Extend(codes []Code, contexts []Context) {
	d.codes.extend(&d.mu, codes)
	d.contexts.extend(&d.mu, contexts)
}

// AddPath returns the id of the calling context at the end of a path: the first code is called from the context parent, 0 for none, and each other code from
// the one before it. It adds missing contexts while the dictionary has fewer than most. Then it returns the last context that exists, and left is the
// number of codes behind it.
func (d *Dict) AddPath(parent uint32, codes []uint32, most int) (id uint32, left int) {
	d.mu.RLock()
	id, left = follow(&d.contexts, parent, codes)
	d.mu.RUnlock()
	for left > 0 && len(d.Contexts()) < most {
		id = d.AddContext(Context{Parent: id, Code: codes[len(codes)-left]})
		left--
	}
	return id, left
}

// Context returns the calling context with the given id, the zero Context if there is none.
func (d *Dict) Context(id uint32) Context { return d.contexts.entry(&d.mu, id) }

// Contexts returns the present calling contexts by id; index 0 is the zero Context. The caller must not change them.
func (d *Dict) Contexts() []Context { return d.contexts.all(&d.mu) }

// Watch calls code or context for every entry added from now on, in the order of ids and before Add or AddContext returns the id. Thus a
// recorder writes an entry before the first event that refers to it. The two functions must not use the Dict.
func (d *Dict) Watch(code func(id uint32, c Code), context func(id uint32, c Context)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.codes.notify, d.contexts.notify = code, context
}

// An entry is an entry of a table.
type entry[T any] interface {
	comparable
	hash(maphash.Seed) uint64
	within(n int) T // the entry as a table with n entries has it: without its parent if that is not below n
}

func (c Code) hash(seed maphash.Seed) uint64 { return maphash.Comparable(seed, c) }

func (c Code) within(n int) Code {
	if c.Scale != c.Scale { // NaN, which is equal to nothing
		c.Scale = 0
	}
	if int(c.Parent) >= n {
		c.Parent = 0
	}
	return c
}

func (c Context) hash(maphash.Seed) uint64 {
	x := (uint64(c.Parent)<<32 | uint64(c.Code)) * 0x9e3779b97f4a7c15
	return x ^ x>>32
}

func (c Context) within(n int) Context {
	if int(c.Parent) >= n {
		c.Parent = 0
	}
	return c
}

// A table numbers entries from 1. It is a hash table with open addressing and linear probing, because a Go map takes too much time and memory for the
// millions of entries that profiles often have. Its methods lock the mutex that the caller passes.
type table[T entry[T]] struct {
	entries []T      // from index 1
	slots   []uint32 // ids, 0 where there is none
	slotted int      // number of entries that have slots; the others follow at the next add
	seed    maphash.Seed
	notify  func(id uint32, e T)
}

// add returns the id of an entry. A parent that does not exist yet counts as none.
func (t *table[T]) add(mu *sync.RWMutex, e T) uint32 {
	mu.RLock()
	id := t.find(e)
	mu.RUnlock()
	if id != 0 {
		return id
	}
	mu.Lock()
	defer mu.Unlock()
	e = e.within(max(1, len(t.entries)))
	t.fit()
	slot := t.slot(e)
	if id := t.slots[slot]; id != 0 {
		return id
	}
	id = t.append(e)
	t.slots[slot] = id
	t.slotted = len(t.entries)
	return id
}

// append appends an entry, without a slot, and returns its id.
func (t *table[T]) append(e T) (id uint32) {
	if len(t.entries) == cap(t.entries) { // growing by a quarter, as append does, copies more often
		t.entries = slices.Grow(t.entries, max(len(t.entries), 32))
	}
	if len(t.entries) == 0 {
		t.entries = append(t.entries, *new(T))
	}
	id = uint32(len(t.entries))
	t.entries = append(t.entries, e)
	if t.notify != nil {
		t.notify(id, e)
	}
	return id
}

// extend adds entries without looking for them.
func (t *table[T]) extend(mu *sync.RWMutex, es []T) {
	mu.Lock()
	defer mu.Unlock()
	for _, e := range es {
		t.append(e.within(max(1, len(t.entries))))
	}
}

// fit gives all entries slots, and makes room for one more.
func (t *table[T]) fit() {
	n := max(1, len(t.entries))
	if 2*n >= len(t.slots) {
		if t.seed == (maphash.Seed{}) {
			t.seed = maphash.MakeSeed()
		}
		size := max(len(t.slots), 64)
		for 2*n >= size {
			size *= 2
		}
		t.slots, t.slotted = make([]uint32, size), 1
	}
	for ; t.slotted < len(t.entries); t.slotted++ {
		if slot := t.slot(t.entries[t.slotted]); t.slots[slot] == 0 {
			t.slots[slot] = uint32(t.slotted)
		}
	}
}

// find returns the id of an entry, 0 if it has none or is not found before fit.
func (t *table[T]) find(e T) uint32 {
	if len(t.slots) == 0 || t.slotted < len(t.entries) {
		return 0
	}
	return t.slots[t.slot(e)]
}

// follow follows codes from a context as long as there are contexts, and returns the last one and the number of codes that are left.
func follow(t *table[Context], from uint32, codes []uint32) (id uint32, left int) {
	for i, code := range codes {
		next := from + 1 // most contexts are called right before they call another one for the first time
		if c := (Context{Parent: from, Code: code}); int(next) >= len(t.entries) || t.entries[next] != c {
			if next = t.find(c); next == 0 {
				return from, len(codes) - i
			}
		}
		from = next
	}
	return from, 0
}

// slot returns the slot of an entry, or the free slot where it belongs.
func (t *table[T]) slot(e T) uint64 {
	mask := uint64(len(t.slots) - 1)
	i := e.hash(t.seed) & mask
	for t.slots[i] != 0 && t.entries[t.slots[i]] != e {
		i = (i + 1) & mask
	}
	return i
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

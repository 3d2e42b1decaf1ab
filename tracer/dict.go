package tracer

import (
	"fmt"
	"sync"
)

// CodeType says what a code entry is.
type CodeType uint8

// The types of code entries. Like kinds they are numbered for ever.
const (
	CodeInvalid  CodeType = iota
	Procedure             // Name with arity, File, Line
	Clause                // Parent its procedure; Children goals in its body
	Function              // Name, File, Line
	Line                  // File, Line, Column; Parent its function
	Instruction           // Name its text; Parent its line
	Metric                // Name, Unit, and Scale: what one unit of Value is worth in Unit
	MessageClass          // Name
	Reason                // Name: no work, join, message, gc, steal, place, migrate, ...
	Host                  // Name of a host or a process
	Name                  // anything else with a name
	NumCodeTypes
)

var codeTypeNames = [NumCodeTypes]string{
	"invalid", "procedure", "clause", "function", "line", "instruction", "metric", "message", "reason", "host", "name",
}

// String returns the type's name as the text form writes it, or type(n) for one that is not known.
func (t CodeType) String() string {
	if t < NumCodeTypes {
		return codeTypeNames[t]
	}
	return "type(" + uitoa(uint(t)) + ")"
}

// codeTypeNamed reads what CodeType.String writes.
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
	return 0, unknown("type of code", s, codeTypeNames[1:])
}

// A Code is an entry of the code table: a thing of the program, of its source or of the machine that events refer to.
type Code struct {
	Type         CodeType
	Name, File   string
	Line, Column int32  // from 1, 0 for none
	Parent       uint32 // the entry that this one belongs to, 0 for none; always an earlier entry
	Children     int32  // a clause: goals in its body
	Unit         string // a metric: ns, bytes, ...
	Scale        float64
}

// A Context is a calling context: the context of the caller and the code that it called. Parent 0 is the outermost.
type Context struct {
	Parent, Code uint32
}

// A Dict holds the code table and the calling contexts of a trace. Both only grow, and ids count from 1. The zero Dict is empty and
// ready. Several goroutines may use it at a time.
type Dict struct {
	mu        sync.RWMutex
	codes     []Code // from index 1
	contexts  []Context
	codeIDs   map[Code]uint32
	contextID map[Context]uint32
	onCode    func(id uint32, c Code)
	onContext func(id uint32, c Context)
}

// Add returns the id of the entry c, which is the same for the same entry. A parent that is not there yet counts as none, so that the
// way up always ends, and a scale that is no number counts as 0.
func (d *Dict) Add(c Code) uint32 {
	if c.Scale != c.Scale {
		c.Scale = 0
	}
	d.mu.RLock()
	id, ok := d.codeIDs[c]
	d.mu.RUnlock()
	if ok {
		return id
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if int(c.Parent) >= max(1, len(d.codes)) {
		c.Parent = 0
	}
	if id, ok := d.codeIDs[c]; ok {
		return id
	}
	if d.codeIDs == nil {
		d.codeIDs, d.codes = map[Code]uint32{}, make([]Code, 1)
	}
	id = uint32(len(d.codes))
	d.codes = append(d.codes, c)
	d.codeIDs[c] = id
	if d.onCode != nil {
		d.onCode(id, c)
	}
	return id
}

// Code returns the entry of that id, the zero Code where there is none.
func (d *Dict) Code(id uint32) Code {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if int(id) < len(d.codes) {
		return d.codes[id]
	}
	return Code{}
}

// Codes returns all entries there are now, by id; index 0 is the zero Code. The caller must not change them.
func (d *Dict) Codes() []Code {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if len(d.codes) == 0 {
		return make([]Code, 1)
	}
	return d.codes[:len(d.codes):len(d.codes)]
}

// AddContext returns the id of the calling context c, the same for the same context. A parent that is not there yet counts as none.
func (d *Dict) AddContext(c Context) uint32 {
	d.mu.RLock()
	id, ok := d.contextID[c]
	d.mu.RUnlock()
	if ok {
		return id
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if int(c.Parent) >= max(1, len(d.contexts)) {
		c.Parent = 0
	}
	if id, ok := d.contextID[c]; ok {
		return id
	}
	if d.contextID == nil {
		d.contextID, d.contexts = map[Context]uint32{}, make([]Context, 1)
	}
	id = uint32(len(d.contexts))
	d.contexts = append(d.contexts, c)
	d.contextID[c] = id
	if d.onContext != nil {
		d.onContext(id, c)
	}
	return id
}

// Context returns the calling context of that id, the zero Context where there is none.
func (d *Dict) Context(id uint32) Context {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if int(id) < len(d.contexts) {
		return d.contexts[id]
	}
	return Context{}
}

// Contexts returns all calling contexts there are now, by id; index 0 is the zero Context. The caller must not change them.
func (d *Dict) Contexts() []Context {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if len(d.contexts) == 0 {
		return make([]Context, 1)
	}
	return d.contexts[:len(d.contexts):len(d.contexts)]
}

// Watch has every entry that is added from now on told to code or context, in the order of their ids and before anyone else learns the
// id. A recorder uses it to have an entry safe before the first event that refers to it. The two functions must not use the Dict.
func (d *Dict) Watch(code func(id uint32, c Code), context func(id uint32, c Context)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.onCode, d.onContext = code, context
}

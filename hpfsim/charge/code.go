package charge

import "whorl/tracer"

// A Unit is a procedure as the trace names it.
type Unit struct {
	Name, File  string
	Line, Lines int32 // the first line, and the number of lines
}

// An Instruction has a cost in abstract instructions and a source line.
type Instruction struct {
	Cost int
	File string
	Line int32
}

// A Code is the instructions of a unit.
type Code struct {
	unit         Unit
	instructions []Instruction
	text         func(i int) string
	sums         []int64             // costs of all instructions before each
	codes        []uint32            // of the instructions, in the trace
	tables       map[[2]int][]uint16 // instruction by offset of the cost, for short patterns
	laps         map[string]*laps    // by pattern
}

// NewCode returns the code of a unit. The trace names instructions by text.
func NewCode(u Unit, instructions []Instruction, text func(i int) string) *Code {
	c := &Code{unit: u, instructions: instructions, text: text, sums: make([]int64, len(instructions)+1)}
	for i, x := range instructions {
		c.sums[i+1] = c.sums[i] + int64(x.Cost)
	}
	return c
}

// Fork returns the same code for another goroutine.
func (c *Code) Fork() *Code {
	f := *c
	f.tables, f.laps = nil, nil
	return &f
}

// Cost returns the cost of the instructions from first up to last.
func (c *Code) Cost(first, last int) int64 { return c.sums[last] - c.sums[first] }

// A Call is the code of a unit with the calling context of a call.
type Call struct {
	Code    *Code
	Context uint32
	sites   []uint32 // contexts of the instructions that were sampled, 0 for others
}

// Reset sets the code and the calling context of a call.
func (c *Call) Reset(code *Code, context uint32) {
	if code != c.Code || context != c.Context {
		*c = Call{Code: code, Context: context}
	}
}

// Site returns the calling context of an instruction, 0 without recording.
func (c *Clocks) Site(call *Call, instruction int) uint32 {
	r := c.rec
	if r.stream == nil {
		return 0
	}
	if call.sites == nil {
		key := siteKey{call.Code, call.Context}
		if call.sites = r.sites[key]; call.sites == nil {
			call.sites = make([]uint32, len(call.Code.instructions))
			r.sites[key] = call.sites
		}
	}
	if call.sites[instruction] == 0 {
		call.sites[instruction] = r.dict.AddContext(tracer.Context{Parent: call.Context, Code: r.instruction(call.Code, instruction)})
	}
	return call.sites[instruction]
}

package emulator

import (
	"whorl/fghc/bytecode"
	"whorl/fghc/compile"
	"whorl/fghc/term"
)

// A program is the code that all PEs of a machine run.
type program struct {
	*compile.Program
	query     *compile.Query
	code      bytecode.Program
	functions []Func // by procedure; nil is bytecode

	tryWords, tryRecords int // words and records that a try may take, including the record of a goal that is put back
}

// newProgram lowers a program and a query. functions, indexed by procedure, may be nil.
func newProgram(prog *compile.Program, q *compile.Query, stays bool, functions []Func) (*program, error) {
	var native []bool
	if functions != nil {
		native = make([]bool, len(functions))
		for i, f := range functions {
			native[i] = f != nil
		}
	}
	code, err := bytecode.Lower(prog, q, stays, native)
	if err != nil {
		return nil, err
	}
	arity := 0
	for i := range prog.Procs {
		arity = max(arity, prog.Procs[i].Arity)
	}
	return &program{
		Program: prog, query: q, code: *code, functions: functions,
		tryWords:   max(code.MaxHeap, arity+3*fewBlocked) + arity,
		tryRecords: (code.MaxGoals + 2) * recordSize,
	}, nil
}

// constants returns the number of words for the variables of the query and the constants.
func (p *program) constants() int {
	n := len(p.query.Registers)
	for _, c := range p.Constants {
		n += 8 + len(c.Str)/8
		if c.Int != nil {
			n += len(c.Int.Bits())
		}
	}
	return n
}

// load builds the constants of the program and puts them in their registers, on every PE.
func (m *Machine) load() {
	p := m.pes[0]
	for i, w := range m.code.Constants {
		if w.Tag() == term.Raw {
			w = m.Constants[w.Index()].Build((*platform)(p))
		}
		for _, q := range m.pes {
			q.x[bytecode.NumRegs-1-i] = uint64(w)
		}
	}
}

package lower

import (
	"fmt"
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// An Instruction is one of the pseudo-assembler (opcode.go). Cost is in abstract instructions. An instruction that
// communicates costs as much as its messages.
type Instruction struct {
	Op   string // the opcode with a suffix for the type
	Args string // the operands, as the listing shows them
	Pos  syntax.Pos
	Cost int
	Comm bool // sends messages
}

// String writes the instruction.
func (i Instruction) String() string {
	return strings.TrimRight(fmt.Sprintf("%-6s %s", i.Op, i.Args), " ")
}

// Costs of instructions, in abstract instructions. They follow the latencies of processors of the HPF years, which
// took about 20 cycles for a division and 40 for a power.
const (
	costLoad    = 2
	costStore   = 2
	costInteger = 1
	costFloat   = 3
	costDivide  = 18
	costPower   = 40
	costBranch  = 1
	costCall    = 10
	costText    = 4
)

// An assembler writes the code of a unit.
type assembler struct {
	unit   *Unit
	pos    syntax.Pos
	regs   int
	sweeps []sweep // of the statement
	inside bool    // a FORALL or a statement function, where the code of a sweep stays in that of the statement
}

// A sweep is the code of a call that sweeps an array.
type sweep struct {
	call *Call
	code []Instruction
}

func (a *assembler) emit(op string, cost int, args ...string) {
	a.unit.Code = append(a.unit.Code, Instruction{Op: op, Args: strings.Join(args, ", "), Pos: a.pos, Cost: cost})
}

// begin starts the instructions of a statement with those of its messages.
func (a *assembler) begin(s *Stat) {
	a.pos, a.regs = s.Pos, 0
	s.First = len(a.unit.Code)
	for _, c := range s.Comms {
		a.unit.Code = append(a.unit.Code, Instruction{Op: c.Kind.String(), Args: strings.TrimPrefix(c.String(), c.Kind.String()+" "), Pos: a.pos, Comm: true})
	}
}

// finish ends the instructions of a statement, and puts those of its sweeps before them.
func (a *assembler) finish(s *Stat) {
	s.Sweeps = s.Sweeps || len(a.sweeps) > 0
	for _, w := range a.sweeps {
		w.call.First = s.First
		a.unit.Code = slices.Insert(a.unit.Code, s.First, w.code...)
		s.First += len(w.code)
		w.call.Last = s.First
	}
	a.sweeps = a.sweeps[:0]
	s.Last = len(a.unit.Code)
}

func (a *assembler) register(t Type) string {
	a.regs++
	letter := byte('r')
	switch t.Base {
	case syntax.RealType, syntax.DoubleType:
		letter = 'f'
	case syntax.ComplexType:
		letter = 'z'
	case syntax.CharacterType:
		letter = 's'
	}
	return fmt.Sprintf("%c%d", letter, a.regs)
}

// suffix returns the suffix of an opcode for operands of a type.
func suffix(t Type) string {
	switch t.Base {
	case syntax.RealType:
		return "s"
	case syntax.DoubleType:
		return "d"
	case syntax.ComplexType:
		return "z"
	case syntax.CharacterType:
		return "c"
	}
	return "i"
}

func (a *assembler) block(body []Stmt) {
	for _, s := range body {
		a.stmt(s)
	}
}

func (a *assembler) stmt(s Stmt) {
	info := s.Info()
	a.begin(info)
	defer func() {
		if info.Last == 0 {
			a.finish(info)
		}
	}()
	switch s := s.(type) {
	case *Assign:
		a.assign(s)
	case *If:
		a.finish(info)
		for i, c := range s.Conds {
			a.begin(&s.Tests[i])
			if c != nil {
				a.emit(opBranchFalse, costBranch, a.expr(c))
			}
			a.finish(&s.Tests[i])
			a.block(s.Bodies[i])
		}
	case *Do:
		a.do(s)
	case *Select:
		a.emit(opCase, costBranch, a.expr(s.Value))
		a.finish(info)
		for _, c := range s.Cases {
			a.block(c.Body)
		}
	case *Where:
		for _, m := range s.Masks {
			if m != nil {
				a.emit(opOwn, costInteger, text(m))
				a.emit(opBranchFalse, costBranch, a.expr(m))
				a.emit(opNext, costBranch)
			}
		}
		a.finish(info)
		for _, b := range s.Bodies {
			a.block(b)
		}
	case *Forall:
		outside := a.inside
		a.inside = true
		defer func() { a.inside = outside }()
		for i, v := range s.Vars {
			a.emit(opOwn, costInteger, strings.ToLower(v.Name)+"="+text(s.Los[i])+":"+text(s.His[i]))
		}
		if s.Mask != nil {
			a.emit(opBranchFalse, costBranch, a.expr(s.Mask))
		}
		a.emit(opNext, costBranch)
		a.finish(info)
		a.block(s.Body)
	case *Goto:
		if s.Value != nil {
			a.emit(opBranchIndex, costBranch, a.expr(s.Value), labels(s.Labels))
		} else {
			a.emit(opBranch, costBranch, labels(s.Labels))
		}
	case *Arithmetic:
		a.emit(opBranchIndex, costBranch, a.expr(s.Value), labels(s.Labels[:]))
	case *Nothing:
	case *On:
		a.emit(opOwn, costInteger, s.homeText())
		a.finish(info)
		a.block(s.Body)
	case *Subcall:
		name := ""
		if s.Native != nil {
			name = s.Native.Name
		} else {
			name = s.Proc.Name
		}
		args := []string{strings.ToLower(name)}
		for _, x := range s.Args {
			if x != nil {
				args = append(args, a.address(x))
			}
		}
		a.emit(OpcodeCall, costCall, args...)
	case *Leave:
		a.emit([...]string{Return: opReturn, Stop: opStop, Cycle: opCycle, Exit: opExit}[s.Kind], costBranch)
	case *Output:
		for _, x := range s.Items {
			a.emit(opPut, costText, a.address(x))
		}
		a.emit(opWrite, costCall)
	case *Input:
		for _, x := range s.Items {
			a.emit(opGet, costText, a.address(x))
		}
		a.emit(opRead, costCall)
	case *FileStmt:
		for _, x := range s.Items {
			a.emit(opPut, costText, a.address(x))
		}
		a.emit(opFile, costCall, strings.ToLower(s.Op))
	case *Associate:
		a.emit(opAlloc, costCall, strings.ToLower(s.Sym.Name))
	case *Define:
		a.emit(opAlloc, costCall, strings.ToLower(s.Sym.Name), a.expr(s.Value))
	case *Allocate:
		for _, x := range s.Arrays {
			a.emit(opAlloc, costCall, strings.ToLower(x.Name))
		}
		for _, t := range s.Targets {
			a.emit(opAlloc, costCall, a.address(t.Handles))
		}
	case *Deallocate:
		for _, t := range s.Targets {
			a.emit(opFree, costCall, a.address(t.Handles))
		}
		for _, x := range s.Arrays {
			a.emit(opFree, costCall, strings.ToLower(x.Name))
		}
	case *Remap:
		for _, x := range s.Arrays {
			a.emit(opRemap, costCall, strings.ToLower(x.Name))
			a.unit.Code[len(a.unit.Code)-1].Comm = true
		}
	}
}

func labels(ns []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(ns), " ", ", "), "[]")
}

func (a *assembler) do(s *Do) {
	switch {
	case s.Var != nil:
		lo, hi := a.expr(s.Lo), a.expr(s.Hi)
		step := "1"
		if s.Step != nil {
			step = a.expr(s.Step)
		}
		op := opDo
		if s.Parallel != nil && s.Parallel.Home != nil {
			op = opDoOwn
		}
		a.emit(op, costInteger, strings.ToLower(s.Var.Name), lo, hi, step)
	case s.Cond == nil:
		a.emit(opLoop, costBranch)
	}
	a.finish(&s.Stat)
	if s.Cond != nil {
		a.emit(opBranchFalse, costBranch, a.expr(s.Cond))
		a.finish(&s.Stat)
	}
	a.block(s.Body)
	a.begin(&s.End)
	a.emit(opNext, costBranch)
	a.finish(&s.End)
}

// assign writes the code of an assignment. For an array it is the code for one element, between own and next.
func (a *assembler) assign(s *Assign) {
	array := s.Left.Rank() > 0
	if array {
		a.emit(opOwn, costInteger, text(s.Left))
	}
	value := a.expr(s.Right)
	t := s.Left.Type()
	switch left := s.Left.(type) {
	case *Ref:
		if !array && left.Sym.Place == nil {
			a.emit(opMove+suffix(t), costInteger, strings.ToLower(left.Sym.Name), value)
			break
		}
		a.emit(opStore+suffix(t), costStore, text(left), value)
	case *Element:
		a.subscripts(left)
		a.emit(opStore+suffix(t), costStore, text(left), value)
	default:
		a.emit(opStore+suffix(t), costStore, text(left), value)
	}
	if array {
		a.emit(opNext, costBranch)
	}
}

package lower

import "whorl/hpfsim/syntax"

// A Program is a resolved file, for a number of processors.
type Program struct {
	File       *syntax.File
	Processors int
	Units      []*Unit // internal procedures follow the unit that contains them
	Main       *Unit
	Modules    []*Unit           // each after those that it uses
	Blocks     map[string]*Block // COMMON blocks
}

// A Unit is a main program, a module, a procedure, or the part of a procedure that is executed from an ENTRY on.
type Unit struct {
	*syntax.Unit
	Host    *Unit // the unit that contains an internal procedure, or the module
	Module  int   // place of a module in the program's modules
	Symbols []*Symbol
	Params  []*Symbol
	Out     *Symbol // the result of a function
	Body    []Stmt
	Code    []Instruction

	names      map[string]*Symbol
	used       map[string]*Symbol // names of modules
	outside    map[string]*Symbol // procedures of the program that were looked up
	units      map[string]*Unit   // internal procedures, and those of a module
	inner      []*Unit            // the same in their order
	access     map[string]bool    // of a module: true for PRIVATE names; "" stands for those that are not listed
	intrinsics map[string]bool    // names that are declared INTRINSIC
	boxed      map[string]bool    // names whose storage others may share
	external   map[string]bool    // names that are declared to be procedures
	assigned   map[string]bool    // scalars that statements of the unit itself assign, which are no procedures
	rules      [26]Type           // IMPLICIT types by first letter
	strict     bool               // IMPLICIT NONE
	leading    []syntax.Stmt      // statements before the first: assignments that look like statement functions, the jump to an ENTRY

	container *Unit          // the unit of an ENTRY
	hidden    int            // arguments at the end that only other entries of the unit have
	results   []*syntax.Unit // the other entries of a function

	closed closing
}

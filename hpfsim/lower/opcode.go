package lower

// Opcodes of the pseudo-assembler. Each is documented as
//
//	before opcode<operands> after
//
// Before lists the operands that the instruction reads. After is the state at the next instruction, or the place where
// execution continues. A dash stands for nothing. v is a variable or element in memory; w, x, y and z are registers, constants
// or scalars; r is the register of the result; L and M are labels. A suffix of the opcode is the type of the operands:
// i integer or logical, s REAL, d DOUBLE PRECISION, z COMPLEX, c CHARACTER.
//
// The table operators documents the opcodes of operators, and CommKind those of messages. An intrinsic function f has
// the opcode of its name: x... f<r x...> r = f(x...).
const (
	opLoad      = "ld"  // v     ld<r v>        r = v
	opStore     = "st"  // x     st<v x>        v = x
	opMove      = "mov" // x     mov<v x>       v = x, a scalar
	opNegate    = "neg" // x     neg<r x>       r = -x
	opNot       = "not" // x     not<r x>       r = .not. x
	opConvert   = "cvt" // x     cvt<r x>       r = x, from the type of the first suffix to that of the second
	opSubstring = "sub" // v     sub<r v(i:j)>  r = characters i to j of v
	opFunction  = "fn"  // x...  fn<r f x...>   r = value of the statement function f, computed by the instructions before

	opBranch      = "b"    // -  b<L>          continues at L
	opBranchIndex = "bi"   // x  bi<x L M...>  continues at label number x; in an arithmetic IF by the sign of x
	opBranchFalse = "bf"   // x  bf<x>         x is true; else continues behind the body
	opCase        = "case" // x  case<x>       continues at the body whose values contain x

	opOwn   = "own"   // -      own<v>          v = each element that the processor owns, up to next
	opDo    = "do"    // x y z  do<v x y z>     v = x, x + z, ... y, up to next
	opDoOwn = "doown" // x y z  doown<v x y z>  v = x, x + z, ... y where the processor owns the iteration, up to next
	opLoop  = "loop"  // -      loop<>          repeats without end, up to next
	opNext  = "next"  // -      next<>          continues with the next element or iteration of own, do, doown or loop
	opCycle = "cycle" // -      cycle<>         continues at next
	opExit  = "exit"  // -      exit<>          continues behind the loop

	OpcodeCall = "call" // x...  call<r p x...>  r = value of the function p; without r, the subroutine p has run
	opReturn   = "ret"  // -     ret<>           the procedure has ended
	opStop     = "stop" // -     stop<>          the program has ended

	opPut   = "put"   // x  put<x>    x is among the values of the next write
	opWrite = "write" // -  write<>   the values are written
	opGet   = "get"   // -  get<v>    v is among the variables of the next read
	opFile  = "file"  // -  file<op>  the statement about a unit is executed
	opRead  = "read"  // -  read<>    the variables are read
	opAlloc = "alloc" // -  alloc<v>  v is an array
	opFree  = "free"  // v  free<v>   v is freed
	opRemap = "remap" // v  remap<v>  v is remapped; its elements are at their new owners
)

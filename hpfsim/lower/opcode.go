package lower

// Opcodes of the pseudo-assembler. Each is documented as
//
//	mnemonic operands // before -> after
//
// where v, w are variables or elements in memory, x, y are registers, constants or scalars, r is the register of the
// result, and L is a label. A suffix is the type of the operands: i integer or logical, s REAL, d DOUBLE PRECISION,
// z COMPLEX, c CHARACTER. Operators have the mnemonics of the table operators (add r, x, y // r -> x + y), intrinsic
// functions their names (sqrt r, x // r -> sqrt(x)), and messages the names of their patterns (shift, broadcast, exchange,
// gather, reduce).
const (
	opLoad      = "ld"  // ld r, v       // r -> v
	opStore     = "st"  // st v, x       // v -> x
	opMove      = "mov" // mov v, x      // scalar v -> x
	opNegate    = "neg" // neg r, x      // r -> -x
	opNot       = "not" // not r, x      // r -> .not. x
	opConvert   = "cvt" // cvt r, x      // r -> x, from the type of the first suffix to that of the second
	opSubstring = "sub" // sub r, v(i:j) // r -> characters i to j of v
	opFunction  = "fn"  // fn r, f, x... // r -> the value of a statement function, which the instructions before computed

	opBranch      = "b"    // b L            // goes to L
	opBranchIndex = "bi"   // bi x, L, M...  // goes to the label number x; of an arithmetic IF to the first, second or third by the sign of x
	opBranchFalse = "bf"   // bf x           // skips a body where x is false
	opCase        = "case" // case x         // goes to the body whose values x is among

	opOwn   = "own"   // own v          // begins instructions that are executed for each element of v that the processor owns
	opDo    = "do"    // do v, x, y, z  // v -> x, x + z, ... y: begins a loop
	opDoOwn = "doown" // doown v, x, y, z // as do, for the iterations that the processor owns
	opLoop  = "loop"  // loop           // begins an endless loop
	opNext  = "next"  // next           // ends own, do, doown and loop: continues with the next element or iteration
	opCycle = "cycle" // cycle          // goes to next
	opExit  = "exit"  // exit           // leaves a loop

	OpcodeCall = "call" // call r, p, x... // r -> the value of function p; without r the subroutine p is called
	opReturn   = "ret"  // ret             // leaves the procedure
	opStop     = "stop" // stop            // ends the program

	opPut   = "put"   // put x   // adds x to the values of the next write
	opWrite = "write" // write   // writes the values
	opGet   = "get"   // get v   // adds v to the variables of the next read
	opRead  = "read"  // read    // reads the variables
	opAlloc = "alloc" // alloc v // makes an array
	opFree  = "free"  // free v  // frees it
	opRemap = "remap" // remap v // remaps an array, and sends its elements to their new owners
)

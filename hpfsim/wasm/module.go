package wasm

import (
	"encoding/binary"
	"math"
)

// A valueType is the type of a value in WebAssembly.
type valueType byte

const (
	i32 valueType = 0x7F
	i64 valueType = 0x7E
	f32 valueType = 0x7D
	f64 valueType = 0x7C

	v128 valueType = 0x7B
)

// An opcode is an instruction without operands, or with operands that a method of body appends. Names are those of the
// text format (WebAssembly Core Specification 2.0, section 5.4).
type opcode byte

const (
	opDrop   opcode = 0x1A
	opSelect opcode = 0x1B

	i32Load  opcode = 0x28
	i64Load  opcode = 0x29
	f32Load  opcode = 0x2A
	i32Load8 opcode = 0x2D // unsigned
	f64Load  opcode = 0x2B
	i32Store opcode = 0x36
	i64Store opcode = 0x37
	f32Store opcode = 0x38
	f64Store opcode = 0x39

	i32Eqz opcode = 0x45
	i32Eq  opcode = 0x46
	i32Ne  opcode = 0x47
	i32LtS opcode = 0x48
	i32GtS opcode = 0x4A
	i32LeS opcode = 0x4C
	i32GeS opcode = 0x4E
	i32GeU opcode = 0x4F
	i64Eqz opcode = 0x50
	i64Eq  opcode = 0x51
	i64Ne  opcode = 0x52
	i64LtS opcode = 0x53
	i64LtU opcode = 0x54
	i64GtS opcode = 0x55
	i64LeS opcode = 0x57
	i64GeS opcode = 0x59
	i64GeU opcode = 0x5A
	f32Eq  opcode = 0x5B
	f64Eq  opcode = 0x61

	i32Add  opcode = 0x6A
	i32Sub  opcode = 0x6B
	i32Mul  opcode = 0x6C
	i32DivS opcode = 0x6D
	i32RemS opcode = 0x6F
	i32And  opcode = 0x71
	i32Or   opcode = 0x72
	i32Xor  opcode = 0x73
	i32Shl  opcode = 0x74
	i32ShrS opcode = 0x75
	i32ShrU opcode = 0x76
	i64Add  opcode = 0x7C
	i64Sub  opcode = 0x7D
	i64Mul  opcode = 0x7E
	i64DivS opcode = 0x7F
	i64RemS opcode = 0x81
	i64And  opcode = 0x83
	i64Or   opcode = 0x84
	i64Xor  opcode = 0x85
	i64Shl  opcode = 0x86
	i64ShrS opcode = 0x87
	i64ShrU opcode = 0x88

	f32Abs      opcode = 0x8B
	f32Neg      opcode = 0x8C
	f32Ceil     opcode = 0x8D
	f32Floor    opcode = 0x8E
	f32Trunc    opcode = 0x8F
	f32Sqrt     opcode = 0x91
	f32Add      opcode = 0x92
	f32Copysign opcode = 0x98
	f64Abs      opcode = 0x99
	f64Neg      opcode = 0x9A
	f64Ceil     opcode = 0x9B
	f64Floor    opcode = 0x9C
	f64Trunc    opcode = 0x9D
	f64Sqrt     opcode = 0x9F
	f64Add      opcode = 0xA0
	f64Mul      opcode = 0xA2
	f64Div      opcode = 0xA3
	f64Copysign opcode = 0xA6

	i32Wrap           opcode = 0xA7
	i64Extend         opcode = 0xAC
	i64ExtendUnsigned opcode = 0xAD
	f32Demote         opcode = 0xB6
	f64FromI32        opcode = 0xB7
	f64FromI64        opcode = 0xB9
	f64Promote        opcode = 0xBB
	i32Extend8        opcode = 0xC0
	i32Extend16       opcode = 0xC1
	i64FromF64               = 6    // i64.trunc_sat_f64_s, after the prefix 0xFC
	memoryFill               = 0x0B // after the same prefix
	prefixNumber             = 0xFC
)

// A label is the depth of a block or a loop, for branches.
type label int

// A body is the code of a function that is assembled. Parameter 0 is the address of its frame.
type body struct {
	code   []byte
	params []valueType // those behind the frame
	locals []valueType
	depth  int
}

// local declares a local and returns its number.
func (b *body) local(t valueType) int {
	b.locals = append(b.locals, t)
	return len(b.params) + len(b.locals)
}

// param declares a parameter and returns its number. Parameters come before locals.
func (b *body) param(t valueType) int {
	b.params = append(b.params, t)
	return len(b.params)
}

func (b *body) op(ops ...opcode) {
	for _, o := range ops {
		b.code = append(b.code, byte(o))
	}
}

func (b *body) with(op byte, n int) { b.code = binary.AppendUvarint(append(b.code, op), uint64(n)) }
func (b *body) get(local int)       { b.with(0x20, local) }
func (b *body) set(local int)       { b.with(0x21, local) }
func (b *body) tee(local int)       { b.with(0x22, local) }
func (b *body) global(n int)        { b.with(0x23, n) }
func (b *body) setGlobal(n int)     { b.with(0x24, n) }
func (b *body) call(function int)   { b.with(0x10, function) }
func (b *body) result()             { b.code = append(b.code, 0x0F) }
func (b *body) int(v int64)         { b.code = signed(append(b.code, 0x41), v) }
func (b *body) long(v int64)        { b.code = signed(append(b.code, 0x42), v) }
func (b *body) single(v float32) {
	b.code = binary.LittleEndian.AppendUint32(append(b.code, 0x43), math.Float32bits(v))
}

func (b *body) double(v float64) {
	b.code = binary.LittleEndian.AppendUint64(append(b.code, 0x44), math.Float64bits(v))
}

// memory appends a load or a store at an offset from the address on the stack.
func (b *body) memory(op opcode, offset int) {
	b.code = binary.AppendUvarint(append(b.code, byte(op), 0), uint64(offset))
}

// fill sets bytes: the address, the value and the number of bytes are on the stack.
func (b *body) fill() { b.code = append(b.code, prefixNumber, memoryFill, 0) }

// truncate converts a double to an integer of 64 bits. It saturates, and gives 0 for NaN.
func (b *body) truncate() { b.code = append(b.code, prefixNumber, i64FromF64) }

const (
	noResult = 0x40
	end      = 0x0B
)

// block appends a block. A branch to its label continues after it.
func (b *body) block(do func(out label)) { b.nested(0x02, noResult, do) }

// loop appends a loop. A branch to its label continues at its begin.
func (b *body) loop(do func(again label)) { b.nested(0x03, noResult, do) }

// when appends code for a condition on the stack.
func (b *body) when(then func()) { b.nested(0x04, noResult, func(label) { then() }) }

// choose appends code for a condition on the stack and its opposite, without results.
func (b *body) choose(then, otherwise func()) {
	b.nested(0x04, noResult, func(label) {
		then()
		b.code = append(b.code, 0x05)
		otherwise()
	})
}

// either appends code that leaves a value for a condition on the stack, and other code for its opposite.
func (b *body) either(t valueType, then, otherwise func()) {
	b.nested(0x04, byte(t), func(label) {
		then()
		b.code = append(b.code, 0x05)
		otherwise()
	})
}

func (b *body) nested(op, result byte, do func(l label)) {
	b.code = append(b.code, op, result)
	b.depth++
	do(label(b.depth))
	b.depth--
	b.code = append(b.code, end)
}

// branch appends a branch to a label, branchIf one for a condition on the stack.
func (b *body) branch(to label)   { b.with(0x0C, b.depth-int(to)) }
func (b *body) branchIf(to label) { b.with(0x0D, b.depth-int(to)) }

func appendUnsigned(b []byte, v int) []byte { return binary.AppendUvarint(b, uint64(v)) }

// signed appends an integer in LEB128.
func signed(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7F)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// Names of the imported memory and of the exported function.
const (
	memoryModule = "host"
	memoryName   = "mem"
	functionName = "run"
)

// A function is assembled code with its type.
type function struct {
	body
	results []valueType
}

// Globals of a module.
const (
	globalNotes = iota // i32
	globalIndex        // i64
	globalGiven        // i64
	globalRoot         // i32: the frame of the region
)

// functionNote is the number of the function that appends a note, behind that of the region.
const functionNote = 1

// assemble returns a module that imports the memory, of at least some pages, and exports the first function, which is from i32 to i32.
func assemble(pages uint64, functions []function) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	count := func(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
	section := func(id byte, content []byte) {
		out = append(binary.AppendUvarint(append(out, id), uint64(len(content))), content...)
	}
	name := func(to []byte, s string) []byte { return append(binary.AppendUvarint(to, uint64(len(s))), s...) }
	types := func(to []byte, all []valueType) []byte {
		to = binary.AppendUvarint(to, uint64(len(all)))
		for _, t := range all {
			to = append(to, byte(t))
		}
		return to
	}
	signatures, numbers, code := count(len(functions)), count(len(functions)), count(len(functions))
	for k, f := range functions {
		signatures = types(types(append(signatures, 0x60), append([]valueType{i32}, f.params...)), f.results)
		numbers = binary.AppendUvarint(numbers, uint64(k))
		text := count(len(f.locals))
		for _, t := range f.locals {
			text = append(text, 1, byte(t))
		}
		text = append(append(text, f.code...), end)
		code = append(binary.AppendUvarint(code, uint64(len(text))), text...)
	}
	section(1, signatures)
	section(2, binary.AppendUvarint(append(name(name([]byte{1}, memoryModule), memoryName), 2, 0), pages))
	section(3, numbers)
	section(6, []byte{4, byte(i32), 1, 0x41, 0, end, byte(i64), 1, 0x42, 0, end, byte(i64), 1, 0x42, 0, end, byte(i32), 1, 0x41, 0, end})
	section(7, append(name([]byte{1}, functionName), 0, 0))
	section(10, code)
	return out
}

// exporter returns a module that exports a memory of so many pages.
func exporter(pages uint64) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	limits := binary.AppendUvarint(binary.AppendUvarint([]byte{1, 1}, pages), pages)
	out = append(append(out, 5, byte(len(limits))), limits...)
	return append(out, "\x07\x07\x01\x03mem\x02\x00"...)
}

package binary

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/arch/arm64/arm64asm"
	"golang.org/x/arch/x86/x86asm"

	"whorl/tracer/formats/profile"
)

// Function returns the instructions of the function around an address, in order. The bounds of the function come from the symbol table, or else
// from DWARF. Function returns nil if the bounds are unknown or no disassembler supports the processor.
func (f *File) Function(address uint64) []profile.Instruction {
	start, end, ok := f.bounds(address)
	if !ok {
		return nil
	}
	all, ok := f.listed[start]
	if !ok {
		all = f.Range(start, end)
		f.listed[start] = all
	}
	return all
}

// bounds returns the bounds of the function around an address.
func (f *File) bounds(address uint64) (start, end uint64, ok bool) {
	if s, ok := f.symbolAt(address); ok {
		return s.start, s.end, true
	}
	f.compiledLines(address) // reads the unit
	for _, u := range f.units() {
		if address < u.low || address >= u.high {
			continue
		}
		if s := covering(u.tops, address); s != nil {
			for _, span := range s.ranges {
				if address >= span[0] && address < span[1] {
					return span[0], min(span[1], span[0]+mostCode), true
				}
			}
		}
	}
	return 0, 0, false
}

// Range returns the instructions from start up to end, with their lines.
func (f *File) Range(start, end uint64) []profile.Instruction {
	s := f.section(start)
	if s == nil || end <= start {
		return nil
	}
	end = min(end, s.Addr+s.Size, start+mostCode)
	code := make([]byte, end-start)
	if n, err := s.ReadAt(code, int64(start-s.Addr)); n < len(code) && err != nil {
		return nil
	}
	var all []profile.Instruction
	switch f.elf.Machine {
	case elf.EM_X86_64:
		all = f.x86(code, start, 64)
	case elf.EM_386:
		all = f.x86(code, start, 32)
	case elf.EM_AARCH64:
		all = f.arm64(code, start)
	default:
		all = f.objdump(start, end)
	}
	for i := range all {
		all[i].Lines = f.Lines(all[i].Address)
	}
	return all
}

// symbolize returns the symbol and its address for the target of a jump or a call.
func (f *File) symbolize(address uint64) (string, uint64) {
	if s, ok := f.symbolAt(address); ok {
		return profile.Demangle(s.name), s.start
	}
	return "", 0
}

// noInstruction is the text of bytes that are not an instruction.
const noInstruction = "?"

func (f *File) x86(code []byte, pc uint64, bits int) (all []profile.Instruction) {
	for len(code) > 0 {
		inst, err := x86asm.Decode(code, bits)
		text, size := noInstruction, 1
		switch {
		case err != nil || inst.Len == 0:
		case f.go_:
			text, size = x86asm.GoSyntax(inst, pc, f.symbolize), inst.Len
		default:
			text, size = x86asm.GNUSyntax(inst, pc, f.symbolize), inst.Len
		}
		all = append(all, profile.Instruction{Address: pc, Text: text})
		pc, code = pc+uint64(size), code[size:]
	}
	return all
}

func (f *File) arm64(code []byte, pc uint64) (all []profile.Instruction) {
	for ; len(code) >= 4; pc, code = pc+4, code[4:] {
		text := noInstruction
		if inst, err := arm64asm.Decode(code); err == nil {
			if f.go_ {
				text = arm64asm.GoSyntax(inst, pc, f.symbolize, nil)
			} else {
				text = arm64asm.GNUSyntax(inst)
			}
		}
		all = append(all, profile.Instruction{Address: pc, Text: text})
	}
	return all
}

// objdump disassembles with the command objdump. It returns nil if the command is not installed or does not support the processor.
func (f *File) objdump(start, end uint64) []profile.Instruction {
	out, err := exec.Command("objdump", "-d", "--no-show-raw-insn", "-C",
		fmt.Sprintf("--start-address=%#x", start), fmt.Sprintf("--stop-address=%#x", end), "--", f.Path).Output()
	if err != nil {
		return nil
	}
	return parseObjdump(out)
}

// parseObjdump parses lines of the form address: text.
func parseObjdump(out []byte) (all []profile.Instruction) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		hex, text, ok := strings.Cut(lines.Text(), ":")
		address, err := strconv.ParseUint(strings.TrimSpace(hex), 16, 64)
		if ok && err == nil && strings.HasPrefix(hex, " ") && strings.TrimSpace(text) != "" {
			all = append(all, profile.Instruction{Address: address, Text: strings.Join(strings.Fields(text), " ")})
		}
	}
	return all
}

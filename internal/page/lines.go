package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

var errLines = errors.New("the table of functions has another form than in Go 1.20 to 1.26")

// The table of functions as the linker writes it for 64-bit targets: a header, then names, units of compilation,
// files, tables by pc, and functions. See type pcHeader in runtime/symtab.go and _func in runtime/runtime2.go.
const (
	headerStart = "\xf1\xff\xff\xff\x00\x00\x01\x08" // magic number, two zeros, length of an instruction, size of a pointer
	headerSize  = len(headerStart) + 8*8

	// Offsets within the record of a function.
	recordName   = 4
	recordStack  = 16
	recordFile   = 20
	recordLine   = 24
	recordTables = 28 // number of tables by pc, whose offsets follow the record
	recordUnit   = 32
	recordStart  = 36 // the first line
	recordData   = 43 // number of data of the function, whose offsets follow those of the tables
	recordSize   = 44

	none = 1<<32 - 1 // the offset of data that a function does not have
)

// A functionTable is a module's table of functions.
type functionTable struct {
	address                       uint64 // of the header in the module's memory
	names, units, byPC, functions []byte
	count                         int
}

// findFunctions returns the table of functions in a segment that holds one.
func findFunctions(s segment) (t functionTable, found bool, err error) {
	memory := s.bytes
	start := bytes.Index(memory, []byte(headerStart))
	if start < 0 {
		return t, false, nil
	}
	memory = memory[start:]
	if len(memory) < headerSize {
		return t, true, errLines
	}
	header := func(i int) int { return int(min(binary.LittleEndian.Uint64(memory[8*i:]), 1<<32)) }
	count, names, units, byPC, functions := header(1), header(4), header(5), header(7), header(8)
	if names > units || units > byPC || byPC > functions || functions > len(memory) || count > (len(memory)-functions)/8 {
		return t, true, errLines
	}
	return functionTable{uint64(s.address) + uint64(start), memory[names:units], memory[units:byPC], memory[byPC:functions], memory[functions:], count}, true, nil
}

// A record is the record of a function in a table: fields, offsets of tables by pc, and offsets of its data.
type record struct{ fields, tables, data []byte }

func (t functionTable) record(i int) (record, error) {
	all := t.functions[min(int(binary.LittleEndian.Uint32(t.functions[8*i+4:])), len(t.functions)):]
	if len(all) < recordSize {
		return record{}, errLines
	}
	fields, rest := all[:recordSize], all[recordSize:]
	n, m := int(binary.LittleEndian.Uint32(fields[recordTables:])), int(fields[recordData])
	if n > len(rest)/4 || m > len(rest)/4-n {
		return record{}, errLines
	}
	return record{fields, rest[:4*n], rest[4*n : 4*(n+m)]}, nil
}

func (t functionTable) name(r record) []byte {
	name := t.names[min(int(binary.LittleEndian.Uint32(r.fields[recordName:])), len(t.names)):]
	if end := bytes.IndexByte(name, 0); end >= 0 {
		name = name[:end]
	}
	return name
}

// What only stacks in messages need, or the preemption of threads, which a page does not have. See internal/abi/symtab.go.
var (
	spareTables = map[int]bool{0: true, 2: true, 3: true} // points where a thread cannot be preempted, inlined calls, arguments that live
	spareData   = map[int]bool{3: true, 5: true, 6: true} // inlined calls, arguments, arguments that live
)

// withoutLines removes from a module's memory the files and line numbers of all functions, and the inlined functions and arguments in stacks. They take a
// seventh of the packed page. The stack of a panic still names the functions that are not inlined. Memory without a table of functions stays as it is.
func withoutLines(segments []segment) error {
	for _, p := range segments {
		if t, found, err := findFunctions(p); found {
			if err != nil {
				return err
			}
			return t.dropLines(t.dataOfFunctions(segments))
		}
	}
	return nil
}

// dropLines takes the memory from which the offsets of the functions' data count, or nil if that is not known, which leaves the data there.
func (t functionTable) dropLines(data []byte) error {
	spare := map[uint32]bool{} // offsets of data, with whether all functions can do without it
	kept, names := make([]byte, len(t.byPC)), make([]byte, len(t.names))
	for i := range t.count {
		r, err := t.record(i)
		if err != nil {
			return err
		}
		keep := func(table int) bool {
			end, ok := tableEnd(t.byPC, table)
			if ok {
				copy(kept[table:end], t.byPC[table:end])
			}
			return ok
		}
		ok := keep(int(binary.LittleEndian.Uint32(r.fields[recordStack:])))
		for j := range len(r.tables) / 4 {
			if offset := r.tables[4*j:][:4]; spareTables[j] {
				clear(offset)
			} else {
				ok = ok && keep(int(binary.LittleEndian.Uint32(offset)))
			}
		}
		if !ok {
			return errLines
		}
		for j := range len(r.data) / 4 {
			offset := binary.LittleEndian.Uint32(r.data[4*j:])
			if before, found := spare[offset]; offset != none && (!found || before) {
				spare[offset] = spareData[j]
			}
			if spareData[j] {
				binary.LittleEndian.PutUint32(r.data[4*j:], none)
			}
		}
		clear(r.fields[recordFile:recordTables])
		clear(r.fields[recordUnit:][:8])
		if name := t.name(r); len(name) > 0 {
			copy(names[int(binary.LittleEndian.Uint32(r.fields[recordName:])):], name)
		}
	}
	copy(t.names, names)
	clear(t.units)
	copy(t.byPC, kept)
	offsets := slices.Sorted(maps.Keys(spare))
	for i := range max(len(offsets)-1, 0) {
		if from, to := offsets[i], offsets[i+1]; spare[from] && uint64(to) <= uint64(len(data)) {
			clear(data[from:to])
		}
	}
	return nil
}

// Offsets in the description of the module, which begins with the address of the table of functions and the slice of its names. See type moduledata in
// runtime/symtab.go.
const (
	moduleData = 320 // address from which the offsets of the functions' data count
	moduleEnd  = 328 // address after the table of functions with that data
	moduleSize = 336
)

// dataOfFunctions returns the memory from which the offsets of the functions' data count, up to the end of the table: since Go 1.26 the data follows the
// functions. It is nil in modules of other linkers.
func (t functionTable) dataOfFunctions(segments []segment) []byte {
	names := t.address + uint64(headerSize)
	start := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, t.address), names)
	for _, s := range segments {
		i := bytes.Index(s.bytes, start)
		if i < 0 || len(s.bytes)-i < moduleSize {
			continue
		}
		data, end := binary.LittleEndian.Uint64(s.bytes[i+moduleData:]), binary.LittleEndian.Uint64(s.bytes[i+moduleEnd:])
		for _, s := range segments {
			if first := uint64(s.address); first <= t.address && t.address < data && data <= end && end <= first+uint64(len(s.bytes)) {
				return s.bytes[data-first : end-first]
			}
		}
	}
	return nil
}

// tableEnd returns the end of the table by pc at an offset. The table consists of pairs of a value's change and a
// number of bytes; a change of zero ends it, except at the start. Offset zero means no table.
func tableEnd(tables []byte, offset int) (end int, ok bool) {
	if offset == 0 {
		return 0, true
	}
	r := reader{bytes: tables[min(offset, len(tables)):]}
	for change, first := r.uleb(), true; change != 0 || first; change, first = r.uleb(), false {
		r.uleb()
	}
	return len(tables) - len(r.bytes), !r.failed
}

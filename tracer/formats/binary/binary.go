// Package binary reads the ELF files of programs and libraries. It finds the function and source line of an address, the functions inlined
// there, and the instructions of a function. Readers of profiles use it to resolve addresses and to show assembler.
//
// Lines come from the DWARF tables, which may be in a separate file (/usr/lib/debug/.build-id). Instructions come from golang.org/x/arch for
// x86 and ARM, and for other processors from objdump, if it is installed.
package binary

import (
	"bytes"
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/ianlancetaylor/demangle"

	"whorl/tracer/formats/profile"
)

// A File is an open binary. It is not safe for concurrent use.
type File struct {
	Path    string
	BuildID string // GNU build ID in hex; "" for none

	elf     *elf.File
	closers []io.Closer
	code    []*elf.Section // with instructions
	symbols []symbol       // functions by address
	named   map[string][]uint64
	units   func() []*unit // of DWARF, by address
	dwarf   *dwarf.Data
	listed  map[uint64][]profile.Instruction
	go_     bool
}

var _ profile.Binary = (*File)(nil)

// A symbol is a function of the symbol table.
type symbol struct {
	name       string
	start, end uint64
}

// Open opens a binary. It fails if the file is not an ELF file.
func Open(path string) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, closers: []io.Closer{in}, listed: map[uint64][]profile.Instruction{}}
	if f.elf, err = elf.NewFile(in); err != nil {
		in.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, s := range f.elf.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 && s.Type == elf.SHT_PROGBITS {
			f.code = append(f.code, s)
		}
		if s.Name == ".gopclntab" || s.Name == ".go.buildinfo" {
			f.go_ = true
		}
	}
	f.BuildID = buildID(f.elf)
	tables := f.elf
	f.dwarf, err = f.elf.DWARF()
	if err != nil || f.elf.Section(".debug_info") == nil && f.elf.Section(".zdebug_info") == nil {
		f.dwarf = nil
		if apart := f.apart(); apart != nil {
			if f.dwarf, err = apart.DWARF(); err != nil {
				f.dwarf = nil
			}
			tables = apart
		}
	}
	f.functions(f.elf, tables)
	f.units = sync.OnceValue(f.compiled)
	return f, nil
}

// Close closes the file.
func (f *File) Close() error {
	var err error
	for _, c := range f.closers {
		err = errors.Join(err, c.Close())
	}
	return err
}

// debugFolder is the folder of separate debug files.
const debugFolder = "/usr/lib/debug/.build-id/"

// apart returns the separate debug file of the binary, or nil for none.
func (f *File) apart() *elf.File {
	if len(f.BuildID) < 4 {
		return nil
	}
	in, err := os.Open(debugFolder + f.BuildID[:2] + "/" + f.BuildID[2:] + ".debug")
	if err != nil {
		return nil
	}
	apart, err := elf.NewFile(in)
	if err != nil {
		in.Close()
		return nil
	}
	f.closers = append(f.closers, in)
	return apart
}

// buildID reads the note with the build ID.
func buildID(f *elf.File) string {
	s := f.Section(".note.gnu.build-id")
	if s == nil || s.Size > 1<<10 {
		return ""
	}
	b, err := s.Data()
	if err != nil || len(b) < 16 || !bytes.Equal(b[12:16], []byte("GNU\x00")) {
		return ""
	}
	n := f.ByteOrder.Uint32(b[4:])
	if uint64(n) > uint64(len(b)-16) {
		return ""
	}
	return hex.EncodeToString(b[16 : 16+n])
}

// functions reads the function symbols of the binary and of its debug file.
func (f *File) functions(files ...*elf.File) {
	f.named = map[string][]uint64{}
	for i, e := range files {
		if i > 0 && e == files[0] {
			break
		}
		full, _ := e.Symbols() // the file may lack this table
		dynamic, _ := e.DynamicSymbols()
		for _, s := range slices.Concat(full, dynamic) {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Value != 0 && s.Section != elf.SHN_UNDEF && f.Holds(s.Value) {
				f.symbols = append(f.symbols, symbol{s.Name, s.Value, s.Value + min(s.Size, mostCode)})
			}
		}
	}
	slices.SortStableFunc(f.symbols, func(a, b symbol) int { return cmp.Or(cmp.Compare(a.start, b.start), -cmp.Compare(a.end, b.end)) })
	for i, s := range f.symbols {
		if i > 0 && f.symbols[i-1].start == s.start && f.symbols[i-1].name == s.name {
			continue
		}
		f.named[s.name] = append(f.named[s.name], s.start)
		if strings.HasPrefix(s.name, "_") { // may be mangled
			if plain := demangle.Filter(s.name); plain != s.name {
				f.named[plain] = append(f.named[plain], s.start)
			}
		}
	}
}

// mostCode bounds the size of a function, in bytes.
const mostCode = 1 << 20

// Address returns the address of a file offset, and false if the offset is not mapped.
func (f *File) Address(offset uint64) (uint64, bool) {
	for _, p := range f.elf.Progs {
		if p.Type == elf.PT_LOAD && offset >= p.Off && offset-p.Off < p.Filesz {
			return p.Vaddr + (offset - p.Off), true
		}
	}
	return 0, false
}

// Symbol returns the addresses of the functions with a name.
func (f *File) Symbol(name string) []uint64 { return f.named[name] }

// Holds reports whether there is code at an address.
func (f *File) Holds(address uint64) bool { return f.section(address) != nil }

func (f *File) section(address uint64) *elf.Section {
	for _, s := range f.code {
		if address >= s.Addr && address-s.Addr < s.Size {
			return s
		}
	}
	return nil
}

// symbolAt returns the innermost symbol at an address. A symbol without a size ends at the next symbol.
func (f *File) symbolAt(address uint64) (s symbol, ok bool) {
	i := sort.Search(len(f.symbols), func(i int) bool { return f.symbols[i].start > address })
	next := uint64(1<<64 - 1)
	if i < len(f.symbols) {
		next = f.symbols[i].start
	}
	for i--; i >= 0; i-- {
		s = f.symbols[i]
		if s.end == s.start {
			s.end = min(next, s.start+mostCode)
			if in := f.section(s.start); in != nil {
				s.end = min(s.end, in.Addr+in.Size)
			}
		}
		if address < s.end {
			return s, true
		}
		if i > 0 && f.symbols[i-1].start != s.start {
			break
		}
	}
	return symbol{}, false
}

// Lines returns the functions at an address, the innermost first.
func (f *File) Lines(address uint64) []profile.Line {
	if lines := f.compiledLines(address); len(lines) > 0 {
		return lines
	}
	if s, ok := f.symbolAt(address); ok {
		return []profile.Line{{Function: profile.Demangle(s.name)}}
	}
	return nil
}

package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"whorl/testdata/must"
)

// TestMemory checks that joined segments set the same memory and that the rest of the module is unchanged.
func TestMemory(t *testing.T) {
	near, far := []segment{{1024, []byte("ab")}, {1042, []byte("cd")}, {1044, []byte("e")}}, segment{1045 + gap, []byte("f")}
	whole := segment{1024, []byte("ab" + strings.Repeat("\x00", 16) + "cde")}
	for _, c := range []struct {
		name     string
		in, want []segment
	}{
		{"none", nil, nil},
		{"one", near[:1], near[:1]},
		{"near", near, []segment{whole}},
		{"far", append(near[:3:3], far), []segment{whole, far}},
		{"back", []segment{near[1], near[0]}, []segment{near[1], near[0]}},
		{"high and zero", []segment{{0, []byte{1}}, {1<<32 - 5, []byte{2}}, {64, []byte{3}}}, []segment{{0, []byte{1}}, {1<<32 - 5, []byte{2}}, {64, []byte{3}}}},
	} {
		got, err := memory(module(writeSegments(c.in)))
		if err != nil || !bytes.Equal(got, module(writeSegments(c.want))) {
			t.Errorf("%s: %v\n%q want\n%q", c.name, err, got, module(writeSegments(c.want)))
		}
		if back, ok := readSegments(writeSegments(c.in)); !ok || len(back) != len(c.in) {
			t.Errorf("%s: %v read back as %v", c.name, c.in, back)
		}
	}
}

// module returns a module with the data section between two others.
func module(data []byte) []byte {
	out := []byte("\x00asm\x01\x00\x00\x00\x05\x03\x01\x00\x10")
	out = append(binary.AppendUvarint(append(out, dataSection), uint64(len(data))), data...)
	return append(out, "\x00\x02\x01x"...)
}

// TestMemoryOfOthers checks that truncated modules, and modules unlike those of Go's linker, are errors.
func TestMemoryOfOthers(t *testing.T) {
	whole := module(writeSegments([]segment{{1024, []byte("abc")}}))
	body := 13 // offset of the data section
	for n := range whole {
		if n == 8 || n == body || n == len(whole)-4 {
			continue // the end of a section
		}
		if _, err := memory(whole[:n]); err == nil {
			t.Errorf("the first %d bytes are accepted as a module", n)
		}
	}
	for _, data := range []string{"\x01\x01\x00", "\x01\x00\x23\x00\x0b\x00", "\x01\x00\x41\xff\xff\xff\xff\xff\xff\x0b\x00", "\xff\xff\xff\xff\x0f", "\x00\x00"} {
		if _, err := memory(module([]byte(data))); err == nil {
			t.Errorf("%q is accepted as a data section", data)
		}
	}
}

// TestColumns checks the columns of a wide and a narrow character.
func TestColumns(t *testing.T) {
	bits := columns()
	if len(bits) != characters*wide*high/8 {
		t.Fatalf("%d bytes", len(bits))
	}
	var b strings.Builder
	for _, r := range "あл\U0000fffe" {
		for y := range high {
			for x := range wide {
				bit := (int(r)*wide+x)*high + y
				b.WriteByte(".#"[bits[bit/8]>>(7-bit%8)&1])
			}
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	golden := filepath.Join("testdata", "columns.golden")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Error(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s", b.String())
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"memory"}, {"sizes"}, {"font", "x"}, {"memory", filepath.Join(t.TempDir(), "none")}} {
		if run(args) == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

// stripped is a module's memory with a table of two functions, the data of functions after it, and the description of the module, before and after
// withoutLines.
type stripped struct {
	tables, data string
	records      [2][]uint32 // 11 fields, offsets of tables by pc, offsets of data
}

func (m stripped) segment() segment {
	u32, u64 := binary.LittleEndian.AppendUint32, binary.LittleEndian.AppendUint64
	const names = "first\x00second\x00inlined\x00"
	var records []byte
	var pairs []byte
	for i, r := range m.records {
		pairs = u32(u32(pairs, uint32(9*i)), uint32(16+len(records)))
		for _, v := range r {
			records = u32(records, v)
		}
	}
	b := []byte("before" + headerStart)
	for _, v := range []int{2, 1, 0, headerSize, headerSize + len(names), headerSize + len(names) + 4, headerSize + len(names) + 8, headerSize + len(names) + 8 + len(m.tables)} {
		b = u64(b, uint64(v))
	}
	b = append(append(append(append(b, names+"unitfile"+m.tables...), pairs...), records...), m.data...)
	end := 1024 + uint64(len(b))
	b = u64(u64(append(b, "after"...), 1024+6), 1024+6+uint64(headerSize))
	b = append(b, make([]byte, moduleData-16)...)
	return segment{1024, u64(u64(b, end-uint64(len(m.data))), end)}
}

// TestWithoutLines checks that files, line numbers, inlined calls and arguments go, also where a table by pc is stored once for a stack and for lines, or
// data once for arguments and for pointers, and that damaged tables of functions are errors.
func TestWithoutLines(t *testing.T) {
	const (
		stack  = 1         // in tables: the stack's size by pc, and line numbers of another function
		lines  = stack + 5 // line numbers
		unsafe = lines + 3 // points without preemption, and the pointers of another function
		calls  = unsafe + 3
		points = calls + 3
		files  = points + 3 // numbers of files

		first, second = 0, 6 // names
		one           = 2 << 24
		several       = 7 << 24 // the highest byte is the number of data
	)
	whole := stripped{
		tables: "\x00" + "\x10\x05\x00\x03\x00" + "\x02\x07\x00" + "\x02\x09\x00" + "\x04\x01\x00" + "\x00\x09\x00" + "\x80\x01\x81\x01\x00",
		data:   "aabbbcccddeeee",
		records: [2][]uint32{
			{0, first, 2, 3, stack, files, lines, 4, 5, 6, several, unsafe, points, calls, calls, 0, 2, none, 5, none, 8, none},
			{1, second, 2, 3, points, files, stack, 3, 5, 6, one, 0, unsafe, 0, 8, 10},
		},
	}
	want := stripped{
		tables: "\x00" + "\x10\x05\x00" + "\x00\x00" + "\x00\x00\x00" + "\x02\x09\x00" + "\x00\x00\x00" + "\x00\x09\x00" + "\x00\x00\x00\x00\x00",
		data:   "aabbb\x00\x00\x00ddeeee",
		records: [2][]uint32{
			{0, first, 2, 3, stack, 0, 0, 4, 0, 0, several, 0, points, 0, 0, 0, 2, none, none, none, none, none},
			{1, second, 2, 3, points, 0, 0, 3, 0, 0, one, 0, unsafe, 0, 8, 10},
		},
	}
	got := whole.segment()
	wanted := want.segment()
	wanted.bytes = bytes.Replace(wanted.bytes, []byte("inlined\x00unitfile"), make([]byte, 16), 1)
	if err := withoutLines([]segment{{0, []byte("none")}, got}); err != nil || !bytes.Equal(got.bytes, wanted.bytes) {
		t.Errorf("%v\n%q want\n%q", err, got.bytes, wanted.bytes)
	}
	all := whole.segment().bytes
	for n := len("before" + headerStart); n < len(all)-len(whole.data)-len("after")-moduleSize-8; n++ {
		if withoutLines([]segment{{1024, bytes.Clone(all[:n])}}) == nil {
			t.Errorf("a table of functions that ends after %d bytes is accepted", n)
		}
	}

	// The data stays where the description of the module is missing or leads elsewhere.
	for _, change := range []func(s *segment){
		func(s *segment) { s.bytes = s.bytes[:len(s.bytes)-1] },
		func(s *segment) { s.bytes[len(s.bytes)-12] = 1 },
		func(s *segment) { s.bytes[len(s.bytes)-5] = 1 },
	} {
		s := whole.segment()
		change(&s)
		if err := withoutLines([]segment{s}); err != nil || !bytes.Contains(s.bytes, []byte(whole.data)) {
			t.Errorf("%v: the data of another linker's functions is cleared in %q", err, s.bytes)
		}
	}
}

// TestUnhinted compares the outlines of all glyphs of the fonts, and checks the sum of the new font.
func TestUnhinted(t *testing.T) {
	for _, ttf := range fonts {
		short, err := unhinted(ttf)
		if err != nil || len(short) > len(ttf)*6/10 || fontSum(short) != 0xb1b0afba {
			t.Fatalf("%d of %d bytes, sum %x, %v", len(short), len(ttf), fontSum(short), err)
		}
		place := make([]byte, len(ttf))
		copy(place, short)
		before, after := must.Get(sfnt.Parse(ttf))(t), must.Get(sfnt.Parse(place))(t)
		var b, c sfnt.Buffer
		for i := range before.NumGlyphs() {
			i := sfnt.GlyphIndex(i)
			want := must.Get(before.LoadGlyph(&b, i, fixed.I(100), nil))(t)
			if got := must.Get(after.LoadGlyph(&c, i, fixed.I(100), nil))(t); !slices.Equal(got, want) {
				t.Errorf("glyph %d is %v, want %v", i, got, want)
			}
		}
		for n := 0; n < len(short); n += 997 {
			if _, err := unhinted(ttf[:n]); err == nil {
				t.Errorf("the first %d bytes are accepted", n)
			}
		}
	}
}

// TestSizes adds up a module of two functions in two packages.
func TestSizes(t *testing.T) {
	m := stripped{tables: "\x00\x10\x05\x00", records: [2][]uint32{{0, 0, 2, 3, 1, 0, 0, 0, 0, 0, 0}, {1, 6, 2, 3, 1, 0, 0, 0, 0, 0, 0}}}
	whole := module(writeSegments([]segment{{0, make([]byte, 5)}, {1 << 20, m.segment().bytes}}))
	whole = append(whole, "\x0a\x0b\x03\x01s\x02ab\x04cdef"...)
	var b strings.Builder
	if err := sizes(&b, whole); err != nil {
		t.Error(err)
	}
	for _, want := range []string{" 1  functions without a name\n", " 2  first\n", " 4  second\n", " 5  memory: constants and variables at 0\n", " 21  memory: names of functions\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q lacks %q", b.String(), want)
		}
	}
	for _, name := range []string{"first.F[go.shape.int]", "a.b/first.(*T).F", "a.b/first.F[c/d.E].func1"} {
		if got := packageOf(name); !strings.HasSuffix(got, "first") {
			t.Errorf("%s belongs to %s", name, got)
		}
	}
	for _, none := range [][]byte{nil, whole[:len(whole)-5], module(nil)} {
		if sizes(&b, none) == nil {
			t.Errorf("%q is accepted", none)
		}
	}
}

package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	for _, args := range [][]string{nil, {"memory"}, {"font", "x"}, {"memory", filepath.Join(t.TempDir(), "none")}} {
		if run(args) == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

// TestWithoutLines checks that files and line numbers go, also where a table by pc is stored once for a stack and for
// lines, and that damaged tables of functions are errors.
func TestWithoutLines(t *testing.T) {
	const (
		stack  = 1          // in tables: the stack's size by pc, and line numbers of another function
		lines  = stack + 5  // line numbers
		points = lines + 3  // a further table
		files  = points + 3 // numbers of files
	)
	tables := "\x00" + "\x10\x05\x00\x03\x00" + "\x02\x07\x00" + "\x00\x09\x00" + "\x80\x01\x81\x01\x00"
	u32 := binary.LittleEndian.AppendUint32
	record := func(line uint32) []byte {
		var f []byte
		for _, v := range []uint32{0, 1, 2, 3, stack, files, line, 2, 4, 5, 6, points, 0, 7} {
			f = u32(f, v)
		}
		return f
	}
	image := func(tables string, line uint32, pairs ...uint32) []byte {
		m := []byte("before" + headerStart)
		for _, v := range []int{2, 1, 0, headerSize, headerSize + 4, headerSize + 8, headerSize + 12, headerSize + 12 + len(tables)} {
			m = binary.LittleEndian.AppendUint64(m, uint64(v))
		}
		m = append(m, "nameunitfile"+tables...)
		for _, v := range pairs {
			m = u32(m, v)
		}
		return append(append(m, record(line)...), record(stack)...)
	}
	whole := image(tables, lines, 0, 16, 9, 16+56)
	want := image("\x00"+"\x10\x05\x00"+"\x00\x00"+"\x00\x00\x00"+"\x00\x09\x00"+"\x00\x00\x00\x00\x00", 0, 0, 16, 9, 16+56)
	want = bytes.Replace(want, []byte("nameunitfile"), []byte("name\x00\x00\x00\x00\x00\x00\x00\x00"), 1)
	for _, line := range []string{string(record(0)), string(record(stack))} {
		cleared := []byte(line)
		copy(cleared[recordFile:], make([]byte, 8))
		want = bytes.Replace(want, []byte(line), cleared, 1)
	}
	got := bytes.Clone(whole)
	if err := withoutLines([]segment{{0, []byte("none")}, {64, got}}); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\n%q want\n%q", err, got, want)
	}
	for n := len("before" + headerStart); n < len(whole)-12; n++ {
		if withoutLines([]segment{{0, bytes.Clone(whole[:n])}}) == nil {
			t.Errorf("a table of functions that ends after %d bytes is accepted", n)
		}
	}
}

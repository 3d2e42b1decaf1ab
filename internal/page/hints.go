package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// fonts are the fonts that a module can have in its memory.
var fonts = [][]byte{goregular.TTF, gobold.TTF, gomono.TTF}

var errFont = errors.New("the font is not a TrueType font with outlines")

// withoutHints puts the fonts without their hints in the place of those in a module's memory. What remains of the place is zero.
func withoutHints(segments []segment) error {
	for _, font := range fonts {
		for _, s := range segments {
			i := bytes.Index(s.bytes, font)
			if i < 0 {
				continue
			}
			short, err := unhinted(font)
			if err != nil {
				return err
			}
			clear(s.bytes[i:][copy(s.bytes[i:], short):len(font)])
		}
	}
	return nil
}

// Tables of hints, for screens with few pixels. package sfnt does not read them.
var hintTables = []string{"cvt ", "fpgm", "gasp", "prep"}

// unhinted returns a TrueType font with the same outlines, and without the programs that fit them to pixels, which are half of the packed font. See the
// OpenType specification, chapters "OpenType Font File" and "glyf".
func unhinted(font []byte) ([]byte, error) {
	tables, err := fontTables(font)
	if err != nil {
		return nil, err
	}
	tables = slices.DeleteFunc(tables, func(t fontTable) bool { return slices.Contains(hintTables, t.tag) })
	find := func(tag string) *fontTable {
		i := slices.IndexFunc(tables, func(t fontTable) bool { return t.tag == tag })
		if i < 0 {
			return &fontTable{}
		}
		return &tables[i]
	}
	head, glyphs, places := find("head"), find("glyf"), find("loca")
	if len(head.bytes) < 54 {
		return nil, errFont
	}
	long := head.bytes[51] == 1 // places are numbers of four bytes, and otherwise halved ones of two bytes
	place := func(i int) int { return 2 * int(binary.BigEndian.Uint16(places.bytes[2*i:])) }
	count := len(places.bytes) / 2
	if long {
		place = func(i int) int { return int(binary.BigEndian.Uint32(places.bytes[4*i:])) }
		count = len(places.bytes) / 4
	}
	var outlines, begins []byte
	for i := range count {
		begins = binary.BigEndian.AppendUint16(begins, uint16(len(outlines)/2))
		if i == count-1 {
			break
		}
		from, to := place(i), place(i+1)
		if from > to || to > len(glyphs.bytes) {
			return nil, errFont
		}
		glyph, ok := unhintedGlyph(glyphs.bytes[from:to])
		if !ok || len(outlines)+len(glyph) > 2*0xffff {
			return nil, errFont
		}
		outlines = append(outlines, glyph...)
	}
	head.bytes = slices.Clone(head.bytes)
	head.bytes[51] = 0
	glyphs.bytes, places.bytes = outlines, begins
	return writeFont(font[:4], tables), nil
}

// unhintedGlyph removes the program of a glyph, whose length stands after the last points of its contours. Glyphs of other glyphs are left.
func unhintedGlyph(glyph []byte) ([]byte, bool) {
	if len(glyph) == 0 || int8(glyph[0]) < 0 {
		return glyph, true
	}
	if len(glyph) < 12 {
		return nil, false
	}
	length := 10 + 2*int(binary.BigEndian.Uint16(glyph))
	if length+2 > len(glyph) {
		return nil, false
	}
	end := length + 2 + int(binary.BigEndian.Uint16(glyph[length:]))
	if end > len(glyph) {
		return nil, false
	}
	out := slices.Concat(glyph[:length], []byte{0, 0}, glyph[end:])
	return append(out, make([]byte, -len(out)&1)...), true
}

// A fontTable is a table of a font, by its name of four letters.
type fontTable struct {
	tag   string
	bytes []byte
}

func fontTables(font []byte) ([]fontTable, error) {
	if len(font) < 12 {
		return nil, errFont
	}
	var tables []fontTable
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		if len(font) < 12+16*(i+1) {
			return nil, errFont
		}
		entry := font[12+16*i:][:16]
		from, n := uint64(binary.BigEndian.Uint32(entry[8:])), uint64(binary.BigEndian.Uint32(entry[12:]))
		if from+n > uint64(len(font)) {
			return nil, errFont
		}
		tables = append(tables, fontTable{string(entry[:4]), font[from : from+n]})
	}
	return tables, nil
}

func writeFont(version []byte, tables []fontTable) []byte {
	places := 1 // the largest power of two up to the number of tables
	bits := 0
	for 2*places <= len(tables) {
		places, bits = 2*places, bits+1
	}
	out := slices.Clone(version)
	for _, v := range []int{len(tables), 16 * places, bits, 16 * (len(tables) - places)} {
		out = binary.BigEndian.AppendUint16(out, uint16(v))
	}
	at, head := len(out)+16*len(tables), 0
	var contents []byte
	for _, t := range tables {
		if t.tag == "head" {
			head = at + len(contents)
			t.bytes = slices.Clone(t.bytes)
			clear(t.bytes[8:12]) // adjusts the sum of the font
		}
		padded := append(slices.Clone(t.bytes), make([]byte, -len(t.bytes)&3)...)
		out = append(out, t.tag...)
		for _, v := range []uint32{fontSum(padded), uint32(at + len(contents)), uint32(len(t.bytes))} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		contents = append(contents, padded...)
	}
	out = append(out, contents...)
	binary.BigEndian.PutUint32(out[head+8:], 0xb1b0afba-fontSum(out))
	return out
}

// fontSum adds numbers of four bytes.
func fontSum(b []byte) (sum uint32) {
	for ; len(b) >= 4; b = b[4:] {
		sum += binary.BigEndian.Uint32(b)
	}
	return sum
}

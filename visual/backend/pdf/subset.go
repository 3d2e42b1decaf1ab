package pdf

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// kept are the tables of a TrueType font that a PDF reader needs, in the order of their names: ISO 32000-1, 9.9.
var kept = [...]string{"cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"}

// Bits of a component of a composite glyph, and the offset of the format of loca in the table head.
const (
	wordArguments = 1 << 0
	oneScale      = 1 << 3
	more          = 1 << 5
	twoScales     = 1 << 6
	fourScales    = 1 << 7
	locaFormat    = 50
)

// subset returns a TrueType font with the outlines of the given glyphs alone. Glyphs keep their numbers; the others have no outlines. A font of
// another form, such as one whose tables reach beyond its end, is returned as it is.
func subset(ttf []byte, ids []uint16) []byte {
	tables := fontTables(ttf)
	head, loca, glyf := tables["head"], tables["loca"], tables["glyf"]
	if len(head) < locaFormat+2 || len(glyf) == 0 {
		return ttf
	}
	places := glyphPlaces(loca, head[locaFormat+1] == 0, len(glyf))
	if places == nil {
		return ttf
	}
	used := make([]bool, len(places)-1)
	for todo := append([]uint16{0}, ids...); len(todo) > 0; { // 0 is the glyph for characters that a font lacks
		id := int(todo[0])
		todo = todo[1:]
		if id < len(used) && !used[id] {
			used[id] = true
			todo = append(todo, components(glyf[places[id]:places[id+1]])...)
		}
	}
	var outlines, offsets []byte
	for id, yes := range used {
		offsets = binary.BigEndian.AppendUint32(offsets, uint32(len(outlines)))
		if yes {
			outlines = append(outlines, glyf[places[id]:places[id+1]]...)
			outlines = append(outlines, make([]byte, -len(outlines)&3)...)
		}
	}
	offsets = binary.BigEndian.AppendUint32(offsets, uint32(len(outlines)))
	head = slices.Clone(head)
	clear(head[8:12]) // the checksum of the file, which readers of PDF ignore
	head[locaFormat], head[locaFormat+1] = 0, 1
	tables["head"], tables["loca"], tables["glyf"] = head, offsets, outlines
	return fontFile(tables)
}

// subsetTag returns the six letters and the plus sign before the name of a font that is a part of another, made from its glyphs.
func subsetTag(ids []uint16) string {
	h := fnv.New32a()
	for _, id := range ids {
		_, _ = h.Write([]byte{byte(id >> 8), byte(id)}) // never fails
	}
	sum := h.Sum32()
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + byte(sum%26)
		sum /= 26
	}
	return string(tag) + "+"
}

// fontTables returns the tables of a font by name, nil if one lies outside the file.
func fontTables(ttf []byte) map[string][]byte {
	const start, entry = 12, 16
	if len(ttf) < start {
		return nil
	}
	n := int(binary.BigEndian.Uint16(ttf[4:]))
	if len(ttf) < start+n*entry {
		return nil
	}
	tables := map[string][]byte{}
	for i := range n {
		e := ttf[start+i*entry:]
		at, size := int64(binary.BigEndian.Uint32(e[8:])), int64(binary.BigEndian.Uint32(e[12:]))
		if at+size > int64(len(ttf)) {
			return nil
		}
		tables[string(e[:4])] = ttf[at : at+size : at+size]
	}
	return tables
}

// glyphPlaces returns the offsets of all glyphs and the end of the last, nil if they are not in order or lie beyond the table glyf.
func glyphPlaces(loca []byte, short bool, end int) []int {
	var places []int
	for len(loca) >= 4 || short && len(loca) >= 2 {
		at := 0
		if short {
			at, loca = 2*int(binary.BigEndian.Uint16(loca)), loca[2:]
		} else {
			at, loca = int(binary.BigEndian.Uint32(loca)), loca[4:]
		}
		if at > end || len(places) > 0 && at < places[len(places)-1] {
			return nil
		}
		places = append(places, at)
	}
	return places
}

// components returns the glyphs that a composite glyph consists of.
func components(g []byte) (ids []uint16) {
	if len(g) < 10 || int16(binary.BigEndian.Uint16(g)) >= 0 {
		return nil // contours of its own
	}
	for g = g[10:]; len(g) >= 4; {
		flags := binary.BigEndian.Uint16(g)
		ids = append(ids, binary.BigEndian.Uint16(g[2:]))
		size := 6
		if flags&wordArguments != 0 {
			size += 2
		}
		switch {
		case flags&oneScale != 0:
			size += 2
		case flags&twoScales != 0:
			size += 4
		case flags&fourScales != 0:
			size += 8
		}
		if flags&more == 0 || size > len(g) {
			break
		}
		g = g[size:]
	}
	return ids
}

// fontFile returns the file of a font with the tables that a PDF reader needs.
func fontFile(tables map[string][]byte) []byte {
	var names []string
	for _, name := range kept {
		if tables[name] != nil {
			names = append(names, name)
		}
	}
	exponent := 0 // of the largest power of 2 up to the number of tables
	for 2<<exponent <= len(names) {
		exponent++
	}
	b := []byte{0, 1, 0, 0}
	for _, v := range [...]int{len(names), 16 << exponent, exponent, 16*len(names) - 16<<exponent} {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	at := len(b) + 16*len(names)
	var data []byte
	for _, name := range names {
		t := tables[name]
		padded := append(slices.Clone(t), make([]byte, -len(t)&3)...)
		sum := uint32(0)
		for i := 0; i < len(padded); i += 4 {
			sum += binary.BigEndian.Uint32(padded[i:])
		}
		b = append(b, name...)
		b = binary.BigEndian.AppendUint32(b, sum)
		b = binary.BigEndian.AppendUint32(b, uint32(at+len(data)))
		b = binary.BigEndian.AppendUint32(b, uint32(len(t)))
		data = append(data, padded...)
	}
	return append(b, data...)
}

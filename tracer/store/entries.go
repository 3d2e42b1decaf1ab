package store

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"whorl/tracer"
)

// entries are entries of a dictionary that follow each other: those of one block. Their ids count from the first ones.
type entries struct {
	firstCode, firstContext uint32
	codes                   []tracer.Code
	contexts                []tracer.Context
	text                    int // bytes of the strings of codes
}

// Limits of a block that a Writer makes.
const (
	mostEntries = 1 << 15
	mostText    = 1 << 20 // bytes of strings
)

// full reports whether the entries should be written as a block.
func (t *entries) full() bool {
	return len(t.codes)+len(t.contexts) >= mostEntries || t.text >= mostText
}

func (t *entries) empty() bool { return len(t.codes)+len(t.contexts) == 0 }

// following returns no entries yet: those that follow t.
func (t *entries) following() entries {
	return entries{firstCode: t.firstCode + uint32(len(t.codes)), firstContext: t.firstContext + uint32(len(t.contexts))}
}

func (t *entries) addCode(c tracer.Code) {
	t.codes = append(t.codes, c)
	t.text += len(c.Name) + len(c.File) + len(c.Unit)
}

// Packings of a block of entries.
const (
	entriesPlain    = 0
	entriesDeflated = 1 // RFC 1951
)

// A plain form of less than leastDeflated bytes is not worth packing. One of more than mostInflated bytes is never packed, so that a reader knows how
// much memory a block can ask for.
const (
	leastDeflated = 128
	mostInflated  = 64 << 20
)

// appendEntries appends the payload of a block of entries.
func appendEntries(b []byte, t *entries) []byte {
	plain := t.appendPlain(nil)
	if len(plain) >= leastDeflated && len(plain) <= mostInflated {
		start := len(b)
		packed := bytes.NewBuffer(binary.AppendUvarint(append(b, entriesDeflated), uint64(len(plain))))
		if w, err := flate.NewWriter(packed, flate.DefaultCompression); err == nil {
			_, err = w.Write(plain)
			if err = errors.Join(err, w.Close()); err == nil && packed.Len()-start <= len(plain) {
				return packed.Bytes()
			}
		}
		b = packed.Bytes()[:start]
	}
	return append(append(b, entriesPlain), plain...)
}

// appendPlain appends the numbers of entries and their columns.
func (t *entries) appendPlain(b []byte) []byte {
	for _, n := range [...]int{int(t.firstCode), len(t.codes), int(t.firstContext), len(t.contexts)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for i := range t.codes {
		b = append(b, uint8(t.codes[i].Type))
	}
	for _, text := range codeTexts {
		before := ""
		for i := range t.codes {
			now := *text(&t.codes[i])
			shared := sharedPrefix(before, now)
			b = binary.AppendUvarint(b, uint64(shared))
			b = binary.AppendUvarint(b, uint64(len(now)-shared))
			b = append(b, now[shared:]...)
			if now != "" {
				before = now
			}
		}
	}
	for _, number := range codeNumbers {
		before := int32(0)
		for i := range t.codes {
			now := *number(&t.codes[i])
			b = binary.AppendUvarint(b, fold(uint64(int64(now)-int64(before))))
			before = now
		}
	}
	for i := range t.codes {
		b = appendParent(b, t.firstCode+uint32(i), t.codes[i].Parent)
	}
	for i := range t.codes { // the bytes in reverse make a scale of few digits short
		b = binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(t.codes[i].Scale)))
	}
	for i := range t.contexts {
		b = appendParent(b, t.firstContext+uint32(i), t.contexts[i].Parent)
	}
	for i := range t.contexts {
		b = binary.AppendUvarint(b, uint64(t.contexts[i].Code))
	}
	return b
}

// codeTexts and codeNumbers are the columns of codes, in the order of the block.
var (
	codeTexts = [...]func(*tracer.Code) *string{
		func(c *tracer.Code) *string { return &c.Name },
		func(c *tracer.Code) *string { return &c.File },
		func(c *tracer.Code) *string { return &c.Unit },
	}
	codeNumbers = [...]func(*tracer.Code) *int32{
		func(c *tracer.Code) *int32 { return &c.Line },
		func(c *tracer.Code) *int32 { return &c.Column },
		func(c *tracer.Code) *int32 { return &c.Children },
	}
)

// appendParent appends the distance to a parent, 0 for none.
func appendParent(b []byte, id, parent uint32) []byte {
	if parent == 0 {
		return append(b, 0)
	}
	return binary.AppendUvarint(b, uint64(id-parent))
}

func sharedPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// parseEntries reads the payload of a block of entries into t.
func parseEntries(payload []byte, t *entries) error {
	if len(payload) == 0 {
		return errors.New("the block of entries is empty")
	}
	plain := payload[1:]
	switch payload[0] {
	case entriesPlain:
	case entriesDeflated:
		var err error
		if plain, err = inflate(plain); err != nil {
			return err
		}
	default:
		return fmt.Errorf("the entries have the unknown packing %d", payload[0])
	}
	r := entryReader{b: plain}
	t.parsePlain(&r)
	if r.err == nil && len(r.b) > 0 {
		r.fail("%d bytes follow the entries", len(r.b))
	}
	return r.err
}

// inflate unpacks a DEFLATE stream that has its length before it.
func inflate(b []byte) ([]byte, error) {
	size, n := binary.Uvarint(b)
	if n <= 0 || size > mostInflated {
		return nil, fmt.Errorf("the entries claim to have %d bytes; the limit is %d", size, mostInflated)
	}
	var out bytes.Buffer
	out.Grow(int(min(size, uint64(8*len(b)))) + bytes.MinRead)
	if _, err := io.Copy(&out, io.LimitReader(flate.NewReader(bytes.NewReader(b[n:])), int64(size)+1)); err != nil {
		return nil, fmt.Errorf("the packed entries are damaged: %w", err)
	}
	if uint64(out.Len()) != size {
		return nil, fmt.Errorf("the packed entries have another length than %d bytes", size)
	}
	return out.Bytes(), nil
}

// The fewest bytes of a code and of a context.
const (
	leastCode    = 12
	leastContext = 2
)

func (t *entries) parsePlain(r *entryReader) {
	t.firstCode = r.id()
	codes := r.count(leastCode)
	t.firstContext = r.id()
	contexts := r.count(leastContext)
	if r.err != nil {
		return
	}
	t.codes = slices.Grow(t.codes[:0], codes)[:codes]
	clear(t.codes)
	t.contexts = slices.Grow(t.contexts[:0], contexts)[:contexts]
	for i := range t.codes {
		t.codes[i].Type = tracer.CodeType(r.byte())
	}
	for _, text := range codeTexts {
		before := ""
		for i := range t.codes {
			now := r.text(before)
			*text(&t.codes[i]) = now
			if now != "" {
				before = now
			}
		}
	}
	for _, number := range codeNumbers {
		before := int64(0)
		for i := range t.codes {
			before += int64(unfold(r.uvarint()))
			if before != int64(int32(before)) {
				r.fail("code %d has the number %d, which needs more than 32 bits", t.firstCode+uint32(i), before)
				return
			}
			*number(&t.codes[i]) = int32(before)
		}
	}
	for i := range t.codes {
		t.codes[i].Parent = r.parent(t.firstCode + uint32(i))
	}
	for i := range t.codes {
		t.codes[i].Scale = math.Float64frombits(bits.ReverseBytes64(r.uvarint()))
	}
	for i := range t.contexts {
		t.contexts[i].Parent = r.parent(t.firstContext + uint32(i))
	}
	for i := range t.contexts {
		t.contexts[i].Code = r.id()
	}
}

// An entryReader reads the columns of entries. After an error it returns zeros.
type entryReader struct {
	b   []byte
	err error
}

func (r *entryReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.b = nil
}

func (r *entryReader) byte() byte {
	if len(r.b) == 0 {
		r.fail("the entries are truncated")
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *entryReader) uvarint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail("the entries are truncated")
		return 0
	}
	r.b = r.b[n:]
	return v
}

// id reads a number of 32 bits.
func (r *entryReader) id() uint32 {
	v := r.uvarint()
	if v > math.MaxUint32 {
		r.fail("the entries have the id %d, which needs more than 32 bits", v)
		return 0
	}
	return uint32(v)
}

// count reads a number of entries that take at least so many bytes each.
func (r *entryReader) count(least int) int {
	n := r.uvarint()
	if n > uint64(len(r.b)/least) {
		r.fail("the block claims %d entries in %d bytes", n, len(r.b))
		return 0
	}
	return int(n)
}

// parent reads the parent of an entry.
func (r *entryReader) parent(id uint32) uint32 {
	distance := r.uvarint()
	if distance == 0 {
		return 0
	}
	if distance >= uint64(id) {
		r.fail("entry %d has its parent %d before it, but ids count from 1", id, distance)
		return 0
	}
	return id - uint32(distance)
}

// text reads a string that shares a prefix with the one before it.
func (r *entryReader) text(before string) string {
	shared, more := r.uvarint(), r.uvarint()
	if shared > uint64(len(before)) || more > uint64(len(r.b)) {
		r.fail("the entries have a text that is longer than the block")
		return ""
	}
	rest := r.b[:more]
	r.b = r.b[more:]
	if more == 0 {
		return before[:shared]
	}
	return before[:shared] + string(rest)
}

// addTo adds the entries to a dictionary, which must have exactly those before them.
func (t *entries) addTo(d *tracer.Dict) error {
	if codes, contexts := len(d.Codes()), len(d.Contexts()); int(t.firstCode) != codes || int(t.firstContext) != contexts {
		return fmt.Errorf("its entries begin with code %d and context %d; expected %d and %d", t.firstCode, t.firstContext, codes, contexts)
	}
	d.Extend(t.codes, t.contexts)
	return nil
}

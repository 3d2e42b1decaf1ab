package open

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// packings are the forms in which a file of any format may be packed or encoded, by their first bytes.
var packings = [...]packing{
	{"\x1f\x8b", "gzip", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"\x28\xb5\x2f\xfd", "Zstandard", zstandard},
	{"BZh", "bzip2", func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{"\xfd7zXZ\x00", "xz", xzipped},
	{"\xff\xfe", "UTF-16", wideText},
	{"\xfe\xff", "UTF-16", wideText},
}

func wideText(r io.Reader) (io.Reader, error) {
	return transform.NewReader(r, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()), nil
}

// A packing is recognised by the first bytes of a file.
type packing struct {
	magic, name string
	open        func(r io.Reader) (io.Reader, error)
}

// mostPackings is the number of packings around a file that are removed.
const mostPackings = 3

// unpacked returns the contents of a file that is packed in a way which its format does not read itself, or the file as it is, and the first bytes of
// what it returns. An archive has the contents of its only trace. known reports whether a file that begins with head is in a known format.
func unpacked(r io.Reader, known func(head []byte) bool) (contents *bufio.Reader, head []byte, err error) {
	contents = bufio.NewReaderSize(r, 1<<16)
	for n := 0; ; n++ {
		if head, err = contents.Peek(headSize); err != nil && !errors.Is(err, io.EOF) {
			return contents, head, err
		}
		if n == mostPackings || known(head) {
			return contents, head, nil
		}
		if read := isArchive(head); read != nil {
			members, err := read(contents)
			if err != nil {
				return contents, head, err
			}
			m, err := only(members)
			if err != nil {
				return contents, head, err
			}
			contents = bufio.NewReaderSize(bytes.NewReader(m.data), 1<<16)
			continue
		}
		k := slices.IndexFunc(packings[:], func(p packing) bool { return bytes.HasPrefix(head, []byte(p.magic)) })
		if k < 0 {
			return contents, head, nil
		}
		inner, err := packings[k].open(contents)
		if err != nil {
			return contents, head, damaged(packings[k].name, err)
		}
		contents = bufio.NewReaderSize(&packed{inner, packings[k].name}, 1<<16)
	}
}

// A packed is an unpacker whose errors name the packing.
type packed struct {
	io.Reader
	name string
}

func (p *packed) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = damaged(p.name, err)
	}
	return n, err
}

// damaged returns the error of a file that is packed.
func damaged(name string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file, packed by " + name + ", is cut")
	}
	return errors.New("packed by " + name + ": " + strings.TrimPrefix(err.Error(), strings.ToLower(name)+": "))
}

// detects reports whether a file that begins with head is in a format that is found by its beginning.
func detects(head []byte) bool {
	_, ok := detectHead(head)
	return ok || !foreign(head)
}

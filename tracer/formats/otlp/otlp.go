// Package otlp reads the spans of OpenTelemetry, as the file exporter of the collector and others write them: requests of the protocol OTLP in JSON,
// one after the other, or in Protocol Buffers. docs/events.md has the meaning of each field in the trace.
//
// Messages of Protocol Buffers stand alone or one after the other with their lengths before them: four bytes, as the file exporter writes, or a
// varint, as the libraries do. With its option compression the file exporter packs each message by Zstandard.
//
// The module go.opentelemetry.io/proto/otlp is not used: it makes an object of each field, in five times the time and ten times the memory, and
// brings gRPC with it. Package protobuf reads the few fields that are needed.
package otlp

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"whorl/internal/jsonscan"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/spans"
)

// Detect reports whether a file that begins with head may have spans of OpenTelemetry, compressed or not.
func Detect(head []byte) bool {
	f, b := formOf(gzipped.Head(head))
	if f == text || f == framed && b[0] == '{' {
		return bytes.Contains(b, []byte(`"resourceSpans"`)) || bytes.Contains(b, []byte(`"resource_spans"`))
	}
	return f != unknown
}

// A form is the encoding of the messages of a file.
type form uint8

const (
	unknown   form = iota
	text           // JSON
	plain          // one message
	framed         // with lengths of four bytes, the highest one first
	delimited      // with lengths as varints
)

// magic is the beginning of data packed by Zstandard.
const magic = "\x28\xb5\x2f\xfd"

// formOf returns the form of a file, and the beginning of its first message.
func formOf(head []byte) (form, []byte) {
	trimmed := jsonscan.Start(head)
	switch {
	case len(trimmed) > 0 && trimmed[0] == '{':
		return text, trimmed
	case len(head) < 8:
		return unknown, nil
	case head[0] <= mostMessage>>24 && (head[4] == '{' || bytes.HasPrefix(head[4:], []byte(magic)) || begins(head[4:])):
		return framed, head[4:]
	case begins(head):
		return plain, head
	}
	if _, n := binary.Uvarint(head); n > 0 && begins(head[n:]) {
		return delimited, head[n:]
	}
	return unknown, nil
}

// mostMessage bounds a message.
const mostMessage = 1 << 28

// A reader reads a file.
type reader struct {
	*spans.Recording
	file   *counter
	in     *bufio.Reader // of file
	buffer bytes.Buffer  // the message
	key    []byte        // of an attribute
	value  []byte
	failed []byte // message of the status
}

// A counter counts the bytes that are read.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

func newReader(out *spans.Recording, in io.Reader) *reader {
	c := &counter{Reader: in}
	return &reader{Recording: out, file: c, in: bufio.NewReaderSize(c, 1<<16)}
}

// offset returns the place in the file.
func (r *reader) offset() int64 { return r.file.n - int64(r.in.Buffered()) }

// read reads the file.
func (r *reader) read() error {
	head, err := r.in.Peek(4096)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case len(head) == 0:
		return jsonscan.ErrEmpty
	}
	switch f, first := formOf(head); f {
	case text:
		return r.json(r.in)
	case plain:
		return r.plain()
	case framed:
		x := &frames{reader: r}
		if first[0] == '{' || bytes.HasPrefix(first, []byte(magic)) && r.zippedText(head) {
			return r.json(x)
		}
		return r.messages(x.next)
	case delimited:
		return r.messages(r.delimited)
	}
	return errors.New("not OTLP: expected JSON, or a message with the field resource_spans")
}

// zippedText reports whether the first frame of a file holds JSON.
func (r *reader) zippedText(head []byte) bool {
	z, done, err := unzip(bytes.NewReader(head[4:]))
	if err != nil {
		return false
	}
	defer done()
	var first [1]byte
	_, err = io.ReadFull(z, first[:])
	return err == nil && first[0] == '{'
}

// finish adds the span that has been read.
func (r *reader) finish() {
	if r.Span.Failed && len(r.failed) > 0 {
		r.Attribute([]byte("error"), r.failed)
	}
	r.failed = r.failed[:0]
	r.Add(0)
}

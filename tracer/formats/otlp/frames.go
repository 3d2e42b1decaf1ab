package otlp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"whorl/internal/figures"
)

// frames reads messages with their lengths before them, and unpacks those that are packed. As a reader it returns them one after the other.
type frames struct {
	in       io.Reader
	file     bytes.Buffer
	unpacked bytes.Buffer
	rest     []byte
}

// next returns the next message, valid until the next call. At the end it returns io.EOF.
func (f *frames) next() ([]byte, error) {
	var length [4]byte
	if n, err := io.ReadFull(f.in, length[:]); err != nil {
		if n == 0 && errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, cut(err)
	}
	b, err := fill(&f.file, f.in, int64(binary.BigEndian.Uint32(length[:])))
	if err != nil || !bytes.HasPrefix(b, []byte(magic)) {
		return b, err
	}
	z, done, err := unzip(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	defer done()
	f.unpacked.Reset()
	n, err := f.unpacked.ReadFrom(io.LimitReader(z, mostMessage+1))
	if n > mostMessage {
		return nil, tooLong(n)
	}
	return f.unpacked.Bytes(), err
}

func (f *frames) Read(b []byte) (int, error) {
	for len(f.rest) == 0 {
		rest, err := f.next()
		if f.rest = rest; err != nil && len(rest) == 0 {
			return 0, err
		}
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// fill reads n bytes. If there are fewer it returns those and an error.
func fill(b *bytes.Buffer, r io.Reader, n int64) ([]byte, error) {
	if n > mostMessage {
		return nil, tooLong(n)
	}
	b.Reset()
	_, err := io.CopyN(b, r, n)
	if err != nil {
		err = cut(err)
	}
	return b.Bytes(), err
}

func tooLong(n int64) error {
	return fmt.Errorf("a message of %s; expected at most %s", figures.Size(n), figures.Size(mostMessage))
}

// cut returns the error for a file that ends within a message.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends within a message")
	}
	return err
}

// delimited returns the next message that has its length as a varint before it.
func (r *reader) delimited() ([]byte, error) {
	n, err := binary.ReadUvarint(r.in)
	if err != nil {
		return nil, err
	}
	if n > mostMessage {
		return nil, tooLong(int64(min(n, 1<<62)))
	}
	return fill(&r.buffer, r.in, int64(n))
}

// plain reads the fields of the one message of a file one at a time.
func (r *reader) plain() error {
	for {
		tag, err := binary.ReadUvarint(r.in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return cut(err)
		}
		if tag&7 != 2 {
			return fmt.Errorf("field %d of the message is no message", tag>>3)
		}
		b, err := r.delimited()
		if tag>>3 == 1 {
			r.resource(b)
		}
		if err != nil {
			return cut(err)
		}
	}
}

// messages reads messages that follow each other. What there is of a cut one is read too.
func (r *reader) messages(next func() ([]byte, error)) error {
	for {
		b, err := next()
		r.request(b)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

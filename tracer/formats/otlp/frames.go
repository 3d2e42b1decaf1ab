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
	*reader
	file     bytes.Buffer
	unpacked bytes.Buffer
	rest     []byte
}

// next returns the next message, valid until the next call. It leaves out messages that cannot be unpacked. At the end it returns io.EOF.
func (f *frames) next() ([]byte, error) {
	for {
		at := f.offset()
		b, err := f.frame()
		switch packed := bytes.HasPrefix(b, []byte(magic)); {
		case packed && err != nil:
			return nil, err
		case !packed:
			return b, err
		}
		if b, err = f.unpack(b); err == nil {
			return b, nil
		}
		f.Damaged(fmt.Errorf("the message after byte %d cannot be unpacked: %w", at, err))
	}
}

// frame returns the next message as it is in the file.
func (f *frames) frame() ([]byte, error) {
	var length [4]byte
	if n, err := io.ReadFull(f.in, length[:]); err != nil {
		if n == 0 && errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		return nil, cut(err)
	}
	return fill(&f.file, f.in, int64(binary.BigEndian.Uint32(length[:])))
}

// unpack unpacks a message.
func (f *frames) unpack(b []byte) ([]byte, error) {
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

// plain reads the fields of the one message of a file one at a time. It skips those of other versions.
func (r *reader) plain() error {
	for {
		at := r.offset()
		tag, err := binary.ReadUvarint(r.in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		var b []byte
		switch {
		case err != nil:
		case tag>>3 == 0 || tag>>3 > 1<<29-1:
			err = fmt.Errorf("field %d; expected one of the message", tag>>3)
		case tag&7 == 0:
			_, err = binary.ReadUvarint(r.in)
		case tag&7 == 1:
			_, err = r.in.Discard(8)
		case tag&7 == 5:
			_, err = r.in.Discard(4)
		case tag&7 == 2:
			b, err = r.delimited()
		default:
			err = fmt.Errorf("field %d has no known type", tag>>3)
		}
		switch {
		case b != nil && tag>>3 == requestSpans:
			r.resource(b)
		case err == nil:
			r.Dropped.Add("fields of other versions", 1)
		}
		if err != nil {
			return fmt.Errorf("after byte %d: %w", at, cut(err))
		}
	}
}

// messages reads messages that follow each other. The existing part of a message that is cut is read too.
func (r *reader) messages(next func() ([]byte, error)) error {
	for {
		at := r.offset()
		b, err := next()
		r.request(b)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("after byte %d: %w", at, cut(err))
		}
	}
}

package experiment

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A session and whoever watches it from another process, or from the page of a worker, talk in frames: a type (1 byte), a length
// (uint32, little-endian), and so many bytes. What is no trace is JSON. An unknown type is passed over.
const (
	// From the session.
	frameHello    = 'H' // greeting
	frameTrace    = 'T' // the bytes of a .whorl file go on
	frameStatus   = 'S' // Status; all bytes that were recorded before have been sent
	frameSnapshot = 'N' // Snapshot, after the Status of a pause or of the end
	// To the session.
	frameRun     = 'R' // Run: start this one; only to Serve, and once
	frameCommand = 'C' // Command
	frameTaken   = 'A' // int: so many bytes of the trace have been taken
	frameReplay  = 'P' // nothing: before frameClose, where the client goes on with a replay of its own
	frameClose   = 'X' // nothing: nobody watches any more
)

// greeting is what a session says first.
type greeting struct {
	Run      Run      `json:"run"`
	Warnings []string `json:"warnings,omitempty"`
}

const (
	frameHead = 5
	maxFrame  = 16 << 20
	maxPiece  = 1 << 18 // of a trace in one frame
	maxAhead  = 16 << 20
)

func appendFrame(b []byte, kind byte, payload []byte) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, kind), uint32(len(payload)))
	return append(b, payload...)
}

func writeFrame(w io.Writer, kind byte, payload []byte) error {
	_, err := w.Write(appendFrame(make([]byte, 0, frameHead+len(payload)), kind, payload))
	return err
}

func writeJSON(w io.Writer, kind byte, v any) error {
	payload, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFrame(w, kind, payload)
}

// readFrame returns the next frame. The error is io.EOF where there is none, and says so where one was cut.
func readFrame(r io.Reader) (kind byte, payload []byte, err error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[1:])
	if n > maxFrame {
		return 0, nil, fmt.Errorf("a frame of type %q claims %d bytes; the most is %d", head[0], n, maxFrame)
	}
	var b bytes.Buffer
	b.Grow(min(int(n), maxPiece) + bytes.MinRead) // most frames as one piece, and no more memory than is sent by one that lies
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, nil, err
	}
	return head[0], b.Bytes(), nil
}

func fromJSON(kind byte, payload []byte, v any) error {
	if err := json.Unmarshal(payload, v); err != nil {
		return fmt.Errorf("a frame of type %q: %w", kind, err)
	}
	return nil
}

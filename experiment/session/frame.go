package session

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"whorl/experiment"
)

// A session and its viewer talk in frames: a type (1 byte), a length (uint32, little-endian), and a payload of that length. All payloads but
// the trace are JSON. A receiver skips unknown types.
const (
	// From the session.
	frameHello    = 'H' // greeting
	frameTrace    = 'T' // more bytes of the .whorl file
	frameStatus   = 'S' // Status; all bytes recorded before have been sent
	frameSnapshot = 'N' // experiment.Snapshot, after the Status of a pause or of the end
	frameRead     = 'D' // recordedProgram, when the trace of frameProgram has been read
	frameGains    = 'G' // gains: the progress of a ranking, or its result
	// To the session.
	frameRun     = 'R' // experiment.Run, the run to start; only to Serve, and once
	frameCommand = 'C' // Command
	frameTaken   = 'A' // int, the number of bytes of the trace that were taken
	frameReplay  = 'P' // no payload: before frameClose, if the client continues with a replay of its own
	frameProgram = 'B' // traceHead: the trace of a program to replay; only to Serve
	frameEvents  = 'E' // events of this trace as they are in memory; none after the last
	frameRank    = 'W' // rankRequest: the request for the ranking of a recorded program; only to a Host that has read it
	frameClose   = 'X' // no payload: the viewer leaves
)

// A greeting is the first payload of a session.
type greeting struct {
	Run experiment.Run `json:"run"`
}

// Limits in bytes.
const (
	frameHead = 5
	maxFrame  = 16 << 20
	maxPiece  = 1 << 18  // of the trace in one frame
	maxAhead  = 16 << 20 // of the trace sent and not taken
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

// readFrame returns the next frame. The error is io.EOF at the end and io.ErrUnexpectedEOF within a frame.
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
	b.Grow(min(int(n), maxPiece) + bytes.MinRead) // one allocation for most frames; a false length takes no more memory than the bytes that are sent
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

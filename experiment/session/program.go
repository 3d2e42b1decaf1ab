package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unsafe"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/replay"
	"whorl/tracer"
)

// A traceHead is the first payload of a trace that is sent to a Host.
type traceHead struct {
	Name     string // of the trace
	Meta     tracer.Meta
	Codes    []tracer.Code
	Contexts []tracer.Context
	Counts   [tracer.NumKinds]int64
	From, To int64
}

// A recordedProgram is the program that a Host has read: its facts, and its replay on the recording's own machine.
type recordedProgram struct {
	Recorded *experiment.Recorded
	Run      experiment.Run
}

// piece is the number of events in a frame.
const piece = 1 << 14

// mostSent is the largest number of events of a trace that Read sends.
const mostSent = 5_000_000

// Read has the program in a trace read by the Host at the other end of c, and returns its replay as it was recorded. Runs of it have to be asked of the
// same Host. name is that of the trace. idle is called again and again while events are sent.
func Read(c io.ReadWriteCloser, src tracer.Source, name string, idle func()) (experiment.Run, error) {
	h := traceHead{Name: name, Meta: src.Meta(), Codes: src.Dict().Codes()[1:], Contexts: src.Dict().Contexts()[1:], Counts: src.Counts()}
	h.From, h.To = src.Span()
	events := int64(0)
	for kind, n := range h.Counts {
		if replay.Kinds.Contains(tracer.Kind(kind)) {
			events += n
		}
	}
	if events > mostSent {
		return experiment.Run{}, fmt.Errorf("the trace has %s, and a page replays at most %s: the window and whorl replay know no limit",
			figures.Counted(events, "event"), figures.Count(mostSent))
	}
	head, err := json.Marshal(h)
	if err == nil && len(head) > maxFrame {
		err = fmt.Errorf("the names and the sources of the trace take %d bytes, and a page sends at most %d: the window and whorl replay know no limit", len(head), maxFrame)
	}
	if err == nil {
		err = writeFrame(c, frameProgram, head)
	}
	if err != nil {
		return experiment.Run{}, err
	}
	pending := make([]tracer.Event, 0, min(events, piece)) // a trace of many streams has short batches
	send := func() error {
		b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(pending))), len(pending)*eventSize)
		pending = pending[:0]
		idle()
		return writeFrame(c, frameEvents, b)
	}
	if err := src.Scan(replay.Kinds, func(es []tracer.Event) error {
		for i := range es {
			if pending = append(pending, es[i]); len(pending) == piece {
				if err := send(); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		return experiment.Run{}, err
	}
	if len(pending) > 0 {
		if err := send(); err != nil {
			return experiment.Run{}, err
		}
	}
	if err := send(); err != nil { // no events: the end
		return experiment.Run{}, err
	}
	kind, payload, err := readFrame(c)
	if err != nil {
		return experiment.Run{}, err
	}
	if kind == frameStatus {
		var st Status
		if err = fromJSON(kind, payload, &st); err == nil {
			err = errors.New(st.Err)
		}
		return experiment.Run{}, err
	}
	var p recordedProgram
	err = fromJSON(kind, payload, &p)
	p.Run.Recorded = p.Recorded
	return p.Run, err
}

// eventSize is the size of an event in memory, in bytes. Both ends are on one machine, so that it is also that in frames.
const eventSize = int(unsafe.Sizeof(tracer.Event{}))

// read reads the program in the trace that a client sends, and answers it.
func (h *Host) read(c io.ReadWriter, head []byte) error {
	t := sentTrace{c: c}
	if err := fromJSON(frameProgram, head, &t.traceHead); err != nil {
		return err
	}
	for _, code := range t.Codes {
		t.dict.Add(code)
	}
	for _, context := range t.Contexts {
		t.dict.AddContext(context)
	}
	run, err := experiment.ReplayOf(context.Background(), &t, t.Name)
	if err != nil {
		for !t.ended { // the client listens when it has sent everything
			if kind, payload, broken := readFrame(c); broken != nil {
				return broken
			} else if kind == frameEvents && len(payload) == 0 {
				break
			}
		}
		return writeJSON(c, frameStatus, Status{State: Finished, Err: err.Error(), Outcome: tracer.Failed.String()})
	}
	h.recorded = run.Recorded
	return writeJSON(c, frameRead, recordedProgram{run.Recorded, run})
}

// A sentTrace is a trace whose events come from a client. It can be scanned once, for the kinds that replays read.
type sentTrace struct {
	traceHead
	dict  tracer.Dict
	c     io.Reader
	ended bool // all events have come
}

func (t *sentTrace) Meta() tracer.Meta              { return t.traceHead.Meta }
func (t *sentTrace) Dict() *tracer.Dict             { return &t.dict }
func (t *sentTrace) Counts() [tracer.NumKinds]int64 { return t.traceHead.Counts }
func (t *sentTrace) Span() (from, to int64)         { return t.From, t.To }

func (t *sentTrace) Scan(_ tracer.KindSet, f func([]tracer.Event) error) error {
	var es []tracer.Event
	for {
		kind, payload, err := readFrame(t.c)
		switch {
		case err != nil:
			return err
		case kind == frameClose:
			return io.EOF
		case kind != frameEvents:
			continue
		case len(payload) == 0:
			t.ended = true
			return nil
		case len(payload)%eventSize != 0:
			return fmt.Errorf("a frame of type %q has %d bytes, expected a multiple of %d", frameEvents, len(payload), eventSize)
		}
		n := len(payload) / eventSize
		if cap(es) < n {
			es = make([]tracer.Event, n)
		}
		es = es[:n]
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&es[0])), len(payload)), payload)
		if err := f(es); err != nil {
			return err
		}
	}
}

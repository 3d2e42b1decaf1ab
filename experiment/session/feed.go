package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"whorl/experiment"
	"whorl/tracer"
)

// A Host runs programs for clients in other processes. The zero Host is ready to use.
type Host struct {
	recorded *experiment.Recorded // the program that all runs replay; nil for runs that name their programs
}

// Serve runs the program that the client at the other end of c, a Remote made by Ask, asks for, and feeds the session to it. Commands that arrive
// before the run are the first commands of the session. Serve stops the run when the client has gone. A client that calls Read makes the Host one of
// the program in its trace: afterwards it may have several connections at a time.
func (h *Host) Serve(c io.ReadWriteCloser) error {
	defer c.Close()
	var first []Command
	for {
		kind, payload, err := readFrame(c)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
			return nil
		}
		if err != nil {
			return err
		}
		switch kind {
		case frameClose:
			return nil
		case frameCommand:
			var command Command
			if err := fromJSON(kind, payload, &command); err != nil {
				return err
			}
			first = append(first, command)
		case frameProgram:
			if err := h.read(c, payload); err != nil {
				return err
			}
		case frameRank:
			return h.rank(c, payload)
		case frameRun:
			var r experiment.Run
			if err := fromJSON(kind, payload, &r); err != nil {
				return err
			}
			r.Recorded = h.recorded
			s, err := Start(r)
			if err != nil {
				return writeJSON(c, frameStatus, Status{State: Finished, Err: err.Error(), Outcome: tracer.Failed.String()})
			}
			for _, command := range first {
				s.Do(command)
			}
			err = Feed(s, c)
			s.Close()
			<-s.Done()
			if errors.Is(err, ErrReplayed) { // the replay is a run of its own
				return nil
			}
			return err
		}
	}
}

// Feed lets the Remote at the other end of c watch and steer a session. Only Feed may take the trace of the session. Feed returns and closes c when
// everything has been sent or the client has gone; the session goes on. The error is ErrReplayed, or that of a client that did not take leave.
func Feed(s *Session, c io.ReadWriteCloser) error { return feedAhead(s, c, maxAhead) }

// A performance is a session as a feed sends it: a Session, or a member of an Audience.
type performance interface {
	Description() experiment.Run
	Status() Status
	TakeTrace() []byte
	Snapshot() *experiment.Snapshot
	Do(Command)
	changes() <-chan struct{} // receives a token when something new can be read
	Done() <-chan struct{}
}

// feedAhead is Feed with a limit on the bytes that were sent and not yet taken.
func feedAhead(s performance, c io.ReadWriteCloser, most int64) error {
	f := &feed{s: s, mine: make(chan struct{}, 1), most: most, gone: make(chan struct{})}
	var listener errgroup.Group
	listener.Go(func() error {
		defer close(f.gone)
		return f.listen(c)
	})
	err := f.send(c)
	if err != nil { // the last frames of a client that closed its end may not have been read yet
		select {
		case <-f.gone:
		case <-time.After(patience):
		}
	}
	c.Close()
	lost := listener.Wait()
	switch {
	case f.replays && err != nil:
		return ErrReplayed
	case err == nil || f.left:
		return nil
	}
	if errors.Is(lost, io.EOF) || errors.Is(lost, os.ErrClosed) {
		return ErrViewerGone
	}
	return lost
}

// patience is how long Feed still reads from a client that does not accept data.
const patience = 10 * time.Second

// A feed is the session's end of a connection.
type feed struct {
	s    performance
	mine chan struct{} // receives a token when the client has taken bytes
	most int64         // limit of ahead
	gone chan struct{} // closed when the client has gone

	mu    sync.Mutex
	ahead int64 // bytes that were sent and not yet taken

	// Written by listen until gone is closed.
	left    bool // the client took leave
	replays bool // it continues with a replay of its own
}

// ErrReplayed is returned by Feed if its client took leave by Replaced before the end.
var ErrReplayed = errors.New("the viewer goes on with a replay of its own")

// ErrViewerGone is returned by Feed if its client went without taking leave.
var ErrViewerGone = errors.New("the viewer has gone")

// listen executes the commands of the client.
func (f *feed) listen(c io.Reader) error {
	for {
		kind, payload, err := readFrame(c)
		if err != nil {
			return err
		}
		switch kind {
		case frameClose:
			f.left = true
			return nil
		case frameReplay:
			f.replays = true
		case frameCommand:
			var command Command
			if err := fromJSON(kind, payload, &command); err != nil {
				return err
			}
			f.s.Do(command)
		case frameTaken:
			var n int64
			if err := fromJSON(kind, payload, &n); err != nil {
				return err
			}
			f.mu.Lock()
			if f.ahead -= n; n < 0 || f.ahead < 0 {
				err = fmt.Errorf("more was taken than was sent: %d bytes", n)
			}
			f.mu.Unlock()
			if err != nil {
				return err
			}
			token(f.mine)
		}
	}
}

// send sends the trace, the status and the snapshots of the session until its end.
func (f *feed) send(c io.Writer) error {
	if err := writeJSON(c, frameHello, greeting{f.s.Description()}); err != nil {
		return err
	}
	var sent Status
	var shown *experiment.Snapshot
	for first := true; ; first = false {
		st := f.s.Status()
		if f.room() {
			if err := f.sendTrace(c, f.s.TakeTrace()); err != nil {
				return err
			}
			if first || st != sent {
				if err := writeJSON(c, frameStatus, st); err != nil {
					return err
				}
				sent = st
			}
			if st.State == Finished {
				<-f.s.Done()
			}
			if st.State != Running {
				if snap := f.s.Snapshot(); snap != nil && snap != shown {
					if err := writeJSON(c, frameSnapshot, snap); err != nil {
						return err
					}
					shown = snap
				}
			}
			if st.State == Finished {
				return nil
			}
		}
		select {
		case <-f.s.changes():
		case <-f.mine:
		case <-f.gone:
			return ErrViewerGone
		}
	}
}

// room reports whether the client has taken most of the bytes that were sent.
func (f *feed) room() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ahead < f.most
}

func (f *feed) sendTrace(c io.Writer, b []byte) error {
	f.mu.Lock()
	f.ahead += int64(len(b))
	f.mu.Unlock()
	for len(b) > 0 {
		n := min(len(b), maxPiece)
		if err := writeFrame(c, frameTrace, b[:n]); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

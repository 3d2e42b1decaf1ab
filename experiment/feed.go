package experiment

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Serve carries out the run that the client at the other end of c asks for, and feeds it to it. When the client has gone the run is
// stopped. It is the whole of a Web Worker or of any process that runs programs for a viewer; the client's side is Ask.
func Serve(c io.ReadWriteCloser) error {
	defer c.Close()
	for {
		kind, payload, err := readFrame(c)
		if err != nil {
			return quiet(err)
		}
		switch kind {
		case frameClose:
			return nil
		case frameRun:
			var r Run
			if err := fromJSON(kind, payload, &r); err != nil {
				return err
			}
			s, err := Start(r)
			if err != nil {
				return writeJSON(c, frameStatus, Status{State: Finished, Err: err.Error(), Outcome: Failed.String()})
			}
			err = Feed(s, c)
			s.Close()
			<-s.Done()
			if errors.Is(err, ErrReplayed) { // a new one was asked for elsewhere
				return nil
			}
			return err
		}
	}
}

// Feed lets the client at the other end of c, a Remote, watch and steer a session, whose trace nobody else may take. It returns when all
// has been sent, or when the client has gone, and closes c; the session goes on as it was told to. The error is that of a client that did not
// take leave, or ErrReplayed.
func Feed(s *Session, c io.ReadWriteCloser) error { return feedAhead(s, c, maxAhead) }

// feedAhead is Feed that sends no more when so many bytes have not been taken.
func feedAhead(s *Session, c io.ReadWriteCloser, most int64) error {
	f := &feed{s: s, most: most, gone: make(chan struct{})}
	var listener sync.WaitGroup
	listener.Go(func() {
		f.err = f.listen(c)
		close(f.gone)
	})
	err := f.send(c)
	if err != nil { // what the client has said last, before it closed its end, may not have been heard yet
		select {
		case <-f.gone:
		case <-time.After(leaving):
		}
	}
	c.Close()
	listener.Wait()
	switch {
	case f.replays && err != nil:
		return ErrReplayed
	case err == nil || f.left:
		return nil
	}
	if errors.Is(f.err, io.EOF) || errors.Is(f.err, os.ErrClosed) {
		return ErrViewerGone // whatever could not be written to it
	}
	return f.err
}

// leaving is how long a client that takes nothing any more is listened to.
const leaving = 10 * time.Second

// A feed is the side of the session.
type feed struct {
	s    *Session
	most int64         // bytes that may be sent and not taken
	gone chan struct{} // closed when the client has gone

	mu    sync.Mutex
	ahead int64 // bytes that were sent and have not been taken

	left    bool // the client took leave; of listen until gone is closed, like what follows
	replays bool // it goes on with a replay of its own
	err     error
}

// ErrReplayed is what Feed returns when its client took leave before the end for a replay of its own: Replaced.
var ErrReplayed = errors.New("the viewer goes on with a replay of its own")

// ErrViewerGone is what Feed returns when its client has gone without a word.
var ErrViewerGone = errors.New("the viewer has gone")

// listen obeys the client.
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
			token(f.s.news)
		}
	}
}

// send tells the client all there is to tell.
func (f *feed) send(c io.Writer) error {
	if err := writeJSON(c, frameHello, greeting{f.s.Description(), f.s.Warnings()}); err != nil {
		return err
	}
	var said Status
	var shown *Snapshot
	for first := true; ; first = false {
		st := f.s.Status()
		if f.room() {
			if err := f.sendTrace(c, f.s.Take()); err != nil {
				return err
			}
			if first || st != said {
				if err := writeJSON(c, frameStatus, st); err != nil {
					return err
				}
				said = st
			}
			if st.State == Finished {
				<-f.s.done
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
		case <-f.s.news:
		case <-f.gone:
			return ErrViewerGone
		}
	}
}

// room says whether the client has taken most of what was sent.
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

// quiet makes nothing of the end of a connection.
func quiet(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}

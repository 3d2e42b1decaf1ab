package session

import (
	"io"
	"os"
	"sync"

	"whorl/experiment"
)

// An Audience lets any number of Remotes watch and steer one session, each from the beginning of its trace. Only the Audience may take the trace.
type Audience struct {
	s    *Session
	run  experiment.Run // the description for the Remotes
	over chan struct{}  // closed when the whole trace is in the log

	mu      sync.Mutex
	log     *os.File // the trace so far
	size    int64
	err     error // of the log
	members []*member
}

// NewAudience returns the Audience of a session, and begins the session. run is the description for the Remotes: one whose text is complete can be
// run again without the file of the program. Close is called after the end of the session.
func NewAudience(s *Session, run experiment.Run) (*Audience, error) {
	log, err := os.CreateTemp("", "whorl-session")
	if err != nil {
		return nil, err
	}
	a := &Audience{s: s, run: run, log: log, over: make(chan struct{})}
	go a.collect()
	return a, nil
}

// collect takes the trace until the end of the session, and notifies the members of changes.
func (a *Audience) collect() {
	defer close(a.over)
	for done := a.s.Done(); done != nil; {
		select {
		case <-a.s.news:
		case <-done:
			done = nil
		}
		a.mu.Lock()
		a.store()
		for _, m := range a.members {
			token(m.news)
		}
		a.mu.Unlock()
	}
}

// store moves new bytes of the trace to the log. The caller holds a.mu.
func (a *Audience) store() {
	b := a.s.TakeTrace()
	if a.err != nil {
		return
	}
	if _, a.err = a.log.WriteAt(b, a.size); a.err == nil {
		a.size += int64(len(b))
	}
}

// Feed is the Feed of the session for one of its Remotes. It returns when everything has been sent or the Remote has gone.
func (a *Audience) Feed(c io.ReadWriteCloser) error {
	m := &member{Audience: a, news: make(chan struct{}, 1)}
	a.mu.Lock()
	a.members = append(a.members, m)
	a.mu.Unlock()
	defer a.leave(m)
	return feedAhead(m, c, maxAhead)
}

func (a *Audience) leave(m *member) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, n := range a.members {
		if n == m {
			a.members = append(a.members[:i], a.members[i+1:]...)
			return
		}
	}
}

// Close waits for the end of the session and removes the log.
func (a *Audience) Close() error {
	<-a.over
	a.mu.Lock()
	defer a.mu.Unlock()
	a.log.Close()
	return os.Remove(a.log.Name())
}

// A member is the session as one Remote of an Audience is fed.
type member struct {
	*Audience
	news chan struct{}
	sent int64 // bytes of the log
}

func (m *member) Description() experiment.Run    { return m.run }
func (m *member) Status() Status                 { return m.s.Status() }
func (m *member) Snapshot() *experiment.Snapshot { return m.s.Snapshot() }
func (m *member) Do(c Command)                   { m.s.Do(c) }
func (m *member) changes() <-chan struct{}       { return m.news }
func (m *member) Done() <-chan struct{}          { return m.over }

// TakeTrace returns the part of the log that was not sent.
func (m *member) TakeTrace() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.store()
	b := make([]byte, m.size-m.sent)
	if _, err := m.log.ReadAt(b, m.sent); err != nil {
		return nil
	}
	m.sent = m.size
	return b
}

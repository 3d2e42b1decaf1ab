package session

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/coder/websocket"

	"whorl/visual/share"
)

// Bounds of a websocket.
const (
	maxHello      = 4 << 10          // bytes of the first message
	maxNewcomers  = 256              // connections without a hello; the oldest one ends
	helloWithin   = 10 * time.Second // after the beginning of a connection
	writeWithin   = 20 * time.Second // a message
	pingEvery     = 20 * time.Second
	answerPingsIn = 20 * time.Second
)

// A newcomer is a connection that has not sent its hello.
type newcomer struct{ cancel context.CancelFunc }

// enter counts a connection as a newcomer's until leave.
func (s *Session) enter(cancel context.CancelFunc) (leave func()) {
	n := &newcomer{cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.newcomers) >= maxNewcomers {
		s.newcomers[0].cancel()
		s.newcomers = slices.Delete(s.newcomers, 0, 1)
	}
	s.newcomers = append(s.newcomers, n)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.newcomers = slices.DeleteFunc(s.newcomers, func(m *newcomer) bool { return m == n })
	}
}

// socket serves a member until the connection ends. websocket.Accept refuses pages of other origins; whoever serves the session compares the host with
// the names of the server.
func (s *Session) socket(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		http.Error(w, "the session has ended", http.StatusGone)
		return
	}
	s.served.Add(1)
	s.mu.Unlock()
	defer s.served.Done()
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // it has answered
	}
	defer func() { _ = ws.CloseNow() }() // it may have ended
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	ready := make(chan struct{}, 1)
	link, err := s.greet(ctx, cancel, ws, ready)
	if err != nil {
		refuse(ctx, ws, err)
		return
	}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		link.Leave(s.now())
	}()
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer cancel()
		s.write(ctx, ws, link, ready)
	}()
	go watch(ctx, cancel, ws)
	ws.SetReadLimit(share.MaxRequest)
	for {
		_, b, err := ws.Read(ctx)
		if err == nil {
			s.mu.Lock()
			err = link.Receive(b, s.now())
			s.mu.Unlock()
		}
		if err != nil {
			if s.over(link) {
				<-written // the reason is on its way
			}
			return
		}
	}
}

func (s *Session) over(link *share.Link) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return link.Ended()
}

// greet waits for the hello of a connection and joins the member.
func (s *Session) greet(ctx context.Context, cancel context.CancelFunc, ws *websocket.Conn, ready chan<- struct{}) (*share.Link, error) {
	defer s.enter(cancel)()
	ws.SetReadLimit(maxHello)
	within, done := context.WithTimeout(ctx, helloWithin)
	defer done()
	_, b, err := ws.Read(within)
	if err != nil {
		return nil, err
	}
	return s.join(b, func() {
		select {
		case ready <- struct{}{}:
		default:
		}
	})
}

// A refusal is an error for the person who wants to join.
type refusal struct{ error }

// join joins a member with its first message. The error is for the member.
func (s *Session) join(first []byte, notify func()) (*share.Link, error) {
	var r share.Request
	if err := json.Unmarshal(first, &r); err != nil || r.Hello == nil {
		return nil, refusal{errors.New("the first message is no hello")}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	role, ok := s.role(r.Hello.Token)
	if !ok {
		if role, ok = s.hub.RoleOf(r.Hello.Secret); !ok { // who is in the session comes back also when the link has expired
			return nil, refusal{errors.New("the link is not one of this session, or it has expired: ask for a new one")}
		}
		r.Hello.IfAway = false // nobody else joins by the secret
	}
	if s.closed {
		return nil, refusal{errors.New("the session has ended")}
	}
	link, err := s.hub.Join(*r.Hello, role, notify, s.now())
	if err != nil {
		return nil, refusal{err}
	}
	return link, nil
}

// refuse tells a client why it cannot join, if it can be told.
func refuse(ctx context.Context, ws *websocket.Conn, err error) {
	if no := (refusal{}); errors.As(err, &no) {
		if b, err := json.Marshal(share.Update{Bye: no.Error()}); err == nil {
			within, done := context.WithTimeout(ctx, helloWithin)
			defer done()
			_ = ws.Write(within, websocket.MessageText, b) // it may have gone
		}
		_ = ws.Close(websocket.StatusPolicyViolation, "")
	}
}

// watch ends a connection whose other end answers no ping. Browsers answer also for pages that they do not show.
func watch(ctx context.Context, cancel context.CancelFunc, ws *websocket.Conn) {
	defer cancel()
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			within, done := context.WithTimeout(ctx, answerPingsIn)
			err := ws.Ping(within)
			if done(); err != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// write sends what the hub has for a member until the connection ends.
func (s *Session) write(ctx context.Context, ws *websocket.Conn, link *share.Link, ready <-chan struct{}) {
	for {
		select {
		case <-ready:
		case <-ctx.Done():
			return
		}
		for {
			s.mu.Lock()
			b, over := link.Next(), link.Over()
			s.mu.Unlock()
			if b != nil {
				within, done := context.WithTimeout(ctx, writeWithin)
				err := ws.Write(within, websocket.MessageText, b)
				if done(); err != nil {
					return
				}
			}
			if over {
				_ = ws.Close(websocket.StatusNormalClosure, "")
				return
			}
			if b == nil {
				break
			}
		}
	}
}

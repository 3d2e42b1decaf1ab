// Package session is the server of a shared session: a hub (package visual/share) behind a websocket, and the traces of the session. It does not know
// the page.
//
//	GET  /session/socket       the websocket; the first message is the hello of docs/sharing.md
//	GET  /session/traces/ID    the file of a trace, with range requests
//	POST /session/traces?name= a file for the session, of somebody who presents
//	GET, PUT /session/pictures/PANE  the picture of a pane, for those who join later
//
// Requests for traces prove their right by Authorization: Bearer with the token of a link or the secret of a person. No proof is part of an address.
package session

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"os"
	"sync"
	"time"

	"whorl/visual/share"
)

// Options bound a session. Zeros stand for the defaults.
type Options struct {
	share.Options
	Expires time.Duration // how long people may join with the links, 4 hours
	Upload  int64         // bytes of a file that somebody may add, 256 MiB; all such files together may have four times as many
}

// A Session is a shared session. Its methods are safe for concurrent use.
type Session struct {
	options Options
	folder  string // temporary: files that were added, and traces in the form that members read in parts
	mux     *http.ServeMux
	tokens  map[share.Role]string
	began   time.Time
	ctx     context.Context // ends with the session
	end     context.CancelFunc
	served  sync.WaitGroup // websockets and the sweeper
	closing chan struct{}  // closed by Close
	reading chan struct{}  // holds a value while an upload is being read

	mu        sync.Mutex
	closed    bool
	hub       *share.Hub
	newcomers []*newcomer
	traces    map[string]*trace
	names     map[string]bool   // of traces
	last      int               // id of a trace
	uploaded  int64             // bytes
	pictures  map[uint64][]byte // by the number of the pane
}

// New begins a session without traces.
func New(o Options) (*Session, error) {
	if o.Expires <= 0 {
		o.Expires = 4 * time.Hour
	}
	if o.Upload <= 0 {
		o.Upload = 256 << 20
	}
	folder, err := os.MkdirTemp("", "whorl-session")
	if err != nil {
		return nil, err
	}
	s := &Session{
		options: o, folder: folder, mux: http.NewServeMux(), tokens: map[share.Role]string{}, began: time.Now(), hub: share.NewHub(o.Options),
		traces: map[string]*trace{}, names: map[string]bool{}, pictures: map[uint64][]byte{}, reading: make(chan struct{}, 1),
		closing: make(chan struct{}),
	}
	for _, r := range share.Roles {
		s.tokens[r] = rand.Text()
	}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.mux.HandleFunc("GET /session/socket", s.socket)
	s.mux.HandleFunc("GET /session/traces/{id}", s.trace)
	s.mux.HandleFunc("POST /session/traces", s.upload)
	s.mux.HandleFunc("GET /session/pictures/{pane}", s.picture)
	s.mux.HandleFunc("PUT /session/pictures/{pane}", s.putPicture)
	s.served.Go(s.sweep)
	return s, nil
}

// Token returns the token of the links for people with a role.
func (s *Session) Token(r share.Role) string { return s.tokens[r] }

// ServeHTTP answers the requests of the session.
func (s *Session) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Close ends the session, tells its members, and removes the files that were added.
func (s *Session) Close() error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		s.hub.End("the session has ended")
		close(s.closing)
	}
	s.mu.Unlock()
	stop := time.AfterFunc(farewell, s.end)
	defer stop.Stop()
	s.served.Wait()
	s.end()
	return os.RemoveAll(s.folder)
}

// farewell is the time for telling members that the session has ended.
const farewell = time.Second

// sweepEvery is the time between two looks for people who have not come back.
const sweepEvery = 5 * time.Second

func (s *Session) sweep() {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.mu.Lock()
			s.hub.Tick(s.now())
			s.mu.Unlock()
		case <-s.closing:
			return
		}
	}
}

func (s *Session) now() time.Duration { return time.Since(s.began) }

// Put writes a register of the stage for the host, before anybody presents.
func (s *Session) Put(changes ...share.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hub.Put(changes, s.now())
}

// People returns the number of people who are connected.
func (s *Session) People() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hub.People()
}

// role returns the role that a token gives, false for a token that is wrong or has expired. It takes the same time for all tokens of the same length.
func (s *Session) role(token string) (role share.Role, ok bool) {
	for _, r := range share.Roles {
		if subtle.ConstantTimeCompare([]byte(token), []byte(s.tokens[r])) == 1 {
			role, ok = r, true
		}
	}
	return role, ok && s.now() < s.options.Expires
}

// prove returns the role of whoever proves one by a token or by the secret of a person; false for neither.
func (s *Session) prove(proof string) (share.Role, bool) {
	if role, ok := s.role(proof); ok {
		return role, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hub.RoleOf(proof)
}

package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"whorl/serve"
	"whorl/testdata/must"
	"whorl/visual/share"
	"whorl/visual/share/client"
)

// A house is a session behind the server of the product. Its connections are pipes, so that the time in a bubble passes while they wait.
type house struct {
	*testing.T
	session *Session
	door    *door
	rand    *rand.Rand
	ended   chan error
	leave   context.CancelFunc
}

// A door is a listener to which clients dial by pipes.
type door struct {
	knocks chan net.Conn
	closed chan struct{}
}

func (d *door) Accept() (net.Conn, error) {
	select {
	case c := <-d.knocks:
		return c, nil
	case <-d.closed:
		return nil, net.ErrClosed
	}
}

func (d *door) Close() error { close(d.closed); return nil }

func (d *door) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7070} }

func (d *door) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case d.knocks <- theirs:
		return ours, nil
	case <-d.closed:
		return nil, errors.New("nobody listens")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func begin(t *testing.T, seed uint64, o Options, most int) *house {
	h := &house{T: t, door: &door{make(chan net.Conn), make(chan struct{})}, rand: rand.New(rand.NewPCG(seed, 2)), ended: make(chan error, 1)}
	h.session = must.Get(New(o))(t)
	handler := must.Get(serve.SessionHandler(h.session))(t)
	ctx, cancel := context.WithCancel(context.Background())
	h.leave = cancel
	server := &serve.Server{Handler: handler, Connections: most, Hosts: []string{"lab.example"}}
	go func() { h.ended <- server.Run(ctx, h.door) }()
	return h
}

// shut ends the session and the server.
func (h *house) shut() {
	h.Helper()
	must.Do(h, h.session.Close())
	h.leave()
	must.Do(h, <-h.ended)
}

// A seat is a viewer in the session.
type seat struct {
	member *share.Member
	line   *share.Line
	access *share.Access
	mu     sync.Mutex        // for pipes, which connections add to
	pipes  []net.Conn        // that were dialled
	wants  map[string]string // the last values of registers that this person alone writes
	began  time.Time
}

func (h *house) sit(name string, role share.Role) *seat {
	s := &seat{member: share.NewMember(name, h.session.Token(role)), wants: map[string]string{}, began: time.Now()}
	at := share.Address{URL: "http://localhost:7070/", Token: h.session.Token(role)}
	s.access = client.New(at, make(chan struct{}, 1), func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := h.door.dial(ctx, network, addr)
		if err == nil {
			s.mu.Lock()
			s.pipes = append(s.pipes, c)
			s.mu.Unlock()
		}
		return c, err
	}).Access(name)
	s.line = share.NewLine(s.member, s.access.Dial)
	return s
}

// step is a step of the viewer.
func (s *seat) step() { s.line.Step(time.Since(s.began)) }

// drop breaks all connections without a word.
func (s *seat) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.pipes {
		c.Close()
	}
	s.pipes = nil
}

// settle lets viewers step until nothing is under way.
func settle(seats ...*seat) {
	for range 400 {
		for _, s := range seats {
			s.step()
		}
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
	}
}

func copied(m *share.Member) string {
	var b strings.Builder
	for _, key := range m.Keys("") {
		v, by := m.Value(key)
		fmt.Fprintln(&b, key, by, string(v))
	}
	return b.String()
}

// dial opens a websocket as another program would. It returns the status of the answer too, 0 without one.
func (h *house) dial(header http.Header, host string) (*websocket.Conn, int, error) {
	c := &http.Client{Transport: &http.Transport{DialContext: h.door.dial}}
	ws, answer, err := websocket.Dial(context.Background(), "ws://"+host+"/session/socket", &websocket.DialOptions{HTTPClient: c, HTTPHeader: header}) //nolint:bodyclose // it has none
	if answer == nil {
		return ws, 0, err
	}
	return ws, answer.StatusCode, err
}

// request asks the handler of the session for something.
func (h *house) request(method, url, proof string, body io.Reader, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, url, body)
	if proof != "" {
		r.Header.Set("Authorization", "Bearer "+proof)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.session.ServeHTTP(w, r)
	return w
}

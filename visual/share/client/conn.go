// Package client joins a shared session over the network, for windows. A page does the same through its browser (package visual/screen).
package client

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"whorl/internal/figures"
	"whorl/visual/share"
)

// A Client knows the way to one session.
type Client struct {
	address share.Address
	http    *http.Client
	wake    chan<- struct{}

	secret atomic.Pointer[string] // as Keep got it
}

// New returns the client of the session at an address. wake gets a value, if it has room, when a connection has received something or has ended. dial
// makes network connections, nil for those of the system.
func New(at share.Address, wake chan<- struct{}, dial func(ctx context.Context, network, addr string) (net.Conn, error)) *Client {
	if dial == nil {
		dial = (&net.Dialer{Timeout: connectIn, KeepAlive: 15 * time.Second}).DialContext
	}
	t := &http.Transport{
		DialContext: dial, TLSHandshakeTimeout: connectIn, ResponseHeaderTimeout: answerIn, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute,
		TLSClientConfig: tlsConfig(at.SHA256),
	}
	return &Client{address: at, wake: wake, http: &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
		return errors.New("the server sends us to another address")
	}}}
}

// Times for making a connection and for an answer to begin.
const (
	connectIn = 10 * time.Second
	answerIn  = 30 * time.Second
)

// tlsConfig returns the rules for certificates. With a fingerprint the server has to have this certificate, whoever has signed it.
func tlsConfig(sum []byte) *tls.Config {
	if sum == nil {
		return &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, //nolint:gosec // VerifyConnection compares the whole certificate
		VerifyConnection: func(s tls.ConnectionState) error {
			leaf := s.PeerCertificates[0] // a server without certificates has failed before
			if got := sha256.Sum256(leaf.Raw); subtle.ConstantTimeCompare(got[:], sum) != 1 {
				return fmt.Errorf("the certificate of the server has the fingerprint %x, and the link %x: somebody may be between you and the session", got, sum)
			}
			if now := time.Now(); now.After(leaf.NotAfter) {
				return x509.CertificateInvalidError{Cert: leaf, Reason: x509.Expired}
			}
			return nil
		},
	}
}

// maxMessage bounds a message of the server, in bytes.
const maxMessage = 4 << 20

// maxWaiting is the number of bytes that wait for Receive. Then the connection is not read until they have been taken.
const maxWaiting = 64 << 20

// Dial begins a connection.
func (c *Client) Dial() share.Conn {
	ctx, cancel := context.WithCancel(context.Background())
	conn := &conn{client: c, cancel: cancel, sent: make(chan struct{}, 1), taken: make(chan struct{}, 1)}
	go conn.run(ctx)
	return conn
}

// A conn is a share.Conn over a websocket.
type conn struct {
	client *Client
	cancel context.CancelFunc
	sent   chan struct{} // has a value after a Send
	taken  chan struct{} // has a value after a Receive

	mu      sync.Mutex
	out, in [][]byte
	waiting int // bytes of in
	err     error
}

// run makes the connection and reads it until it ends.
func (c *conn) run(ctx context.Context) {
	defer c.cancel()
	dialling, cancel := context.WithTimeout(ctx, connectIn)
	ws, answer, err := websocket.Dial(dialling, c.client.address.URL+"session/socket", &websocket.DialOptions{HTTPClient: c.client.http}) //nolint:bodyclose // it has none
	cancel()
	if err != nil {
		if answer != nil && answer.StatusCode != http.StatusSwitchingProtocols {
			err = fmt.Errorf("the server answers %s", answer.Status)
		}
		c.end(reason(err))
		return
	}
	defer func() { _ = ws.CloseNow() }() // it may have ended
	ws.SetReadLimit(maxMessage)
	go c.write(ctx, ws)
	for {
		_, b, err := ws.Read(ctx)
		if err != nil {
			c.end(reason(err))
			return
		}
		c.mu.Lock()
		c.in = append(c.in, b)
		c.waiting += len(b)
		full := c.waiting > maxWaiting
		c.mu.Unlock()
		c.client.rouse()
		if full {
			select {
			case <-c.taken:
			case <-ctx.Done():
			}
		}
	}
}

// write sends the queued messages until the connection ends.
func (c *conn) write(ctx context.Context, ws *websocket.Conn) {
	defer c.cancel()
	for {
		c.mu.Lock()
		out := c.out
		c.out = nil
		c.mu.Unlock()
		for _, b := range out {
			if ws.Write(ctx, websocket.MessageText, b) != nil { // reading fails too
				return
			}
		}
		select {
		case <-c.sent:
		case <-ctx.Done():
			_ = ws.Close(websocket.StatusNormalClosure, "")
			return
		}
	}
}

// reason returns an error of the connection in few words.
func reason(err error) error {
	if e := (websocket.CloseError{}); errors.As(err, &e) {
		if e.Reason != "" {
			return errors.New(e.Reason)
		}
		return errors.New("the server has closed the connection")
	}
	if errors.Is(err, websocket.ErrMessageTooBig) {
		return fmt.Errorf("a message of the server is longer than %s", figures.Size(maxMessage))
	}
	text := strings.TrimPrefix(err.Error(), "failed to WebSocket dial: failed to send handshake request: ")
	if _, rest, ok := strings.Cut(text, "session/socket\": "); ok { // the request, which the user has not made
		text = rest
	}
	return errors.New(text)
}

func (c *conn) end(err error) {
	c.mu.Lock()
	c.err = err
	c.mu.Unlock()
	c.client.rouse()
}

func (c *Client) rouse() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *conn) Send(b []byte) {
	c.mu.Lock()
	c.out = append(c.out, b)
	c.mu.Unlock()
	signal(c.sent)
}

func (c *conn) Receive() [][]byte {
	c.mu.Lock()
	in := c.in
	c.in, c.waiting = nil, 0
	c.mu.Unlock()
	signal(c.taken)
	return in
}

func (c *conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.in) > 0 {
		return nil // the reason comes after all that was received
	}
	return c.err
}

func (c *conn) Close() { c.cancel() }

func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

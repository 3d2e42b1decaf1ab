package serve

import (
	"container/list"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Server answers requests at a listener.
type Server struct {
	Handler     http.Handler
	Hosts       []string         // names of the server beside its addresses
	Cert        *tls.Certificate // nil for a server without TLS
	Connections int              // at a time, 1,024 for 0
	Ending      func()           // called when the context has ended, before connections end; nil for nothing to do
}

// Times and sizes that bound what a client may take.
const (
	headerWithin = 10 * time.Second
	bodyWithin   = time.Minute      // of a request; handlers that take more say so
	answerWithin = 10 * time.Minute // the page over a slow connection
	idleFor      = time.Minute
	maxHeader    = 16 << 10
)

// Run answers requests until the context ends.
func Run(ctx context.Context, l net.Listener, h http.Handler) error {
	return (&Server{Handler: h}).Run(ctx, l)
}

// Run answers requests until the context ends.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	most := s.Connections
	if most <= 0 {
		most = 1024
	}
	c := &crowd{most: most, quiet: list.New(), entries: map[net.Conn]*list.Element{}, all: map[net.Conn]bool{}}
	server := &http.Server{
		Handler: newGuard(s.Handler, l, s.Hosts, s.Cert != nil), ConnState: c.watch, ErrorLog: log.New(io.Discard, "", 0), // of clients, as they please
		ReadHeaderTimeout: headerWithin, ReadTimeout: bodyWithin, WriteTimeout: answerWithin, IdleTimeout: idleFor, MaxHeaderBytes: maxHeader,
		Protocols: new(http.Protocols),
	}
	server.Protocols.SetHTTP1(true) // websockets need it
	serve := server.Serve
	if s.Cert != nil {
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{*s.Cert}}
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	g.Go(func() error {
		<-ctx.Done()
		if s.Ending != nil {
			s.Ending()
		}
		soon, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(soon) != nil {
			_ = server.Close() // a client is still reading
		}
		return nil
	})
	return g.Wait()
}

// A crowd bounds the connections of a server. When there are too many, the one ends that has been quiet longest: without a request so far, or after
// its last answer. So clients that send nothing do not keep others out.
type crowd struct {
	mu      sync.Mutex
	most    int
	all     map[net.Conn]bool
	quiet   *list.List // of net.Conn, the longest quiet first
	entries map[net.Conn]*list.Element
}

func (c *crowd) watch(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[conn]; e != nil {
		c.quiet.Remove(e)
		delete(c.entries, conn)
	}
	switch state {
	case http.StateNew, http.StateIdle:
		c.all[conn] = true
		c.entries[conn] = c.quiet.PushBack(conn)
	case http.StateActive:
		c.all[conn] = true
	case http.StateClosed, http.StateHijacked: // websockets are bounded by the session
		delete(c.all, conn)
	}
	if len(c.all) > c.most && c.quiet.Len() > 0 {
		oldest, _ := c.quiet.Remove(c.quiet.Front()).(net.Conn)
		delete(c.entries, oldest)
		delete(c.all, oldest)
		go oldest.Close() // closing TLS may wait
	}
}

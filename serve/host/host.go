// Package host begins shared sessions: for the command whorl serve --share and for windows.
package host

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"strconv"
	"time"

	"whorl/serve"
	"whorl/serve/session"
	"whorl/visual/documents"
	"whorl/visual/share"
)

// A Host hosts a shared session: the page, the session and its traces at one address.
type Host struct {
	Invitations []share.Invitation // for owners, presenters and viewers
	Until       time.Time          // people join with the invitations until then
	Fingerprint string             // of a certificate that was made for the session and that nobody vouches for, "" for none
	Note        string             // what of a workspace is not shown, "" for nothing

	session  *session.Session
	listener net.Listener
	server   serve.Server
}

// New begins a session with some traces, or with a workspace (documents.IsWorkspace), at a listener, which it closes. Several traces are compared. hosts are names of the computer beside its
// addresses. An address that other computers reach has TLS: with cert, or with a certificate that is made for the session if cert is nil.
func New(l net.Listener, traces, hosts []string, cert *tls.Certificate, o session.Options) (*Host, error) {
	if o.Expires <= 0 {
		o.Expires = 4 * time.Hour
	}
	s, err := session.New(o)
	if err != nil {
		return nil, err
	}
	h := &Host{session: s, listener: l, Until: time.Now().Add(o.Expires)}
	if err := h.begin(traces, hosts, cert, o.Expires); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

func (h *Host) begin(traces, hosts []string, cert *tls.Certificate, valid time.Duration) (err error) {
	if cert == nil && !serve.Private(h.listener) {
		if cert, err = serve.OwnCert(append(serve.Names(h.listener, nil), hosts...), valid+24*time.Hour); err != nil {
			return err
		}
		h.Fingerprint = serve.Fingerprint(cert)
	}
	if err := h.offer(traces); err != nil {
		return err
	}
	handler, err := serve.SessionHandler(h.session)
	if err != nil {
		return err
	}
	h.server = serve.Server{Handler: handler, Hosts: hosts, Cert: cert, Ending: func() { _ = h.session.Close() }}
	scheme, end := "http", ""
	if cert != nil {
		scheme = "https"
	}
	if h.Fingerprint != "" {
		end = "&sha256=" + h.Fingerprint
	}
	port := 0
	if at, ok := h.listener.Addr().(*net.TCPAddr); ok {
		port = at.Port
	}
	at := net.JoinHostPort(serve.Names(h.listener, hosts)[0], strconv.Itoa(port))
	for i := len(share.Roles) - 1; i >= 0; i-- {
		r := share.Roles[i]
		h.Invitations = append(h.Invitations, share.Invitation{Role: r, Link: fmt.Sprintf("%s://%s/#token=%s%s", scheme, at, h.session.Token(r), end)})
	}
	return nil
}

// offer gives the session its traces.
func (h *Host) offer(paths []string) error {
	if len(paths) == 1 && documents.IsWorkspace(paths[0]) {
		return h.show(paths[0])
	}
	group := 0
	if len(paths) > 1 {
		group = 1
	}
	for _, path := range paths {
		if documents.IsWorkspace(path) {
			return fmt.Errorf("%s: a workspace is shared alone, with the traces that it names", path)
		}
		if err := h.session.Offer(path, "", group); err != nil {
			return err
		}
	}
	return nil
}

// Run answers until the context ends.
func (h *Host) Run(ctx context.Context) error { return h.server.Run(ctx, h.listener) }

// Close ends the session.
func (h *Host) Close() {
	_ = h.session.Close() // its files are temporary
	_ = h.listener.Close()
}

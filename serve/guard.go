package serve

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A guard refuses requests for names that are not the server's, so that pages of other sites cannot reach it by a name of theirs that resolves to its
// address, and requests of other sites that change something. It sets the headers that confine the page.
type guard struct {
	next  http.Handler
	names []string // of hosts, in lower case; besides loopback addresses if the server listens on one
	local bool
	tls   bool
}

func newGuard(next http.Handler, l net.Listener, hosts []string, tls bool) *guard {
	g := &guard{next: next, names: namesOf(l), local: Private(l) || unspecified(l), tls: tls}
	for _, h := range hosts {
		g.names = append(g.names, strings.ToLower(h))
	}
	return g
}

// namesOf returns the addresses and the name of this machine at which a listener can be reached.
func namesOf(l net.Listener) (names []string) {
	a, ok := l.Addr().(*net.TCPAddr)
	switch {
	case !ok || a.IP.IsLoopback():
		return nil
	case !a.IP.IsUnspecified():
		names = append(names, a.IP.String())
	default:
		all, err := net.InterfaceAddrs()
		if err != nil {
			return nil
		}
		for _, at := range all {
			if in, ok := at.(*net.IPNet); ok && !in.IP.IsLinkLocalUnicast() {
				names = append(names, in.IP.String())
			}
		}
	}
	if name, err := os.Hostname(); err == nil {
		names = append(names, strings.ToLower(name))
	}
	return names
}

func unspecified(l net.Listener) bool {
	a, ok := l.Addr().(*net.TCPAddr)
	return ok && a.IP.IsUnspecified()
}

// own reports whether a host of a request is a name of the server.
func (g *guard) own(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if g.local {
		if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
			return true
		}
	}
	return slices.Contains(g.names, host)
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.confine(w.Header(), r.Host)
	switch origin := r.Header.Get("Origin"); {
	case !g.own(r.Host):
		http.Error(w, g.refusal(r.Host), http.StatusMisdirectedRequest)
	case origin != "" && r.Method != http.MethodGet && r.Method != http.MethodHead && !sameOrigin(origin, r.Host):
		http.Error(w, "a page of "+strconv.Quote(origin)+" may not use this server", http.StatusForbidden)
	default:
		g.next.ServeHTTP(w, r)
	}
}

func (g *guard) refusal(host string) string {
	if g.local && len(g.names) == 0 {
		return "this server answers only to localhost, not to " + strconv.Quote(host)
	}
	return "this server does not answer to " + strconv.Quote(host) + ": it was started without --host for this name"
}

func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, host)
}

// confine sets the headers of all answers. The page loads programs and data from this server alone, and starts workers from scripts that it keeps, nobody shows it in a frame, and addresses that it
// follows do not learn where it was.
func (g *guard) confine(h http.Header, host string) {
	socket := "ws"
	if g.tls {
		socket = "wss"
	}
	if !g.own(host) { // the name may be anything
		host = "localhost"
	}
	h.Set("Content-Security-Policy", "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "+
		"connect-src 'self' blob: "+socket+"://"+host+"; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
}

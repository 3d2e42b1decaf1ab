package cluster

import (
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A Host describes an embedded server. The zero Host serves only this machine and stores nothing beyond its end.
type Host struct {
	Listen     string      // address, "127.0.0.1:0" if ""; port 0 chooses a free port
	Store      string      // folder of jobs, results and traces, used again by the next server started there; "" for a temporary one
	SyncAlways bool        // flush each stored message to the disk, instead of within two minutes, for machines that may lose power
	TLS        *tls.Config // nil for none
	Token      string      // secret that nodes need; "" for a random one, which a Store keeps
}

// A Server is an embedded NATS server, which connects the nodes of a cluster.
type Server struct {
	nats   *server.Server
	host   Host
	folder string // to remove at the end, "" for none
	system *nats.Conn
}

// ServerTLS returns the TLS configuration of a server for the PEM files of its certificate and key.
func ServerTLS(cert, key string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("the certificate of the server: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// user is the name under which nodes log in. The token is their password.
const user = "whorl"

// StartServer starts an embedded server. It refuses clients without its token.
func StartServer(h Host) (*Server, error) {
	if h.Listen == "" {
		h.Listen = "127.0.0.1:0"
	}
	host, portText, err := net.SplitHostPort(h.Listen)
	if err != nil {
		return nil, fmt.Errorf("the address to listen on, %q: expected HOST:PORT, such as 127.0.0.1:4222", h.Listen)
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("the address to listen on, %q: the port is a number up to 65535", h.Listen)
	}
	if h.Token == "" {
		if h.Token, err = storedToken(h.Store); err != nil {
			return nil, err
		}
	}
	s := &Server{host: h}
	folder := h.Store
	if folder == "" {
		if folder, err = os.MkdirTemp("", "whorl-cluster-"); err != nil {
			return nil, err
		}
		s.folder = folder
	}
	// Nodes need an account of their own: with only its two built-in accounts the server lets everybody in.
	system, nodes, secret := server.NewAccount("$SYS"), server.NewAccount("WHORL"), rand.Text()
	o := &server.Options{
		ServerName: "whorl", Host: host, Port: int(port), TLSConfig: h.TLS, TLS: h.TLS != nil,
		JetStream: true, StoreDir: folder, SyncAlways: h.SyncAlways,
		NoSigs: true, NoLog: true, MaxPayload: maxPayload, WriteDeadline: 10 * time.Second,
		PingInterval: time.Second, MaxPingsOut: 2, // detect a lost connection within seconds
		AuthTimeout: 10, TLSTimeout: 10, // seconds, for busy hosts
		Accounts: []*server.Account{system, nodes}, SystemAccount: "$SYS",
		Users: []*server.User{{Username: user, Password: h.Token, Account: nodes}, {Username: "system", Password: secret, Account: system}},
	}
	if port == 0 {
		o.Port = server.RANDOM_PORT
	}
	if s.nats, err = server.NewServer(o); err != nil {
		s.Close()
		return nil, fmt.Errorf("the embedded server: %w", err)
	}
	s.nats.Start()
	if !s.nats.ReadyForConnections(time.Minute) {
		s.Close()
		return nil, fmt.Errorf("the embedded server does not start on %s: is the address in use?", h.Listen)
	}
	account, err := s.nats.LookupAccount("WHORL")
	if err == nil {
		err = account.EnableJetStream(nil, nil)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("the embedded server, in %s: %w", folder, err)
	}
	if err := s.watch(secret); err != nil {
		s.Close()
		return nil, fmt.Errorf("the embedded server: %w", err)
	}
	return s, nil
}

// storedToken returns the token stored in the folder of a server. It creates a new one if there is none. Nodes can
// return to a server that is started again.
func storedToken(folder string) (string, error) {
	token := rand.Text()
	if folder == "" {
		return token, nil
	}
	path := filepath.Join(folder, "token")
	switch old, err := os.ReadFile(path); {
	case err == nil && len(old) == len(token):
		return string(old), nil
	case err == nil:
		return "", fmt.Errorf("%s: expected a token of %d characters, got %d: remove the file to create a new one", path, len(token), len(old))
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return token, os.WriteFile(path, []byte(token), 0o600)
}

// maxPayload is the maximum size of a message in bytes, and so of an argument or a result.
const maxPayload = 8 << 20

// watch announces disconnected nodes to the others. The server notices at once when a process has ended.
func (s *Server) watch(secret string) error {
	system, err := nats.Connect("", nats.InProcessServer(s.nats), nats.UserInfo("system", secret))
	if err != nil {
		return err
	}
	s.system = system
	nodes, err := nats.Connect("", nats.InProcessServer(s.nats), nats.UserInfo(user, s.host.Token))
	if err != nil {
		return err
	}
	system.SetClosedHandler(func(*nats.Conn) { nodes.Close() })
	_, err = system.Subscribe("$SYS.ACCOUNT.*.DISCONNECT", func(m *nats.Msg) {
		var e struct{ Client struct{ Name string } }
		if json.Unmarshal(m.Data, &e) == nil && e.Client.Name != "" {
			if c, id, ok := cutConnectionName(e.Client.Name); ok {
				_ = nodes.Publish(subjectGone(c), []byte(id)) // other nodes notice missing beats
			}
		}
	})
	return err
}

// URL returns the URL for nodes to join, including the token.
func (s *Server) URL() string {
	u := url.URL{Scheme: "nats", User: url.UserPassword(user, s.host.Token), Host: s.Addr()}
	if s.host.TLS != nil {
		u.Scheme = "tls"
	}
	return u.String()
}

// Addr returns the address of the server.
func (s *Server) Addr() string {
	if a, ok := s.nats.Addr().(*net.TCPAddr); ok {
		if a.IP.IsUnspecified() {
			if name, err := os.Hostname(); err == nil {
				return net.JoinHostPort(name, strconv.Itoa(a.Port))
			}
		}
		return a.String()
	}
	return s.host.Listen
}

// Close stops the server. It removes stored data that is not in Host.Store.
func (s *Server) Close() {
	if s.system != nil {
		s.system.Close()
	}
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
	if s.folder != "" {
		_ = os.RemoveAll(s.folder) // temporary files
	}
}

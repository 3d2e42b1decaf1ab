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

// A Host describes an embedded server. Its zero value serves this machine alone, and keeps nothing when it is closed.
type Host struct {
	Listen     string      // address, "127.0.0.1:0" where it is ""; port 0 is any free one
	Store      string      // folder of jobs, results and logs, which a server that is started there again goes on with; "" is one that goes with the server
	SyncAlways bool        // what is stored is on the disk before it counts, and not within two minutes: for machines that lose power
	TLS        *tls.Config // of the server, nil for none
	Token      string      // what nodes must know, "" is a random one, which stays that of a Store
}

// A Server is an embedded server, through which the nodes of a cluster talk.
type Server struct {
	nats   *server.Server
	host   Host
	folder string // to remove, "" for none
	system *nats.Conn
}

// user is who nodes are; the secret is the token.
const user = "whorl"

// StartServer starts an embedded server. Whoever does not know its token is refused.
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
		if h.Token, err = kept(h.Store); err != nil {
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
	// Nodes have an account of their own: with none but the server's two it would let everybody in.
	system, nodes, secret := server.NewAccount("$SYS"), server.NewAccount("WHORL"), rand.Text()
	o := &server.Options{
		ServerName: "whorl", Host: host, Port: int(port), TLSConfig: h.TLS, TLS: h.TLS != nil,
		JetStream: true, StoreDir: folder, SyncAlways: h.SyncAlways,
		NoSigs: true, NoLog: true, MaxPayload: maxPayload, WriteDeadline: 10 * time.Second,
		PingInterval: time.Second, MaxPingsOut: 2, // what is cut off is noticed in seconds
		AuthTimeout: 10, TLSTimeout: 10, // seconds: a busy host takes its time
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
		return nil, fmt.Errorf("the embedded server does not come up on %s: is the address taken?", h.Listen)
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

// kept is the token that stands in the folder of a server, a new one where there is none: nodes find their way back to a server that is started
// again.
func kept(folder string) (string, error) {
	token := rand.Text()
	if folder == "" {
		return token, nil
	}
	path := filepath.Join(folder, "token")
	switch old, err := os.ReadFile(path); {
	case err == nil && len(old) == len(token):
		return string(old), nil
	case err == nil:
		return "", fmt.Errorf("%s: expected the %d characters of a token, and there are %d: remove the file, and there will be a new one", path, len(token), len(old))
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return token, os.WriteFile(path, []byte(token), 0o600)
}

// maxPayload bounds a message, and so the argument or the result of a call, in bytes.
const maxPayload = 8 << 20

// watch tells the nodes when one of them is disconnected, which the server knows at once when a process has ended.
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
				_ = nodes.Publish(subjectGone(c), []byte(id)) // nodes that do not hear it miss the heartbeats
			}
		}
	})
	return err
}

// URL is what nodes join, with the token in it.
func (s *Server) URL() string {
	u := url.URL{Scheme: "nats", User: url.UserPassword(user, s.host.Token), Host: s.Addr()}
	if s.host.TLS != nil {
		u.Scheme = "tls"
	}
	return u.String()
}

// Addr is where the server listens.
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

// Close ends the server. What is not in a folder of the user's is gone then.
func (s *Server) Close() {
	if s.system != nil {
		s.system.Close()
	}
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
	if s.folder != "" {
		_ = os.RemoveAll(s.folder) // of temporary files
	}
}

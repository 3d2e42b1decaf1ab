package cluster

import (
	"crypto/tls"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"whorl/internal/testdata/loopback"
	"whorl/internal/testdata/natslab"
	"whorl/testdata/must"
)

// certificate creates a certificate for the loopback address, and files with it and its key.
func certificate(t *testing.T) (cert, key string, pair tls.Certificate) {
	t.Helper()
	cert, key = loopback.Certificate(t)
	pair = must.Get(tls.LoadX509KeyPair(cert, key))(t)
	return cert, key, pair
}

// Nodes and clients reach an embedded server by TLS. A client that does not trust the server fails.
func TestTLS(t *testing.T) {
	cert, _, pair := certificate(t)
	s := startServer(t, Host{TLS: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}})
	if !strings.HasPrefix(s.URL(), "tls://") {
		t.Error(s.URL())
	}
	c := dial(t, Options{URL: "tls://127.0.0.1:1," + s.URL(), CA: cert})
	startNode(t, s.URL(), "n", EnvCA+"="+cert)
	awaitNodes(t, c, 1)
	rightAnswer(t, c, 8)
	another, _, _ := certificate(t)
	within := dial(t, Options{Server: s, CA: another}) // in the server's process no certificate is needed
	rightAnswer(t, within, 8)
	if _, err := Dial(t.Context(), Options{URL: s.URL()}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without the authority's certificate: %v", err)
	}
}

// Servers of the same folder have the same token, others have others. An invalid token is an error.
func TestKeptToken(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	urls := map[string]int{}
	for _, store := range []string{folder, folder, "", ""} {
		s := must.Get(StartServer(Host{Store: store}))(t)
		u, err := url.Parse(s.URL())
		s.Close()
		if err != nil {
			t.Fatal(err)
		}
		urls[u.User.String()]++
	}
	if len(urls) != 3 {
		t.Errorf("%v", urls)
	}
	path := filepath.Join(folder, "token")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	must.Do(t, os.WriteFile(path, nil, 0o600))
	if _, err := StartServer(Host{Store: folder}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("with an empty token: %v", err)
	}
}

// Nodes use an external server with accounts and users' credentials in files, as in a cluster of NATS servers.
func TestCredentials(t *testing.T) {
	s := natslab.Start(t, "127.0.0.1", nil)
	creds, wrong := s.User(t), natslab.Stranger(t)
	c := dial(t, Options{URL: s.ClientURL(), Credentials: creds, Cluster: "lab"})
	n := startNode(t, s.ClientURL(), "n", EnvCredentials+"="+creds, EnvCluster+"=lab")
	startNode(t, s.ClientURL(), "m", EnvCredentials+"="+creds, EnvCluster+"=lab")
	startNode(t, s.ClientURL(), "n", EnvCredentials+"="+creds, EnvCluster+"=other") // in another cluster
	awaitNodes(t, c, 2)
	rightAnswer(t, c, 10)
	if nodes := c.Nodes(); len(nodes) != 2 {
		t.Errorf("the cluster has nodes %v", nodes)
	}
	n.kill() // without an event of the server, only its silence tells
	rightAnswer(t, c, 10)

	log, err := startNode(t, s.ClientURL(), "x", EnvCredentials+"="+wrong, EnvCluster+"=lab").ended(t)
	if err == nil || !strings.Contains(log, "refuses the credentials") {
		t.Errorf("%v: %s", err, log)
	}
	if _, err := Dial(t.Context(), Options{URL: s.ClientURL(), Credentials: "nowhere.creds"}); err == nil || !strings.Contains(err.Error(), "nowhere.creds") {
		t.Errorf("with a missing file: %v", err)
	}
}

// The error names what a server lacks.
func TestNoJetStream(t *testing.T) {
	s := must.Get(server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true}))(t)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	if _, err := Dial(t.Context(), Options{URL: s.ClientURL()}); err == nil || !strings.Contains(err.Error(), "JetStream") {
		t.Error(err)
	}
}

// Package natslab runs a NATS server with accounts and users, like a laboratory's own, for tests of credentials.
package natslab

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"whorl/testdata/must"
)

// A Lab is a server that admits the users of one account, whom its operator has signed.
type Lab struct {
	*server.Server
	account nkeys.KeyPair
}

// Start starts a server on an address, with TLS unless config is nil. The test ends it.
func Start(t testing.TB, host string, config *tls.Config) *Lab {
	t.Helper()
	operator, account, system := keys(t, nkeys.CreateOperator), keys(t, nkeys.CreateAccount), keys(t, nkeys.CreateAccount)
	claims := jwt.NewAccountClaims(public(t, account))
	claims.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	accountJWT := must.Get(claims.Encode(operator))(t)
	systemJWT := must.Get(jwt.NewAccountClaims(public(t, system)).Encode(operator))(t)
	resolver := &server.MemAccResolver{}
	for _, c := range []struct{ key, text string }{{public(t, account), accountJWT}, {public(t, system), systemJWT}} {
		must.Do(t, resolver.Store(c.key, c.text))
	}
	s := must.Get(server.NewServer(&server.Options{
		Host: host, Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
		TrustedKeys: []string{public(t, operator)}, AccountResolver: resolver, SystemAccount: public(t, system),
		TLSConfig: config, TLS: config != nil, AuthTimeout: 10, TLSTimeout: 10,
	}))(t)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return &Lab{s, account}
}

// User returns the credentials file of a new user of the account.
func (l *Lab) User(t testing.TB) string { return credentials(t, l.account) }

// Stranger returns the credentials file of a user of an account that the server does not know.
func Stranger(t testing.TB) string { return credentials(t, keys(t, nkeys.CreateAccount)) }

func keys(t testing.TB, create func() (nkeys.KeyPair, error)) nkeys.KeyPair {
	t.Helper()
	return must.Get(create())(t)
}

func public(t testing.TB, k nkeys.KeyPair) string {
	t.Helper()
	return must.Get(k.PublicKey())(t)
}

func credentials(t testing.TB, account nkeys.KeyPair) string {
	t.Helper()
	user := keys(t, nkeys.CreateUser)
	text := must.Get(jwt.NewUserClaims(public(t, user)).Encode(account))(t)
	seed := must.Get(user.Seed())(t)
	all := must.Get(jwt.FormatUserConfig(text, seed))(t)
	path := filepath.Join(t.TempDir(), "user.creds")
	must.Do(t, os.WriteFile(path, all, 0o600))
	return path
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// subject returns a subject of a cluster. Each node has its own subject for messages about calls.
func subject(cluster string, parts ...string) string {
	return "whorl." + cluster + "." + strings.Join(parts, ".")
}

func subjectNode(cluster, id string) string { return subject(cluster, "node", id) }
func subjectBeat(cluster string) string     { return subject(cluster, "beat") }
func subjectGone(cluster string) string     { return subject(cluster, "gone") }
func subjectOver(cluster string) string     { return subject(cluster, "over") }

// connectionName returns the name of a node's connection, which identifies the node in events of the server.
func connectionName(cluster, id string) string { return "whorl/" + cluster + "/" + id }

func cutConnectionName(name string) (cluster, id string, ok bool) {
	rest, ok := strings.CutPrefix(name, "whorl/")
	if !ok {
		return "", "", false
	}
	cluster, id, ok = strings.Cut(rest, "/")
	return cluster, id, ok && cluster == token(cluster) && id != ""
}

// connect connects to the servers. Its errors contain the URL and the cause.
func connect(o *Options, id string) (*nats.Conn, jetstream.JetStream, error) {
	opts := []nats.Option{
		nats.Name(connectionName(o.Cluster, id)), nats.Timeout(5 * time.Second),
		nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond), nats.IgnoreAuthErrorAbort(),
		nats.PingInterval(time.Second), nats.MaxPingsOutstanding(2), // detect a lost connection within seconds
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { o.Log("%v", err) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.Log("lost the connection to the cluster (%v), trying again for %s", err, o.Patience)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { o.Log("reconnected to %s", c.ConnectedUrlRedacted()) }),
	}
	if o.Server != nil { // in-process connections have no TLS; the certificate is for other hosts
		opts = append(opts, nats.InProcessServer(o.Server.nats), nats.UserInfo(user, o.Server.host.Token))
	} else {
		if o.Credentials != "" {
			opts = append(opts, nats.UserCredentials(o.Credentials))
		}
		if o.CA != "" {
			opts = append(opts, nats.RootCAs(o.CA))
		}
		if o.Cert != "" || o.Key != "" {
			opts = append(opts, nats.ClientCert(o.Cert, o.Key))
		}
	}
	nc, err := nats.Connect(o.URL, opts...)
	for range 4 {
		if err == nil || !unanswered(err) {
			break
		}
		nc, err = nats.Connect(o.URL, opts...)
	}
	if err != nil {
		return nil, nil, connectError(o, err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, nil, err
	}
	return nc, js, nil
}

// unanswered reports whether a server accepted the connection and did not answer the login in time, as on a busy
// machine: nothing arrived before the timeout, or the server pinged first, after a second, which NATS treats as an error.
func unanswered(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "read" && op.Timeout() || strings.Contains(err.Error(), "expected 'PONG', got 'PING'")
}

// ErrNoServer reports that no server of a cluster could be reached.
var ErrNoServer = errors.New("no server answers")

func connectError(o *Options, err error) error {
	at := redacted(o.URL)
	switch {
	case errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired):
		return fmt.Errorf("the server at %s refuses the credentials of the URL (nats://USER:SECRET@HOST:PORT) or the .creds file", at)
	case errors.Is(err, nats.ErrNoServers):
		return fmt.Errorf("%w at %s", ErrNoServer, at)
	}
	return fmt.Errorf("the server at %s: %w", at, err)
}

// redacted returns a list of URLs without their secrets.
func redacted(list string) string {
	urls := strings.Split(list, ",")
	for i, text := range urls {
		u, err := url.Parse(strings.TrimSpace(text))
		if err != nil {
			urls[i] = "(invalid URL)"
			continue
		}
		u.User = nil
		urls[i] = u.String()
	}
	return strings.Join(urls, ", ")
}

// Timeouts of a request and of each attempt. A request is repeated because one sent before a connection is lost is
// never answered.
const (
	enough = 20 * time.Second
	again  = 4 * time.Second
)

// within calls f with a bounded context, again after each timeout. The server may have carried out an attempt without
// an answer.
func within(ctx context.Context, f func(context.Context) error) error {
	all, cancel := context.WithTimeout(ctx, enough)
	defer cancel()
	for {
		once, cancel := context.WithTimeout(all, again)
		err := f(once)
		cancel()
		switch {
		case !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, nats.ErrTimeout) || ctx.Err() != nil:
			return err
		case all.Err() != nil:
			return fmt.Errorf("no answer from the server within %s: %w", enough, err)
		}
	}
}

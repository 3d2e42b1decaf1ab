package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ProgramVersion returns the digest of this process's executable file. Nodes run the same program if their files are
// equal.
var ProgramVersion = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return FileVersion(path)
})

// FileVersion returns the ProgramVersion of a process that runs the file.
func FileVersion(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// A RefusedError reports why a node may not join.
type RefusedError struct{ Text string }

func (e *RefusedError) Error() string { return e.Text }

// keyVersion is the key of the version of the program that the cluster runs.
const keyVersion = "version"

// agree checks that this program is the cluster's. The first node or client determines the version. It expires when
// no process runs it any more.
func (c *Conn) agree(ctx context.Context) error {
	for {
		e, err := c.streams.nodes.Get(ctx, keyVersion)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			_, err = c.streams.nodes.Create(ctx, keyVersion, []byte(c.o.Version))
			if errors.Is(err, jetstream.ErrKeyExists) {
				continue
			}
			return err
		case err != nil:
			return err
		case string(e.Value()) != c.o.Version:
			c.refuse(ctx)
			return &RefusedError{fmt.Sprintf("this program has version %s, the cluster runs version %s: start the same program everywhere (a version that no node runs any more expires after %s)",
				c.o.Version, e.Value(), 2*c.o.timing.lease)}
		}
		if _, err = c.streams.nodes.Update(ctx, keyVersion, e.Value(), e.Revision()); !errors.Is(err, jetstream.ErrKeyExists) {
			return err
		}
		// Another process has renewed it in between.
	}
}

// renew keeps the agreed version from expiring.
func (c *Conn) renew(ctx context.Context) {
	var refused *RefusedError
	switch err := c.agree(ctx); {
	case errors.As(err, &refused):
		c.end(err) // it was cut off so long that others have replaced it
	case err != nil && c.nc.IsConnected():
		_, _ = openNodes(ctx, c.streams.js, c.streams.name("nodes"), c.o.timing.lease) // a restarted server has not kept the store
	}
}

// A stranger is a process refused because of its program.
type stranger struct{ Name, Host, Version string }

func subjectRefused(cluster string) string { return subject(cluster, "refused") }

// refuse announces the refusal of this process to the processes that wait for nodes.
func (c *Conn) refuse(ctx context.Context) {
	host, _ := os.Hostname()
	if data, err := json.Marshal(&stranger{c.o.Name, host, c.o.Version}); err == nil {
		_ = c.nc.Publish(subjectRefused(c.o.Cluster), data)
		_ = c.nc.FlushWithContext(ctx) // they may miss it
	}
}

// logRefused logs refused processes for the user.
func (c *Conn) logRefused() error {
	_, err := c.nc.Subscribe(subjectRefused(c.o.Cluster), func(m *nats.Msg) {
		var s stranger
		if json.Unmarshal(m.Data, &s) == nil && s.Version != c.o.Version {
			c.o.Log("%s on host %s is refused: its program has version %s, this one has version %s", token(s.Name), token(s.Host), token(s.Version), c.o.Version)
		}
	})
	return err
}

// RunningVersion returns the version of the program that a cluster runs, "" if it has no nodes or clients.
func RunningVersion(ctx context.Context, o Options) (version string, err error) {
	checked, err := o.checked()
	if err != nil {
		return "", err
	}
	c, err := open(ctx, checked, &beat{})
	if err != nil {
		return "", err
	}
	defer c.Close()
	err = within(ctx, func(ctx context.Context) error {
		e, err := c.streams.nodes.Get(ctx, keyVersion)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		if err == nil {
			version = string(e.Value())
		}
		return err
	})
	return version, err
}

// logWaiting logs that jobs wait for another version of the program.
func (c *Conn) logWaiting(ctx context.Context) {
	info, err := c.streams.jobs.Info(ctx, jetstream.WithSubjectFilter(c.streams.subjectJob("*", "*")))
	if err != nil {
		return
	}
	for name := range info.State.Subjects {
		if parts := strings.Split(name, "."); len(parts) == 5 && parts[3] != c.o.Version {
			c.o.Log("job %s waits for a program of version %s, this one has version %s", parts[4], parts[3], c.o.Version)
		}
	}
}

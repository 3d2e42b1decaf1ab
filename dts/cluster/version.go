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

// ProgramVersion is the digest of the file that this process runs: two nodes run the same program when it is the same file.
func ProgramVersion() (string, error) { return programVersion() }

var programVersion = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return FileVersion(path)
})

// FileVersion is what ProgramVersion is of a process that runs the file.
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

// A RefusedError says why a node may not join.
type RefusedError struct{ Text string }

func (e *RefusedError) Error() string { return e.Text }

// keyVersion is where the servers keep the version of the program that the nodes of a cluster run.
const keyVersion = "version"

// agree sees that this program is the one of the cluster. Who comes first, a node or someone with a job for nodes, says which that is; it is
// forgotten when nobody is left who runs it or waits for those who do.
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
			return &RefusedError{fmt.Sprintf("this program is of version %s, and the cluster runs version %s: start the same program everywhere (a version that nobody runs any more is forgotten after %s)",
				c.o.Version, e.Value(), 2*c.o.timing.lease)}
		}
		if _, err = c.streams.nodes.Update(ctx, keyVersion, e.Value(), e.Revision()); !errors.Is(err, jetstream.ErrKeyExists) {
			return err
		}
		// Somebody else has renewed it in between.
	}
}

// renew keeps what was agreed on from being forgotten.
func (c *Conn) renew(ctx context.Context) {
	var refused *RefusedError
	switch err := c.agree(ctx); {
	case errors.As(err, &refused):
		c.end(err) // it was cut off for so long that others have taken its place
	case err != nil && c.nc.IsConnected():
		_, _ = openNodes(ctx, c.streams.js, c.streams.name("nodes"), c.o.timing.lease) // a server that is started again has not kept it
	}
}

// A stranger is someone who has been refused because of the program.
type stranger struct{ Name, Host, Version string }

func subjectRefused(cluster string) string { return subject(cluster, "refused") }

// refuse tells those who wait for nodes that this one has been refused.
func (c *Conn) refuse(ctx context.Context) {
	host, _ := os.Hostname()
	if data, err := json.Marshal(&stranger{c.o.Name, host, c.o.Version}); err == nil {
		_ = c.nc.Publish(subjectRefused(c.o.Cluster), data)
		_ = c.nc.FlushWithContext(ctx) // who does not hear of it waits on
	}
}

// tellRefused has the user told of those who are refused.
func (c *Conn) tellRefused() error {
	_, err := c.nc.Subscribe(subjectRefused(c.o.Cluster), func(m *nats.Msg) {
		var s stranger
		if json.Unmarshal(m.Data, &s) == nil && s.Version != c.o.Version {
			c.o.Log("%s on host %s is refused: its program is of version %s, and this one of version %s", token(s.Name), token(s.Host), token(s.Version), c.o.Version)
		}
	})
	return err
}

// RunningVersion asks which version of its program a cluster runs, "" where nobody is there.
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

// tellWaiting tells the user of jobs that wait for another program than this.
func (c *Conn) tellWaiting(ctx context.Context) {
	info, err := c.streams.jobs.Info(ctx, jetstream.WithSubjectFilter(c.streams.subjectJob("*", "*")))
	if err != nil {
		return
	}
	for name := range info.State.Subjects {
		if parts := strings.Split(name, "."); len(parts) == 5 && parts[3] != c.o.Version {
			c.o.Log("job %s waits for a program of version %s, and this one is of version %s", parts[4], parts[3], c.o.Version)
		}
	}
}

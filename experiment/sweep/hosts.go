package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"whorl/dts"
	"whorl/dts/cluster"
	"whorl/internal/files"
)

// Program is the name of the program that the nodes of a sweep run.
const Program = "sweep"

// A remote has the functions that nodes run.
type remote struct {
	funcs   dts.Registry
	measure dts.Func[[]byte, []byte] // of a sentTask, to a reply
	recordings
}

// A sentTask is a task with the files that its run reads: another host may have others, or none.
type sentTask struct {
	task
	Files map[string]string `json:"files,omitempty"` // texts by name
	// Digest is that of the trace that the run replays. The host has it under the same name, or makes no such runs.
	Digest []byte `json:"digest,omitempty"`
}

// A reply is the result of a run on a node. It is empty for a run that needs a file which was not sent.
type reply struct {
	Measured *measured `json:"measured,omitempty"`
	Err      string    `json:"error,omitempty"`
}

// Functions returns the functions that each node of a sweep has.
func Functions() *dts.Registry { return &newRemote().funcs }

func newRemote() *remote {
	r := &remote{}
	r.measure = dts.Register(&r.funcs, "run", r.measureSent).Takes(func([]byte) time.Duration { return time.Second }) // always worth a message
	return r
}

// measureSent measures a run on a node.
func (r *remote) measureSent(w *dts.Worker, sent []byte) []byte {
	var t sentTask
	var out reply
	lacking := false
	err := json.Unmarshal(sent, &t)
	if err == nil {
		t.Run.Read = func(path string, most int64) (string, error) {
			text, ok := t.Files[path]
			switch {
			case !ok:
				lacking = true
				return "", files.OpenError(path, fs.ErrNotExist)
			case int64(len(text)) > most:
				return "", fmt.Errorf("%s: longer than %d bytes", path, most)
			}
			return text, nil
		}
		if t.Run.Trace {
			x, err := r.recording(t.Run.Program)
			lacking = err != nil || !bytes.Equal(x.digest, t.Digest)
			t.Run.Recorded = x.program
		}
		if !lacking {
			out.Measured, err = t.measure(w.Context())
		}
	}
	switch {
	case lacking:
		out = reply{}
	case err != nil:
		out = reply{Err: err.Error()}
	}
	answer, err := json.Marshal(out)
	if err != nil {
		panic(err) // its fields are texts and finite numbers
	}
	return answer
}

// send makes a run on any node.
func (s *Sweep) send(w *dts.Worker, p point) {
	t := sentTask{task: s.task(p.index), Files: map[string]string{}}
	for _, name := range filesOf(&t.Run) {
		if t.Run.Trace && name == t.Run.Program {
			x, err := s.Grid.recording(name)
			if err != nil {
				s.keep(p, nil, err)
				return
			}
			t.Digest = x.digest
			continue
		}
		text, err := files.ReadText(name, maxSent)
		if err != nil {
			t.Files = nil // this host reports the error of the file
			break
		}
		t.Files[name] = text
	}
	sent, err := json.Marshal(t)
	if err != nil {
		s.keep(p, nil, err)
		return
	}
	h := s.remote.measure.Fork(w, sent)
	var r reply
	err = json.Unmarshal(h.Join(w), &r)
	switch {
	case err == nil && r.Err != "":
		err = errors.New(r.Err)
	case err == nil && r.Measured == nil: // this host has the files
		measure(w, p)
		return
	}
	s.keep(p, r.Measured, err)
}

// maxSent limits the length of a file that is sent to a node, and maxKept that of a trace that a node sends, so that messages are not too long.
const (
	maxSent = 4 << 20
	maxKept = 4 << 20
)

// RunOn is Run on the hosts of a cluster. This process becomes a node of it, which makes runs too, and keeps the results. Runs of a node that ends are made
// again on other nodes. The trace is that of the nodes (cluster.Conn.Collect).
func (s *Sweep) RunOn(ctx context.Context, o cluster.Options) error {
	missing := s.missing()
	ctx, s.stop = context.WithCancel(ctx)
	defer s.stop()
	s.remote = newRemote()
	o.Local.Funcs, o.Local.Program, o.Local.Args, o.Local.Wall = &s.remote.funcs, Program, []string{s.Grid.Name}, true
	n, err := cluster.Join(ctx, o)
	if err != nil {
		return err
	}
	_, err = cluster.RunMain(ctx, n, func(w *dts.Worker) int {
		f := &feed{ctx: ctx, sweep: s, missing: missing, servers: 1, pes: func() (sum int) {
			for _, node := range n.Nodes() {
				sum += node.PEs
			}
			return sum
		}}
		f.serve(w)
		s.repeat(w)
		return 0
	})
	switch {
	case s.err != nil:
		return s.err
	case err == nil:
		return ctx.Err() // the threads may have ended before the node
	}
	return err
}

// CheckHosts returns an error for a grid whose runs other hosts cannot make.
func (g *Grid) CheckHosts() error {
	switch {
	case g.Live:
		return fmt.Errorf("%s: runs on real cores are made one at a time on this host, since times of several hosts do not compare: mode = \"live\" excludes nodes", g.Name)
	case g.Traces > maxKept:
		return fmt.Errorf("%s: nodes send traces of at most %d bytes: traces = %d is more", g.Name, maxKept, g.Traces)
	}
	return nil
}

// A feed hands runs to the nodes. Each of its servers, which are threads of this node, has one run at a time made and waits for it. There are twice as many
// servers as PEs in the cluster, so that a node has the next run at hand when one ends; when nodes join, there are more.
type feed struct {
	ctx     context.Context
	sweep   *Sweep
	missing []int64
	pes     func() int // in the cluster
	servers int
}

// next takes a run that is not made yet. It reports whether a further server is wanted.
func (f *feed) next() (index int64, ok, more bool) {
	pes := f.pes()
	f.sweep.mu.Lock()
	defer f.sweep.mu.Unlock()
	if f.sweep.pes = pes; len(f.missing) == 0 || f.sweep.err != nil {
		return 0, false, false
	}
	index, f.missing = f.missing[0], f.missing[1:]
	if more = len(f.missing) > 0 && f.servers < 2*pes; more {
		f.servers++
	}
	return index, true, more
}

// serve makes runs until none is left. It forks the next server first.
func (f *feed) serve(w *dts.Worker) {
	var others []dts.Handle[bool]
	for f.ctx.Err() == nil && w.Context().Err() == nil {
		index, ok, more := f.next()
		if !ok {
			break
		}
		if more {
			others = append(others, dts.Fork(w, serveOther, f))
		}
		f.sweep.send(w, point{f.sweep, index, false})
	}
	for i := range others {
		others[i].Join(w)
	}
}

func serveOther(w *dts.Worker, f *feed) bool {
	f.serve(w)
	return true
}

package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"whorl/dts"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/internal/nesting"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/store"
)

// The names of the files in the folder of a sweep.
const (
	gridName    = "sweep.toml"
	journalName = "runs.jsonl"
	traceFolder = "traces"
)

// A Sweep makes the runs of a grid and keeps their results in a folder.
type Sweep struct {
	Grid   *Grid
	Folder string
	Cores  int // runs at a time

	// Say, which may be nil, is called after each run with the numbers of runs whose results are known and of all runs, and the time that the others
	// will take.
	Say func(known, all int64, left time.Duration)

	journal *journal
	keys    []string // of the runs of the grid
	remote  *remote  // the functions of other hosts; nil on one host

	mu      sync.Mutex
	results map[string]*Result
	known   int64         // runs of the grid whose results are known
	spent   time.Duration // on them, on all cores
	made    int64         // in this process
	pes     int           // of all hosts; 0 on one host
	late    []int64       // runs that reached their limit of time beside others
	err     error         // the first one, which stops the other runs
	stop    func()
}

// Open opens a folder, which it creates if it does not exist, and reads the results that it has.
func Open(g *Grid, folder string, cores int) (*Sweep, error) {
	if g.Live {
		cores = 1
	}
	s := &Sweep{Grid: g, Folder: folder, Cores: cores}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, files.OpenError(folder, err)
	}
	if len(entries) > 0 && !files.IsRegular(filepath.Join(folder, journalName)) {
		return nil, errors.New(folder + " is not empty and not the folder of a sweep: it has no file " + journalName)
	}
	for i := range g.blocks { // mistakes in programs are found before the first run
		r := g.Run(g.first(i))
		if _, err := r.Resolve(); err != nil {
			return nil, fmt.Errorf("%s:%d: programs: %w", g.Name, nesting.Line(g.Text, "programs"), err)
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, files.CannotWrite(folder, err)
	}
	if s.journal, s.results, err = openJournal(filepath.Join(folder, journalName)); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, gridName), []byte(g.Text), 0o644); err != nil {
		return nil, errors.Join(files.CannotWrite(filepath.Join(folder, gridName), err), s.Close())
	}
	if err := s.salvage(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	texts := map[string]string{} // digests of files
	for i := range g.Runs() {
		r := g.Run(i)
		key, err := keyOf(&r, texts)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.keys = append(s.keys, key)
		if result := s.results[key]; result != nil {
			s.known++
			s.spent += time.Duration(result.WallNs)
		}
	}
	return s, nil
}

// Close closes the files of the sweep.
func (s *Sweep) Close() error { return s.journal.file.Close() }

// Known returns the number of runs whose results are known.
func (s *Sweep) Known() int64 { return s.known }

// Estimate makes some runs spread over the grid, whose results count, and returns the time that the rest will take.
func (s *Sweep) Estimate(ctx context.Context) (time.Duration, error) {
	all := s.Grid.Runs()
	trials := min(all, int64(4*s.Cores))
	var sample []int64
	for k := range trials {
		sample = append(sample, k*all/trials)
	}
	if err := s.run(ctx, nil, sample); err != nil {
		return 0, err
	}
	return s.left(), nil
}

// left returns the time that the remaining runs will take, if they are like those made.
func (s *Sweep) left() time.Duration {
	if s.known == 0 {
		return 0
	}
	return time.Duration(float64(s.spent) / float64(s.known) * float64(s.Grid.Runs()-s.known) / float64(max(s.Cores, s.pes)))
}

// Run makes the runs whose results are not known, each in a thread. A run that reaches its limit of time while others share the cores is made once more
// when they have ended. The trace of these threads goes to a file of the folder. Run returns the error of
// ctx if it was interrupted.
func (s *Sweep) Run(ctx context.Context) (err error) {
	missing := s.missing()
	if len(missing) == 0 {
		return nil
	}
	w, err := store.Create(s.NewTrace())
	if err != nil {
		return err
	}
	err = s.run(ctx, w, missing)
	return errors.Join(err, w.Close())
}

// missing returns the runs whose results are not known.
func (s *Sweep) missing() (all []int64) {
	for i, key := range s.keys {
		if s.results[key] == nil {
			all = append(all, int64(i))
		}
	}
	return all
}

// salvage completes the traces of sweeps that were killed, whose newest events are in a second file.
func (s *Sweep) salvage() error {
	rings, err := filepath.Glob(filepath.Join(s.Folder, "sweep*.whorl.ring"))
	if err != nil {
		return err
	}
	var w files.Writer
	for _, ring := range rings {
		path := strings.TrimSuffix(ring, ".ring")
		t, err := open.Partial(path)
		if err != nil {
			continue // nothing of it can be read
		}
		err = errors.Join(open.Export(&w, t, path, "whorl"), t.Close())
		if err == nil {
			err = os.Remove(ring)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// NewTrace returns the name of a file for the trace of the sweep that does not exist.
func (s *Sweep) NewTrace() string {
	for n := 1; ; n++ {
		name := "sweep.whorl"
		if n > 1 {
			name = fmt.Sprintf("sweep-%d.whorl", n)
		}
		if path := filepath.Join(s.Folder, name); !files.IsRegular(path) {
			return path
		}
	}
}

// A point is the argument of a thread.
type point struct {
	sweep *Sweep
	index int64
	alone bool // no other run is at work
}

// batch is the largest number of threads that wait for a PE.
const batch = 4096

// run makes runs of the grid, each in a thread of its own.
func (s *Sweep) run(ctx context.Context, rec tracer.Recorder, indices []int64) error {
	if rec == nil {
		rec = tracer.NewMemory() // otherwise the environment may name a file
	}
	ctx, s.stop = context.WithCancel(ctx)
	defer s.stop()
	o := dts.Options{PEs: s.Cores, Policy: "steal", Mode: dts.Live, Wall: true, Recorder: rec, Program: "sweep", Args: []string{s.Grid.Name}}
	_, err := dts.Run(ctx, o, func(w *dts.Worker) int {
		for len(indices) > 0 && w.Context().Err() == nil {
			some := indices[:min(len(indices), batch)]
			indices = indices[len(some):]
			handles := make([]dts.Handle[bool], len(some))
			for i, index := range some {
				handles[i] = dts.Fork(w, measure, point{s, index, s.Cores == 1})
			}
			for i := range handles {
				handles[i].Join(w)
			}
		}
		s.repeat(w)
		return 0
	})
	if s.err != nil {
		return s.err
	}
	return err
}

// repeat makes the runs once more that reached their limit of time beside others. No other thread is at work.
func (s *Sweep) repeat(w *dts.Worker) {
	late := s.late
	s.late = nil
	for _, index := range late {
		h := dts.Fork(w, measure, point{s, index, true})
		h.Join(w)
	}
}

// measure makes a run and keeps its result. It reports whether it has one.
func measure(w *dts.Worker, p point) bool {
	s, ctx := p.sweep, w.Context()
	if ctx.Err() != nil || s.isDone(p.index) {
		return false
	}
	t := s.task(p.index)
	m, err := t.measure(ctx)
	return s.keep(p, m, err)
}

// isDone reports whether the result of a run is known.
func (s *Sweep) isDone(index int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.results[s.keys[index]] != nil
}

// keep keeps the result of a run, nil if it was interrupted, or the error of its measurement, which ends the sweep. It reports whether the run has a result.
func (s *Sweep) keep(p point, m *measured, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return false
	}
	if m != nil && !p.alone && m.Result.timedOut() {
		s.late = append(s.late, p.index)
		return false
	}
	if err == nil && m != nil && len(m.Trace) > 0 {
		m.Result.Trace = filepath.Join(traceFolder, m.Result.Key+".whorl")
		err = keepTrace(filepath.Join(s.Folder, m.Result.Trace), m.Trace)
	}
	if err == nil && m != nil {
		err = s.journal.add(m.Result)
	}
	if err != nil {
		s.err = err
		s.stop()
	}
	if err != nil || m == nil {
		return false
	}
	s.results[m.Result.Key] = m.Result
	s.known++
	s.made++
	s.spent += time.Duration(m.Result.WallNs)
	if s.Say != nil {
		s.Say(s.known, s.Grid.Runs(), s.left())
	}
	return true
}

// keepTrace writes a trace, whole or not at all.
func keepTrace(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return files.CannotWrite(path, err)
	}
	var w files.Writer
	return w.Write(path, func(f io.Writer) error {
		_, err := f.Write(text)
		return err
	})
}

// Describe returns a text with the number of runs of the sweep and the time that they take.
func (s *Sweep) Describe(left time.Duration) string {
	all, cores := s.Grid.Runs(), figures.Counted(int64(s.Cores), "core")
	return fmt.Sprintf("%s, %s known; the others take about %s on %s", figures.Counted(all, "run"), figures.Count(s.known), left.Round(time.Second), cores)
}

package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/replay"
	"whorl/sim"
	"whorl/tracer"
)

// A recordedProgram is a Recorded as a program. A Recorded itself lacks the methods of a program: the linker keeps all methods of what is encoded as
// JSON, as a Run with its Recorded is, and with these the page would hold all substrates.
type recordedProgram struct{ *Recorded }

// refuse returns an error if the run asks for something that replays cannot do.
func (recordedProgram) refuse(r *Run) error {
	if r.Mode == Live {
		return errors.New("a recorded program is replayed on simulated machines only")
	}
	return r.checkHPF()
}

// begin puts the program on a fresh machine.
func (x recordedProgram) begin(p *Prepared, rec tracer.Recorder) (c course, failed, err error) {
	d := x.Recorded
	cfg := p.config
	cfg.Recorder = rec
	if rec != nil {
		for _, code := range d.dict.Codes()[1:] {
			rec.Dict().Add(code)
		}
		for _, context := range d.dict.Contexts()[1:] {
			rec.Dict().AddContext(context)
		}
	}
	setup, err := d.setup(p)
	if err != nil {
		return nil, nil, err
	}
	r, err := replay.New(cfg, d.Graph, d.Names, setup)
	if err != nil {
		return nil, nil, err
	}
	if rec != nil {
		rec.SetMeta(d.describe(cfg.Meta()))
	}
	return &replayed{r, d}, nil, nil
}

// setup returns the changes that the replay makes in the program.
func (d *Recorded) setup(p *Prepared) (replay.Setup, error) {
	var s replay.Setup
	r := &p.Description
	for _, name := range r.Zero {
		if err := d.skip(&s, name); err != nil {
			return s, err
		}
	}
	if !d.Measured && d.plan == nil {
		s.Instruction, s.RecordedInstruction = p.config.Model.InstructionPs, d.Machine.Model.InstructionPs
	}
	var err error
	s.Homes, err = d.homes(r, p.config.Network)
	return s, err
}

// lockName is the reason for waits for locks that package observe has named. One of them is the name and its number.
const lockName = "lock"

// skip adds to a setup that no task waits for a reason, a class of messages or a lock.
func (d *Recorded) skip(s *replay.Setup, name string) error {
	var known []string
	found := false
	for id, c := range d.dict.Codes() {
		if c.Type != tracer.Reason && c.Type != tracer.MessageClass {
			continue
		}
		known = append(known, c.Name)
		if c.Name == name {
			s.Zero = append(s.Zero, uint32(id))
			found = true
		}
	}
	locks := d.Graph.Locks()
	if len(locks) > 0 && !slices.Contains(known, lockName) {
		known = append(known, lockName)
	}
	for id := range locks {
		if name != lockName && name != lockNamed(id) {
			continue
		}
		if s.Open == nil {
			s.Open = map[uint32]bool{}
		}
		s.Open[id] = true
		found = true
	}
	if !found {
		return nearest.Unknown("reason", name, known)
	}
	return nil
}

// lockNamed returns the name of a lock.
func lockNamed(id uint32) string { return lockName + " " + strconv.FormatUint(uint64(id), 10) }

// maxMap bounds the size of a file with the PE of each process: as many processes as a machine has PEs, with blanks.
const maxMap = 1 << 24

// homes returns the PE of each task as Run.Map says, nil for those of the trace.
func (d *Recorded) homes(r *Run, net sim.Network) ([]int32, error) {
	if r.Map == "" {
		return nil, nil
	}
	if !d.Pinned {
		return nil, errors.New("--map is for programs whose tasks stay on their PEs, such as the processes of MPI; the tasks of this trace move")
	}
	ranks := d.Graph.Ranks()
	switch r.Map {
	case "block":
		return ranks.Homes(ranks.Block(r.PEs)), nil
	case "cyclic":
		return ranks.Homes(ranks.Cyclic(r.PEs)), nil
	case "found":
		return ranks.Homes(ranks.Near(net, r.Seed)), nil
	}
	text, err := r.readText(r.Map, maxMap)
	if err != nil {
		return nil, fmt.Errorf("--map %s: expected block, cyclic, found, or a file: %w", nearest.Quote(r.Map), err)
	}
	var pes []int32
	for i, word := range strings.Fields(text) {
		pe, err := strconv.Atoi(word)
		if err != nil || pe < 0 || pe >= r.PEs {
			return nil, fmt.Errorf("%s: process %d has PE %s: expected a number from 0 to %d", r.Map, i, nearest.Quote(word), r.PEs-1)
		}
		pes = append(pes, int32(pe))
	}
	if n := ranks.Len(); len(pes) != n {
		return nil, fmt.Errorf("%s: found %s, expected a PE for each of %s", r.Map, figures.Counted(int64(len(pes)), "PE"), figures.Counted(int64(n), "process"))
	}
	return ranks.Homes(pes), nil
}

// A replayed course is a replay on a simulated machine.
type replayed struct {
	*replay.Replay
	program *Recorded
}

func (r *replayed) advance(ctx context.Context, actions uint64) (more bool, err error) {
	more, err = r.Machine.Advance(ctx, actions)
	if stuck, ok := errors.AsType[*replay.StandstillError](err); ok {
		err = r.program.standstill(stuck)
	}
	return more, err
}

// standstill names the tasks that wait at a standstill of a replay.
func (d *Recorded) standstill(e *replay.StandstillError) error {
	codes := d.dict.Codes()
	name := func(code uint32) string {
		if int(code) < len(codes) && code > 0 {
			return codes[code].Name
		}
		return "something"
	}
	text := "the replay stands still: " + figures.Counted(int64(e.Left), "task") + " waited for events that have another order now"
	for _, s := range e.Stuck {
		text += fmt.Sprintf("\n- task %d, %s, waits for ", s.Task, name(s.Function))
		if s.On != 0 {
			text += fmt.Sprintf("the end of task %d", s.On)
		} else {
			text += name(s.Reason)
		}
	}
	return errors.New(text)
}

func (r *replayed) still() bool                 { return true }
func (r *replayed) halt() bool                  { return true }
func (r *replayed) answer() string              { return "" }
func (r *replayed) exit(o tracer.Outcome)       { r.Machine.Exit(int64(o)) }
func (r *replayed) stats() sim.Stats            { return r.Machine.Stats() }
func (r *replayed) close() (uint8, bool, error) { return 0, false, nil }

func (r *replayed) progress() Progress {
	return Progress{Reductions: r.Steps, Virtual: r.Machine.Now(), Steps: true}
}

func (r *replayed) snapshot() *Snapshot { return newSnapshot(r.progress(), r.Machine.PEs()) }

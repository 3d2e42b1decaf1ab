package replay

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/observed"
)

// source reads a trace in the text form. Its head has functions main and work, the reasons that the tests use, a class of messages, and from code 20 on
// the operations of package observe.
func source(t rapid.TB, pes int, events string) tracer.Source {
	t.Helper()
	rec := tracer.NewMemory()
	text := fmt.Sprintf("whorl 1\nmeta pes=%d\n", pes) + `code 1 type="function" name="main"
code 2 type="function" name="work"
code 3 type="reason" name="wait group"
code 4 type="reason" name="barrier"
code 5 type="reason" name="network"
code 6 type="message" name="data"
code 7 type="reason" name="channel receive"
code 8 type="metric" name="region time" unit="ns" scale=1
code 9 type="reason" name="mutex"
code 10 type="reason" name="off cpu"
code 11 type="function" name="runtime/trace.Start"
code 12 type="function" name="inner"
code 13 type="reason" name="message"
code 14 type="function" name="runtime/pprof.profileWriter"
code 15 type="metric" name="cpu" unit="ns" scale=1
code 16 type="name" name="outer"
code 17 type="name" name="inner"
code 18 type="reason" name="no work"
code 19 type="reason" name="preempted"
context 1 code=1
context 2 code=2
context 3 code=12
`
	for op := observed.Lock; op < observed.NumOps; op++ {
		text += fmt.Sprintf("code %d type=\"name\" name=%q\n", observes+int(op), op.Name())
	}
	must.Do(t, tracer.ReadText(strings.NewReader(text+events), rec))
	must.Do(t, rec.Close())
	return rec
}

// observes is the code before those of the operations of package observe.
const observes = 20

// machine describes a machine without costs of communication.
func machine(t must.TB, pes int, name string, rec tracer.Recorder) sim.Config {
	t.Helper()
	p := must.Get(policy.Named(name))(t)
	return sim.Config{PEs: pes, Policy: p, PolicyName: name, Network: must.Get(sim.NetworkNamed("bus", pes))(t), Model: sim.Model{InstructionPs: 1}, Seed: 1, Recorder: rec}
}

// elapsed replays a recording and returns its time.
func elapsed(t *testing.T, d *Recording, pes int, name string, s Setup) sim.Time {
	t.Helper()
	r := must.Get(New(machine(t, pes, name, nil), d.Graph, d.Names, s))(t)
	must.Do(t, advance(t, r))
	return r.Machine.Stats().Elapsed
}

// renamed is a trace of another substrate.
type renamed struct {
	tracer.Source
	substrate string
}

func (s renamed) Meta() tracer.Meta {
	m := s.Source.Meta()
	m.Substrate = s.substrate
	return m
}

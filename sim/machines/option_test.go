package machines

import (
	"errors"
	"strings"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
)

func TestOptions(t *testing.T) {
	read := func(file string) ([]byte, error) {
		if file != "mine.toml" {
			return nil, errors.New(file + " does not exist")
		}
		return []byte(goodMachine), nil
	}
	symmetry := must.Get(Named("symmetry"))(t).Model
	changed := func(change func(m *sim.Model)) sim.Model {
		m := symmetry
		change(&m)
		return m
	}
	for _, c := range []struct {
		name, canonical string
		model           sim.Model
	}{
		{"symmetry", "symmetry", symmetry},
		{"symmetry:latency=10us", "symmetry:latency=10us", changed(func(m *sim.Model) { m.Latency = 10_000 })},
		{"symmetry:latency=10µs", "symmetry:latency=10us", changed(func(m *sim.Model) { m.Latency = 10_000 })},
		{"symmetry:latency=0.5us:overhead=0s", "symmetry:overhead=0ns:latency=500ns", changed(func(m *sim.Model) { m.Latency, m.Overhead = 500, 0 })},
		{"symmetry:byte=0.1ns:gap=1s:instruction=2.5ns", "symmetry:instruction=2.5ns:gap=1s:byte=0.1ns", changed(func(m *sim.Model) {
			m.BytePs, m.Gap, m.InstructionPs = 100, 1e9, 2500
		})},
		{"mine.toml:gap=7ns", "mine:gap=7ns", sim.Model{InstructionPs: 2500, Overhead: 300, Latency: 1000, Gap: 7, BytePs: 100}},
	} {
		p, err := Find(c.name, read)
		if err != nil || p.Name != c.canonical || p.Model != c.model {
			t.Errorf("%s is %s, %+v, error %v", c.name, p.Name, p.Model, err)
		}
	}
	for _, c := range []struct{ name, want string }{
		{"symmetri:latency=1us", "did you mean symmetry?"},
		{"symmetry:", `machine symmetry:: unknown option ""`},
		{"symmetry:latancy=1us", `machine symmetry:latancy=1us: unknown option "latancy"; did you mean latency?`},
		{"symmetry:latency", "machine symmetry:latency: latency has no value; expected a time, as in latency=10us"},
		{"symmetry:latency=1us:latency=2us", "the option latency is given twice"},
		{"symmetry:latency=1e99s", "latency=1e99s: expected a time from 0ns to 1 s, such as 10us"},
		{"symmetry:latency=10", "latency=10: expected a time from 0ns to 1 s, such as 10us"},
		{"symmetry:latency=-1us", "latency=-1us: expected a time"},
		{"symmetry:latency=nanns", "latency=nanns: expected a time"},
		{"symmetry:latency=1.5ns", "latency: 1.5: expected a whole number of ns"},
		{"symmetry:latency=2s", "latency=2s: expected a time from 0ns to 1 s, such as 10us"},
		{"symmetry:latency=Infs", "latency=Infs: expected a time from 0ns to 1 s, such as 10us"},
		{"symmetry:instruction=0ns", "instruction: 0: expected ns from 0.001"},
		{"your.toml:gap=1ns", "your.toml does not exist"},
	} {
		if _, err := Find(c.name, read); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := Named("mine.toml"); err == nil {
		t.Error("a name without files opens a file")
	}
}

package sim

import (
	"errors"
	"fmt"
	"math/bits"

	"whorl/tracer"
)

// A Config describes a machine.
type Config struct {
	PEs         int             // 1 to MaxPEs; 0 is the number of the network
	Policy      Policy          // required
	PolicyName  string          // for the trace and for errors
	Network     Network         // nil is a bus
	Model       Model           // the zero Model takes a nanosecond for an instruction and no time for communication
	MachineName string          // for the trace
	Seed        uint64          // of all random numbers
	Speeds      []Speed         // of parts of the program, which the program applies; for the trace
	Recorder    tracer.Recorder // nil records nothing

	// Rank, if not nil, returns the fixed priority of a work. A PE takes works of the highest rank first, and gives
	// them to PEs that ask.
	Rank func(w Work) int64

	// Running, if not nil, returns the trace id and the function of a work. A Busy event with them is then recorded
	// whenever a PE goes on with another work.
	Running func(w Work) (task uint64, code uint32)
}

// SpeedKey is the key of a speed in the metadata of a trace.
const SpeedKey = "speed"

// Meta returns the machine's part of the trace's metadata. The caller adds the program and hands it to the recorder.
// Coordinates are included for up to 65,536 PEs.
func (c Config) Meta() tracer.Meta {
	m := tracer.Meta{
		Mode: "sim", Policy: c.PolicyName, Machine: c.MachineName, Seed: c.Seed, PEs: c.PEs, Clock: tracer.Virtual,
	}
	for _, s := range c.Speeds {
		m.Extra = append(m.Extra, tracer.KV{Key: SpeedKey, Value: s.String()})
	}
	if c.Network == nil {
		m.Network = "bus"
		return m
	}
	m.Network, m.PEs = c.Network.Name(), c.Network.PEs()
	if m.PEs > 1<<16 || c.Network.Coords(0) == nil {
		return m
	}
	m.PEInfo = make([]tracer.PE, m.PEs)
	for i := range m.PEInfo {
		m.PEInfo[i].Coords = c.Network.Coords(i)
	}
	return m
}

// New returns a machine at time 0 without work; Boot adds the first.
func New(cfg Config, prog Program) (*Machine, error) {
	if cfg.Network != nil && cfg.PEs == 0 {
		cfg.PEs = cfg.Network.PEs()
	}
	switch {
	case prog == nil:
		return nil, errors.New("sim: no program")
	case cfg.Policy == nil:
		return nil, errors.New("sim: no policy")
	case cfg.PEs < 1 || cfg.PEs > MaxPEs:
		return nil, fmt.Errorf("sim: %d PEs, expected 1 to %d", cfg.PEs, MaxPEs)
	case cfg.Network != nil && cfg.Network.PEs() != cfg.PEs:
		return nil, fmt.Errorf("sim: network %s has %d PEs, expected %d", cfg.Network.Name(), cfg.Network.PEs(), cfg.PEs)
	}
	if cfg.Network == nil {
		cfg.Network = newBus(cfg.PEs)
	}
	if cfg.Model == (Model{}) {
		cfg.Model.InstructionPs = 1000
	}
	if err := cfg.Model.Check(); err != nil {
		return nil, err
	}
	m := &Machine{
		cfg: cfg, prog: prog, policy: cfg.Policy, traits: cfg.Policy.Traits(), net: cfg.Network, shared: cfg.Network.Shared(),
		model: cfg.Model, offers: newOffers(cfg.PEs), pes: make([]PE, cfg.PEs),
		bits: uint(bits.Len(uint(2 * cfg.PEs))), // an actor is a PE, its ask, or the alarms
	}
	m.horizon = 1 << (63 - m.bits)
	if cfg.Rank != nil {
		m.works.rank, m.works.bands = cfg.Rank, map[*deque][]band{}
	}
	for i := range m.pes {
		p := &m.pes[i]
		p.m, p.next = m, -1
		p.self.PE = int32(i)
		p.self.Rand = NewRand(cfg.Seed, uint64(i))
		p.left, p.right = -1, -1
	}
	m.sleepers = sleepers{-1, -1}
	if cfg.Recorder != nil {
		m.codes = newCodes(cfg.Recorder.Dict())
		m.stream = cfg.Recorder.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	}
	return m, nil
}

package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/nearest"
)

// A Speed is how many times as fast the instructions of one part of a program are: of a procedure, a function or a source line. The part is named as in
// the trace: big/4, threads.fib, heat.hpf:17. Forks, steals and messages take the time that the machine gives them.
type Speed struct {
	Part   string
	Factor float64 // MinSpeed to MaxSpeed
}

// The bounds of Speed.Factor.
const (
	MinSpeed = 0.001
	MaxSpeed = 1000
)

// ParseSpeed reads a speed as String writes it: big/4=2.
func ParseSpeed(text string) (Speed, error) {
	i := strings.LastIndexByte(text, '=')
	if i <= 0 {
		return Speed{}, fmt.Errorf("speed %s: expected a part of the program and a factor, as in big/4=2", nearest.Quote(text))
	}
	f, err := strconv.ParseFloat(text[i+1:], 64)
	if err != nil || !(f >= MinSpeed && f <= MaxSpeed) {
		return Speed{}, fmt.Errorf("speed %s: %s: expected a factor from %g to %d", nearest.Quote(text), nearest.Quote(text[i+1:]), MinSpeed, MaxSpeed)
	}
	return Speed{text[:i], f}, nil
}

// String returns the speed as a flag has it.
func (s Speed) String() string { return s.Part + "=" + strconv.FormatFloat(s.Factor, 'g', -1, 64) }

// Time returns a time at the usual speed as it is at this one, rounded.
func (s *Speed) Time(usual int64) int64 {
	return int64(min(math.Round(float64(usual)/s.Factor), maxTime))
}

// maxTime is longer than any virtual time. A float64 holds it exactly.
const maxTime = 1 << 62

// CostAt returns Cost at a speed, nil for the usual one. The time of an instruction is rounded to a picosecond.
func (p *PE) CostAt(instructions int64, s *Speed) Time {
	if s == nil {
		return p.Cost(instructions)
	}
	m := p.m.model
	m.InstructionPs = s.Time(m.InstructionPs)
	c, left := m.Scale(instructions, p.frac)
	p.frac = left
	return c
}

// SpeedsOf returns the speed of each part of a program, nil for the usual one; no slice if all have that. A part without a name has none. The error names a part that the program does
// not have and the nearest ones.
func SpeedsOf(speeds []Speed, parts []string) ([]*Speed, error) {
	if len(speeds) == 0 {
		return nil, nil
	}
	all := make([]*Speed, len(parts))
	for i := range speeds {
		found := false
		for k, part := range parts {
			if part == speeds[i].Part {
				all[k], found = &speeds[i], true
			}
		}
		if !found {
			known := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return part == "" })
			slices.Sort(known)
			return nil, nearest.Unknown("part", speeds[i].Part, slices.Compact(known))
		}
	}
	return all, nil
}

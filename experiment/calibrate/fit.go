package calibrate

import "math"

// A sample is the time of a program on one PE. The time of a simulated run is instruction x instructions + fork x forks.
type sample struct {
	ns                  float64
	instructions, forks float64
	weight              float64
}

// leastInstruction is the least time of an instruction in ns.
const leastInstruction = 0.001

// fitSpeed returns the times of an instruction and of a fork that minimise the sum of weight x log²(simulated / measured). It repeats the linear
// least squares with weights that make a difference of times count as the logarithm of their ratio does (iteratively reweighted least squares; Å. Björck,
// Numerical Methods for Least Squares Problems, 1996, section 4.5). No time is negative.
func fitSpeed(samples []sample) (instruction, fork float64) {
	logs, weights := 0.0, 0.0
	for _, s := range samples {
		logs += s.weight * math.Log(s.ns/s.instructions)
		weights += s.weight
	}
	instruction = math.Exp(logs / weights)
	for range 200 {
		var nn, nf, ff, nt, ft float64 // sums of products of instructions, forks and times
		for _, s := range samples {
			simulated := instruction*s.instructions + fork*s.forks
			u := s.weight / (s.ns * simulated)
			if d := simulated - s.ns; math.Abs(d) > 1e-9*s.ns {
				u = s.weight * math.Log(simulated/s.ns) / (d * simulated)
			}
			nn += u * s.instructions * s.instructions
			nf += u * s.instructions * s.forks
			ff += u * s.forks * s.forks
			nt += u * s.instructions * s.ns
			ft += u * s.forks * s.ns
		}
		instruction, fork = nt/nn, 0
		if d := nn*ff - nf*nf; d > 1e-12*nn*ff {
			i, f := (nt*ff-ft*nf)/d, (ft*nn-nt*nf)/d
			switch {
			case i < leastInstruction:
				instruction, fork = leastInstruction, max(0, (ft-leastInstruction*nf)/ff)
			case f > 0:
				instruction, fork = i, f
			}
		}
	}
	return max(instruction, leastInstruction), fork
}

// solve returns the cost in ns, at most most, with which a simulated run takes a measured time. It is 0 if the run takes that long without the cost. The
// simulated time must not fall when the cost grows; ok is false if no cost makes it long enough. The method is the regula falsi of Illinois (M. Dowell,
// P. Jarratt, 1971).
func solve(measured, most float64, simulated func(ns float64) (float64, error)) (ns float64, ok bool, err error) {
	low, high := 0.0, min(1000, most)
	below, err := simulated(low)
	if err != nil || below >= measured {
		return 0, true, err
	}
	above, err := simulated(high)
	for ; err == nil && above < measured && high < most; above, err = simulated(high) {
		low, below, high = high, above, min(4*high, most)
	}
	if err != nil || above < measured {
		return high, false, err
	}
	// A bound that stays for a second time counts half, so that both bounds move.
	missing, excess, moved := measured-below, above-measured, 0
	for range 20 {
		if high-low < 0.5 {
			break
		}
		at := low + (high-low)*missing/(missing+excess)
		t, err := simulated(at)
		if err != nil || math.Abs(t-measured) < 0.001*measured {
			return at, true, err
		}
		if t < measured {
			if low, missing = at, measured-t; moved < 0 {
				excess /= 2
			}
			moved = -1
		} else {
			if high, excess = at, t-measured; moved > 0 {
				missing /= 2
			}
			moved = 1
		}
	}
	return high, true, nil
}

package profile

import (
	"math"

	"whorl/tracer"
)

// Omits is a set of properties of samples that a format cannot hold.
type Omits uint16

// Properties of samples.
const (
	Times        Omits = 1 << iota // of samples: samples of one stack are one
	Neighbours                     // samples in a row of one stack are one, and the times are left out
	Lines                          // of frames
	Instructions                   // of frames
	Metrics                        // other than the first
	Fractions                      // of values
	Sources                        // texts of source files
	Negatives                      // values below 0
	Labels                         // of samples
)

// In lists the properties of the set that a trace has, in words.
func (o Omits) In(src tracer.Source) (words []string, err error) {
	if src.Counts()[tracer.Sample] == 0 {
		return nil, nil
	}
	var has Omits
	codes := src.Dict().Codes()
	for i := range codes {
		switch codes[i].Type {
		case tracer.Line:
			has |= Lines
		case tracer.Instruction:
			has |= Instructions
		}
	}
	if len(src.Meta().Source) > 0 {
		has |= Sources
	}
	last, metric, first := map[int32]int64{}, uint32(0), true
	err = src.Scan(tracer.Kinds(tracer.Sample), func(es []tracer.Event) error {
		for i := range es {
			e := &es[i]
			if e.Kind != tracer.Sample {
				continue
			}
			if at, ok := last[e.PE]; ok && at != e.Time {
				has |= Times | Neighbours
			}
			last[e.PE] = e.Time
			if e.Peer > 0 {
				has |= Labels
			}
			if first {
				metric, first = e.Code, false
			}
			if e.Code != metric {
				has |= Metrics
			}
			if e.Value < 0 {
				has |= Negatives
			}
			if c := metricOf(codes, e.Code); c.Scale != math.Trunc(c.Scale) {
				has |= Fractions
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, word := range []string{
		"times of samples (those of one stack are added up)", "times of samples (those in a row of one stack are added up)",
		"lines of frames", "instructions", "metrics other than " + metricOf(codes, metric).Name,
		"fractions of values", "source texts", "negative values", "labels of samples",
	} {
		if o&has&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return words, nil
}

//go:build !js

package perfetto

import (
	"bufio"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
	"whorl/tracer/formats/tracks"
)

// Read reads a trace into rec as one stream, and does not close rec. An error means that nothing could be read. The metadata count the missing parts
// of the trace.
func Read(f profile.File, rec tracer.Recorder, o profile.Options) error {
	text, err := gzipped.Reader(f.R)
	if err != nil {
		return err
	}
	r := &reader{
		out: tracks.New(rec, o), sequences: map[uint32]*sequence{}, clocks: map[clockKey]*clock{}, processes: map[int64]uint32{},
		threads: map[thread]tracks.ID{}, byNumber: map[int64]tracks.ID{}, described: map[uint64]*described{}, operations: map[uint32]tracks.ID{},
		groups: map[uint32]tracks.ID{}, cpus: map[uint64]tracks.ID{}, states: map[tracks.ID]bool{},
	}
	*r.out.Meta = tracer.Meta{Substrate: "perfetto", Mode: tracer.Live, Clock: tracer.Monotonic}
	at, err := r.packets(bufio.NewReaderSize(text, ahead), 0)
	if err != nil {
		if r.read == 0 {
			return err
		}
		r.out.Dropped.Once("the rest from byte " + strconv.FormatInt(at, 10) + " on: " + err.Error())
	}
	if r.skipped > 0 {
		r.out.Dropped.Once(figures.Counted(r.skipped, "byte") + " from byte " + strconv.FormatInt(r.gap, 10) + " on in which no packet was found")
	}
	r.settle()
	r.out.Finish(r.wall)
	return nil
}

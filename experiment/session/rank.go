package session

import (
	"context"
	"errors"
	"io"

	"golang.org/x/sync/errgroup"

	"whorl/experiment"
)

// A rankRequest asks for the gains of a replay of a recorded program if its parts take less time.
type rankRequest struct{ Run experiment.Run }

// gains is the progress of a ranking, or its result.
type gains struct {
	Over, All int
	Ended     bool
	Elapsed   int64
	Gains     []*experiment.Gain
	Err       string
}

// Rank has the Host at the other end of c rank the parts of the program that it has read, as experiment.WhatIf does, and closes c. The run is a
// replay of it.
func Rank(ctx context.Context, c io.ReadWriteCloser, r experiment.Run, watch func(over, all int)) (elapsed int64, ranked []*experiment.Gain, err error) {
	defer c.Close()
	if err := writeJSON(c, frameRank, rankRequest{r}); err != nil {
		return 0, nil, err
	}
	leave := context.AfterFunc(ctx, func() {
		_ = writeFrame(c, frameClose, nil) // a Host that is gone ranks nothing
		c.Close()
	})
	defer leave()
	for {
		kind, payload, err := readFrame(c)
		if ctx.Err() != nil {
			return 0, nil, ctx.Err()
		}
		if err != nil {
			return 0, nil, err
		}
		if kind != frameGains {
			continue
		}
		var g gains
		switch err := fromJSON(kind, payload, &g); {
		case err != nil:
			return 0, nil, err
		case g.Err != "":
			return 0, nil, errors.New(g.Err)
		case g.Ended:
			return g.Elapsed, g.Gains, nil
		}
		watch(g.Over, g.All)
	}
}

// rank ranks the parts of the recorded program for a client, until the client leaves.
func (h *Host) rank(c io.ReadWriteCloser, request []byte) error {
	var r rankRequest
	if err := fromJSON(frameRank, request, &r); err != nil {
		return err
	}
	if h.recorded == nil {
		return writeJSON(c, frameGains, gains{Ended: true, Err: "there is no recorded program to rank"})
	}
	r.Run.Recorded = h.recorded
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var listener errgroup.Group
	listener.Go(func() error {
		defer cancel()
		for {
			if kind, _, err := readFrame(c); err != nil || kind == frameClose {
				return err
			}
		}
	})
	elapsed, ranked, err := experiment.WhatIf(ctx, r.Run, h.recorded.Parts(experiment.MostRanked), func(over, all int) {
		_ = writeJSON(c, frameGains, gains{Over: over, All: all}) // the listener sees that the client has gone
	})
	g := gains{Ended: true, Elapsed: elapsed, Gains: ranked}
	if err != nil {
		g.Err = err.Error()
	}
	if ctx.Err() == nil {
		err = writeJSON(c, frameGains, g)
	} else {
		err = nil
	}
	c.Close()
	_ = listener.Wait() // the client may leave as it likes
	return err
}

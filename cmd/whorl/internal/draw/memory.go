package draw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/internal/figures"
	"whorl/internal/memory"
	"whorl/tracer"
	"whorl/visual/view"
)

// A memoryLimit is the limit that --max-memory sets.
type memoryLimit struct {
	flag  command.Memory
	bytes int64 // 0 without the flag
	share int64 // bytes from which on traces are condensed without the flag, 0 for no such limit

	// Bytes for the picture of a trace that may be condensed, 0 for others.
	fixed, likely int64        // without the tree, and with the visible part of it
	whole         atomic.Int64 // with the whole trace
}

func memoryFlag(cmd *cobra.Command) *memoryLimit {
	m := &memoryLimit{share: memory.Share()}
	m.flag.Bytes = &m.bytes
	cmd.Flags().Var(&m.flag, "max-memory", "`memory` that whorl may use: 500M, 2G; a larger trace is condensed to what the picture can show (default for condensing: a quarter of the machine's)")
	return m
}

// mappedBytes is the memory that the Go runtime does not manage: code and mapped parts of trace files.
const mappedBytes = 72 << 20

// watch stops cmd when it needs more memory than the limit.
func (m *memoryLimit) watch(cmd *cobra.Command) {
	if m.bytes == 0 {
		return
	}
	managed := max(m.bytes-mappedBytes, 16<<20)
	debug.SetMemoryLimit(managed)
	ctx, cancel := context.WithCancelCause(cmd.Context())
	cmd.SetContext(ctx)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
			if liveBytes() > managed {
				cancel(m.exceeded(figures.OutOfMemory(m.bytes)))
			}
		}
	}()
}

// liveBytes returns the memory that the last garbage collection found in use.
func liveBytes() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64() + live[1].Value.Uint64())
}

// exceeded returns the error of a command that the limit ends.
func (m *memoryLimit) exceeded(reason string) error {
	if whole := m.whole.Load(); whole > m.bytes {
		return command.Exit(command.ExitLimit, errors.New(reason+"; try "+limitFlag(min(2*m.bytes, whole))))
	}
	condensing := ViewNames(func(k *view.Kind) bool { return k.Condensation != nil })
	return command.Exit(command.ExitLimit, errors.New(reason+"; views that condense a trace while they read it: "+strings.Join(condensing, ", ")))
}

// lacks returns the error for a picture that the limit prevents. enough is the number of bytes for the tree that would do, 0 if it is not known.
func (m *memoryLimit) lacks(reason string, enough int64) error {
	bytes := max(m.likely, m.fixed+enough)
	if limit := cmp.Or(m.bytes, m.share); bytes <= limit { // the estimate was too low
		bytes = 2 * limit
	}
	limit := "--max-memory " + m.flag.String()
	if m.bytes == 0 {
		limit = "a quarter of the memory of this machine"
	}
	return command.Exit(command.ExitLimit, fmt.Errorf("%s: %s; %s is enough", limit, reason, limitFlag(min(bytes, m.whole.Load()))))
}

// limitFlag returns the flag for a limit of at least so many bytes.
func limitFlag(bytes int64) string { return fmt.Sprintf("--max-memory %dM", (bytes+1<<20-1)>>20) }

// The memory that drawing takes in addition to the trace and the data derived from it.
const (
	programBytes = 32 << 20
	pixelBytes   = 12 // for each pixel
)

// fit returns the kind that draws a trace within the limit as the picture out of w by h pixels, under some parameters: the view itself if what it
// derives from the trace fits, else the view that condenses the trace. Without --max-memory it refuses nothing.
func (m *memoryLimit) fit(kind *view.Kind, trace tracer.StreamSource, out string, w, h int, params map[string]string) (*view.Kind, error) {
	limit := cmp.Or(m.bytes, m.share)
	if limit == 0 || kind.Condensation == nil {
		return kind, nil
	}
	runtime.GC() // so that liveBytes holds the opened trace
	m.fixed = mappedBytes + programBytes + liveBytes() + pixelBytes*int64(w)*int64(h)
	demand := view.Demand{Counts: trace.Counts(), Side: min(w, h), Params: params, SVG: filepath.Ext(out) != ".png"}
	whole, shown := kind.Condensation.Memory(demand)
	m.likely = m.fixed + shown
	m.whole.Store(max(m.fixed+whole, m.likely))
	rest := limit - m.fixed
	if m.bytes > 0 && rest < min(whole, shown/16*9) { // a folded picture often fits into a little more than half of the memory
		return nil, m.lacks("the "+kind.Name+" view of this trace needs more memory", 0)
	}
	if m.bytes == 0 {
		rest = max(rest, shown)
	}
	return kind.Within(rest, demand), nil
}

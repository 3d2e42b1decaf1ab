package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/view"
)

// A memoryLimit is the limit that --max-memory sets.
type memoryLimit struct {
	flag  command.Memory
	bytes int64 // 0 for no limit
}

func memoryFlag(cmd *cobra.Command) *memoryLimit {
	m := &memoryLimit{}
	m.flag.Bytes = &m.bytes
	cmd.Flags().Var(&m.flag, "max-memory", "`memory` that whorl may use: 500M, 2G; a larger tree is condensed to what the picture can show")
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
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
			metrics.Read(live)
			if int64(live[0].Value.Uint64()+live[1].Value.Uint64()) > managed {
				cancel(m.exceeded(figures.OutOfMemory(m.bytes)))
			}
		}
	}()
}

// exceeded returns the error of a command that the limit ends.
func (m *memoryLimit) exceeded(reason string) error {
	condensing := viewNames(func(k *view.Kind) bool { return k.Condensed != nil })
	return command.Exit(command.ExitLimit, errors.New(reason+"; views that condense a trace while they read it: "+strings.Join(condensing, ", ")))
}

// The memory that drawing takes in addition to the trace and the tree.
const (
	programBytes = 32 << 20
	pixelBytes   = 12 // for each pixel
)

// fit returns the kind that draws a trace within the limit as a picture of w by h pixels: the view itself if its tree fits, else the view that
// condenses the tree.
func (m *memoryLimit) fit(kind *view.Kind, trace tracer.StreamSource, w, h int) (*view.Kind, error) {
	if m.bytes == 0 || kind.Condensed == nil {
		return kind, nil
	}
	counts := trace.Counts()
	nodes := counts[tracer.Reduce] + counts[tracer.Fork] + 1
	rest := m.bytes - mappedBytes - programBytes - pixelBytes*int64(w)*int64(h)
	if len(trace.Streams()) > 1 {
		rest -= nodes / 4 // bits that merging takes for each task
	}
	switch {
	case nodes < rest/spawntree.NodeBytes:
		return kind, nil
	case rest < 1<<20:
		return nil, command.Exit(command.ExitLimit, fmt.Errorf("--max-memory %s: the %s view of this trace needs at least %s at this size",
			&m.flag, kind.Name, figures.Size(m.bytes-rest+2<<20)))
	}
	return kind.Condensed(rest), nil
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
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

	// Bytes for the picture of a trace that may be condensed, 0 for others.
	likely int64        // for a picture of the condensed tree, unless many nodes wait for children at one time
	most   atomic.Int64 // for a picture of the whole tree
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
	if most := m.most.Load(); most > m.bytes {
		return command.Exit(command.ExitLimit, errors.New(reason+", and at most "+figures.Size(most)))
	}
	condensing := viewNames(func(k *view.Kind) bool { return k.Condensed != nil })
	return command.Exit(command.ExitLimit, errors.New(reason+"; views that condense a trace while they read it: "+strings.Join(condensing, ", ")))
}

// needs describes the memory that a picture needs.
func (m *memoryLimit) needs() string {
	most := m.most.Load()
	if m.bytes >= m.likely || m.likely >= most {
		return "at most " + figures.Size(most)
	}
	return "about " + figures.Size(m.likely) + " at this size, and at most " + figures.Size(most)
}

// The memory that drawing takes in addition to the trace and the tree.
const (
	programBytes = 32 << 20
	pixelBytes   = 12  // for each pixel
	svgBytes     = 640 // for each node of an SVG with many colours
)

// fit returns the kind that draws a trace within the limit as the picture out of w by h pixels, under some parameters: the view itself if its
// tree fits, else the view that condenses the tree.
func (m *memoryLimit) fit(kind *view.Kind, trace tracer.StreamSource, out string, w, h int, params map[string]string) (*view.Kind, error) {
	if m.bytes == 0 || kind.Condensed == nil {
		return kind, nil
	}
	counts := trace.Counts()
	nodes := counts[tracer.Reduce] + counts[tracer.Fork] + 1
	fixed := mappedBytes + programBytes + pixelBytes*int64(w)*int64(h)
	if len(trace.Streams()) > 1 {
		fixed += nodes / 4 // bits that merging takes for each task
	}
	mebibytes := func(bytes int64) int64 { return (bytes + 1<<20 - 1) &^ (1<<20 - 1) }
	whole := fixed + (nodes+1)*spawntree.NodeBytes
	if filepath.Ext(out) != ".png" {
		whole += nodes * svgBytes
	}
	m.most.Store(mebibytes(whole))
	m.likely = mebibytes(fixed + kind.ShownNodes(min(w, h), params)*spawntree.NodeBytes*5/4) // folding leaves a part of the memory unused
	rest := m.bytes - fixed
	switch {
	case nodes < rest/spawntree.NodeBytes:
		return kind, nil
	case rest < 1<<20:
		return nil, command.Exit(command.ExitLimit, fmt.Errorf("--max-memory %s: the %s view of this trace needs %s", &m.flag, kind.Name, m.needs()))
	}
	return kind.Condensed(rest), nil
}

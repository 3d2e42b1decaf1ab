package solve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"whorl/experiment"
	"whorl/lesson/script"
	"whorl/tracer/report"
	"whorl/tracer/store"
	"whorl/visual/workspace"
)

// Limits of the runs of a lesson.
const (
	mostReductions = 20_000_000
	mostTime       = 5 * time.Minute
	mostMemory     = 4 << 30
)

// A Made is a run with its trace and its statistics.
type Made struct {
	Run     experiment.Run
	Trace   *store.Growing
	Stats   *report.Stats
	Outcome string // done, failed or limited
	Err     string // why it failed
}

// A Cache keeps the runs that several choices of parameters have in common. The zero Cache is empty. It is used by one goroutine.
type Cache struct{ made map[string]*Made }

// describe returns the run of a table of the settings, with the values of parameters.
func describe(s *script.Script, table map[string]any, w *world) (experiment.Run, error) {
	filled := map[string]any{}
	for key, v := range table {
		if key == "name" || key == "title" || key == "ends" {
			continue
		}
		v, err := fillValue(v, w)
		if err != nil {
			return experiment.Run{}, fmt.Errorf("%s: %w", key, err)
		}
		filled[key] = v
	}
	run, err := workspace.ReadRun(filled)
	if err != nil {
		return run, err
	}
	if run.Mode == experiment.Live {
		return run, errors.New("mode live: the answers of a lesson are those of simulated runs, which are the same everywhere")
	}
	if substrate, err := run.Substrate(); err == nil && substrate != "hpf" { // programs in HPF have no reductions
		run.Limits.Reductions = within(run.Limits.Reductions, mostReductions)
	}
	run.Limits.Memory = within(run.Limits.Memory, mostMemory)
	run.Limits.Time = time.Duration(within(int64(run.Limits.Time), int64(mostTime)))
	run.Read = func(name string, most int64) (string, error) { return readIn(s.Folder, name, most) }
	if s.Folder == nil || run.Text != "" || path.Ext(run.Program) == "" {
		return run, nil
	}
	if _, err := fs.Stat(s.Folder, run.Program); err == nil { // the program goes with the run to pages and to members of a session
		run.Text, err = readIn(s.Folder, run.Program, script.MostText)
		return run, err
	}
	return run, nil
}

// command returns the command that makes a run again, without the limits of all lessons.
func command(r experiment.Run, out string) string {
	drop := func(limit *int64, most int64) {
		if *limit == most {
			*limit = 0
		}
	}
	drop(&r.Limits.Reductions, mostReductions)
	drop((*int64)(&r.Limits.Time), int64(mostTime))
	drop(&r.Limits.Memory, mostMemory)
	return r.Command(out)
}

func within(limit, most int64) int64 {
	if limit <= 0 || limit > most {
		return most
	}
	return limit
}

// readIn reads a file of the folder of a lesson.
func readIn(folder fs.FS, name string, most int64) (string, error) {
	clean := path.Clean(filepath.ToSlash(name))
	if !fs.ValidPath(clean) || strings.HasPrefix(clean, "..") {
		return "", fmt.Errorf("%s: a lesson names no file outside its folder", name)
	}
	if folder == nil {
		return "", fmt.Errorf("%s: no such file", name)
	}
	f, err := folder.Open(clean)
	if err != nil {
		return "", fmt.Errorf("%s: no such file in the folder of the lesson", name)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s: longer than %d bytes", name, most)
	}
	return string(text), err
}

// fillValue replaces names of parameters in a setting. A text that is one name becomes its value.
func fillValue(v any, w *world) (any, error) {
	switch v := v.(type) {
	case string:
		if name, ok := strings.CutPrefix(v, "{"); ok {
			if name, ok = strings.CutSuffix(name, "}"); ok {
				if n, err := w.number(name); err == nil && n.value == float64(int64(n.value)) {
					return int64(n.value), nil
				}
			}
		}
		return w.fill(v, false)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			x, err := fillValue(v[i], w)
			if err != nil {
				return nil, err
			}
			if _, isText := v[i].(string); isText {
				x = fmt.Sprint(x) // sizes of benchmarks are texts
			}
			out[i] = x
		}
		return out, nil
	}
	return v, nil
}

// run makes a run, or takes it from the cache.
func (c *Cache) run(ctx context.Context, r experiment.Run) (*Made, error) {
	key := r.Command("") + "\x00" + r.Text
	if m := c.made[key]; m != nil {
		return m, nil
	}
	p, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	measured, trace, err := p.Measure(ctx, nil)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	stats, err := report.Summarise(trace)
	if err != nil {
		return nil, err
	}
	m := &Made{r, trace, stats, measured.Outcome, measured.Err}
	if c.made == nil {
		c.made = map[string]*Made{}
	}
	c.made[key] = m
	return m, nil
}

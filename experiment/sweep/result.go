package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/report"
)

// A Result holds the numbers of one run.
type Result struct {
	Key     string              `json:"key"` // a digest of the run and of the files that it reads
	Run     experiment.Run      `json:"run"`
	Fixed   bool                `json:"fixed,omitempty"` // the program itself places its work: no policy applies to it
	Outcome string              `json:"outcome"`         // done, failed or limited
	Err     string              `json:"error,omitempty"`
	WallNs  int64               `json:"wall_ns"` // by the clock, with the measuring
	Version string              `json:"version"` // of whorl
	Trace   string              `json:"trace,omitempty"`
	Machine map[string]*float64 `json:"machine"` // ns, by machines.Option.Name; empty for real cores
	Numbers map[string]*float64 `json:"numbers"` // by report.Number.Key; null if unknown
}

// Done reports whether the run completed.
func (r *Result) Done() bool { return r.Outcome == tracer.Done.String() }

// timedOut reports whether the run was stopped by its limit of time.
func (r *Result) timedOut() bool {
	most := r.Run.Limits.Time
	return most > 0 && r.WallNs >= int64(most) && r.Outcome == tracer.Limited.String()
}

// Policy returns the policy of the run, "" for a program to which no policy applies.
func (r *Result) Policy() string {
	if r.Fixed {
		return ""
	}
	return r.Run.Policy
}

// simulated returns the value of a setting that simulated machines have, "" for a run on real cores.
func (r *Result) simulated(value string) string {
	if r.Run.Mode == experiment.Live {
		return ""
	}
	return value
}

// measured returns the run as tracer/report knows it.
func (r *Result) measured() *report.Run {
	d := &r.Run
	run := &report.Run{Seed: d.Seed, Outcome: r.Outcome, Err: r.Err, Setting: report.Setting{
		Program: d.Program, Args: strings.Join(d.Args, " "), Goal: d.Goal, Mode: string(d.Mode), Machine: d.Machine, Network: d.Network, Policy: r.Policy(), PEs: d.PEs,
	}}
	for _, n := range numbers {
		run.Numbers[n] = r.Numbers[n.Key()]
	}
	return run
}

// numbers are those of a run in the table: those of comparisons, the work and the span.
var numbers = numbersOfRuns()

func numbersOfRuns() (all []report.Number) {
	for n := range report.NumNumbers {
		all = append(all, n)
	}
	return append(all, report.WorkTime, report.SpanTime)
}

// setNumbers copies the numbers of a run.
func (r *Result) setNumbers(run *report.Run) {
	if r.Numbers == nil {
		r.Numbers = map[string]*float64{}
	}
	for _, n := range numbers {
		r.Numbers[n.Key()] = run.Numbers[n]
	}
}

// A journal is the file with a line of JSON for each result. Lines are only appended, so that a killed sweep loses no result.
type journal struct {
	file *os.File
}

// maxLine limits the length of a line of a journal in bytes.
const maxLine = 1 << 20

// openJournal opens and locks the journal of a folder and reads its results by their keys. It removes a line that was not written whole.
func openJournal(path string) (*journal, map[string]*Result, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, files.CannotWrite(path, err)
	}
	if !lock(f) {
		return nil, nil, errors.Join(errors.New(filepath.Dir(path)+": another sweep is at work in this folder"), f.Close())
	}
	results, whole, err := readJournal(path, f)
	if err == nil {
		err = f.Truncate(whole)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return &journal{f}, results, nil
}

// readJournal returns the results of a journal and the length of its whole lines.
func readJournal(path string, f io.Reader) (results map[string]*Result, whole int64, err error) {
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, 0, files.OpenError(path, err)
	}
	results = map[string]*Result{}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var r Result
		if len(line) > maxLine || json.Unmarshal(line, &r) != nil || r.Key == "" {
			return nil, 0, fmt.Errorf("%s:%d: not the result of a run; without this line the sweep makes the run again", path, number)
		}
		results[r.Key] = &r
		whole += int64(len(line))
	}
	return results, whole, nil
}

// add appends a result.
func (j *journal) add(r *Result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return files.CannotWrite(j.file.Name(), err)
	}
	return nil
}

// filesOf returns the names of the files that a run names.
func filesOf(r *experiment.Run) (names []string) {
	machine, _, _ := strings.Cut(r.Machine, ":")
	if r.Trace {
		names = append(names, r.Program)
	}
	for _, name := range append([]string{r.Program, machine}, r.Args...) {
		if !slices.Contains(names, name) && filepath.Ext(name) != "" && files.IsRegular(name) {
			names = append(names, name)
		}
	}
	return names
}

// keyOf returns the key of a run. Files whose names it has count with their contents, which texts remembers.
func keyOf(r *experiment.Run, texts map[string]string) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(r); err != nil {
		return "", err
	}
	for _, name := range filesOf(r) {
		digest, known := texts[name]
		if !known {
			sum, err := digestOf(name)
			if err != nil {
				return "", err
			}
			digest = string(sum)
			texts[name] = digest
		}
		h.Write([]byte(digest))
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

package experiment

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"whorl/hpfsim/exec"
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
	"whorl/sim"
	"whorl/tracer"
)

// hpfEndings are those of files with programs in HPF.
var hpfEndings = []string{".hpf", ".f", ".for", ".f90"}

func isHPF(path string) bool {
	return slices.Contains(hpfEndings, strings.ToLower(filepath.Ext(path)))
}

// maxHPF is how long a program in HPF may be, in bytes: a million lines and more, for some are linked with libraries.
const maxHPF = 1 << 26

// mostProcessors is how many there are where a program is only checked: so many that no arrangement of them is too large.
const mostProcessors = 1 << 20

// An hpfSource is a file of a program in HPF.
type hpfSource struct{ name, text string }

// readHPF reads the files of a program in HPF.
func readHPF(paths []string) ([]hpfSource, error) {
	var out []hpfSource
	for i, path := range paths {
		if !isHPF(path) {
			return nil, &InputError{path + ": not a program in HPF: their names end in " + strings.Join(hpfEndings, " or ")}
		}
		if slices.ContainsFunc(paths[:i], func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }) {
			return nil, &InputError{path + " is given twice"}
		}
		text, err := readHPFText(path)
		if err != nil {
			return nil, err
		}
		out = append(out, hpfSource{path, text})
	}
	return out, nil
}

// readHPFText reads a source in HPF. Old ones are often in ISO 8859-1, of which it makes UTF-8, or end with the Ctrl-Z of DOS.
func readHPFText(path string) (string, error) {
	text, err := readText(path, maxHPF)
	if err != nil {
		return "", err
	}
	text = strings.TrimRight(text, "\x1a")
	if utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return text, nil
	}
	latin := make([]rune, len(text))
	for i := range len(text) {
		latin[i] = rune(text[i])
	}
	return string(latin), nil
}

// lowerHPF resolves a program in HPF for so many processors; what is wrong with it is in the order of its files and their text.
func lowerHPF(sources []hpfSource, processors int) (*lower.Program, syntax.Errors, error) {
	var file *syntax.File
	var problems syntax.Errors
	for _, s := range sources {
		if err := isText(s.name, s.text); err != nil {
			return nil, nil, err
		}
		f, errs := syntax.Parse(s.name, s.text, syntax.Options{Include: beside})
		problems = append(problems, errs...)
		if file == nil {
			file = f
		} else {
			file.Add(f)
		}
	}
	if problems.Failed() {
		return nil, problems, nil
	}
	prog, more := lower.Lower(file, processors, exec.Constant)
	return prog, append(problems, file.Locate(more)...), nil
}

// findingsOfHPF says what is wrong with files in HPF: those of one program, where one of them alone has a main program, else each by itself.
func findingsOfHPF(paths []string) ([]Finding, error) {
	var bad []error
	var all []hpfSource
	mains := 0
	for _, path := range paths {
		s, err := readHPF([]string{path})
		if err == nil {
			err = isText(path, s[0].text)
		}
		if err != nil {
			bad = append(bad, err)
			continue
		}
		all = append(all, s...)
		if f, _ := syntax.Parse(path, s[0].text, syntax.Options{Include: beside}); slices.ContainsFunc(f.Units, func(u *syntax.Unit) bool { return u.Kind == syntax.Program }) {
			mains++
		}
	}
	programs := [][]hpfSource{all}
	if mains != 1 {
		programs = slices.Collect(slices.Chunk(all, 1))
	}
	var findings []Finding
	for _, sources := range programs {
		_, problems, err := lowerHPF(sources, mostProcessors)
		if err != nil {
			bad = append(bad, err)
		}
		for _, p := range problems {
			findings = append(findings, Finding{p, syntax.Pos{File: p.Pos.File, Line: p.Pos.Line, Column: p.Pos.Column + 1}})
		}
	}
	return findings, errors.Join(bad...)
}

// ListHPF writes a program in HPF, of one file or several, as its processors run it: for each line what they send each other and the
// instructions that it becomes.
func ListHPF(w io.Writer, paths []string, processors int) error {
	sources, err := readHPF(paths)
	if err != nil {
		return err
	}
	prog, problems, err := lowerHPF(sources, processors)
	if err != nil {
		return err
	}
	if problems.Failed() {
		return &SourceError{Errors: problems}
	}
	return lower.Listing(w, prog)
}

// beside finds a file that a source includes: in the source's folder.
func beside(from, name string) (text, path string, err error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(from), name)
	}
	text, err = readHPFText(name)
	if err == nil {
		err = isText(name, text)
	}
	return text, name, err
}

// hpfSample is the virtual time between two samples of a processor, where nothing else is said: that of the profiler of PerfVisS's time.
const hpfSample = 100 * time.Microsecond

// mostArrays is how much memory the arrays of a program may take where nothing else is said: what is more fails all at once, without an error
// that could be told.
const mostArrays = 16 << 30

// liveSample is that of live processors, in real time.
const liveSample = time.Millisecond

// An hpfProgram is a program in HPF, for as many processors as the run has.
type hpfProgram struct {
	code  *lower.Program
	stops *exec.Stops // nil for none
}

// findHPF reads the program in HPF that the run names, with the files of it that stand behind.
func (p *Prepared) findHPF() error {
	r := &p.Description
	if r.Goal != "" {
		return &InputError{"--goal is for programs in FGHC"}
	}
	for _, a := range r.Args {
		if !isHPF(a) {
			return &InputError{"behind a program in HPF stand more files of it: " + Quoted(a) + " is none, and arguments it has none: it reads its input with READ"}
		}
	}
	if r.Text != "" {
		return p.compileHPF(hpfSource{r.Program, r.Text})
	}
	sources, err := readHPF(append([]string{r.Program}, r.Args...))
	if err != nil {
		return err
	}
	return p.compileHPF(sources...)
}

// compileHPF makes the program of its files.
func (p *Prepared) compileHPF(sources ...hpfSource) error {
	prog, problems, err := lowerHPF(sources, p.Description.PEs)
	if err != nil {
		return err
	}
	if problems.Failed() {
		return &SourceError{Errors: problems}
	}
	for _, w := range problems {
		p.Warnings = append(p.Warnings, w.Error())
	}
	stops, err := p.Description.breaks(prog)
	p.program = &hpfProgram{prog, stops}
	return err
}

// begin puts the program on fresh processors.
func (h *hpfProgram) begin(p *Prepared, rec tracer.Recorder) (c course, booted, err error) {
	r := p.Description
	o := exec.Options{
		Network: p.config.Network, Model: p.config.Model, Recorder: rec, Input: p.World.Stdin, Output: p.World.Stdout,
		Limits: exec.Limits{Bytes: cmp.Or(r.Limits.Memory, mostArrays)}, Live: r.Mode == Live, Promises: r.CheckIndependent, Stops: h.stopping(p),
	}
	if p.verify != nil {
		var printed strings.Builder
		out := o.Output
		if o.Output = &printed; out != nil {
			o.Output = io.MultiWriter(out, &printed)
		}
		o.Check = func() error { return p.verify(printed.String()) }
	}
	if rec != nil {
		meta := p.meta()
		meta.Substrate, meta.Policy = "hpf", ""
		o.Sample = int64(hpfSample)
		if o.Live {
			o.Sample = int64(liveSample)
			meta.Mode, meta.Clock, meta.Machine, meta.CostModel = string(Live), tracer.Monotonic, "", ""
		}
		if r.Sample > 0 {
			o.Sample = int64(r.Sample)
		}
		meta.Source = []tracer.SourceFile{{Name: h.code.File.Name, Text: h.code.File.Text}}
		for _, f := range h.code.File.Included {
			meta.Source = append(meta.Source, tracer.SourceFile{Name: f.Name, Text: f.Text})
		}
		rec.SetMeta(meta)
	}
	return &hpfRun{machine: exec.New(h.code, o), file: h.code.File, pes: r.PEs, memory: o.Limits.Bytes}, nil, nil
}

// An hpfRun is a run of a program in HPF. An action is a statement.
type hpfRun struct {
	machine *exec.Machine
	file    *syntax.File
	pes     int
	memory  int64 // that its arrays may take, in bytes
}

const mostStatements = 1 << 12 // between two looks at whether the run goes on

func (h *hpfRun) advance(ctx context.Context, actions uint64) (more bool, err error) {
	begun, most := time.Now(), uint64(1)
	for more = true; more && actions > 0; {
		if ctx.Err() != nil {
			return true, ctx.Err()
		}
		n := min(actions, most)
		more, err = h.machine.Advance(int(n))
		actions -= n
		if time.Since(begun) >= flushEvery { // statements may take long, and whoever looks on waits for what is recorded
			break
		}
		most = min(2*most, mostStatements)
	}
	h.machine.Flush()
	var limit *exec.LimitError
	if errors.As(err, &limit) {
		return false, &limitError{outOfMemory(h.memory)}
	}
	if failed, ok := errors.AsType[*exec.RunError](err); ok { // an error shows the line
		return more, h.file.Locate(syntax.Errors{{Pos: failed.At, Msg: failed.Text}})
	}
	return more, err
}

func (h *hpfRun) still() bool         { return true }
func (h *hpfRun) halt() bool          { return true }
func (h *hpfRun) progress() Progress  { return Progress{Virtual: h.machine.Now()} }
func (h *hpfRun) answer() string      { return "" }
func (h *hpfRun) snapshot() *Snapshot { return &Snapshot{Virtual: h.machine.Now(), TotalPEs: h.pes} }
func (h *hpfRun) exit(o Outcome)      { h.machine.Close(int64(o)) }

func (h *hpfRun) close() (status uint8, exited bool, err error) {
	h.machine.Close(0)
	return 0, false, nil
}

func (h *hpfRun) stats() sim.Stats {
	t := h.machine.Totals()
	return sim.Stats{PEs: h.pes, Elapsed: h.machine.Now(), Messages: uint64(t.Messages), Bytes: t.Bytes}
}

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
	"whorl/hpfsim/preprocess"
	"whorl/hpfsim/syntax"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/sim"
	"whorl/tracer"
)

// hpfEndings are the endings of files in HPF.
var hpfEndings = []string{".hpf", ".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".fpp"}

// IsHPF reports whether a file is a program in HPF by its name.
func IsHPF(path string) bool {
	return slices.Contains(hpfEndings, strings.ToLower(filepath.Ext(path)))
}

// maxHPF is the longest program in HPF, in bytes. Programs linked with libraries have a million lines and more.
const maxHPF = 1 << 26

// CheckedProcessors is the number of processors that programs in HPF are checked for by default. It is large enough for every arrangement of processors.
const CheckedProcessors = 1 << 20

// An hpfSource is a file of a program in HPF.
type hpfSource struct{ name, text string }

// readHPF reads the files of a program in HPF.
func readHPF(paths []string, read reader) ([]hpfSource, error) {
	var out []hpfSource
	for i, path := range paths {
		if !IsHPF(path) {
			return nil, errors.New(path + ": not a program in HPF: their names end in " + strings.Join(hpfEndings, ", "))
		}
		if slices.ContainsFunc(paths[:i], func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }) {
			return nil, errors.New(path + " is given twice")
		}
		text, err := readHPFText(path, read)
		if err != nil {
			return nil, err
		}
		out = append(out, hpfSource{path, text})
	}
	return out, nil
}

// readHPFText reads a source file in HPF. It converts old files from ISO 8859-1 and removes the Ctrl-Z with which files of DOS end.
func readHPFText(path string, read reader) (string, error) {
	text, err := read(path, maxHPF)
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

// lowerHPF compiles a program in HPF for a number of processors, with macros of the preprocessor. The problems are in the order of its files and their text.
func lowerHPF(sources []hpfSource, processors int, defines []string, read reader) (*lower.Program, syntax.Errors, error) {
	var file *syntax.File
	var problems syntax.Errors
	for _, d := range defines {
		if _, _, err := preprocess.Definition(d); err != nil {
			return nil, nil, err
		}
	}
	if len(defines) > 0 && !slices.ContainsFunc(sources, func(s hpfSource) bool { return preprocess.Applies(s.name) }) {
		return nil, nil, errors.New("--define is for files that are preprocessed, whose names end in .F, .F90 or the like")
	}
	for _, s := range sources {
		if err := isText(s.name, s.text); err != nil {
			return nil, nil, err
		}
		f, errs := syntax.Parse(s.name, s.text, syntax.Options{Include: read.include, Defines: defines})
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

// include reads a file that a source includes, from the folder of the source.
func (read reader) include(from, name string) (text, path string, err error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(from), name)
	}
	text, err = readHPFText(name, read)
	if err == nil {
		err = isText(name, text)
	}
	return text, name, err
}

// hpfFindings checks files in HPF for a number of processors, with macros of the preprocessor. They are one program if exactly one of them has a main program, else each is a program.
func hpfFindings(paths []string, processors int, defines []string) ([]Finding, error) {
	var bad []error
	var all []hpfSource
	mains := 0
	for _, path := range paths {
		s, err := readHPF([]string{path}, files.ReadText)
		if err == nil {
			err = isText(path, s[0].text)
		}
		if err != nil {
			bad = append(bad, err)
			continue
		}
		all = append(all, s...)
		f, _ := syntax.Parse(path, s[0].text, syntax.Options{Include: reader(files.ReadText).include, Defines: defines})
		if slices.ContainsFunc(f.Units, func(u *syntax.Unit) bool { return u.Kind == syntax.Program }) {
			mains++
		}
	}
	programs := [][]hpfSource{all}
	if mains != 1 {
		programs = slices.Collect(slices.Chunk(all, 1))
	}
	var findings []Finding
	for _, sources := range programs {
		_, problems, err := lowerHPF(sources, processors, defines, files.ReadText)
		if err != nil {
			bad = append(bad, err)
		}
		for _, p := range problems {
			findings = append(findings, Finding{p, syntax.Pos{File: p.Pos.File, Line: p.Pos.Line, Column: p.Pos.Column + 1}})
		}
	}
	return findings, errors.Join(bad...)
}

// ListHPF compiles a program in HPF of one or more files and writes a text about it: lower.Listing or lower.Report.
func ListHPF(w io.Writer, paths []string, processors int, defines []string, write func(io.Writer, *lower.Program) error) error {
	sources, err := readHPF(paths, files.ReadText)
	if err != nil {
		return err
	}
	prog, problems, err := lowerHPF(sources, processors, defines, files.ReadText)
	if err != nil {
		return err
	}
	if problems.Failed() {
		return problems
	}
	return write(w, prog)
}

// Defaults of runs.
const (
	simSample  = 100 * time.Microsecond // virtual time between two samples, as of the profiler of PerfVisS's time
	hostSample = time.Millisecond       // real time between two samples of a live run
	mostArrays = 16 << 30               // bytes of arrays; allocating more than the system has ends the process without an error
)

// An hpfProgram is a program in HPF, compiled for the number of processors of the run.
type hpfProgram struct {
	code  *lower.Program
	stops *exec.Stops // nil for none
}

// findHPF reads the program in HPF that the run names, with the files that follow it, and passes it to c.
func (p *Prepared) findHPF(c compiler) error {
	r := &p.Description
	if r.Goal != "" {
		return errors.New("--goal is for programs in FGHC")
	}
	for _, a := range r.Args {
		if !IsHPF(a) {
			return errors.New("only more files of the program may follow a program in HPF, and " + nearest.Quote(a) + " is not one; the program reads its input with READ")
		}
	}
	if r.Text != "" {
		return c.compileHPF(hpfSource{r.Program, r.Text})
	}
	sources, err := readHPF(append([]string{r.Program}, r.Args...), r.readText)
	if err != nil {
		return err
	}
	return c.compileHPF(sources...)
}

// compileHPF compiles the files of the program.
func (p *Prepared) compileHPF(sources ...hpfSource) error {
	prog, problems, err := lowerHPF(sources, p.Description.PEs, p.Description.Defines, p.Description.readText)
	if err != nil {
		return err
	}
	if problems.Failed() {
		return problems
	}
	for _, w := range problems {
		p.Warnings = append(p.Warnings, w.Error())
	}
	stops, err := p.Description.breaks(prog)
	p.hpf = &hpfProgram{prog, stops}
	p.program = p.hpf
	return err
}

// HPF returns the name and the text of the first file of a program in HPF, and false for other programs.
func (p *Prepared) HPF() (name, text string, ok bool) {
	if p.hpf == nil {
		return "", "", false
	}
	return p.hpf.code.File.Name, p.hpf.code.File.Text, true
}

func (h *hpfProgram) refuse(r *Run) error {
	switch {
	case r.Slice > 0:
		return errors.New("goals of FGHC take turns, processors of HPF do not: " + r.Program + " runs without --slice")
	case r.Limits.Reductions > 0:
		return errors.New("a program in HPF has no reductions: " + r.Program + " runs without --max-reductions")
	}
	return nil
}

// HasPolicy reports whether a scheduling policy decides where the work of the program runs. In HPF the mapping of the data decides.
func (p *Prepared) HasPolicy() bool { return p.hpf == nil }

func (h *hpfProgram) begin(p *Prepared, rec tracer.Recorder) (c course, failed, err error) {
	r := p.Description
	o := exec.Options{
		Network: p.config.Network, Model: p.config.Model, Recorder: rec, Input: p.World.Stdin, Output: p.World.Stdout, Errors: p.World.Stderr,
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
		o.Sample = int64(simSample)
		if o.Live {
			o.Sample = int64(hostSample)
			meta.Mode, meta.Clock, meta.Machine, meta.CostModel = tracer.Live, tracer.Monotonic, "", ""
		}
		if r.Sample > 0 {
			o.Sample = int64(r.Sample)
		}
		meta.Source = []tracer.SourceFile{{Name: h.code.File.Name, Text: h.code.File.Text}}
		for i, f := range h.code.File.Included {
			if slices.ContainsFunc(h.code.File.Included[:i], func(g syntax.Included) bool { return g.Name == f.Name }) {
				continue // a file that is included several times has its lines once
			}
			meta.Source = append(meta.Source, tracer.SourceFile{Name: f.Name, Text: f.Text})
		}
		rec.SetMeta(meta)
	}
	if err := setSpeeds(&o, h.code, p.config.Speeds); err != nil {
		return nil, nil, err
	}
	closes, err := p.World.openFolder(&o)
	if err != nil {
		return nil, nil, err
	}
	return &hpfRun{closes: closes, machine: exec.New(h.code, o), file: h.code.File, pes: r.PEs, memory: o.Limits.Bytes}, nil, nil
}

// An hpfRun is a run of a program in HPF. An action is a statement.
type hpfRun struct {
	closes  func() error // closes the folder of its files
	machine *exec.Machine
	file    *syntax.File
	pes     int
	memory  int64 // limit of its arrays, in bytes
}

// mostStatements is the largest number of statements between two checks of the clock.
const mostStatements = 1 << 12

// sliceTime bounds a slice unless a single statement takes longer. It is short because the viewer waits for the recorded events.
const sliceTime = time.Second / 20

func (h *hpfRun) advance(ctx context.Context, actions uint64) (more bool, err error) {
	begun, most := time.Now(), uint64(1)
	for more = true; more && actions > 0; {
		if ctx.Err() != nil {
			return true, ctx.Err()
		}
		n := min(actions, most)
		more, err = h.machine.Advance(int(n))
		actions -= n
		if time.Since(begun) >= sliceTime {
			break
		}
		most = min(2*most, mostStatements)
	}
	h.machine.Flush()
	var limit *exec.LimitError
	if errors.As(err, &limit) {
		return false, &limitError{outOfMemory(h.memory)}
	}
	if failed, ok := errors.AsType[*exec.RunError](err); ok {
		return more, h.file.Locate(syntax.Errors{{Pos: failed.Pos, Msg: failed.Text}})
	}
	return more, err
}

func (h *hpfRun) still() bool           { return true }
func (h *hpfRun) halt() bool            { return true }
func (h *hpfRun) progress() Progress    { return Progress{Virtual: h.machine.Now()} }
func (h *hpfRun) answer() string        { return "" }
func (h *hpfRun) snapshot() *Snapshot   { return newSnapshot(h.progress(), h.pes) }
func (h *hpfRun) exit(o tracer.Outcome) { h.machine.Close(int64(o)) }

func (h *hpfRun) close() (status uint8, exited bool, err error) {
	h.machine.Close(0)
	return 0, false, h.closes()
}

func (h *hpfRun) stats() sim.Stats {
	t := h.machine.Totals()
	return sim.Stats{PEs: h.pes, Elapsed: h.machine.Now(), Messages: uint64(t.Messages), Bytes: t.Bytes}
}

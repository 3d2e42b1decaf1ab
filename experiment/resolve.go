package experiment

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/benchmarks"
	"whorl/fghc/check"
	"whorl/fghc/encoding"
	"whorl/internal/nearest"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/sim/policy"
	"whorl/tracer"
)

// A program is one that was read and found right, whatever language it is in: what a substrate makes of a name.
type program interface {
	// begin puts a fresh run on the PEs that p describes, recorded in rec, which may be nil. Booted is why the run could not start there: it is
	// over and has failed.
	begin(p *Prepared, rec tracer.Recorder) (c course, booted, err error)
}

// Prepared is a run whose names have been found.
type Prepared struct {
	Description Run
	Warnings    []string                        // about the program, for the user
	OnStop      func(s *Standstill) (step bool) // called where a run of a program in HPF stops; nil writes what it finds to World.Stderr
	World       World                           // of its runs; nothing unless the caller sets it

	program program
	watched bool // somebody looks at the trace while it grows
	config  sim.Config
	verify  func(answer string) error // for a benchmark
}

// Resolve finds what the description names. Its errors are for the user: what is wrong, where, and which names there are.
func (r Run) Resolve() (*Prepared, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	p := &Prepared{Description: r}
	if err := p.findMachine(); err != nil {
		return nil, err
	}
	if err := p.findProgram(); err != nil {
		return nil, err
	}
	if _, ok := p.program.(*hpfProgram); !ok {
		for _, flag := range []struct {
			name  string
			given bool
		}{{"sample", r.Sample != 0}, {"check-independent", r.CheckIndependent}, {"break", len(r.Break) > 0}} {
			if flag.given {
				return nil, &InputError{"--" + flag.name + " is for programs in HPF"}
			}
		}
	}
	return p, nil
}

// ResolveMachine is Resolve for a program that experiment does not carry out itself: it finds the policy, the machine and the network, and
// returns the run with what was left to the machine filled in.
func (r Run) ResolveMachine() (Run, error) {
	if err := r.check(); err != nil {
		return r, err
	}
	p := &Prepared{Description: r}
	err := p.findMachine()
	return p.Description, err
}

// ResolveTexts is Resolve for a program in FGHC whose files have been read already; what the description calls it is only a name.
func (r Run) ResolveTexts(sources []check.Source) (*Prepared, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	p := &Prepared{Description: r}
	if err := p.findMachine(); err != nil {
		return nil, err
	}
	return p, p.compile(sources)
}

// findMachine makes the machine's configuration of the names of policy, machine and network.
func (p *Prepared) findMachine() error {
	r := &p.Description
	pol, err := policy.Named(r.Policy)
	if err != nil {
		return Unknown("policy", r.Policy, itemNames(Policies()), "")
	}
	preset, err := findPreset(r.Machine)
	if err != nil {
		return err
	}
	if r.Network == "" {
		r.Network = preset.Network
	}
	if r.PEs == OwnPEs {
		r.PEs = preset.PEs
	}
	net, err := sim.NetworkNamed(r.Network, r.PEs)
	if err != nil {
		return Unknown("network", r.Network, itemNames(Networks()), "")
	}
	p.config = sim.Config{
		PEs: r.PEs, Policy: pol, PolicyName: r.Policy, Network: net, Model: preset.Model, MachineName: preset.Name, Seed: r.Seed,
	}
	return nil
}

// findPreset returns a built-in machine, or reads the file of one.
func findPreset(name string) (machines.Preset, error) {
	if filepath.Ext(name) != ".toml" {
		preset, err := machines.Named(name)
		if err != nil {
			err = Unknown("machine", name, itemNames(Machines()), "")
		}
		return preset, err
	}
	text, err := readText(name, maxMachine)
	if err != nil {
		return machines.Preset{}, err
	}
	return machines.Read(name, []byte(text))
}

// findProgram reads the program: a source file where the name looks like one, else a benchmark.
func (p *Prepared) findProgram() error {
	r := &p.Description
	if r.Text == "" && !isSource(r.Program) {
		return p.findBenchmark()
	}
	if isHPF(r.Program) {
		return p.findHPF()
	}
	if len(r.Text) > maxSource {
		return &InputError{fmt.Sprintf("%s: longer than the %d bytes that a program may have", r.Program, maxSource)}
	}
	sources := []check.Source{{Name: r.Program, Text: r.Text}}
	for _, name := range r.Args {
		if slices.ContainsFunc(sources, func(s check.Source) bool { return filepath.Clean(s.Name) == filepath.Clean(name) }) {
			return &InputError{name + " is given twice"}
		}
		if !slices.Contains(fghcEndings, filepath.Ext(name)) {
			return &InputError{"behind a source file stand more files of the program: " + Quoted(name) + " is none, or belongs into --goal"}
		}
		sources = append(sources, check.Source{Name: name})
	}
	for i := range sources {
		if s := &sources[i]; s.Text == "" {
			var err error
			if s.Text, err = readSource(s.Name); err != nil {
				return err
			}
		}
	}
	return p.compile(sources)
}

// compile makes the program of its files.
func (p *Prepared) compile(sources []check.Source) error {
	f, warnings, err := newFGHC(sources, p.Description.Goal)
	if err != nil {
		return err
	}
	p.program, p.Warnings = f, warnings
	return nil
}

// isSource says whether a name is meant as the path of a source file. A file that is called as a benchmark, such as one that was built, is
// not meant.
func isSource(name string) bool {
	if slices.Contains(fghcEndings, filepath.Ext(name)) || isHPF(name) || strings.HasPrefix(name, ".") || filepath.IsAbs(name) {
		return true
	}
	_, err := benchmarks.Lookup(name)
	return err != nil && IsFile(name)
}

// IsFile says whether there is a regular file of that name.
func IsFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// The longest texts that are read, in bytes.
const (
	maxSource  = 16 << 20
	maxMachine = 1 << 16
)

// readSource reads the text of a program, and says what a file is that is none.
func readSource(path string) (string, error) {
	if !slices.Contains(fghcEndings, filepath.Ext(path)) {
		if kind := traceKind(path); kind != "" {
			return "", &InputError{path + " is a trace (" + kind + "), not a program: whorl stats " + path + " or whorl render " + path}
		}
		if IsFile(path) {
			return "", &InputError{path + ": not a program: their names end in " + strings.Join(fghcEndings, " or ")}
		}
	}
	text, err := readText(path, maxSource)
	text, _ = encoding.Decode(text)
	return text, err
}

// readText reads a file that has at most so many bytes.
func readText(path string, most int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", FileError(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return "", FileError(path, err)
	}
	if int64(len(text)) > most {
		return "", &InputError{fmt.Sprintf("%s: longer than the %d bytes that such a file may have", path, most)}
	}
	return string(text), nil
}

// CheckText says what is wrong with the text of a program, nil for nothing; name is what errors call it.
func CheckText(name, text string) error { return checkFGHC(name, text) }

// FileError says in one line why a file could not be opened, with the files beside it whose names are near.
func FileError(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return &InputError{path + ": " + reason(err)}
	}
	text := path + ": no such file"
	if near := nearFiles(path); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return &InputError{text}
}

// nearFiles are the files in the folder of path whose names are near to its own.
func nearFiles(path string) []string {
	const most = 1000
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(most)
	if err != nil {
		return nil
	}
	// The ending, where it is the same, says nothing about how near two names are.
	ext := filepath.Ext(path)
	var stems []string
	for _, n := range names {
		if filepath.Ext(n) == ext {
			stems = append(stems, strings.TrimSuffix(n, ext))
		}
	}
	near := nearest.Names(strings.TrimSuffix(filepath.Base(path), ext), stems)
	for i, n := range near {
		near[i] = filepath.Join(filepath.Dir(path), n+ext)
	}
	if len(near) > 0 {
		return near
	}
	near = nearest.Names(filepath.Base(path), names)
	for i, n := range near {
		near[i] = filepath.Join(filepath.Dir(path), n)
	}
	return near
}

// meta is what the trace's metadata say of a run before it begins, but for what the program itself says.
func (p *Prepared) meta() tracer.Meta {
	m := p.config.Meta()
	m.Program, m.Args = p.Description.Program, p.Description.Args
	return m
}

package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/benchmarks"
	"whorl/fghc/check"
	"whorl/fghc/encoding"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/sim"
	"whorl/sim/machines"
	"whorl/tracer"
	"whorl/tracer/open"
)

// A program is a program that was read and checked, in any language.
type program interface {
	// refuse returns an error if the run asks for something that programs of this kind cannot do.
	refuse(r *Run) error
	// begin starts a fresh run on the PEs that p describes, recorded in rec, which may be nil. failed is the error of a run that ended because it
	// could not start.
	begin(p *Prepared, rec tracer.Recorder) (c course, failed, err error)
}

// A Prepared is a run whose names are resolved.
type Prepared struct {
	Description Run
	Warnings    []string                        // about the program, for the user
	OnStop      func(s *Standstill) (step bool) // called where a run of a program in HPF stops; nil writes the values to World.Stderr
	World       World                           // of its runs; empty unless the caller sets it
	Watched     bool                            // a viewer reads the trace while it grows

	program program
	fghc    *fghcProgram // the program if it is in FGHC, else nil
	hpf     *hpfProgram  // the program if it is in HPF, else nil
	config  sim.Config
	verify  func(answer string) error // of a benchmark
}

// Resolve finds the program, the policy, the machine and the network of the description. Its errors are for the user: they name the place and the
// known names.
func (r Run) Resolve() (*Prepared, error) {
	return r.resolve(func(p *Prepared) error { return p.findProgram(p) })
}

// Verify returns the errors of Resolve that are found without compiling the program. A viewer whose runs execute elsewhere verifies them first;
// it contains no compiler.
func (r Run) Verify() error {
	_, err := r.resolve(func(p *Prepared) error { return p.findProgram(verifier{}) })
	return err
}

// A compiler receives the program that a run names, with a method for each substrate.
type compiler interface {
	compileFGHC(sources []check.Source, goal string) error
	compileHPF(sources ...hpfSource) error
	compileDTS(program benchmarks.DTS, sizes []int64) error
	replay() // takes the program of Run.Recorded
}

// A verifier is a compiler that checks FGHC and compiles nothing.
type verifier struct{}

func (verifier) compileFGHC(sources []check.Source, goal string) error {
	_, _, err := readFGHC(sources, goal)
	return err
}

func (verifier) compileHPF(...hpfSource) error            { return nil }
func (verifier) compileDTS(benchmarks.DTS, []int64) error { return nil }
func (verifier) replay()                                  {}

// ResolveTexts is Resolve for a program in FGHC whose files were read before. Its Program is only a name.
func (r Run) ResolveTexts(sources []check.Source) (*Prepared, error) {
	return r.resolve(func(p *Prepared) error { return p.compileFGHC(sources, p.Description.Goal) })
}

// ResolveMachine is Resolve for a program that the caller executes. It returns the run with the choices of the machine filled in.
func (r Run) ResolveMachine() (Run, error) {
	p, err := r.resolve(func(*Prepared) error { return nil })
	if err != nil {
		return r, err
	}
	return p.Description, nil
}

func (r Run) resolve(find func(*Prepared) error) (*Prepared, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	p := &Prepared{Description: r}
	if err := p.findMachine(); err != nil {
		return nil, err
	}
	if err := find(p); err != nil || p.program == nil {
		return p, err
	}
	return p, p.program.refuse(&p.Description)
}

// findMachine configures the machine from the names of policy, machine and network.
func (p *Prepared) findMachine() error {
	r := &p.Description
	pol, err := r.policyNamed(r.Policy)
	if err != nil {
		return err
	}
	preset, err := r.Preset()
	if err != nil {
		return err
	}
	if r.Recorded != nil {
		r.Machine = preset.Name
	}
	if r.Network == "" {
		r.Network = preset.Network
	}
	if r.PEs == OwnPEs {
		r.PEs = preset.PEs
	}
	var speeds []sim.Speed
	for _, text := range r.Speeds {
		s, err := sim.ParseSpeed(text)
		if err != nil {
			return err
		}
		speeds = append(speeds, s)
	}
	net, err := sim.NetworkNamed(r.Network, r.PEs)
	if err != nil {
		return err
	}
	if pol.Traits().Goals.Binder && !net.Shared() {
		return errors.New("policy " + r.Policy + ": home=binder is for shared memory, as on the network bus; the network " + r.Network + " has none")
	}
	p.config = sim.Config{
		PEs: r.PEs, Policy: pol, PolicyName: r.Policy, Network: net, Model: preset.Model, MachineName: preset.Name, Seed: r.Seed, Speeds: speeds,
	}
	return nil
}

// A reader reads a file of at most so many bytes.
type reader func(path string, most int64) (string, error)

// readText is the reader of the run.
func (r *Run) readText(path string, most int64) (string, error) {
	if r.Read != nil {
		return r.Read(path, most)
	}
	return files.ReadText(path, most)
}

// Model returns the times of the machine of the run.
func (p *Prepared) Model() sim.Model { return p.config.Model }

// Machine returns a built-in machine, or reads the file of one. Options may follow its name.
func Machine(name string) (machines.Preset, error) { return machine(name, files.ReadText) }

// Preset returns the machine of the run.
func (r *Run) Preset() (preset machines.Preset, err error) {
	name, options, configured := strings.Cut(r.Machine, ":")
	switch {
	case r.Recorded == nil || name != "" && name != RecordedMachine:
		preset, err = machine(r.Machine, r.readText)
	case configured:
		preset, err = machines.Configure(r.Recorded.Machine, r.Machine, options)
	default:
		preset = r.Recorded.Machine
	}
	if r.Recorded != nil && r.Recorded.Meta.Substrate == "hpf" {
		preset.Model.Uncontended = true // as in the simulator of HPF
	}
	return preset, err
}

func machine(name string, read reader) (machines.Preset, error) {
	preset, err := machines.Find(name, func(file string) ([]byte, error) {
		text, err := read(file, maxMachine)
		return []byte(text), err
	})
	if base, _, _ := strings.Cut(name, ":"); err != nil && filepath.Ext(base) != ".toml" {
		if _, absent := os.Stat(base); absent == nil {
			err = cmp.Or(files.CheckRegular(base), errors.New(base+": expected a machine file, which is named FILE.toml"))
		}
	}
	return preset, err
}

// findProgram reads a source file if the name means one, else it finds a benchmark. The program goes to c.
func (p *Prepared) findProgram(c compiler) error {
	r := &p.Description
	if r.Recorded != nil {
		c.replay()
		return nil
	}
	if r.Trace {
		return errors.New(r.Program + ": the program in a trace has to be read before it is replayed")
	}
	if r.Text == "" && !isSource(r.Program) {
		return p.findBenchmark(c)
	}
	if IsHPF(r.Program) {
		return p.findHPF(c)
	}
	if len(r.Text) > maxSource {
		return fmt.Errorf("%s: longer than %s, the limit for programs", r.Program, figures.Size(maxSource))
	}
	sources := []check.Source{{Name: r.Program, Text: r.Text}}
	for _, name := range r.Args {
		if slices.ContainsFunc(sources, func(s check.Source) bool { return filepath.Clean(s.Name) == filepath.Clean(name) }) {
			return errors.New(name + " is given twice")
		}
		if !isFGHC(name) {
			return errors.New("only more source files of the program may follow a source file, and " + nearest.Quote(name) + " is not one; a query goes into --goal")
		}
		sources = append(sources, check.Source{Name: name})
	}
	for i := range sources {
		if s := &sources[i]; s.Text == "" {
			var err error
			if s.Text, err = readSource(s.Name, r.readText); err != nil {
				return err
			}
		}
	}
	for i := range sources {
		sources[i].Functions = r.Functions
	}
	return c.compileFGHC(sources, r.Goal)
}

// compileFGHC compiles the files of a program in FGHC and its query.
func (p *Prepared) compileFGHC(sources []check.Source, goal string) error {
	text, warnings, err := readFGHC(sources, goal)
	if err != nil {
		return err
	}
	f, err := newFGHC(text)
	if err != nil {
		return err
	}
	p.program, p.fghc, p.Warnings = f, f, warnings
	return nil
}

// replay takes a recorded program. The page links no simulated machine, since it reaches this method by the interface alone.
func (p *Prepared) replay() { p.program = recordedProgram{p.Description.Recorded} }

// compileDTS takes a program of threads, which needs no compilation.
func (p *Prepared) compileDTS(program benchmarks.DTS, sizes []int64) error {
	p.program = &dtsProgram{program, sizes}
	return nil
}

// Substrate returns the substrate of the program: fghc, dts or hpf. The error is for an unknown benchmark.
func (r *Run) Substrate() (string, error) {
	switch {
	case r.Recorded != nil:
		return r.Recorded.Meta.Substrate, nil
	case r.Text == "" && !isSource(r.Program):
		b, err := lookup(r.Program)
		if err != nil {
			return "", err
		}
		return b.Program.Substrate(), nil
	case IsHPF(r.Program):
		return "hpf", nil
	}
	return "fghc", nil
}

// isSource reports whether a name means a source file: it has an extension, is a path, or names a file. A file with the name of a benchmark,
// such as a binary built from it, does not count.
func isSource(name string) bool {
	if strings.HasPrefix(name, ".") || filepath.IsAbs(name) || filepath.Ext(name) != "" {
		return true
	}
	_, err := benchmarks.Lookup(name)
	return err != nil && (files.IsRegular(name) || isPath(name))
}

// isPath reports whether a name lies in a folder. The name of a substrate, or one near it, begins the name of a benchmark.
func isPath(name string) bool {
	folder, _, inside := strings.Cut(name, "/")
	var substrates []string
	for _, b := range benchmarks.All {
		substrates = append(substrates, b.Program.Substrate())
	}
	return inside && len(nearest.Names(folder, slices.Compact(substrates))) == 0
}

// Limits of files, in bytes.
const (
	maxSource  = 16 << 20
	maxMachine = 1 << 16
)

// readSource reads the text of a program in FGHC. For another file the error says which kind of file it is.
func readSource(path string, read reader) (string, error) {
	if !isFGHC(path) {
		if format := open.FormatOf(path); format != "" {
			return "", errors.New(path + " is a trace (" + format + "), not a program: whorl stats " + path + " or whorl render " + path)
		}
		if files.IsRegular(path) {
			return "", errors.New(path + ": not a program: their names end in " + strings.Join(slices.Concat(fghcEndings, hpfEndings), ", "))
		}
	}
	text, err := read(path, maxSource)
	if b, lookup := benchmarks.Lookup(path); err != nil && lookup == nil {
		return "", errors.New(path + " is a benchmark, not a file: whorl run " + b.Name)
	}
	text, _ = encoding.Decode(text)
	return text, err
}

// meta returns the metadata of a run before it begins, without the metadata of the program.
func (p *Prepared) meta() tracer.Meta {
	m := p.config.Meta()
	m.Program, m.Args = p.Description.Program, p.Description.Args
	return m
}

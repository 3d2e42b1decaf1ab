package open

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/formats"
	"whorl/tracer/formats/profile"
)

// Options control how profiles of programs are read. The zero Options suits most profiles.
type Options struct {
	Processor string   // a label of samples, or process, thread or cpu: each value becomes a processor; "" is the default of the format
	Merge     string   // a level of profile.Levels: processors of equal names at this level become one; "" for none
	Binaries  []string // files of programs and libraries to search before those that a profile names
	Sources   []string // folders with source files
	Program   *Program // the program of a trace whose format names clauses by their numbers; nil if unknown
	Salvage   bool     // a damaged trace opens without the damaged part, which Missing reports; the whole file is read for that
	Leaves    bool     // stacks may lack the callers of their innermost places
	Sealed    bool     // a profile opens none of the files that it names: it comes from somebody else

	folder fs.FS        // of the file, for formats that read others in it
	begun  func(*Trace) // gets the beginning of a long trace of events while the rest is read; nil for none
}

// A Program is the source program of a trace.
type Program struct {
	Name    string
	Clauses *tracer.Dict // its procedures and clauses
	Source  []tracer.SourceFile
}

// profile returns the options for readers of profiles. done releases the binaries that they hold open.
func (o *Options) profile() (opts profile.Options, done func(), err error) {
	if o.Merge != "" && !slices.Contains(profile.Levels, o.Merge) {
		return opts, nil, nearest.Unknown("level", o.Merge, profile.Levels)
	}
	if o.Sealed {
		return profile.Options{Processor: o.Processor, Merge: o.Merge, Leaves: o.Leaves}, func() {}, nil
	}
	found, done, err := binaries(o.Binaries)
	return profile.Options{Processor: o.Processor, Merge: o.Merge, Leaves: o.Leaves, Binaries: found, Source: o.source}, done, err
}

// A Set is the files of one trace: a trace file, a folder of logs, or the profiles of several processes.
type Set struct {
	Paths  []string
	Format string // of profiles; "" for a file or folder that File opens
}

// Sets groups files into traces. All profiles named one by one are one trace, and so are those of a folder or of a pattern that the shell has
// not expanded. Every other file is a trace of its own.
func Sets(paths []string) (sets []Set) {
	single := map[string]int{} // by format, the index of the set of profiles named one by one
	for _, path := range paths {
		several, f := profilesIn(path)
		if len(several) > 0 {
			sets = append(sets, Set{several, f})
			continue
		}
		format, _ := detectHead(headOf(path))
		if !format.Profile {
			sets = append(sets, Set{[]string{path}, ""})
			continue
		}
		i, ok := single[format.Name]
		if !ok {
			i = len(sets)
			single[format.Name] = i
			sets = append(sets, Set{nil, format.Name})
		}
		sets[i].Paths = append(sets[i].Paths, path)
	}
	for i := range sets {
		slices.SortFunc(sets[i].Paths, profile.Natural)
	}
	return addEmpty(sets, paths)
}

// Apart returns the Sets of some files for a comparison: two profiles of one program, named one by one, are two sets.
func Apart(paths []string, o Options) []Set {
	sets := Sets(paths)
	for i, s := range sets {
		if s.Format == "" || len(s.Paths) != 2 || !slices.Contains(paths, s.Paths[0]) || !sameProgram(s.Paths, o) {
			continue
		}
		named := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !slices.Contains(s.Paths, p) }) // in the user's order
		return slices.Replace(sets, i, i+1, Set{named[:1], s.Format}, Set{named[1:], s.Format})
	}
	return sets
}

// sameProgram reports whether two profiles are of one program: most functions of the one with fewer are in the other.
func sameProgram(paths []string, o Options) bool {
	var functions [2]map[string]bool
	for i, path := range paths {
		t, err := Files([]string{path}, "", o)
		if err != nil {
			return false
		}
		functions[i] = map[string]bool{}
		for _, c := range t.Dict().Codes() {
			if c.Type == tracer.Function {
				functions[i][c.Name] = true
			}
		}
		t.Close()
	}
	few, many := functions[0], functions[1]
	if len(few) > len(many) {
		few, many = many, few
	}
	common := 0
	for name := range few {
		if many[name] {
			common++
		}
	}
	return 2*common > len(few)
}

// addEmpty moves empty files to the first set of profiles with the same ending.
func addEmpty(sets []Set, paths []string) []Set {
	for i := range sets {
		if sets[i].Format == "" {
			continue
		}
		sets[i].Paths = withEmpty(sets[i].Paths, paths)
		sets = slices.DeleteFunc(sets, func(s Set) bool { return s.Format == "" && slices.Contains(sets[i].Paths, s.Paths[0]) })
		break
	}
	return sets
}

// profilesIn lists the profiles of a folder or of a pattern, none for other paths.
func profilesIn(path string) (paths []string, format string) {
	paths, f := logsIn(path, "")
	if len(paths) > 0 && f.Profile {
		return paths, f.Name
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, ""
	}
	found, err := filepath.Glob(path)
	if err != nil {
		return nil, ""
	}
	for _, p := range found {
		f, _ := detectHead(headOf(p))
		if !f.Profile || format != "" && f.Name != format {
			continue
		}
		format = f.Name
		paths = append(paths, p)
	}
	return withEmpty(paths, found), format
}

// Name returns a short name for the trace of the set.
func (s *Set) Name() string {
	if len(s.Paths) == 1 {
		return processNames(s.Paths)[0]
	}
	common := filepath.Base(s.Paths[0])
	for _, p := range s.Paths {
		base := filepath.Base(p)
		for !strings.HasPrefix(base, common) {
			common = common[:len(common)-1]
		}
	}
	if common = strings.Trim(common, "-_. "); common == "" {
		common = filepath.Base(filepath.Dir(s.Paths[0]))
	}
	if common == "." || common == string(filepath.Separator) {
		return "profiles"
	}
	return common
}

// Record reads the profiles of the set, or a trace of the program in the options, into rec, which it does not close. missing is a sentence about
// the data that they lack.
func (s *Set) Record(rec tracer.Recorder, o Options) (missing string, err error) {
	m := &metaRecorder{Recorder: rec}
	if s.Format == "" && o.Program == nil && IsEvents(s.Paths[0]) {
		t, err := fileAs(s.Paths[0], "", o)
		if err != nil {
			return "", err
		}
		defer t.Close()
		err = tracer.Copy(m, t)
		return m.meta.Missing(), err
	}
	if s.Format == "" || o.Program != nil {
		err = readNumbered(s.Paths[0], m, o)
	} else {
		f, _ := find(s.Format)
		err = readFiles(s.Paths[0], s.Paths, f, m, o)
	}
	return m.meta.Missing(), err
}

// readNumbered reads a trace of the program in the options into rec.
func readNumbered(path string, rec tracer.Recorder, o Options) error {
	f, _ := find(FormatOf(path))
	if !f.Numbered {
		return notNumbered(path)
	}
	in, err := os.Open(path)
	if err != nil {
		return cannotOpen(path, err)
	}
	defer in.Close()
	return readProfile(path, f, bufio.NewReaderSize(in, 1<<16), rec, o)
}

// Files opens the trace in some files: one of any known format as File does, or the profiles of several processes.
func Files(paths []string, format string, o Options) (*Trace, error) {
	sets := Sets(paths)
	if f, ok := find(format); ok && f.Profile {
		sets = []Set{{slices.Clone(paths), format}}
		if several, f := logsIn(paths[0], format); len(paths) == 1 && f.Name == format {
			sets[0].Paths = several
		}
	}
	if len(sets) > 1 {
		for _, p := range paths {
			if _, err := os.Stat(p); err == nil && FormatOf(p) != "" {
				continue
			}
			t, err := fileAs(p, format, o) // for its error
			if err != nil {
				return nil, err
			}
			t.Close()
		}
		return nil, fmt.Errorf("%s and %s are two traces; several files make one trace only if they are profiles of the same format",
			sets[0].Paths[0], sets[1].Paths[0])
	}
	s := &sets[0]
	if s.Format == "" || format != "" && format != s.Format {
		t, err := fileAs(s.Paths[0], format, o)
		if err != nil {
			return nil, err
		}
		var labelled bool
		if t, labelled, err = o.byLabel(t); !labelled && err == nil {
			err = o.unused(s.Paths[0], format)
		}
		if err != nil {
			t.Close()
			return nil, err
		}
		return t, nil
	}
	if o.Program != nil {
		return nil, notNumbered(s.Paths[0])
	}
	m := tracer.NewMemory()
	if _, err := s.Record(m, o); err != nil {
		return nil, err
	}
	name := paths[0] // a file, a folder or a pattern
	if len(paths) > 1 {
		name = fmt.Sprintf("%s and %d more", s.Paths[0], len(s.Paths)-1)
	}
	return inMemory(name, m)
}

// unused returns an error if o has options, which a trace that is not a profile does not use.
func (o *Options) unused(path, format string) error {
	if format == "" {
		format = FormatOf(path)
	}
	if f, _ := find(format); o.Program != nil && !f.Numbered {
		return notNumbered(path)
	}
	if o.Processor == "" && o.Merge == "" && len(o.Binaries)+len(o.Sources) == 0 {
		return nil
	}
	var names []string
	for _, f := range formats.All {
		if f.Profile {
			names = append(names, f.Name)
		}
	}
	return fmt.Errorf("%s is not a profile: --processor, --merge, --binary and --source apply to profiles of %s", path, strings.Join(names, ", "))
}

// notNumbered returns the error for a trace that needs no program.
func notNumbered(path string) error {
	var names []string
	for _, f := range formats.All {
		if f.Numbered {
			names = append(names, f.Name)
		}
	}
	return fmt.Errorf("%s names its code itself: --program applies to traces of %s", path, strings.Join(names, ", "))
}

// Profile reads a profile of a given format from r into rec, which it does not close. missing is a sentence about the data that it lacks.
func Profile(format, name string, r io.Reader, rec tracer.Recorder, o Options) (missing string, err error) {
	f, ok := find(format)
	if !ok {
		return "", nearest.Unknown("format", format, FormatNames())
	}
	m := &metaRecorder{Recorder: rec}
	if err := readProfile(name, f, r, m, o); err != nil {
		return "", err
	}
	return m.meta.Missing(), nil
}

// named returns a recorder that names the program after the file, or the first of several files, if the profile, or the trace of a real program, does not name it.
func named(rec tracer.Recorder, f formats.Format, path string, files int) tracer.Recorder {
	if !f.Profile && !f.Events {
		return rec
	}
	name := filepath.Base(path)
	if files > 1 {
		name = fmt.Sprintf("%s and %d more", name, files-1)
	}
	return &namingRecorder{rec, name}
}

type namingRecorder struct {
	tracer.Recorder
	name string
}

func (r *namingRecorder) SetMeta(m tracer.Meta) {
	if strings.TrimSpace(m.Program) == "" && len(m.Args) == 0 {
		m.Program = r.name
	}
	r.Recorder.SetMeta(m)
}

// A programRecorder adds a program to the metadata.
type programRecorder struct {
	tracer.Recorder
	program *Program
}

func (r *programRecorder) SetMeta(m tracer.Meta) {
	m.Program, m.Source = r.program.Name, r.program.Source
	r.Recorder.SetMeta(m)
}

// A metaRecorder keeps the metadata.
type metaRecorder struct {
	tracer.Recorder
	meta tracer.Meta
}

func (r *metaRecorder) SetMeta(m tracer.Meta) {
	r.meta = m
	r.Recorder.SetMeta(m)
}

package experiment

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/tracer"
	"whorl/tracer/formats"
	"whorl/tracer/formats/profile"
)

// A Reading says how profiles of real programs are read. The zero Reading is enough.
type Reading struct {
	Processor string   // what stands for a processor: "" for what the format has by itself, else the name of a label, or process, thread or cpu
	Merge     string   // the level, of profile.Levels, on which processors of the same names are one; "" for none
	Binaries  []string // files of programs and libraries that are looked into before those that a profile names
	Sources   []string // folders in which source files lie
}

// options are those of the readers of profiles; done gives back what they hold.
func (o *Reading) options() (opts profile.Options, done func(), err error) {
	if o.Merge != "" && !slices.Contains(profile.Levels, o.Merge) {
		return opts, nil, Unknown("level", o.Merge, profile.Levels, "")
	}
	found, done, err := binaries(o.Binaries)
	return profile.Options{Processor: o.Processor, Merge: o.Merge, Binaries: found, Source: o.source}, done, err
}

// A Set is the files of one trace: a trace of Whorl, a folder of logs, or the profiles of some processes.
type Set struct {
	Paths  []string
	Format string // of profiles, "" for what is opened as it is
}

// Sets puts the profiles among some files together: all that are named one by one are one trace, and so are those of a folder, or of a pattern
// that the shell has left alone. What is no profile is a trace by itself.
func Sets(paths []string) (sets []Set) {
	single := map[string]int{} // by format
	for _, path := range paths {
		several, f := profilesIn(path)
		if len(several) > 0 {
			sets = append(sets, Set{several, f})
			continue
		}
		kind := kindOf(headOf(path))
		if format, ok := foreign(kind); !ok || !format.Profile {
			sets = append(sets, Set{[]string{path}, ""})
			continue
		}
		at, ok := single[kind]
		if !ok {
			at = len(sets)
			single[kind] = at
			sets = append(sets, Set{nil, kind})
		}
		sets[at].Paths = append(sets[at].Paths, path)
	}
	for i := range sets {
		slices.SortFunc(sets[i].Paths, profile.Natural)
	}
	return empties(sets, paths)
}

// empties puts empty files to the profiles that have their ending.
func empties(sets []Set, paths []string) []Set {
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

// profilesIn lists the profiles of a folder or of a pattern, none for what is neither.
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
		kind := kindOf(headOf(p))
		if f, ok := foreign(kind); !ok || !f.Profile || format != "" && kind != format {
			continue
		}
		format = kind
		paths = append(paths, p)
	}
	return withEmpty(paths, found), format
}

// Name is what the trace of a set is called.
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

// Record reads the profiles of a set into rec, which it does not close. missing is what they lack, in words.
func (s *Set) Record(rec tracer.Recorder, o Reading) (missing string, err error) {
	f, _ := foreign(s.Format)
	heard := &hearing{Recorder: rec}
	if err := readFiles(s.Paths[0], s.Paths, f, heard, o); err != nil {
		return "", err
	}
	return heard.missing(), nil
}

// OpenFiles opens the trace that some files are together: one of any known format as Open does, or the profiles of several processes.
func OpenFiles(paths []string, format string, o Reading) (*Trace, error) {
	sets := Sets(paths)
	if f, ok := foreign(format); ok && f.Profile {
		sets = []Set{{slices.Clone(paths), format}}
		if several, f := logsIn(paths[0], format); len(paths) == 1 && f.Name == format {
			sets[0].Paths = several
		}
	}
	if len(sets) > 1 {
		for _, p := range paths {
			if _, err := os.Stat(p); err != nil {
				return OpenAs(p, format) // which says what is wrong with it
			}
		}
		return nil, &InputError{fmt.Sprintf("%s and %s are two traces: several files are one only where each is the profile of a process, of one format",
			sets[0].Paths[0], sets[1].Paths[0])}
	}
	s := &sets[0]
	if s.Format == "" || format != "" && format != s.Format {
		t, err := OpenAs(s.Paths[0], format)
		if err != nil {
			return nil, err
		}
		if err := o.unused(s.Paths[0]); err != nil {
			t.Close()
			return nil, err
		}
		return t, nil
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

// unused is an error where something is said of profiles, and the trace is none.
func (o *Reading) unused(path string) error {
	if o.Processor != "" || o.Merge != "" || len(o.Binaries)+len(o.Sources) > 0 {
		return &InputError{path + " is no profile: processors, levels, binaries and sources can be chosen for those of " + strings.Join(profileNames(), " and ")}
	}
	return nil
}

// profileNames are the formats of profiles.
func profileNames() (names []string) {
	for _, f := range formats.All {
		if f.Profile {
			names = append(names, f.Name)
		}
	}
	return names
}

// inMemory is a trace that was read into memory.
func inMemory(path string, m *tracer.Memory) (*Trace, error) {
	t := &Trace{StreamSource: m, Path: path}
	meta := m.Meta()
	if missing := missingIn(&meta); missing != nil {
		t.Missing = *missing
	}
	return t, m.Close()
}

// ReadProfile reads a profile of a format that comes as a stream into rec, which it does not close. missing is what it lacks, in words.
func ReadProfile(format, name string, r io.Reader, rec tracer.Recorder, o Reading) (missing string, err error) {
	f, ok := foreign(format)
	if !ok {
		return "", Unknown("format", format, FormatNames(), "")
	}
	opts, done, err := o.options()
	if err != nil {
		return "", err
	}
	defer done()
	heard := &hearing{Recorder: rec}
	if err := f.Read(r, heard, formats.Options{File: name, Process: processNames([]string{name})[0], Profile: opts}); err != nil {
		return "", notRead(name, err)
	}
	return heard.missing(), nil
}

// named is a recorder that calls a program which a profile does not name by the file, the first of several.
func named(rec tracer.Recorder, f formats.Format, path string, files int) tracer.Recorder {
	if !f.Profile {
		return rec
	}
	name := filepath.Base(path)
	if files > 1 {
		name = fmt.Sprintf("%s and %d more", name, files-1)
	}
	return &naming{rec, name}
}

type naming struct {
	tracer.Recorder
	name string
}

func (n *naming) SetMeta(m tracer.Meta) {
	if strings.TrimSpace(m.Program) == "" && len(m.Args) == 0 {
		m.Program = n.name
	}
	n.Recorder.SetMeta(m)
}

// A hearing recorder remembers the metadata.
type hearing struct {
	tracer.Recorder
	meta tracer.Meta
}

// missing is what the metadata say is missing.
func (h *hearing) missing() string { return text(missingIn(&h.meta)) }

func (h *hearing) SetMeta(m tracer.Meta) {
	h.meta = m
	h.Recorder.SetMeta(m)
}

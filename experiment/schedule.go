package experiment

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/replay/chakra"
	"whorl/replay/collective"
	"whorl/replay/goal"
	"whorl/replay/schedule"
	"whorl/sim/machines"
	"whorl/tracer"
)

// A ScheduleFormat is a format of programs that consist of the operations of ranks.
type ScheduleFormat struct {
	Name string // of the format, for errors
	read func(path string, o ScheduleOptions) (*Recorded, error)
}

// ScheduleOptions are choices of how schedules are read.
type ScheduleOptions struct {
	Collectives string // the algorithm of all-reduce operations, of collective.Algorithms; "" for the first
}

// scheduleMachine is the default machine of schedules in GOAL.
const scheduleMachine = "loggopsim"

// headSize is the number of bytes by which the format of a file is detected.
const headSize = 1 << 12

// FindSchedule returns the format of a file that holds a schedule, or of a folder with the files of its ranks. It returns nil for others.
func FindSchedule(path string) *ScheduleFormat {
	if entries, err := os.ReadDir(path); err == nil { // a folder
		for _, e := range entries {
			if file := filepath.Join(path, e.Name()); filepath.Ext(file) == chakraExt && files.IsRegular(file) {
				return FindSchedule(file)
			}
		}
		return nil
	}
	if !files.IsRegular(path) {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && n == 0 {
		return nil
	}
	if goal.Known(head[:n]) {
		return &ScheduleFormat{"a schedule in GOAL", readGOAL}
	}
	if filepath.Ext(path) == chakraExt && chakra.Known(head[:n]) {
		return &ScheduleFormat{"an execution trace of Chakra", readChakra}
	}
	return nil
}

// chakraExt is the end of the names of execution traces of Chakra, behind the number of the rank.
const chakraExt = ".et"

// chakraMachine is the default machine of execution traces of Chakra.
const chakraMachine = "cluster"

// readChakra reads the execution traces of all ranks, the files PREFIX.RANK.et of one folder. path is the folder or one of the files.
func readChakra(path string, o ScheduleOptions) (*Recorded, error) {
	algorithm := o.Collectives
	if algorithm == "" {
		algorithm = collective.Algorithms[0]
	}
	if algorithm == AsRecorded {
		return nil, errors.New("--collectives recorded is for traces: execution traces of Chakra do not hold the messages of collective operations")
	}
	if err := collective.CheckAlgorithm(algorithm, collective.Algorithms); err != nil {
		return nil, fmt.Errorf("--collectives: %w", err)
	}
	names, err := rankFiles(path)
	if err != nil {
		return nil, err
	}
	ranks := make([]chakra.File, len(names))
	for i, name := range names {
		text, err := files.ReadText(name, maxRank)
		if err != nil {
			return nil, err
		}
		ranks[i] = chakra.File{Name: name, Data: []byte(text)}
	}
	s, untimed, err := chakra.Read(ranks, algorithm)
	if err != nil {
		return nil, err
	}
	var notes []string
	if untimed > 0 {
		notes = append(notes, figures.Counted(untimed, "computation")+" have numbers of arithmetic operations in place of durations: they take no time")
	}
	return scheduled(path, "chakra", chakraMachine, s, notes)
}

// maxRank bounds the size of the file of a rank.
const maxRank = 1 << 30

// rankFiles returns the files of the ranks, by rank.
func rankFiles(path string) ([]string, error) {
	folder, prefix := path, ""
	if files.IsRegular(path) {
		folder = filepath.Dir(path)
		if prefix, _ = rankOf(path); prefix == "" {
			return []string{path}, nil // of the only rank
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	byRank := map[int]string{}
	for _, e := range entries {
		name, rank := rankOf(e.Name())
		if name == "" || rank < 0 || prefix != "" && name != filepath.Base(prefix) {
			continue
		}
		if other, twice := byRank[rank]; twice {
			return nil, fmt.Errorf("%s: found %s and %s, expected the files of one program: name one of them", folder, other, e.Name())
		}
		byRank[rank] = e.Name()
	}
	if len(byRank) == 0 {
		return nil, fmt.Errorf("%s: found no file of a rank, expected PREFIX.RANK%s", folder, chakraExt)
	}
	names := make([]string, len(byRank))
	for rank := range names {
		if byRank[rank] == "" {
			return nil, fmt.Errorf("%s: found %s, and none of rank %d", folder, figures.Counted(int64(len(names)), "file"), rank)
		}
		names[rank] = filepath.Join(folder, byRank[rank])
	}
	return names, nil
}

// rankOf returns the prefix and the rank in the name of a file PREFIX.RANK.et, and an empty prefix for other names.
func rankOf(name string) (prefix string, rank int) {
	base, ok := strings.CutSuffix(name, chakraExt)
	dot := strings.LastIndexByte(base, '.')
	if !ok || dot < 0 {
		return "", 0
	}
	rank, err := strconv.Atoi(base[dot+1:])
	if err != nil {
		return "", 0
	}
	return base[:dot], rank
}

// Read reads the program.
func (f *ScheduleFormat) Read(path string, o ScheduleOptions) (*Recorded, error) {
	return f.read(path, o)
}

func readGOAL(path string, o ScheduleOptions) (*Recorded, error) {
	if o.Collectives != "" {
		return nil, errors.New("--collectives is for traces and for execution traces of Chakra: a schedule in GOAL has no collective operations")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, files.OpenError(path, err)
	}
	defer f.Close()
	s, elsewhere, err := goal.Read(path, f)
	if err != nil {
		return nil, err
	}
	var notes []string
	if elsewhere > 0 {
		notes = append(notes, fmt.Sprintf("%s of another cpu or nic than the first of a rank: a rank is one PE here", figures.Counted(elsewhere, "operation")))
	}
	return scheduled(path, "goal", scheduleMachine, s, notes)
}

// WriteGOAL writes the program as a schedule in GOAL. The error says why it cannot be one.
func (d *Recorded) WriteGOAL(out io.Writer) error {
	s, err := d.plan, error(nil)
	if s == nil {
		if s, err = schedule.FromRecording(d.Recording); err != nil {
			return err
		}
	}
	return goal.Write(out, s)
}

// scheduled returns the program of a schedule.
func scheduled(path, format, machine string, s *schedule.Schedule, notes []string) (*Recorded, error) {
	r, dict, err := s.Program()
	if err != nil {
		if !strings.HasPrefix(err.Error(), path) { // others name the line
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	m, err := machines.Named(machine)
	if err != nil {
		return nil, err
	}
	m.PEs = r.PEs
	return &Recorded{Recording: r, Machine: m, dict: dict, Meta: tracer.Meta{Program: path, Substrate: format}, Doubts: notes, plan: s}, nil
}

package experiment

import (
	"fmt"
	"io"
	"os"

	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/replay/goal"
	"whorl/replay/schedule"
	"whorl/sim/machines"
	"whorl/tracer"
)

// A ScheduleFormat is a format of programs that consist of the operations of ranks.
type ScheduleFormat struct {
	Name string // of the format, for errors
	read func(path string) (*Recorded, error)
}

// scheduleMachine is the default machine of schedules in GOAL.
const scheduleMachine = "loggopsim"

// headSize is the number of bytes by which the format of a file is detected.
const headSize = 1 << 12

// FindSchedule returns the format of a file that holds a schedule, nil for other files.
func FindSchedule(path string) *ScheduleFormat {
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
	return nil
}

// Read reads the program.
func (f *ScheduleFormat) Read(path string) (*Recorded, error) { return f.read(path) }

func readGOAL(path string) (*Recorded, error) {
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
		if s, err = schedule.Of(d.Recording); err != nil {
			return err
		}
	}
	return goal.Write(out, s)
}

// scheduled returns the program of a schedule.
func scheduled(path, format, machine string, s *schedule.Schedule, notes []string) (*Recorded, error) {
	r, dict, err := s.Program()
	if err != nil {
		return nil, err
	}
	m, err := machines.Named(machine)
	if err != nil {
		return nil, err
	}
	m.PEs = r.PEs
	return &Recorded{Recording: r, Machine: m, dict: dict, meta: tracer.Meta{Program: path, Substrate: format}, notes: notes, plan: s}, nil
}

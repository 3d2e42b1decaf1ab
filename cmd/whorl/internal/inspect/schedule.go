package inspect

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/traces"
	"whorl/experiment"
	"whorl/internal/files"
)

// goalName is the name of the format of schedules.
const goalName = "goal"

// convertSchedule writes the program in a trace or in a schedule as a schedule in GOAL. goes tells whether GOAL is the format of out.
func convertSchedule(cmd *cobra.Command, reading *traces.Reading, w *files.Writer, in []string, out string, goes bool) error {
	var d *experiment.Recorded
	var err error
	if f := experiment.FindSchedule(in[0]); f != nil {
		switch {
		case !goes:
			return fmt.Errorf("%s is %s, a program and not a trace: it is written as GOAL (.goal) only; whorl replay makes a trace of it", in[0], f.Name)
		case len(in) > 1:
			return errors.New("a schedule is converted alone: expected one IN")
		}
		if d, err = f.Read(in[0], experiment.ScheduleOptions{}); err != nil {
			return err
		}
	} else {
		trace, err := reading.OpenWhole(cmd, in...)
		if err != nil {
			return err
		}
		defer trace.Close()
		if d, err = experiment.ReadRecorded(trace, experiment.RecordedOptions{}); err != nil {
			return fmt.Errorf("%s: %w", in[0], err)
		}
	}
	if err := w.Write(out, func(f io.Writer) error { return d.WriteGOAL(f) }); err != nil {
		return fmt.Errorf("%s: %w", in[0], err)
	}
	for _, why := range d.Doubts {
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", in[0], why)
	}
	return nil
}

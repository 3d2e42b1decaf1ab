package draw

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/visual/app/clock"
	"whorl/visual/glyph"
	"whorl/visual/sound"
	"whorl/visual/view"
	"whorl/visual/views"
)

// Limits of sounds.
const (
	shortestSound, longestSound = 100 * time.Millisecond, time.Hour
	leastZoom, mostZoom         = 0.01, 100.
	mostDegrees                 = 36000.
)

func newSonify() *cobra.Command {
	var name, out, measure string
	var set []string
	var length time.Duration
	var speed, fast float64
	point := view.Viewpoint{Zoom: 1}
	var reading *traces.Reading
	cmd := &cobra.Command{
		Use:   "sonify TRACE... -o FILE.wav",
		Short: "Write the sound of a trace",
		Long: `Play a run like the viewer with its sound on, and write the sound as a WAV file of two channels; - writes it to standard output.

A tone sounds when a measure of the bodies changes fast or reaches a value. It comes from the body that contributes most, and is heard from the
point of view of the picture: from its side, fainter with distance, duller from behind, and higher while the body comes nearer. The spread of
the bodies is a blown tone, the traffic struck wood, the imbalance a small bell, and the load of a PE a plain tone. A rise sounds higher than
a fall. Below the thresholds there is silence.

` + traces.Help + "\n\n" + paramsHelp(sounders()),
		Example: `  whorl sonify ring.whorl -o ring.wav
  whorl sonify ring.whorl --measure traffic --fast 0.2 --length 20s -o ring.wav
  whorl sonify ring.whorl --set spreadat=1.5 --set loadat=0.9 -o ring.wav
  whorl sonify ring.whorl --turn 90 --zoom 3 -o - | aplay`,
		Args: command.AtLeast("a trace"),
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			kind, err := findSounder(name)
			if err != nil {
				return err
			}
			if err := soundName(out); err != nil {
				return err
			}
			if out == "-" && command.OnTerminal(cmd.OutOrStdout()) {
				return errors.New("a terminal cannot play a WAV file: use -o FILE.wav, or a pipe to a program that plays it")
			}
			if cmd.Flags().Changed("speed") {
				if cmd.Flags().Changed("length") {
					return errors.New("--length and --speed both set how long the run plays: choose one")
				}
				length = 0
				if speed > 0 {
					length = time.Duration(min(float64(clock.PlayTime)/speed, float64(2*longestSound)))
				}
				if length < shortestSound || length > longestSound {
					return fmt.Errorf("--speed %g: expected a number from %.2g to %g, relative to the viewer, where a run plays for %s", speed, float64(clock.PlayTime)/float64(longestSound), float64(clock.PlayTime)/float64(shortestSound), figures.Duration(clock.PlayTime.Nanoseconds()))
				}
			}
			if err := audible(length, point); err != nil {
				return err
			}
			params := map[string]string{}
			if cmd.Flags().Changed("measure") {
				heard, err := kind.Param("heard")
				if err != nil {
					return err
				}
				if err := command.OneOf("value of --measure", measure, heard.Choices); err != nil {
					return err
				}
				params["heard"] = measure
			}
			if cmd.Flags().Changed("fast") {
				params["fast"] = strconv.FormatFloat(fast, 'g', -1, 64)
			}
			if err := SetParams(params, set); err != nil {
				return err
			}
			trace, err := reading.OpenWhole(cmd, args...)
			if err != nil {
				return err
			}
			defer trace.Close()
			opened, err := OpenView(kind, trace, params, glyph.New())
			if err != nil {
				return err
			}
			defer opened.Close()
			score, err := opened.Listen(cmd.Context(), point, length)
			if err != nil {
				return command.InFile(trace.Path, err)
			}
			if out == "-" {
				fmt.Fprintln(cmd.ErrOrStderr(), "whorl: "+heardText(&score))
				return sound.WriteWAV(cmd.OutOrStdout(), score)
			}
			if err := w.Write(out, func(w io.Writer) error { return sound.WriteWAV(w, score) }); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", out, heardText(&score))
			return err
		}),
	}
	f := cmd.Flags()
	reading = traces.Flags(cmd)
	f.StringVarP(&out, "output", "o", "", "sound to write, `FILE`.wav or - for standard output")
	f.StringVar(&name, "view", sounderNames()[0], "`view` with sound: "+strings.Join(sounderNames(), ", "))
	f.StringVar(&measure, "measure", "all", "`measure` to hear, the parameter heard of the view: all, spread, traffic, imbalance or load")
	f.Float64Var(&fast, "fast", 0, "`share` of its maximum by which a measure must change within a sixtieth of the run to be heard, the parameter fast of the view")
	f.DurationVar(&length, "length", clock.PlayTime, "`time` that the run plays")
	f.Float64Var(&speed, "speed", 1, "`speed` relative to the viewer, in place of --length")
	f.Float64Var(&point.Turn, "turn", 0, "turn the picture by `degrees` about an upright axis, like a drag")
	f.Float64Var(&point.Tilt, "tilt", 0, "tilt the picture by `degrees`; positive values look from above")
	f.Float64Var(&point.Zoom, "zoom", 1, "`factor` by which the picture is nearer; at 3 some bodies are behind the listener")
	f.StringArrayVar(&set, "set", nil, "any other parameter of the view: `NAME=VALUE`")
	command.Complete(cmd, "view", sounderNames())
	for _, k := range sounders() {
		if p, err := k.Param("heard"); err == nil {
			command.Complete(cmd, "measure", p.Choices)
		}
	}
	return cmd
}

// heardText describes the number of sounds.
func heardText(s *sound.Score) string {
	if len(s.Tones) == 0 {
		return fmt.Sprintf("no sound in %s: no measure reaches its threshold", figures.Duration(s.Length.Nanoseconds()))
	}
	return figures.Counted(int64(len(s.Tones)), "sound") + " in " + figures.Duration(s.Length.Nanoseconds())
}

// audible returns an error for a length or a point of view out of range.
func audible(length time.Duration, p view.Viewpoint) error {
	if length < shortestSound || length > longestSound {
		return fmt.Errorf("--length %v: expected a time from %v to %v", length, shortestSound, longestSound)
	}
	for _, n := range []struct {
		flag        string
		value       float64
		least, most float64
	}{{"turn", p.Turn, -mostDegrees, mostDegrees}, {"tilt", p.Tilt, -mostDegrees, mostDegrees}, {"zoom", p.Zoom, leastZoom, mostZoom}} {
		if !(n.value >= n.least && n.value <= n.most) { // also false for NaN
			return fmt.Errorf("--%s %g: expected a number from %g to %g", n.flag, n.value, n.least, n.most)
		}
	}
	return nil
}

// soundName returns an error unless a sound can be written to a file of that name.
func soundName(out string) error {
	switch ext := filepath.Ext(out); {
	case out == "":
		return errors.New("sonify needs a file to write: -o FILE.wav")
	case build.IsFolder(out):
		return fmt.Errorf("%s is a folder: sounds are written as FILE.wav", out)
	case out == "-", ext == ".wav":
		return nil
	default:
		return fmt.Errorf("%s: sounds are written as FILE.wav, not %s", out, nearest.Quote(ext))
	}
}

// sounders returns the views with sound.
func sounders() []*view.Kind {
	return slices.DeleteFunc(slices.Clone(views.All), func(k *view.Kind) bool { return !view.Implements[view.Sounder](k) })
}

func sounderNames() []string { return ViewNames(view.Implements[view.Sounder]) }

func findSounder(name string) (*view.Kind, error) {
	for _, k := range sounders() {
		if k.Name == name {
			return k, nil
		}
	}
	if _, err := FindView(name); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("the %s view makes no sound: --view %s", name, strings.Join(sounderNames(), ", "))
}

package inspect

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/cmd/whorl/internal/traces"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

func newConvert() *cobra.Command {
	var to, metric string
	var reading *traces.Reading
	var p play
	cmd := &cobra.Command{
		Use:   "convert IN... OUT",
		Short: "Convert a trace to another format",
		Long: `Read a trace and write it in another format. whorl detects the format of IN by its beginning and that of OUT by the ending of its name;
--from and --to override this. IN may be a folder with the logs of several nodes (.dtslog), which are one trace. OUT/ is a folder for such logs,
one for each host or process of the trace, or for each PE. A line on standard error lists what the format of OUT cannot hold.

OUT may be a profile, of the samples of a trace: .pb.gz for go tool pprof, with all metrics and, for several processors, labels that name them
(host, process, thread and processor); .callgrind, or a name that begins with callgrind.out, for kcachegrind and callgrind_annotate; .collapsed for
flame graphs, with the metric of --metric, by default that which the profile names; .speedscope.json for speedscope.

Several IN are profiles of real programs, one for each process, and become one trace.

OUT may be a schedule in GOAL (.goal), the language of the simulator LogGOPSim: the program in a trace whose tasks stay on their PEs and send
messages, such as one of MPI or HPF. IN may then be what whorl replay takes in place of a trace. docs/replay.md says what a schedule leaves out.

OUT may be a world for three-dimensional viewers: the bodies of the view bodies with their links and their motion, as VRML 2.0 (.wrl), X3D
(.x3d) or glTF 2.0 (.glb). It needs a trace in which PEs send to each other. The motion is that of whorl render --view bodies with the same
--set; --until cuts it, and --length is the time that it plays. VRML and X3D leave out key frames on a straight line. In them a click on the
clock stops and continues the time, and the bodies sound as in whorl sonify; --set fast=0 turns the sounds off. glTF has no clicks, no sounds
and no changing colours: bodies have the colours of their PEs.`,
		Example: "  whorl convert pascal.whorl pascal.vista\n  whorl convert logs/ run.whorl\n  whorl convert run.whorl logs/\n  whorl convert stencil.otf2 stencil.goal\n  whorl convert rank*.pb.gz run.whorl --processor worker\n  whorl convert heat.whorl heat.pb.gz\n  whorl convert heat.whorl heat.collapsed\n  whorl convert heap.pb.gz heap.collapsed --metric alloc_space\n  whorl convert heat.whorl callgrind.out.heat\n  whorl convert ring.whorl ring.wrl\n  whorl convert mesh.whorl mesh.glb --set model=mesh --length 30s\n  whorl list formats",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return command.Exactly("a trace to read", "a file to write")(cmd, args)
			}
			return nil
		},
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			in, out := args[:len(args)-1], args[len(args)-1]
			if goes := to == goalName || to == "" && strings.EqualFold(filepath.Ext(out), ".goal"); goes || experiment.FindSchedule(in[0]) != nil {
				if err := command.CheckScopes(cmd, convertScopes, false); err != nil {
					return err
				}
				if metric != "" {
					return errors.New("--metric is for profiles; a schedule has no samples")
				}
				return convertSchedule(cmd, reading, w, in, out, goes)
			}
			to3D := findWorld(out, to)
			if err := command.CheckScopes(cmd, convertScopes, to3D != nil); err != nil {
				return err
			}
			if to3D != nil {
				if err := p.check(); err != nil {
					return err
				}
			}
			var target string
			if to3D == nil {
				var err error
				if target, err = open.TargetFormat(out, to, append(worldNames(), goalName)...); err != nil {
					return err
				}
			}
			if metric != "" && !open.HoldsOneMetric(target) {
				return fmt.Errorf("--metric is for a format that holds one metric, such as collapsed; %s holds all", target)
			}
			trace, err := reading.OpenWhole(cmd, in...)
			if err != nil {
				return err
			}
			defer trace.Close()
			if to3D != nil {
				return p.exportWorld(cmd, w, trace, out, to3D)
			}
			var written tracer.StreamSource = trace
			if metric != "" {
				if written, err = open.OnlyMetric(trace, metric); err != nil {
					return command.InFile(in[0], err)
				}
			}
			if err := open.Export(w, written, out, target); err != nil {
				return err
			}
			left, err := open.LeftOut(written, target)
			if left != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s holds no %s\n", out, target, left)
			}
			return err
		}),
	}
	reading = traces.Flags(cmd)
	p.flags(cmd)
	cmd.Flags().StringVar(&reading.Format, "from", "", "`format` of IN (whorl list formats)")
	cmd.Flags().StringVar(&to, "to", "", "`format` of OUT (whorl list formats)")
	cmd.Flags().StringVar(&metric, "metric", "", "write this `metric` to a format that holds one")
	command.Complete(cmd, "from", open.FormatNames())
	command.Complete(cmd, "to", program.Names(FormatItems()))
	return cmd
}

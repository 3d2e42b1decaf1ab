package cli

import (
	"fmt"
	"whorl/internal/files"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

func newConvert() *cobra.Command {
	var from, to string
	var reading *open.Options
	var p play
	cmd := &cobra.Command{
		Use:   "convert IN... OUT",
		Short: "Turn a trace of one format into another",
		Long: `Read a trace and write it in another format. The format of IN is found out from its beginning, that of OUT from the ending of its
name; --from and --to say otherwise. IN may be a folder with the logs of several nodes (.dtslog), which are one trace. What a format cannot
hold is left out, and a line on standard error says what that was.

Several IN are profiles of real programs, one for each process, and become one trace.

OUT may be a world for programs that show things in three dimensions: the bodies of the view bodies, their links and their motion, as VRML 2.0
(.wrl), X3D (.x3d) or glTF 2.0 (.glb). It needs a trace in which PEs send to each other. The motion is the one that whorl render --view
bodies shows with the same --set; --until cuts it, --length says how long it plays. Numbers between key frames that are on a straight line are
left out of VRML and X3D. A click on the clock stops the time and lets it go on there, and what whorl sonify makes heard is heard from the bodies; --set fast=0 leaves that out.
glTF knows no clicks, no sounds and no colours that change: bodies have those of their PEs, and the program stops the time.`,
		Example: "  whorl convert pascal.whorl pascal.vista\n  whorl convert logs/ run.whorl\n  whorl convert rank*.pb.gz run.whorl --processor worker\n  whorl convert ring.whorl ring.wrl\n  whorl convert mesh.whorl mesh.glb --set model=mesh --length 30s\n  whorl list formats",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return exactly("a trace to read", "a file to write")(cmd, args)
			}
			return nil
		},
		RunE: interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			in, out := args[:len(args)-1], args[len(args)-1]
			to3D := findWorld(out, to)
			if err := p.check(cmd, out, to3D); err != nil {
				return err
			}
			var target string
			if to3D == nil {
				var err error
				if target, err = open.TargetFormat(out, to, worldNames()...); err != nil {
					return err
				}
			}
			trace, err := open.Files(in, from, *reading)
			if err != nil {
				return notTrace(in[0], err)
			}
			defer trace.Close()
			noteMissing(cmd, trace)
			if err := trace.Verify(); err != nil {
				return inFile(in[0], err)
			}
			if to3D != nil {
				return p.exportWorld(cmd, w, trace, out, to3D)
			}
			if err := open.Export(w, trace, out, target); err != nil {
				return err
			}
			if left := open.LeftOut(trace, target); left != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s holds no %s\n", out, target, left)
			}
			return nil
		}),
	}
	reading = readingFlags(cmd)
	p.flags(cmd)
	cmd.Flags().StringVar(&from, "from", "", "`format` of IN (whorl list formats)")
	cmd.Flags().StringVar(&to, "to", "", "`format` of OUT (whorl list formats)")
	complete(cmd, "from", open.FormatNames())
	complete(cmd, "to", names(formatItems()))
	return cmd
}

package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"whorl/internal/files"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages",
		Long:    "Write a manual page (section 1) for whorl and for each of its commands into a folder, which is made if it does not exist.",
		Example: "  whorl man ~/.local/share/man/man1",
		Args:    exactly("a folder"),
		RunE: interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return files.CannotBegin(args[0], err)
			}
			pages := append([]*cobra.Command{cmd.Root()}, cmd.Root().Commands()...)
			for _, page := range pages {
				if page != cmd.Root() && !page.IsAvailableCommand() {
					continue
				}
				path := filepath.Join(args[0], strings.ReplaceAll(page.CommandPath(), " ", "-")+".1")
				err := w.Write(path, func(w io.Writer) error {
					_, err := w.Write(manPage(page))
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		}),
	}
}

// manPage is the manual page of a command in the man(7) macros.
func manPage(cmd *cobra.Command) []byte {
	var b bytes.Buffer
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" Whorl \"Whorl Manual\"\n", strings.ToUpper(name))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	b.WriteString(".SH DESCRIPTION\n")
	for i, paragraph := range strings.Split(cmd.Long, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(roff(paragraph) + "\n")
	}
	flags := cmd.NonInheritedFlags()
	if flags.HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
		flags.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				manFlag(&b, f)
			}
		})
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	if !cmd.HasParent() {
		b.WriteString(".SH EXIT STATUS\n")
		for _, s := range []struct{ status, text string }{
			{"0", "done"},
			{"1", "the program failed (a deadlock, a goal that failed, an error at run time), or what was asked for could not be written"},
			{"2", "bad usage or bad input"},
			{"3", "stopped by a limit"},
			{"130", "interrupted"},
		} {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", s.status, s.text)
		}
	}
	b.WriteString(".SH SEE ALSO\n")
	var others []string
	for _, c := range cmd.Root().Commands() {
		if c != cmd && c.IsAvailableCommand() {
			others = append(others, fmt.Sprintf(".BR %s (1)", roff("whorl-"+c.Name())))
		}
	}
	if cmd.HasParent() {
		others = append([]string{".BR whorl (1)"}, others...)
	}
	b.WriteString(strings.Join(others, ",\n") + "\n")
	return b.Bytes()
}

func manFlag(b *bytes.Buffer, f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	b.WriteString(".TP\n.B ")
	if f.Shorthand != "" {
		b.WriteString(roff("-"+f.Shorthand) + ", ")
	}
	b.WriteString(roff("--" + f.Name))
	if value != "" {
		b.WriteString(" \\fI" + roff(value) + "\\fR")
	}
	b.WriteString("\n" + roff(usage))
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" {
		b.WriteString(" (default " + roff(f.DefValue) + ")")
	}
	b.WriteByte('\n')
}

// roff is text with what the macros would read as their own made harmless.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

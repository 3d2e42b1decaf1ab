// Package man writes the manual pages of commands, in the man(7) macros.
package man

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Name returns the name of the page of a command, without the section.
func Name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Page returns the manual page of a command. The page of the root command lists the exit statuses.
func Page(cmd *cobra.Command, statuses [][2]string) []byte {
	var b bytes.Buffer
	name := Name(cmd)
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
	if flags := cmd.NonInheritedFlags(); flags.HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
		flags.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				writeFlag(&b, f)
			}
		})
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	if !cmd.HasParent() {
		b.WriteString(".SH EXIT STATUS\n")
		for _, s := range statuses {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", s[0], s[1])
		}
	}
	b.WriteString(".SH SEE ALSO\n")
	var others []string
	if cmd.HasParent() {
		others = []string{".BR whorl (1)"}
	}
	for _, c := range cmd.Root().Commands() {
		if c != cmd && c.IsAvailableCommand() {
			others = append(others, fmt.Sprintf(".BR %s (1)", roff("whorl-"+c.Name())))
		}
	}
	b.WriteString(strings.Join(others, ",\n") + "\n")
	return b.Bytes()
}

func writeFlag(b *bytes.Buffer, f *pflag.Flag) {
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
	value = strings.Trim(f.DefValue, "[]") // a list is in brackets
	if value != "" && value != "false" && value != "0" && value != "0s" {
		b.WriteString(" (default " + roff(value) + ")")
	}
	b.WriteByte('\n')
}

// roff escapes text for the macros.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

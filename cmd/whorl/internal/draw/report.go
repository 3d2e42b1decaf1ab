package draw

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/open"
	"whorl/tracer/report"
	"whorl/visual/backend/svg"
	"whorl/visual/glyph"
	"whorl/visual/view"
	"whorl/visual/views"
	"whorl/visual/workspace"
)

// The size of a picture in a report, in pixels.
const (
	reportWidth  = 1000
	reportHeight = 700
)

func newReport() *cobra.Command {
	var out string
	var chosen []string
	var reading *traces.Reading
	var memory *memoryLimit
	cmd := &cobra.Command{
		Use:   "report TRACE... -o FILE.html",
		Short: "Write a page with the numbers and the pictures of traces",
		Long: `Write one file that any browser shows, without other files and without the network: for each TRACE its numbers with the account of its time, as
whorl stats prints them, pictures of it, and the commands that made these. Runs of one program are compared in a table at the beginning. The
pictures are those with which the viewer opens a trace, or of the views in --view that can show it. They are SVG, so that they print well and
their texts can be searched.

` + traces.Help,
		Example: `  whorl report pascal.whorl -o pascal.html
  whorl report one.whorl two.whorl --view kaleidoscope,timeline -o runs.html`,
		Args:   command.AtLeast("a trace"),
		PreRun: func(cmd *cobra.Command, _ []string) { memory.watch(cmd) },
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			for _, name := range chosen {
				if _, err := FindView(name); err != nil {
					return err
				}
			}
			switch {
			case out == "":
				return errors.New("report needs a file to write: -o FILE.html")
			case build.IsFolder(out):
				return errors.New(out + " is a folder: reports are written as FILE.html")
			case filepath.Ext(out) != ".html":
				return errors.New(out + ": reports are written as FILE.html")
			}
			if err := files.CheckFolder(out); err != nil {
				return err
			}
			p := &document{cmd: cmd, views: chosen, memory: memory, glyphs: glyph.New(), own: commandLine(append(append([]string{"whorl", "report"}, args...), "-o", out)...)}
			for _, s := range open.Sets(args) {
				if err := p.add(s.Paths, reading); err != nil {
					return err
				}
			}
			return w.Write(out, p.write)
		}),
	}
	f := cmd.Flags()
	reading = traces.Flags(cmd)
	f.StringVarP(&out, "output", "o", "", "page to write, `FILE`.html")
	f.StringSliceVar(&chosen, "view", nil, "`views` to draw, separated by commas (whorl list views; default those that the viewer opens)")
	memory = memoryFlag(cmd)
	command.Complete(cmd, "view", ViewNames(nil))
	return cmd
}

// A document is a report being made.
type document struct {
	cmd    *cobra.Command
	views  []string
	memory *memoryLimit
	glyphs *glyph.Set
	own    string // the command line of the report

	runs  []*report.Run
	names []string
	body  strings.Builder // the sections of the traces
}

// add adds the section of the trace in some files.
func (p *document) add(paths []string, reading *traces.Reading) error {
	trace, err := reading.OpenWhole(p.cmd, paths...)
	if err != nil {
		return err
	}
	defer trace.Close()
	stats, err := report.Summarise(trace)
	if err != nil {
		return command.InFile(paths[0], err)
	}
	times, err := account.Compute(trace)
	if err != nil {
		return command.InFile(paths[0], err)
	}
	run, err := report.MeasureRun(trace, times, nil)
	if err != nil {
		return command.InFile(paths[0], err)
	}
	run.SetBounds(stats.WorkNs, stats.SpanNs)
	name := filepath.Base(traces.Title(paths))
	p.runs, p.names = append(p.runs, run), append(p.names, name)
	b := &p.body
	fmt.Fprintf(b, "<section id=\"run%d\">\n<h2>%s</h2>\n<h3>Numbers</h3>\n", len(p.runs), html.EscapeString(name))
	writeTable(b, nil, stats.Table())
	commands := []string{commandLine(append([]string{"whorl", "stats"}, paths...)...)}
	if made := runCommand(trace.Meta(), paths[0]); made != "" {
		commands = append([]string{made}, commands...)
	}
	for _, kind := range p.kinds(trace) {
		if err := p.draw(kind, trace, paths); err != nil {
			return err
		}
		commands = append(commands, renderCommand(kind, paths))
	}
	fmt.Fprintf(b, "<h3>Commands</h3>\n<pre>%s</pre>\n</section>\n", html.EscapeString(strings.Join(commands, "\n")))
	return nil
}

// kinds returns the views to draw: those that the user chose and that can show the trace, or those in front when the viewer opens it.
func (p *document) kinds(trace *open.Trace) (kinds []*view.Kind) {
	names := p.views
	if names == nil {
		facts := &workspace.Trace{Meta: trace.Meta(), Counts: trace.Counts(), Fits: func(k *view.Kind) error { return k.CanOpen(trace) }}
		opener := workspace.Arranger{Kinds: views.All, Trace: func(string) *workspace.Trace { return facts }}
		var w workspace.Workspace
		if opener.Open(&w, "trace") != nil {
			return nil
		}
		for _, leaf := range w.Root.Leaves() {
			names = append(names, w.Pane(leaf.Shown).View)
		}
	}
	for _, k := range views.All {
		if slices.Contains(names, k.Name) && k.CanOpen(trace) == nil {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// draw adds a picture.
func (p *document) draw(kind *view.Kind, trace *open.Trace, paths []string) error {
	fitted, err := p.memory.fit(kind, trace, ".svg", reportWidth, reportHeight, nil)
	if err != nil {
		return err
	}
	still, err := (&Drawing{Kind: fitted, Trace: trace, W: reportWidth, H: reportHeight}).Make(p.cmd.Context(), p.glyphs)
	if errors.Is(err, context.Canceled) {
		return err
	} else if err != nil {
		return command.InFile(paths[0], fmt.Errorf("view %s: %w", kind.Name, err))
	}
	fmt.Fprintf(&p.body, "<figure role=\"group\" aria-label=\"%s\">\n", html.EscapeString(kind.Title))
	if err := svg.Write(&p.body, still.List, svg.Options{Measure: p.glyphs, Title: kind.Title}); err != nil {
		return err
	}
	fmt.Fprintf(&p.body, "<figcaption>%s: %s</figcaption>\n</figure>\n", html.EscapeString(kind.Title), html.EscapeString(kind.Doc))
	return nil
}

// style is the style sheet of reports. On paper no picture is cut in two.
const style = `body{font:15px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff;max-width:1040px;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;margin:1em 0;display:block;overflow-x:auto}td,th{text-align:left;vertical-align:top;padding:.15em 1em .15em 0;white-space:pre}
td:first-child{color:#57606a}thead th{border-bottom:1px solid #d5d9df}figure{margin:1.5em 0;break-inside:avoid}svg{max-width:100%;height:auto;background:#fff}
figcaption{color:#57606a}pre{background:#f3f4f6;color:#1b1f24;padding:1em;overflow-x:auto;white-space:pre-wrap}
@media (prefers-color-scheme:dark){body{color:#e8eaed;background:#14161a}td:first-child,figcaption{color:#9aa1ab}thead th{border-color:#3a4048}}
@media print{body{max-width:none;margin:0;color:#000;background:#fff}}
`

// write writes the page.
func (p *document) write(w io.Writer) error {
	title := html.EscapeString("Report on " + strings.Join(p.names, ", "))
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s</h1>\n",
		title, style, title)
	p.compare(&b)
	b.WriteString(p.body.String())
	fmt.Fprintf(&b, "<h2>This report</h2>\n<pre>%s</pre>\n</body>\n</html>\n", html.EscapeString(p.own))
	_, err := io.WriteString(w, b.String())
	return err
}

// compare writes links to several runs, and their table, a row for each setting, if all are of one program.
func (p *document) compare(b *strings.Builder) {
	if len(p.runs) < 2 {
		return
	}
	var c report.Comparison
	alike := true
	b.WriteString("<ul>\n")
	for i, r := range p.runs {
		fmt.Fprintf(b, "<li><a href=\"#run%d\">%s</a></li>\n", i+1, html.EscapeString(p.names[i]))
		alike = alike && r.Program == p.runs[0].Program && r.Outcome != ""
		if !slices.Contains(c.Policies, r.Policy) {
			c.Policies = append(c.Policies, r.Policy)
		}
	}
	b.WriteString("</ul>\n")
	if !alike {
		return
	}
	c.Compare(p.runs)
	for i := range c.Cells {
		c.Seeds = max(c.Seeds, c.Cells[i].Total)
	}
	headings, lines := c.Table()
	for i := range lines {
		if headings[0] == "policy" {
			lines[i][0] = c.Label(&c.Cells[i])
		}
	}
	b.WriteString("<h2>Comparison</h2>\n")
	writeTable(b, headings, lines)
	for _, line := range c.Heading()[2:] {
		fmt.Fprintf(b, "<p>%s</p>\n", html.EscapeString(line))
	}
}

// writeTable writes a table in HTML; headings may be nil.
func writeTable(b *strings.Builder, headings []string, lines [][]string) {
	row := func(cell string, texts []string) {
		b.WriteString("<tr>")
		for _, s := range texts {
			fmt.Fprintf(b, "<%[1]s>%[2]s</%[1]s>", cell, html.EscapeString(s))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<table>\n")
	if headings != nil {
		b.WriteString("<thead>")
		row("th", headings)
		b.WriteString("</thead>")
	}
	b.WriteString("<tbody>\n")
	for _, line := range lines {
		row("td", line)
	}
	b.WriteString("</tbody>\n</table>\n")
}

// renderCommand returns the command that draws a picture of a report.
func renderCommand(kind *view.Kind, paths []string) string {
	words := append([]string{"whorl", "render"}, paths...)
	return commandLine(append(words, "--view", kind.Name, "--size", fmt.Sprintf("%dx%d", reportWidth, reportHeight), "-o", kind.Name+".svg")...)
}

// runCommand returns the command that makes a run again, as far as its trace describes it; "" for a trace of another program.
func runCommand(m tracer.Meta, path string) string {
	if m.Program == "" || !slices.Contains([]string{"fghc", "dts", "hpf"}, m.Substrate) {
		return ""
	}
	words := append([]string{"whorl", "run", m.Program}, m.Args...)
	flag := func(name, value string) {
		if value != "" {
			words = append(words, "--"+name, value)
		}
	}
	if len(m.Args) == 0 {
		flag("goal", m.Goal)
	}
	flag("pes", strconv.Itoa(m.PEs))
	if m.Mode == tracer.Live {
		flag("mode", m.Mode)
	}
	flag("policy", m.Policy)
	if m.Mode != tracer.Live {
		flag("machine", m.Machine)
		flag("net", m.Network)
	}
	if m.Policy != "" {
		flag("seed", strconv.FormatUint(m.Seed, 10))
	}
	return commandLine(append(words, "-o", path)...)
}

// plainWord matches words that a shell leaves as they are.
var plainWord = regexp.MustCompile(`^[\w./:@%+=,-]+$`)

// commandLine returns the words of a command as users write them in a shell.
func commandLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, s := range words {
		if quoted[i] = s; !plainWord.MatchString(s) {
			quoted[i] = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// Package gallery draws the figures of the papers anew, from runs of today, into docs/figures, and writes the page that shows them.
//
//	go test ./internal/gallery -update
//
// runs the commands of all figures and writes the pictures and docs/figures/README.md. Without -update a test checks the page, and with the large
// sizes (make soak) another one the pictures. The numbers below a figure are rows of docs/fidelity.md, which package fidelity measures and checks.
package gallery

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/testdata/must"
	"whorl/visual/scene"
)

var update = flag.Bool("update", false, "draw the figures and write docs/figures/README.md anew")

const (
	root   = "../.."
	folder = "docs/figures" // of the pictures and the page, from the root
	readme = root + "/" + folder + "/README.md"
	most   = 4 << 20 // bytes of all pictures
)

// A paper is a paper with its figures, in order.
type paper struct {
	name    string // of its pictures' files, before the number
	title   string
	figures []figure
	// numbers are the figures that show a result or a structure that the program draws too, as the paper numbers them.
	numbers []string
	others  string // what the other figures of the paper are
}

// A figure is a figure of a paper.
type figure struct {
	number string // as the paper has it
	title  string
	panels []panel
	rows   []string // first cells of rows of docs/fidelity.md, some after their heading and " > "
	text   string   // how the figure compares with the paper's
}

// A panel is a picture of a figure.
type panel struct {
	name     string // of the file, in the folder
	title    string // of one of several panels
	commands []string
	draw     func(t *testing.T, s *studio) *scene.List // draws what no view shows, of the traces of the commands; nil if the last command draws
}

// command returns a panel that commands draw, the last of them into the file of its option -o.
func command(title string, commands ...string) panel {
	_, out, ok := strings.Cut(commands[len(commands)-1], " -o "+folder+"/")
	if !ok {
		panic("no picture: " + commands[len(commands)-1])
	}
	return panel{name: out, title: title, commands: commands}
}

var papers = []*paper{vistaPaper, trevisPaper, perfvissPaper, bodiesPaper, vipactPaper}

// file returns the beginning of the names of a figure's pictures.
func (p *paper) file(f *figure) string { return p.name + "-" + f.number }

var (
	number   = regexp.MustCompile(`^[0-9]+`)
	pictures = regexp.MustCompile(`\.(svg|png)$`)
)

// TestFigures checks that each paper has its figures, that their pictures are there and no others, and that they are small.
func TestFigures(t *testing.T) {
	named := map[string]bool{"README.md": true}
	for _, p := range papers {
		var numbers []string
		for i := range p.figures {
			f := &p.figures[i]
			numbers = append(numbers, f.number)
			if len(f.panels) == 0 || f.text == "" {
				t.Errorf("Figure %s of %s has %d pictures, and the text %q", f.number, p.name, len(f.panels), f.text)
			}
			for _, n := range f.panels {
				if named[n.name] {
					t.Errorf("there are two pictures %s", n.name)
				}
				named[n.name] = true
				if !strings.HasPrefix(n.name, p.file(f)) || number.MatchString(n.name[len(p.file(f)):]) || !pictures.MatchString(n.name) {
					t.Errorf("a picture of Figure %s of %s is called %s", f.number, p.name, n.name)
				}
				for _, c := range n.commands {
					for _, w := range words(c) {
						if strings.HasPrefix(w, folder+"/") && strings.HasSuffix(w, ".toml") {
							named[path.Base(w)] = true
						}
					}
				}
			}
		}
		if diff := cmp.Diff(p.numbers, numbers); diff != "" {
			t.Errorf("figures of %s:\n%s", p.name, diff)
		}
	}
	size := int64(0)
	for _, e := range must.Get(os.ReadDir(filepath.Join(root, folder)))(t) {
		if !named[e.Name()] {
			t.Errorf("%s/%s belongs to no figure", folder, e.Name())
		}
		delete(named, e.Name())
		size += must.Get(e.Info())(t).Size()
	}
	for name := range named {
		t.Errorf("%s/%s is missing: make figures", folder, name)
	}
	if size > most {
		t.Errorf("the pictures have %d bytes, more than %d", size, most)
	}
}

// TestPage compares the page with the figures and with the numbers of docs/fidelity.md.
func TestPage(t *testing.T) {
	got := write(t)
	if *update {
		must.Do(t, os.WriteFile(readme, got, 0o644))
	}
	if diff := cmp.Diff(string(must.Get(os.ReadFile(readme))(t)), string(got)); diff != "" {
		t.Errorf("docs/figures/README.md is out of date (make figures):\n%s", diff)
	}
}

// write returns the page.
func write(t *testing.T) []byte {
	t.Helper()
	measured := must.Get(os.ReadFile(root + "/docs/fidelity.md"))(t)
	var doc bytes.Buffer
	doc.WriteString(`# The figures of the papers, drawn anew

Written by ` + "`make figures`" + `, which runs the commands below in the folder of the repository (the traces go to ` + "`out`" + `). A test checks it.
The numbers are rows of [fidelity.md](../fidelity.md), which another test measures.
`)
	for _, p := range papers {
		fmt.Fprintf(&doc, "\n## %s\n", p.title)
		if p.others != "" {
			fmt.Fprintf(&doc, "\n%s\n", p.others)
		}
		for i := range p.figures {
			f := &p.figures[i]
			fmt.Fprintf(&doc, "\n### Figure %s: %s\n\n", f.number, f.title)
			f.show(&doc, p)
			fmt.Fprintf(&doc, "\n%s\n", strings.TrimSpace(f.text))
			if len(f.rows) > 0 {
				doc.WriteString("\n" + rows(t, string(measured), f.rows))
			}
			f.say(&doc)
		}
	}
	return doc.Bytes()
}

// show writes the pictures of a figure, several beside each other.
func (f *figure) show(doc *bytes.Buffer, p *paper) {
	if len(f.panels) == 1 {
		fmt.Fprintf(doc, "![Figure %s of %s](%s)\n", f.number, p.name, f.panels[0].name)
		return
	}
	for from := 0; from < len(f.panels); from += 2 {
		row := f.panels[from:min(from+2, len(f.panels))]
		for _, n := range row {
			fmt.Fprintf(doc, "| %s ", n.title)
		}
		doc.WriteString("|\n" + strings.Repeat("|---", len(row)) + "|\n")
		for _, n := range row {
			fmt.Fprintf(doc, "| ![%s](%s) ", n.title, n.name)
		}
		doc.WriteString("|\n\n")
	}
	doc.Truncate(doc.Len() - 1)
}

// say writes the commands of a figure, each once.
func (f *figure) say(doc *bytes.Buffer) {
	var all []string
	drawn := false
	for _, n := range f.panels {
		drawn = drawn || n.draw != nil
		for _, c := range n.commands {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	if drawn {
		doc.WriteString("\n`make figures` itself draws it, since no view shows it.\n")
	}
	if len(all) > 0 {
		doc.WriteString("\n    " + strings.Join(all, "\n    ") + "\n")
	}
}

// rows returns tables with the rows of a document that begin with some cells, in order.
func rows(t *testing.T, document string, cells []string) string {
	t.Helper()
	var out strings.Builder
	head, last := "", ""
	lines := strings.SplitAfter(document, "\n")
	for _, cell := range cells {
		heading, row, ok := strings.Cut(cell, " > ")
		if !ok {
			heading, row = "", cell
		}
		n, inside := 0, !ok
		for i, line := range lines {
			if name := strings.TrimLeft(line, "#"); name != line && ok {
				inside = strings.TrimSpace(name) == heading
			}
			if i > 0 && strings.HasPrefix(line, "|---") {
				head = lines[i-1] + line
			}
			if !inside || !strings.HasPrefix(line, "| "+row+" |") {
				continue
			}
			if n++; head != last {
				if last != "" {
					out.WriteString("\n")
				}
				out.WriteString(head)
				last = head
			}
			out.WriteString(line)
		}
		if n != 1 {
			t.Errorf("docs/fidelity.md has %d rows %q", n, cell)
		}
	}
	return out.String()
}

var word = regexp.MustCompile(`'[^']*'|\S+`)

// words splits a command into words as a shell does; only single quotes are known.
func words(command string) []string {
	all := word.FindAllString(command, -1)
	for i, w := range all {
		all[i] = strings.ReplaceAll(w, "'", "")
	}
	return all
}

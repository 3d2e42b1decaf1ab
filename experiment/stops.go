package experiment

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"whorl/hpfsim/exec"
	"whorl/hpfsim/lower"
	"whorl/internal/figures"
)

// A Standstill is a run of a program in HPF that stands before a statement.
type Standstill = exec.Stop

// breaks reads the lines before which a run stops, FILE:LINE or LINE of the program's own file, and sees that statements begin there.
func (r *Run) breaks(prog *lower.Program) (*exec.Stops, error) {
	if len(r.Break) == 0 {
		return nil, nil
	}
	s := &exec.Stops{}
	for _, text := range r.Break {
		file, line := filepath.Base(prog.File.Name), text
		if i := strings.LastIndexByte(text, ':'); i >= 0 {
			file, line = text[:i], text[i+1:]
		}
		n, err := strconv.Atoi(line)
		if err != nil || n < 1 || file == "" {
			return nil, &InputError{"--break " + Quoted(text) + ": expected FILE:LINE"}
		}
		s.At = append(s.At, exec.Break{File: file, Line: n})
	}
	if wrong, next := s.Check(prog); wrong != nil {
		text := fmt.Sprintf("no statement begins in line %d of %s", wrong.Line, wrong.File)
		if next > 0 {
			text += fmt.Sprintf(": the next one begins in line %d", next)
		}
		return nil, &InputError{text}
	}
	return s, nil
}

// stopping has a run stop where it should: OnStop is told, or else what every processor holds is written to the run's standard error.
func (h *hpfProgram) stopping(p *Prepared) *exec.Stops {
	if h.stops == nil {
		return nil
	}
	s := *h.stops
	if s.Tell = p.OnStop; s.Tell == nil {
		s.Tell = func(at *Standstill) bool {
			if p.World.Stderr != nil {
				p.ShowStop(p.World.Stderr, at)
			}
			return false
		}
	}
	return &s
}

// ShowStop writes where a run stands, the line, and what every processor holds of the variables that stand in the statement.
func (p *Prepared) ShowStop(w io.Writer, s *Standstill) {
	who := "all processors"
	if on := s.Processors(); len(on) < p.Description.PEs {
		who = "processor"
		for i, q := range on {
			if i == 8 {
				who += fmt.Sprintf(" and %d more", len(on)-i)
				break
			}
			who += " " + strconv.Itoa(int(q))
		}
	}
	fmt.Fprintf(w, "%s: %s, at %s, on %s\n", s.At, s.Unit(), figures.Duration(s.Now), who)
	if h, ok := p.program.(*hpfProgram); ok {
		if text, ok := h.line(s.At.File, int(s.At.Line)); ok {
			fmt.Fprintf(w, "    %s\n", strings.TrimSpace(text))
		}
	}
	for _, name := range s.Names() {
		ShowValue(w, s, name)
	}
}

// ShowValue writes what every processor holds of a variable.
func ShowValue(w io.Writer, s *Standstill, name string) {
	lines, ok := s.Value(name)
	if !ok {
		fmt.Fprintln(w, Unknown("variable", name, s.All(), ""))
		return
	}
	for _, l := range lines {
		fmt.Fprintf(w, "  %s\n", l)
	}
}

// line is a line of the source.
func (h *hpfProgram) line(file string, line int) (string, bool) {
	texts := map[string]string{h.code.File.Name: h.code.File.Text}
	for _, f := range h.code.File.Included {
		texts[f.Name] = f.Text
	}
	all := strings.Split(texts[file], "\n")
	if line < 1 || line > len(all) || texts[file] == "" {
		return "", false
	}
	return all[line-1], true
}

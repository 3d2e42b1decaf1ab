package experiment

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whorl/hpfsim/exec"
	"whorl/hpfsim/lower"
	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// A Standstill is a run of a program in HPF that stopped before a statement.
type Standstill = exec.Stop

// A lineSource is a program that can show the lines of its source.
type lineSource interface {
	line(file string, line int) (text string, ok bool)
}

// breaks parses Break: FILE:LINE, or LINE for the file of the program. A statement must begin in each line.
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
			return nil, fmt.Errorf("--break %s: expected FILE:LINE or LINE", nearest.Quote(text))
		}
		s.Breaks = append(s.Breaks, exec.Break{File: file, Line: n})
	}
	if wrong, next := s.Check(prog); wrong != nil {
		if err := knownFile(prog, wrong.File); err != nil {
			return nil, fmt.Errorf("--break: %w", err)
		}
		text := fmt.Sprintf("--break: no statement begins in line %d of %s", wrong.Line, wrong.File)
		if next > 0 {
			text += fmt.Sprintf(": the next one begins in line %d", next)
		}
		return nil, errors.New(text)
	}
	return s, nil
}

// knownFile returns an error unless a program has a file of that name or path.
func knownFile(prog *lower.Program, name string) error {
	known := []string{filepath.Base(prog.File.Name)}
	for _, f := range prog.File.Included {
		known = append(known, filepath.Base(f.Name))
	}
	if slices.Contains(known, filepath.Base(name)) {
		return nil
	}
	return nearest.Unknown("file of the program", name, known)
}

// stopping returns the stops of a run. Each calls OnStop, or else writes the values of every processor to the standard error of the run.
func (h *hpfProgram) stopping(p *Prepared) *exec.Stops {
	if h.stops == nil {
		return nil
	}
	s := *h.stops
	if s.Tell = p.OnStop; s.Tell == nil {
		s.Tell = func(stop *Standstill) bool {
			if p.World.Stderr != nil {
				p.ShowStop(p.World.Stderr, stop)
			}
			return false
		}
	}
	return &s
}

// ShowStop writes the place of a stop, the source line, and the values of the statement's variables on every processor.
func (p *Prepared) ShowStop(w io.Writer, s *Standstill) {
	processors := "all processors"
	if on := s.Processors(); len(on) < p.Description.PEs {
		processors = "processor"
		for i, q := range on {
			if i == 8 {
				processors += fmt.Sprintf(" and %d more", len(on)-i)
				break
			}
			processors += " " + strconv.Itoa(int(q))
		}
	}
	fmt.Fprintf(w, "%s: %s, at %s, on %s\n", s.Pos, s.Unit(), figures.Duration(s.Now), processors)
	if source, ok := p.program.(lineSource); ok {
		if text, ok := source.line(s.Pos.File, int(s.Pos.Line)); ok {
			fmt.Fprintf(w, "    %s\n", strings.TrimSpace(text))
		}
	}
	for _, name := range s.Names() {
		ShowValue(w, s, name)
	}
}

// ShowValue writes the values of a variable on every processor.
func ShowValue(w io.Writer, s *Standstill, name string) {
	lines, ok := s.Value(name)
	if !ok {
		fmt.Fprintln(w, nearest.Unknown("variable", name, s.All()))
		return
	}
	for _, l := range lines {
		fmt.Fprintf(w, "  %s\n", l)
	}
}

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

// Package source has the commands that read programs without running them: check, fmt, build, dts and hpf.
package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/program"
	"whorl/experiment"
	"whorl/fghc/syntax"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/internal/nearest"
)

// Commands returns the commands of the package.
func Commands() []*cobra.Command {
	return []*cobra.Command{newCheck(), newFmt(), newBuild(), newDTS(), newHPF()}
}

func newCheck() *cobra.Command {
	var format, goal string
	var defines []string
	processors := experiment.CheckedProcessors
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check a program without running it",
		Long: `Read the source files of programs and print all errors: file, line and column, the line itself, and what was expected there. For programs
without errors, print warnings: variables that occur once, clauses that can never commit, guards that always fail, and procedures that neither
main nor --goal nor a public procedure reaches. For a program without warnings, print nothing. Errors come before warnings. Unless --all is
given, at most 100 of each are printed, and at most 10 warnings after errors.

Files with :- module are one program; every other file is a program of its own. Files in High Performance Fortran (.hpf .f .for .f90 .F90 ...) are
checked for syntax, types and mappings; they are one program if exactly one of them has a main program. With --pes they are checked for that
number of processors, otherwise for the largest possible number. --define sets macros of the preprocessor, as for run. The exit status is 2 after
errors, 0 otherwise.

A lesson (lesson.md, or lesson.de.md for a translation) is checked with its runs, which are made with each set of its parameters: names,
expressions, questions without answers, near misses that equal the answer, pictures that cannot be drawn, and what a translation lacks.

With --format json each problem is an object on a line of standard output, for editors: file, line, column, end (line and column after the
place), severity (error or warning), message and expected. Columns count characters from 1.`,
		Example: "  whorl check sort.fghc\n  whorl check main.kl1 lib.kl1 --format json\n  whorl check lessons/load-balance/lesson.md\n  whorl check jacobi.hpf --pes 8",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Exactly("a file")(cmd, args)
			}
			return nil
		},
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, _ *files.Writer) error {
			if format != "text" && format != "json" {
				return nearest.Unknown("format", format, []string{"text", "json"})
			}
			if err := command.CheckScopes(cmd, checkScopes, checkUse{format == "json", slices.ContainsFunc(args, experiment.IsHPF)}); err != nil {
				return err
			}
			if err := experiment.CheckPEs(processors); err != nil {
				return fmt.Errorf("--pes: %w", err)
			}
			var lessons, programs []string
			for _, path := range args {
				if filepath.Ext(path) == ".md" {
					lessons = append(lessons, path)
				} else {
					programs = append(programs, path)
				}
			}
			findings, err := checkLessons(cmd.Context(), lessons)
			if len(programs) > 0 && err == nil {
				var more []experiment.Finding
				more, err = experiment.CheckFiles(programs, goal, processors, defines)
				findings = append(findings, more...)
			}
			if format == "json" {
				return errors.Join(err, problems(cmd, findings))
			}
			var all syntax.Errors
			for _, f := range findings {
				all = append(all, f.Error)
			}
			list := program.Problems(all, program.WantsAll(cmd))
			if all.Failed() {
				return errors.Join(list, err)
			}
			if len(all) > 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), command.Printable(list.Error()))
			}
			return err
		}),
	}
	f := cmd.Flags()
	program.AllFlag(cmd)
	f.StringVar(&format, "format", "text", "`format`: text for people, json for programs")
	f.StringVar(&goal, "goal", "", "`query` of the program; check it, and warn of procedures that it does not reach")
	f.IntVar(&processors, "pes", processors, "HPF: `number` of processors")
	f.StringArrayVarP(&defines, "define", "D", nil, "HPF: define a macro of the preprocessor, as `NAME` or NAME=VALUE; repeat it for more")
	command.Complete(cmd, "format", []string{"text", "json"})
	return cmd
}

// A problem is a line of check --format json.
type problem struct {
	File     string `json:"file"`
	Line     int32  `json:"line"`
	Column   int32  `json:"column"`
	End      place  `json:"end"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Expected string `json:"expected,omitempty"`
}

type place struct {
	Line   int32 `json:"line"`
	Column int32 `json:"column"`
}

// problems writes findings as lines of JSON.
func problems(cmd *cobra.Command, findings []experiment.Finding) error {
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetEscapeHTML(false)
	wrong := int64(0)
	for _, f := range findings {
		p := problem{f.Pos.File, f.Pos.Line, f.Pos.Column, place{f.End.Line, f.End.Column}, "error", f.Msg, f.Want}
		if f.Severity == syntax.Warning {
			p.Severity = "warning"
		} else {
			wrong++
		}
		if err := enc.Encode(p); err != nil {
			return err
		}
	}
	if wrong == 0 {
		return nil
	}
	return errors.New(figures.Counted(wrong, "error"))
}

// A checkUse is what a check writes, and whether some of its files are in HPF.
type checkUse struct{ json, hpf bool }

var checkScopes = []command.Scope[checkUse]{
	{Flags: []string{"format", "goal"}},
	{Flags: []string{"pes", "define"}, In: func(u checkUse) bool { return u.hpf }, Only: "is for programs in HPF"},
	{Flags: []string{"all"}, In: func(u checkUse) bool { return !u.json }, Only: "is for --format text; json has all errors and warnings"},
}

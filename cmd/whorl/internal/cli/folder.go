package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/dts"
	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
)

// sourceVariable names the folder of Whorl's own source, for programs that have no module that leads there.
const sourceVariable = "WHORL_SOURCE"

// isFolder says whether the name of a program is that of a folder.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// runFolder builds the Go program of a folder, which uses dts, and runs it on the PEs that r describes: its dts.Run takes them from the
// environment. With show a window shows the trace while it grows; where there can be none a page shows it when the run has ended.
func runFolder(cmd *cobra.Command, r experiment.Run, out string, stats, show bool) error {
	if r.Goal != "" {
		return errors.New("--goal is for programs in FGHC; " + r.Program + " is a folder with a Go program")
	}
	if out != "" {
		if err := open.CheckName(out); err != nil {
			return err
		}
	}
	r, err := r.ResolveMachine()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "whorl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	program, err := buildFolder(cmd, r.Program, temp, false)
	if err != nil {
		return err
	}
	trace := out
	if trace == "" && (stats || show) {
		trace = filepath.Join(temp, "run.whorl")
	}
	if trace != "" {
		// The program makes it anew, and must not take an old one for that of a run that it has made.
		if err := os.Remove(trace); err != nil && !os.IsNotExist(err) {
			return files.CannotBegin(trace, err)
		}
	}
	var v *viewer
	if show {
		if window, err := findWindow(); err == nil {
			if v, err = startViewer(window); err != nil {
				return err
			}
			defer v.Close()
		}
	}
	begin := time.Now()
	carry := func(ctx context.Context) error {
		return carryOut(ctx, cmd, r, program, trace, filepath.Join(temp, "report"), v != nil)
	}
	var ended error
	if v != nil {
		if ended, err = followFolder(cmd, r, trace, v, carry); errors.Is(err, errNoWindow) && cmd.Context().Err() == nil {
			v = nil // it has stopped the program: once more, without it
		} else if err != nil {
			return err
		}
	}
	if v == nil {
		begin = time.Now()
		ended = carry(cmd.Context())
	}
	wall := time.Since(begin)
	if stats && files.IsRegular(trace) {
		if err := printStats(cmd, nil, trace, wall); err != nil {
			return err
		}
	}
	if !show || v != nil || !files.IsRegular(trace) || cmd.Context().Err() != nil {
		return ended
	}
	if ended != nil { // the trace of a run that failed is worth a look too
		complain(cmd.ErrOrStderr(), ended)
	}
	if err := viewTraces(cmd, []string{trace}); err != nil || ended == nil {
		return err
	}
	return &statusError{statusOf(ended), errors.New("the run ended as said above")}
}

// followFolder carries the program of a folder out while a viewer looks on. Ended is how the run ended; the error says that the viewer could show
// nothing.
func followFolder(cmd *cobra.Command, r experiment.Run, trace string, v *viewer, carry func(context.Context) error) (ended, err error) {
	s := session.Follow(r, trace, func(ctx context.Context) (tracer.Outcome, error) {
		ended = carry(ctx)
		switch {
		case ended == nil:
			return tracer.Done, nil
		case statusOf(ended) == exitLimit:
			return tracer.Limited, ended
		case statusOf(ended) == exitInterrupted:
			return tracer.Interrupted, ended
		}
		return tracer.Failed, ended
	})
	_, err = runOpen(cmd, s, v)
	<-s.Done()
	return ended, err
}

// buildFolder compiles the program of a folder. What the go command says of it goes to standard error as it is. With same, the file is the same
// wherever the folder and Whorl's source lie.
func buildFolder(cmd *cobra.Command, folder, temp string, same bool) (program string, err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", errors.New(folder + " is a folder: to build its program whorl needs the go command, which is not there")
	}
	at, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	program = filepath.Join(temp, filepath.Base(at))
	args := []string{"build", "-o", program}
	env := os.Environ()
	if same {
		args = append(args, "-trimpath", "-buildvcs=false")
	}
	if !inModule(at) {
		overlay, work, err := supplyModule(at, temp)
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay", overlay)
		env = append(env, "GOFLAGS=-mod=readonly", "GOWORK="+work)
	}
	build := exec.CommandContext(cmd.Context(), "go", append(args, ".")...)
	build.Dir, build.Env, build.Stdout, build.Stderr = at, env, cmd.ErrOrStderr(), cmd.ErrOrStderr()
	if err := build.Run(); err != nil {
		if cmd.Context().Err() != nil {
			return "", &statusError{exitInterrupted, errors.New("interrupted")}
		}
		return "", errors.New(folder + " cannot be built, as said above")
	}
	if info, err := os.Stat(program); err != nil || info.Mode().Perm()&0o111 == 0 {
		return "", errors.New(folder + " is no program: its package is not main")
	}
	return program, nil
}

// inModule says whether a folder belongs to a module of its own.
func inModule(folder string) bool {
	env := exec.Command("go", "env", "GOMOD")
	env.Dir = folder
	out, err := env.Output()
	mod := strings.TrimSpace(string(out))
	return err == nil && mod != "" && mod != os.DevNull
}

// supplyModule gives a folder without a go.mod one, for the go command's eyes alone, and makes a workspace of it and Whorl's source: other than
// a replacement in the go.mod, that leaves no path in the program.
func supplyModule(folder, temp string) (overlay, work string, err error) {
	source, err := findSource()
	if err != nil {
		return "", "", err
	}
	mod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return "", "", err
	}
	sums, err := os.ReadFile(filepath.Join(source, "go.sum"))
	if err != nil {
		return "", "", err
	}
	_, requires, _ := strings.Cut(string(mod), "\n") // behind the line that names the module
	version := goLine.FindString(requires)
	work = filepath.Join(temp, "go.work")
	text := version + "\n\nuse " + strconv.Quote(folder) + "\nuse " + strconv.Quote(source) + "\n"
	if err := os.WriteFile(work, []byte(text), 0o600); err != nil {
		return "", "", err
	}
	files := map[string]string{"go.mod": "module program\n" + requires, "go.sum": string(sums)}
	replace := map[string]string{}
	for name, text := range files {
		path := filepath.Join(temp, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return "", "", err
		}
		replace[filepath.Join(folder, name)] = path
	}
	overlay = filepath.Join(temp, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", "", err
	}
	return overlay, work, os.WriteFile(overlay, list, 0o600)
}

// goLine is the line of a go.mod that says which version of Go it is for.
var goLine = regexp.MustCompile(`(?m)^go .*$`)

// sources adds the texts of the files of a folder that a trace names and does not have: a program of nodes was built so that it does not know
// where they are.
func sources(known []tracer.SourceFile, folder string, dict *tracer.Dict) []tracer.SourceFile {
	missing := map[string]bool{}
	for _, c := range dict.Codes() {
		missing[c.File] = true
	}
	delete(missing, "")
	for _, f := range known {
		delete(missing, f.Name)
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read is not shown
		}
		if len(missing) == 0 {
			return fs.SkipAll
		}
		if d.IsDir() && path != folder && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if info, err := d.Info(); err != nil || !missing[d.Name()] || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return nil
		}
		if text, err := os.ReadFile(path); err == nil {
			delete(missing, d.Name())
			known = append(known, tracer.SourceFile{Name: d.Name(), Text: string(text)})
		}
		return nil
	})
	return known
}

// findSource returns the folder of Whorl's source: where the environment says, or above the command or the current folder.
func findSource() (string, error) {
	if dir := os.Getenv(sourceVariable); dir != "" {
		if isSource(dir) {
			return filepath.Abs(dir)
		}
		return "", fmt.Errorf("%s=%s: Whorl's source is not there", sourceVariable, dir)
	}
	var from []string
	if path, err := os.Executable(); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			from = append(from, filepath.Dir(path))
		}
	}
	if dir, err := os.Getwd(); err == nil {
		from = append(from, dir)
	}
	for _, dir := range from {
		for ; ; dir = filepath.Dir(dir) {
			if isSource(dir) {
				return dir, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", errors.New("the folder has no go.mod, and Whorl's source is not found: set " + sourceVariable + " to a clone of it, " +
		"or give the folder a go.mod that replaces whorl by one")
}

func isSource(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(text), "module whorl\n")
}

// carryOut runs the program and returns how it ended.
func carryOut(ctx context.Context, cmd *cobra.Command, r experiment.Run, program, trace, report string, watched bool) error {
	child := exec.Command(program, append(r.Args, r.Argv...)...)
	child.Stdin, child.Stdout, child.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	child.Env = append(os.Environ(), environment(r, trace, report)...)
	if watched {
		child.Env = append(child.Env, dts.EnvWatched+"=true")
	}
	if err := child.Start(); err != nil {
		return err
	}
	gone := make(chan struct{})
	looked := make(chan struct{})
	go func() { // an interrupt from the keyboard reaches the program by itself; one that is for whorl alone is handed on
		defer close(looked)
		select {
		case <-ctx.Done():
			_ = child.Process.Signal(os.Interrupt)
		case <-gone:
		}
	}()
	err := child.Wait()
	close(gone)
	<-looked

	var said dts.Report
	text, missing := os.ReadFile(report)
	if missing == nil && json.Unmarshal(text, &said) != nil {
		missing = errors.New("damaged")
	}
	kept := ""
	if trace != "" && filepath.Dir(trace) != filepath.Dir(report) && files.IsRegular(trace) {
		kept = "; what happened until then is in " + trace
	}
	switch {
	case missing == nil && said.Outcome == int64(tracer.Limited):
		return &statusError{exitLimit, errors.New(said.Err + kept)}
	case ctx.Err() != nil || missing == nil && said.Outcome == int64(tracer.Interrupted):
		return &statusError{exitInterrupted, errors.New("interrupted" + kept)}
	case err != nil:
		status := exitFailed
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() > 0 {
			status = exit.ExitCode()
		}
		return &statusError{status, fmt.Errorf("%s: %w", r.Program, err)}
	case missing != nil:
		return &statusError{exitFailed, errors.New(r.Program + " has made no run: it never called dts.Run")}
	}
	return nil
}

// environment tells the program what dts.Run is to do.
func environment(r experiment.Run, trace, report string) []string {
	all := []string{dts.EnvReport + "=" + report}
	add := func(key, value string) { all = append(all, key+"="+value) }
	add(dts.EnvPEs, strconv.Itoa(r.PEs))
	add(dts.EnvPolicy, r.Policy)
	mode := dts.Sim
	if r.Mode == experiment.Live {
		mode = dts.Live
	}
	add(dts.EnvMode, mode)
	add(dts.EnvMachine, r.Machine)
	add(dts.EnvNetwork, r.Network)
	add(dts.EnvSeed, strconv.FormatUint(r.Seed, 10))
	add(dts.EnvTrace, trace)
	limits := r.Limits
	add(dts.EnvMaxTime, "")
	add(dts.EnvMaxThreads, "")
	add(dts.EnvMaxMemory, "")
	if limits.Time > 0 {
		add(dts.EnvMaxTime, limits.Time.String())
	}
	if limits.Reductions > 0 {
		add(dts.EnvMaxThreads, strconv.FormatInt(limits.Reductions, 10))
	}
	if limits.Memory > 0 {
		add(dts.EnvMaxMemory, strconv.FormatInt(limits.Memory, 10))
	}
	return all
}

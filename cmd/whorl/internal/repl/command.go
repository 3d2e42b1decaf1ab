package repl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"whorl/experiment"
	"whorl/fghc/builtin"
	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// A command is a word that begins with a colon.
type command struct {
	name, args, doc string
	do              func(s *Session, args []string) (shown string, err error)
	complete        func(s *Session) []string // possible arguments; nil for files
}

// commands returns all commands, in the order of :help. A unique beginning of a name stands for the command.
func commands() []command {
	return []command{
		{"load", "FILE...", "read files into the program, or read them again", load, nil},
		{"reload", "", "read all files again", reload, none},
		{"list", "", "list the files and their procedures, and the typed clauses", list, none},
		{"forget", "NAME/ARITY", "remove the typed clauses of a procedure", forget, typedNames},
		{"pes", "[N]", "the number of PEs", pes, none},
		{"policy", "[P]", "the scheduling policy", policy, names(experiment.Policies())},
		{"mode", "[sim|live]", "run in virtual time or on real cores", mode, fixed("sim", "live")},
		{"trace", "[on|off]", "show the steps of each goal", trace, fixed("on", "off")},
		{"stats", "", "the numbers of the last run", stats, none},
		{"help", "[NAME]", "show this list, or describe a builtin", help, builtinNames},
		{"quit", "", "leave; so does Ctrl-D", quit, none},
	}
}

func none(*Session) []string { return []string{} }

func fixed(words ...string) func(*Session) []string { return func(*Session) []string { return words } }

func names(items []experiment.Item) func(*Session) []string {
	words := []string{}
	for _, it := range items {
		words = append(words, it.Name)
	}
	return fixed(words...)
}

// command executes a line with a command.
func (s *Session) command(line string) (string, error) {
	words := strings.Fields(line)
	c, err := findCommand(strings.TrimPrefix(words[0], ":"))
	if err != nil {
		return "", err
	}
	return c.do(s, words[1:])
}

// findCommand returns the command of a name or of the unique beginning of one.
func findCommand(name string) (command, error) {
	var known []string
	var found []command
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		if strings.HasPrefix(c.name, name) {
			found = append(found, c)
		}
		known = append(known, ":"+c.name)
	}
	switch len(found) {
	case 0:
		return command{}, &nearest.UnknownError{Kind: "command", Name: ":" + name, Known: known, See: ":help"}
	case 1:
		return found[0], nil
	}
	var all []string
	for _, c := range found {
		all = append(all, ":"+c.name)
	}
	return command{}, fmt.Errorf(":%s is short for several commands: %s", name, strings.Join(all, " "))
}

// one returns the argument of a command that takes at most one, "" for none.
func one(name string, args []string) (string, error) {
	switch len(args) {
	case 0:
		return "", nil
	case 1:
		return args[0], nil
	}
	return "", fmt.Errorf(":%s does not know what to do with %s", name, nearest.Quote(args[1]))
}

func load(s *Session, args []string) (string, error) {
	if len(args) == 0 {
		return "", errors.New(":load needs a file")
	}
	return s.Load(args)
}

func reload(s *Session, _ []string) (string, error) {
	var paths []string
	for _, f := range s.files {
		paths = append(paths, f.Name)
	}
	if len(paths) == 0 {
		return "", errors.New("no file has been loaded: :load FILE")
	}
	return s.Load(paths)
}

func list(s *Session, _ []string) (string, error) {
	var lines []string
	for _, f := range s.ready.files {
		if f.Name != typedName {
			lines = append(lines, f.Name+": "+strings.Join(procedures(f), " "))
		}
	}
	for _, e := range s.typed {
		lines = append(lines, e.text)
	}
	if missing := s.missing(); missing != "" {
		lines = append(lines, missing)
	}
	if len(lines) == 0 {
		return "the program is empty: :load FILE, or type clauses", nil
	}
	return strings.Join(lines, "\n"), nil
}

func forget(s *Session, args []string) (string, error) {
	name, err := one("forget", args)
	if err != nil {
		return "", err
	}
	return s.forget(name)
}

// setting shows a setting for a command without argument, and changes it for one with an argument.
func (s *Session) setting(name string, args []string, shown any, set func(run *experiment.Run, value string) error) (string, error) {
	value, err := one(name, args)
	if err != nil || value == "" {
		return fmt.Sprint(shown), err
	}
	run := s.run
	if err := set(&run, value); err != nil {
		return "", err
	}
	return "", s.change(run)
}

func pes(s *Session, args []string) (string, error) {
	return s.setting("pes", args, s.run.PEs, func(run *experiment.Run, value string) (err error) {
		if run.PEs, err = strconv.Atoi(value); err != nil {
			err = fmt.Errorf(":pes is a whole number, not %s", nearest.Quote(value))
		}
		return err
	})
}

func policy(s *Session, args []string) (string, error) {
	return s.setting("policy", args, s.run.Policy, func(run *experiment.Run, value string) error {
		run.Policy = value
		return nil
	})
}

func mode(s *Session, args []string) (string, error) {
	return s.setting("mode", args, cmp.Or(s.run.Mode, experiment.Sim), func(run *experiment.Run, value string) error {
		run.Mode = experiment.Mode(value)
		return nil
	})
}

func trace(s *Session, args []string) (string, error) {
	value, err := one("trace", args)
	switch {
	case err != nil:
		return "", err
	case value == "" && s.trace:
		return "on", nil
	case value == "":
		return "off", nil
	case value == "on" && s.run.Mode == experiment.Live:
		return "", errors.New("goals are traced on simulated PEs only: :mode sim first")
	case value != "on" && value != "off":
		return "", nearest.Unknown("value", value, []string{"on", "off"})
	}
	s.trace = value == "on"
	return "", nil
}

// stats shows the numbers of the last run.
func stats(s *Session, _ []string) (string, error) {
	if s.last == nil {
		return "", errors.New("no goal has been run yet")
	}
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(tw, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	run, m := s.last.run, s.last.result.Machine
	row("goal", "%s", s.last.goal)
	row("outcome", "%v", s.last.result.Outcome)
	row("reductions", "%s", figures.Count(s.last.reached.Reductions))
	if run.Mode == experiment.Live {
		row("machine", "%d PEs on real cores, %s", run.PEs, run.Policy)
	} else {
		row("machine", "%d PEs of %s, %s, %s", run.PEs, run.Machine, run.Network, run.Policy)
		row("elapsed", "%s", figures.Duration(m.Elapsed))
		if whole := m.Elapsed * int64(run.PEs); whole > 0 {
			row("idle", "%s", figures.Share(float64(m.Idle)/float64(whole), 1))
		}
		row("moved goals", "%s", figures.Count(int64(m.Moves)))
		row("messages", "%s, %s bytes", figures.Count(int64(m.Messages)), figures.Count(m.Bytes))
	}
	row("time here", "%s", figures.Duration(s.last.result.Wall.Round(time.Microsecond).Nanoseconds()))
	err := tw.Flush()
	return strings.TrimRight(b.String(), "\n"), err
}

func help(_ *Session, args []string) (string, error) {
	name, err := one("help", args)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if name != "" {
		for i := range builtin.All {
			if d := &builtin.All[i]; slices.Contains([]string{d.Name, d.Title(), d.Module + ":" + d.Name}, name) {
				fmt.Fprintf(tw, "%s\t%s\n", d.Title(), d.Doc)
			}
		}
	} else {
		fmt.Fprint(tw, "goal\trun it, as in append([1],[2],X)\n"+
			"clause.\tadd it to the program, as in p(X) :- X > 0 | q(X).\n")
		for _, c := range commands() {
			fmt.Fprintf(tw, "%s\t%s\n", strings.TrimSpace(":"+c.name+" "+c.args), c.doc)
		}
		fmt.Fprint(tw, "Ctrl-C\tend the running goal, or drop the typed text\n")
	}
	err = tw.Flush()
	if b.Len() == 0 {
		return "", &nearest.UnknownError{Kind: "builtin", Name: name, Known: builtinNames(nil), See: ":help"}
	}
	return strings.TrimRight(b.String(), "\n"), err
}

func quit(*Session, []string) (string, error) { return "", ErrQuit }

// Package lesson has the command that lists lessons, walks through them in the terminal, and writes them as pages and handouts.
package lesson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/run"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/lesson"
	"whorl/lesson/script"
	"whorl/lesson/script/handout"
	"whorl/lesson/script/solve"
	"whorl/lessons"
)

// A taking holds the flags of the command.
type taking struct {
	cmd     *cobra.Command
	out     string
	lang    string
	text    bool
	answers bool
	set     []string
}

// Commands returns the command of the package.
func Commands() []*cobra.Command {
	t := &taking{}
	cmd := &cobra.Command{
		Use:   "lesson [NAME|FOLDER]",
		Short: "Take a lesson about parallel programs",
		Long: `List the lessons that come with Whorl, with what you have done of each, or take the one with NAME, or the one in a FOLDER of your own. A lesson
asks for predictions before it shows its pictures, and checks answers against the runs that it makes: another seed, machine or size has other
answers.

The viewer shows a lesson beside its runs, in a window, or as a page if there can be no window. With --text, --set, --lang or a FOLDER, and without a
terminal, it is a walk through the text.

In a terminal an answer is a line: a number with its unit, such as 2.5 ms or 35 %, the letter of a choice, a name, or for a curve the heights at
its values. An empty line leaves a question out, "hint" shows the next hint, and "end" ends the lesson. What you have done is kept in a file in your
folder for settings.

With -o the lesson becomes a file. FILE.html is one page that checks answers by itself, in any browser and without the network; it has the
answers of the defaults and of the lesson's other sets of parameters. FILE.pdf is a handout with pictures and questions, and with --answers the
answers on its last page. Without NAME, FILE.json holds all lessons with their answers, as the page of the viewer reads them.`,
		Example: `  whorl lesson
  whorl lesson load-balance
  whorl lesson load-balance --set pes=16 --set seed=5
  whorl lesson grain-size -o grain-size.html
  whorl lesson grain-size --lang de -o grain-size.pdf --answers`,
		Args: func(cmd *cobra.Command, args []string) error {
			return command.Exactly(make([]string, 1)...)(cmd, append(args, "")[:max(len(args), 1)])
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return lessons.Names, cobra.ShellCompDirectiveDefault
		},
		RunE: command.Interruptible(func(cmd *cobra.Command, args []string, w *files.Writer) error {
			t.cmd = cmd
			if err := command.CheckScopes(cmd, lessonScopes, t.use(args)); err != nil {
				return err
			}
			if len(args) == 0 && t.out != "" {
				return t.bundle(w)
			}
			if len(args) == 0 {
				return t.list()
			}
			return t.run(args[0], w)
		}),
	}
	f := cmd.Flags()
	f.StringVarP(&t.out, "output", "o", "", "file to write, `FILE`.html or FILE.pdf")
	f.StringVar(&t.lang, "lang", script.English, "`language` of the texts: en, de")
	f.BoolVar(&t.text, "text", false, "walk through the lesson in the terminal")
	f.BoolVar(&t.answers, "answers", false, "put the answers on the last page of FILE.pdf")
	f.StringArrayVar(&t.set, "set", nil, "parameter of the lesson: `NAME=VALUE`")
	return []*cobra.Command{cmd}
}

// A use is one of the jobs of the command.
type use int

const (
	lists use = iota
	bundles
	walks
	page
	paper
)

func (t *taking) use(args []string) use {
	switch {
	case len(args) == 0 && t.out == "":
		return lists
	case len(args) == 0:
		return bundles
	case t.out == "":
		return walks
	case filepath.Ext(t.out) == ".pdf":
		return paper
	}
	return page
}

// The flags have an effect in these uses.
var lessonScopes = []command.Scope[use]{
	{Flags: []string{"lang"}, In: func(u use) bool { return u != bundles }, Only: "is for one lesson; FILE.json has all languages"},
	{Flags: []string{"output"}, In: func(u use) bool { return u != lists }, Only: "needs a file"},
	{Flags: []string{"set"}, In: func(u use) bool { return u != lists && u != bundles }, Only: "needs the name of a lesson"},
	{Flags: []string{"text"}, In: func(u use) bool { return u == walks }, Only: "takes a lesson, without -o"},
	{Flags: []string{"answers"}, In: func(u use) bool { return u == paper }, Only: "is for -o FILE.pdf"},
}

// list prints the lessons.
func (t *taking) list() error {
	progress, err := lesson.LoadProgress(lesson.ProgressFile())
	if err != nil {
		fmt.Fprintf(t.cmd.ErrOrStderr(), "whorl: %v\n", err)
	}
	w := tabwriter.NewWriter(t.cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, name := range lessons.Names {
		s, err := load(name, t.lang)
		if absent := (*absentError)(nil); errors.As(err, &absent) {
			s, err = load(name, script.English)
		}
		if err != nil {
			return err
		}
		h := s.Head()
		fmt.Fprintf(w, "%s\t%s\t%d min\t%d of %d done\t%s\n", name, h.Title, h.Minutes, progress.State(name).Count(&h), len(h.Asks), strings.Join(h.Langs, " "))
	}
	return w.Flush()
}

// An absentError reports a lesson that is not there in a language.
type absentError struct{ name, lang string }

func (e *absentError) Error() string {
	return fmt.Sprintf("the lesson %s is not there in the language %s", e.name, nearest.Quote(e.lang))
}

// load reads a lesson by its name, or that in a folder of the user.
func load(name, lang string) (*script.Script, error) {
	folder, err := lessons.Folder(name)
	dir := "lessons/" + name
	if !slices.Contains(lessons.Names, name) {
		info, err := os.Stat(name)
		if err == nil && !info.IsDir() {
			name = filepath.Dir(name)
		}
		if err != nil {
			if strings.ContainsAny(name, `/\.`) {
				return nil, files.OpenError(name, err)
			}
			return nil, nearest.Unknown("lesson", name, lessons.Names)
		}
		root, err := os.OpenRoot(name) // which no link leaves; it stays open as long as the lesson is used
		if err != nil {
			return nil, files.OpenError(name, err)
		}
		folder, dir = root.FS(), filepath.ToSlash(name)
	} else if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(folder, script.FileName(lang)); err != nil && lang != script.English {
		return nil, &absentError{name, lang}
	}
	return script.Load(folder, filepath.Base(dir), dir, lang)
}

// run reads a lesson and walks through it or writes it.
func (t *taking) run(name string, w *files.Writer) error {
	s, err := load(name, t.lang)
	if err != nil {
		return err
	}
	others := map[string]string{}
	for _, text := range t.set {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("--set %s: expected NAME=VALUE", nearest.Quote(text))
		}
		others[key] = value
	}
	if t.out != "" {
		return t.write(s, others, w)
	}
	if t.viewed(name) {
		return run.ViewLesson(t.cmd, name)
	}
	solution, err := t.solve(s, "", others, &solve.Cache{})
	if err != nil {
		return err
	}
	return t.walk(solution.Lesson)
}

// viewed reports whether the viewer shows the lesson: it has those that come with Whorl, and a terminal stands for somebody who looks.
func (t *taking) viewed(name string) bool {
	in, ok := t.cmd.InOrStdin().(*os.File)
	return !t.text && len(t.set) == 0 && !t.cmd.Flags().Changed("lang") && slices.Contains(lessons.Names, name) && ok && term.IsTerminal(int(in.Fd()))
}

func (t *taking) solve(s *script.Script, set string, others map[string]string, cache *solve.Cache) (*solve.Solution, error) {
	values, err := solve.Values(s, set, others)
	if err != nil {
		return nil, err
	}
	solution, err := cache.Solve(t.cmd.Context(), s, set, values)
	if errors.Is(err, context.Canceled) {
		return nil, command.ErrInterrupted
	}
	return solution, err
}

// write writes a lesson as a file.
func (t *taking) write(s *script.Script, others map[string]string, w *files.Writer) error {
	const known = "lessons are written as FILE.html or FILE.pdf"
	ext := filepath.Ext(t.out)
	switch {
	case build.IsFolder(t.out):
		return errors.New(t.out + " is a folder: " + known)
	case ext != ".html" && ext != ".pdf":
		return errors.New(t.out + ": " + known)
	}
	if err := files.CheckFolder(t.out); err != nil {
		return err
	}
	var cache solve.Cache
	first, err := t.solve(s, "", others, &cache)
	if err != nil {
		return err
	}
	all := []*solve.Solution{first}
	if ext == ".html" && len(others) == 0 { // the sets are other choices than the defaults
		for _, set := range solve.Sets(s)[1:] {
			more, err := t.solve(s, set, nil, &cache)
			if err != nil {
				return err
			}
			all = append(all, more)
		}
	} else {
		first.Lesson.Sets = []string{""}
	}
	var text []byte
	if ext == ".html" {
		text, err = handout.HTML(t.cmd.Context(), all)
	} else {
		text, err = handout.PDF(t.cmd.Context(), first, t.answers)
	}
	if err != nil {
		return err
	}
	return w.Write(t.out, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// bundle writes all lessons as JSON.
func (t *taking) bundle(w *files.Writer) error {
	if filepath.Ext(t.out) != ".json" {
		return errors.New(t.out + ": lessons together are written as FILE.json; one lesson, named before -o, as FILE.html or FILE.pdf")
	}
	if err := files.CheckFolder(t.out); err != nil {
		return err
	}
	b, err := solve.Bundle(t.cmd.Context())
	if err != nil {
		return command.Interrupted(t.cmd, err)
	}
	return w.Write(t.out, func(w io.Writer) error { return json.NewEncoder(w).Encode(b) })
}

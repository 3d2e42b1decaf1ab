package repl

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"whorl/fghc/builtin"
	"whorl/fghc/syntax"
)

// Complete completes the word before the cursor, a position in characters: commands and their arguments, procedures and builtins. It returns
// the completions and the text before and after them.
func (s *Session) Complete(line string, cursor int) (head string, words []string, tail string) {
	r := []rune(line)
	cursor = min(max(cursor, 0), len(r))
	left, tail := string(r[:cursor]), string(r[cursor:])
	known := s.goals()
	part := left[len(strings.TrimRightFunc(left, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == ':' })):]
	if line := strings.TrimLeft(left, " "); strings.HasPrefix(line, ":") && !strings.HasPrefix(line, ":-") {
		name, argument, has := strings.Cut(line[1:], " ")
		if !has {
			known = nil
			for _, c := range commands() {
				known = append(known, ":"+c.name)
			}
		} else {
			part = argument[strings.LastIndex(argument, " ")+1:]
			known = s.arguments(name, part)
		}
	} else if part == "" {
		return left, nil, tail
	}
	for _, w := range known {
		if strings.HasPrefix(w, part) {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return left[:len(left)-len(part)], slices.Compact(words), tail
}

// arguments returns the possible arguments of a command.
func (s *Session) arguments(name, part string) []string {
	c, err := findCommand(name)
	switch {
	case err != nil:
		return nil
	case c.complete == nil:
		return files(part)
	}
	return c.complete(s)
}

// files returns the folders and the programs whose paths begin with part.
func files(part string) (paths []string) {
	dir, _ := filepath.Split(part)
	entries, err := os.ReadDir(filepath.Join(".", dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil
	}
	for _, e := range entries {
		hidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(filepath.Base(part), ".")
		switch ext := filepath.Ext(e.Name()); {
		case hidden:
		case e.IsDir():
			paths = append(paths, dir+e.Name()+string(filepath.Separator))
		case ext == ".fghc" || ext == ".kl1":
			paths = append(paths, dir+e.Name())
		}
	}
	return paths
}

// goals returns the names of procedures and builtins, with a parenthesis if they have arguments.
func (s *Session) goals() (words []string) {
	add := func(module, name string, arity int) {
		if syntax.FormatName(name) != name || !unicode.IsLower([]rune(name)[0]) {
			return // no word
		}
		if module != "" {
			name = module + ":" + name
		}
		if arity > 0 {
			name += "("
		}
		words = append(words, name)
	}
	for _, f := range s.ready.files {
		for _, c := range f.Clauses {
			p := procedureOf(c)
			add("", p.Name, p.Arity)
			if c.Module != "" {
				add(c.Module, p.Name, p.Arity)
			}
		}
	}
	for i := range builtin.All {
		if b := &builtin.All[i]; b.Body {
			add(b.Module, b.Name, b.Arity())
		}
	}
	return words
}

func builtinNames(*Session) (words []string) {
	for i := range builtin.All {
		b := &builtin.All[i]
		name := b.Name
		if b.Module != "" {
			name = b.Module + ":" + name
		}
		words = append(words, name)
	}
	return words
}

func typedNames(s *Session) (words []string) {
	for _, e := range s.typed {
		words = append(words, e.procedure.String())
	}
	return words
}

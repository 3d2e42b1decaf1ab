package programs

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed language
var language embed.FS

// A File is a program of the language tests with its queries.
type File struct {
	Name, Text string
	Queries    []Query
}

// A Query is a query of a File with the expected answer or, if that is "", a part of the expected error.
type Query struct {
	Position      string // file:line
	Goals         string
	Answer, Error string
}

// Language returns the language tests. A query is a line "%? goals", followed by "%= answer" or "%! part of the error".
func Language() []File {
	entries, err := language.ReadDir("language")
	if err != nil {
		panic(err)
	}
	files := make([]File, len(entries))
	for i, e := range entries {
		text, err := language.ReadFile("language/" + e.Name())
		if err != nil {
			panic(err)
		}
		f := &files[i]
		f.Name, f.Text = e.Name(), string(text)
		var q *Query
		for n, line := range strings.Split(f.Text, "\n") {
			switch {
			case strings.HasPrefix(line, "%? "):
				q = &Query{Position: fmt.Sprintf("%s:%d", e.Name(), n+1), Goals: line[3:]}
			case strings.HasPrefix(line, "%="):
				q.Answer = strings.TrimSpace(line[2:])
				f.Queries = append(f.Queries, *q)
			case strings.HasPrefix(line, "%!"):
				q.Error = strings.TrimSpace(line[2:])
				f.Queries = append(f.Queries, *q)
			}
		}
	}
	return files
}

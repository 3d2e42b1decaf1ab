package lesson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Library gives lessons to a viewer: solve.Shelf where lessons are computed, a Bundle where they were computed before.
type Library interface {
	// Heads lists the lessons in the order of a course, in a language where they have it and in English otherwise.
	Heads(lang string) ([]Head, error)
	// Open returns a lesson for a set of its parameters by its name, "" for the defaults, with the values of some parameters by name. It makes the
	// runs of the lesson, which takes a while.
	Open(ctx context.Context, name, lang, set string, values map[string]string) (*Lesson, error)
}

// A Bundle holds lessons that were computed, each for all sets of its parameters and in all its languages. As JSON it lies beside the page of the
// viewer. All has the head of each lesson in each language. It comes first, so that a list of the lessons needs only the beginning of the file.
type Bundle struct {
	All     []Head    `json:"heads"`
	Lessons []*Lesson `json:"lessons"`
}

// ReadBundle reads the JSON of a bundle.
func ReadBundle(text []byte) (*Bundle, error) {
	var b Bundle
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, fmt.Errorf("this is no bundle of lessons: %w", err)
	}
	b.Lessons = slices.DeleteFunc(b.Lessons, func(l *Lesson) bool { return l == nil })
	return &b, nil
}

// ReadHeads reads the heads of the JSON of a bundle, and not the lessons behind them.
func ReadHeads(r io.Reader) (*Bundle, error) {
	var b Bundle
	d := json.NewDecoder(r)
	for _, want := range []json.Token{json.Delim('{'), "heads"} {
		switch got, err := d.Token(); {
		case err != nil:
			return nil, fmt.Errorf("this is no bundle of lessons: %w", err)
		case got != want:
			return nil, fmt.Errorf("this is no bundle of lessons: %v where %v is expected", got, want)
		}
	}
	if err := d.Decode(&b.All); err != nil {
		return nil, fmt.Errorf("this is no bundle of lessons: %w", err)
	}
	return &b, nil
}

// Heads implements Library.
func (b *Bundle) Heads(lang string) (heads []Head, err error) {
	for _, h := range b.All {
		if h.Lang == lang || h.Lang == "en" && !slices.Contains(h.Langs, lang) {
			heads = append(heads, h)
		}
	}
	return heads, nil
}

// Open implements Library. Values of parameters need a computation, which a bundle does not have.
func (b *Bundle) Open(_ context.Context, name, lang, set string, values map[string]string) (*Lesson, error) {
	if len(values) > 0 {
		return nil, errors.New("this page has the lessons for the sets of their parameters; whorl lesson takes other values")
	}
	var english *Lesson
	for _, l := range b.Lessons {
		if l.Name != name || l.Set != set {
			continue
		}
		if l.Lang == lang {
			return l, nil
		}
		if l.Lang == "en" {
			english = l
		}
	}
	if english == nil {
		return nil, fmt.Errorf("there is no lesson %s with the set %q", name, set)
	}
	return english, nil
}

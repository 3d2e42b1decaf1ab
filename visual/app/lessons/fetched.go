package lessons

import (
	"context"
	"io"
	"sync"

	"whorl/lesson"
	"whorl/visual/documents"
)

// mostBundle bounds the size of the lessons beside a page, in bytes.
const mostBundle = 64 << 20

// A Fetched is the library in a file beside the page, which is read when the first lesson is wanted.
type Fetched struct {
	File *documents.File

	mu     sync.Mutex
	bundle *lesson.Bundle
}

// load reads the file. After a failure the next call tries again.
func (f *Fetched) load() (*lesson.Bundle, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bundle != nil {
		return f.bundle, nil
	}
	r, err := f.File.Read()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, mostBundle))
	if err != nil {
		return nil, err
	}
	f.bundle, err = lesson.ReadBundle(text)
	return f.bundle, err
}

// Heads implements lesson.Library.
func (f *Fetched) Heads(lang string) ([]lesson.Head, error) {
	b, err := f.load()
	if err != nil {
		return nil, err
	}
	return b.Heads(lang)
}

// Open implements lesson.Library.
func (f *Fetched) Open(ctx context.Context, name, lang, set string, values map[string]string) (*lesson.Lesson, error) {
	b, err := f.load()
	if err != nil {
		return nil, err
	}
	return b.Open(ctx, name, lang, set, values)
}

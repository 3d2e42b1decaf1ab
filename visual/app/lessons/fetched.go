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

// A Fetched is the library in a file beside the page. The list of the lessons needs only its beginning; the rest is read when the first lesson is wanted.
type Fetched struct {
	File *documents.File

	mu     sync.Mutex
	heads  *lesson.Bundle // without lessons
	bundle *lesson.Bundle
}

// Heads implements lesson.Library.
func (f *Fetched) Heads(lang string) ([]lesson.Head, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.heads == nil {
		r, err := f.File.Read()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		if f.heads, err = lesson.ReadHeads(io.LimitReader(r, mostBundle)); err != nil {
			return nil, err
		}
	}
	return f.heads.Heads(lang)
}

// Open implements lesson.Library. After a failure the next call reads the file again.
func (f *Fetched) Open(ctx context.Context, name, lang, set string, values map[string]string) (*lesson.Lesson, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bundle == nil {
		r, err := f.File.Read()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		text, err := io.ReadAll(io.LimitReader(r, mostBundle))
		if err != nil {
			return nil, err
		}
		if f.bundle, err = lesson.ReadBundle(text); err != nil {
			return nil, err
		}
	}
	return f.bundle.Open(ctx, name, lang, set, values)
}

package experiment

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// Files are the files that somebody writes. What cannot be written whole leaves what was there before as it was. The zero Files is ready.
type Files struct {
	mu      sync.Mutex
	givenUp bool
	begun   map[*part]bool
}

// A part is a file that is not whole yet.
type part struct {
	*os.File
	target string // what it becomes; "" where it is written in place
}

// Write makes a file of what fill writes, buffered. A regular file takes its place only when it is whole, under another name in the same
// folder until then; a pipe or a device is written to as it is. Links are followed. An InputError says that nothing can be written there,
// an OutputError that it could not be written to its end.
func (f *Files) Write(path string, fill func(io.Writer) error) error {
	p, err := f.begin(path)
	if err != nil {
		return CannotWrite(path, err)
	}
	out := &rememberer{w: p}
	w := bufio.NewWriterSize(out, 1<<16)
	err = fill(w)
	if err == nil {
		_ = w.Flush() // out remembers its error
	}
	if out.err == nil && err == nil {
		out.err = f.finish(p)
	}
	if out.err != nil {
		err = NotWritten(path, out.err)
	}
	f.discard(p)
	return err
}

// GiveUp removes all that is not whole, for good: whoever is still writing does so in vain.
func (f *Files) GiveUp() {
	f.mu.Lock()
	f.givenUp = true
	begun := f.begun
	f.begun = nil
	f.mu.Unlock()
	for p := range begun {
		p.remove()
	}
}

// begin opens what is to be written to path.
func (f *Files) begin(path string) (*part, error) {
	target, info, err := placeOf(path)
	if err != nil {
		return nil, err
	}
	if target == "" {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		return &part{File: file}, err
	}
	if info != nil { // to replace a file is no way to change what one may not write to
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		file.Close()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.givenUp {
		return nil, context.Canceled
	}
	file, err := createBeside(target)
	if err != nil {
		return nil, err
	}
	p := &part{file, target}
	if info != nil {
		err = file.Chmod(info.Mode().Perm())
	}
	if err != nil {
		p.remove()
		return nil, err
	}
	if f.begun == nil {
		f.begun = map[*part]bool{}
	}
	f.begun[p] = true
	return p, nil
}

// placeOf returns the path of the regular file that path stands for, links followed, with what is known of it, nil where there is none yet.
// The path is "" where there is something that is no regular file.
func placeOf(path string) (string, fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		path, err = endOfLinks(path)
		return path, nil, err
	case err != nil:
		return "", nil, err
	case !info.Mode().IsRegular():
		return "", nil, nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", nil, nil // it is there, as Stat says, but has no name: one that is open and was removed
	}
	if again, err := os.Stat(real); err != nil || !os.SameFile(info, again) {
		return "", nil, nil // as above
	}
	return real, info, nil
}

// endOfLinks follows links that lead to nothing.
func endOfLinks(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // it is no link: the end
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("too many links")}
}

// createBeside creates a file of a name of its own in the folder of path.
func createBeside(path string) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".whorl-%08x", rand.Uint32()))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// finish gives the file its name.
func (f *Files) finish(p *part) error {
	err := p.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil || p.target == "" {
		return err
	}
	if !f.begun[p] {
		return context.Canceled
	}
	if err := os.Rename(p.Name(), p.target); err != nil {
		return err
	}
	delete(f.begun, p)
	return nil
}

// discard removes the file unless it has been finished.
func (f *Files) discard(p *part) {
	f.mu.Lock()
	begun := f.begun[p]
	delete(f.begun, p)
	f.mu.Unlock()
	if begun {
		p.remove()
	} else {
		p.Close()
	}
}

func (p *part) remove() {
	p.Close()
	os.Remove(p.Name())
}

// A rememberer remembers the first error in writing, whatever becomes of it above.
type rememberer struct {
	w   io.Writer
	err error
}

func (r *rememberer) Write(b []byte) (int, error) {
	n, err := r.w.Write(b)
	if r.err == nil {
		r.err = err
	}
	return n, err
}

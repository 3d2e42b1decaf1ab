package files

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

// A Writer writes files atomically: a failed write leaves the old file unchanged. The zero Writer is ready to use and safe for concurrent use.
type Writer struct {
	mu        sync.Mutex
	abandoned bool
	parts     map[*part]bool // begun and not finished
}

// A part is a file that is not complete yet.
type part struct {
	*os.File
	target string // its final name; "" for a pipe or device, which is written in place
}

// Write writes the output of fill to the file path, through a buffer. It writes to a temporary file in the same folder and renames it at the end;
// it writes a pipe or a device directly. It follows links. It returns the error of fill, or an *OutputError if the file could not be completed.
func (w *Writer) Write(path string, fill func(io.Writer) error) error {
	p, err := w.begin(path)
	if err != nil {
		return CannotWrite(path, err)
	}
	out := &errorKeeper{w: p}
	buffer := bufio.NewWriterSize(out, 1<<16)
	err = fill(buffer)
	if err == nil {
		_ = buffer.Flush() // out records the error
	}
	if out.err == nil && err == nil {
		out.err = w.finish(p)
	}
	if out.err != nil {
		err = CannotWrite(path, out.err)
	}
	w.discard(p)
	return err
}

// Abandon removes all incomplete files. Current and later writes fail.
func (w *Writer) Abandon() {
	w.mu.Lock()
	w.abandoned = true
	parts := w.parts
	w.parts = nil
	w.mu.Unlock()
	for p := range parts {
		p.remove()
	}
}

// begin opens the file that receives the bytes for path.
func (w *Writer) begin(path string) (*part, error) {
	target, info, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if target == "" {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		return &part{File: file}, err
	}
	if info != nil { // replacing a file must respect its permissions
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		file.Close()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.abandoned {
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
	if w.parts == nil {
		w.parts = map[*part]bool{}
	}
	w.parts[p] = true
	return p, nil
}

// resolve follows the links of path and returns the path and state of the file; the state is nil if there is no file yet. The target is "" for a
// file that is not regular.
func resolve(path string) (target string, info fs.FileInfo, err error) {
	info, err = os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		target, err = endOfLinks(path)
		return target, nil, err
	case err != nil:
		return "", nil, err
	case !info.Mode().IsRegular():
		return "", nil, nil
	}
	// Stat also finds removed files that are still open, such as /dev/fd/1. They have no name and are written in place.
	target, err = filepath.EvalSymlinks(path)
	if err != nil {
		return "", nil, nil
	}
	if again, err := os.Stat(target); err != nil || !os.SameFile(info, again) {
		return "", nil, nil
	}
	return target, info, nil
}

// endOfLinks follows links to a file that does not exist.
func endOfLinks(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link
		}
		if !filepath.IsAbs(to) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("too many links")}
}

// createBeside creates a file with a new name in the folder of path.
func createBeside(path string) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".whorl-%08x", rand.Uint32()))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// finish closes the file and gives it its final name.
func (w *Writer) finish(p *part) error {
	err := p.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || p.target == "" {
		return err
	}
	if !w.parts[p] {
		return context.Canceled
	}
	if err := os.Rename(p.Name(), p.target); err != nil {
		return err
	}
	delete(w.parts, p)
	return nil
}

// discard removes the file unless it is finished.
func (w *Writer) discard(p *part) {
	w.mu.Lock()
	begun := w.parts[p]
	delete(w.parts, p)
	w.mu.Unlock()
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

// An errorKeeper keeps the first write error, because the writer above it may drop it.
type errorKeeper struct {
	w   io.Writer
	err error
}

func (k *errorKeeper) Write(b []byte) (int, error) {
	n, err := k.w.Write(b)
	if k.err == nil {
		k.err = err
	}
	return n, err
}

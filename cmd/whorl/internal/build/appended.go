package build

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"whorl/internal/files"
)

// An Appended is a program in HPF that is appended to a copy of whorl, which runs it. The texts of its files are followed by their length, in 8 bytes, and by
// a mark.
type Appended struct {
	Program string            `json:"program"`           // the first source file
	More    []string          `json:"more,omitempty"`    // the other source files
	Defines []string          `json:"defines,omitempty"` // macros of the preprocessor
	Texts   map[string]string `json:"texts"`             // by name: the sources, and the files that they include
}

const mark = "whorl: program\n\x00"

const mostTexts = 1 << 30 // bytes

// Write writes a copy of this whorl with the program.
func (a *Appended) Write(w io.Writer) error {
	for _, v := range [][2]string{{"GOOS", runtime.GOOS}, {"GOARCH", runtime.GOARCH}} {
		if want := os.Getenv(v[0]); want != "" && want != v[1] {
			return fmt.Errorf("%s is %s, but a program in HPF is built into this whorl, which is for %s", v[0], want, v[1])
		}
	}
	path, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return files.OpenError(path, err)
	}
	defer f.Close()
	if _, err := io.Copy(w, f); err != nil {
		return err
	}
	texts, err := json.Marshal(a)
	if err != nil {
		return err
	}
	texts = binary.LittleEndian.AppendUint64(texts, uint64(len(texts)))
	_, err = w.Write(append(texts, mark...))
	return err
}

// Own returns the program that is appended to the running whorl, nil for none.
func Own() (*Appended, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, nil // whorl works without knowing its file
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	return read(f)
}

// read returns the program at the end of a file, nil for none.
func read(f io.ReadSeeker) (*Appended, error) {
	const trailer = 8 + len(mark)
	end, err := f.Seek(-int64(trailer), io.SeekEnd)
	if err != nil {
		return nil, nil // the file is too short
	}
	var last [trailer]byte
	if _, err := io.ReadFull(f, last[:]); err != nil || string(last[8:]) != mark {
		return nil, nil
	}
	n := binary.LittleEndian.Uint64(last[:])
	if n > mostTexts || int64(n) > end {
		return nil, errors.New("the program in this file is damaged: build it again")
	}
	if _, err := f.Seek(end-int64(n), io.SeekStart); err != nil {
		return nil, err
	}
	a := &Appended{}
	if err := json.NewDecoder(io.LimitReader(f, int64(n))).Decode(a); err != nil || a.Program == "" {
		return nil, errors.New("the program in this file is damaged: build it again")
	}
	return a, nil
}

// Read reads a file of the program, or another one of this computer, of at most so many bytes.
func (a *Appended) Read(path string, most int64) (string, error) {
	if text, ok := a.Texts[path]; ok {
		return text, nil
	}
	return files.ReadText(path, most)
}

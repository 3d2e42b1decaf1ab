//go:build !js

package lesson

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"whorl/internal/files"
)

// mostProgress bounds the file of the progress in bytes.
const mostProgress = 16 << 20

// ProgressFile returns the path of the file with the progress of this user, "" if the system has no folder for settings.
func ProgressFile() string {
	settings, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(settings, "whorl", "lessons.json")
}

// LoadProgress reads the file of the progress. A file that does not exist is that of a beginner.
func LoadProgress(path string) (Progress, error) {
	if path == "" {
		return Progress{}, nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return Progress{}, nil
	}
	text, err := files.ReadText(path, mostProgress)
	if err != nil {
		return Progress{}, err
	}
	p, err := ReadProgress([]byte(text))
	if err != nil {
		return p, fmt.Errorf("%s: it is not the progress of lessons: %w", path, err)
	}
	return p, nil
}

// Save writes the file of the progress and makes its folder. An empty path keeps nothing.
func (p *Progress) Save(path string) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return files.CannotWrite(path, err)
	}
	return new(files.Writer).Write(path, func(w io.Writer) error {
		_, err := w.Write(p.Write())
		return err
	})
}

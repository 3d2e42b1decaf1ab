//go:build !js

package paje

import (
	"io/fs"

	"whorl/tracer"
	"whorl/tracer/formats/gzipped"
	"whorl/tracer/formats/profile"
)

// Read reads a trace, compressed or not, into rec, and does not close rec. An error means that nothing could be read. The metadata count the missing
// parts of the trace.
func Read(f profile.File, rec tracer.Recorder, o profile.Options) error {
	return read(f, nil, rec, o)
}

// ReadIn reads a trace and the files beside it: tasks.rec of StarPU has the dependences between tasks.
func ReadIn(folder fs.FS, name string, rec tracer.Recorder, o profile.Options) error {
	f, err := folder.Open(name)
	if err != nil {
		return &profile.FileError{Name: name, Err: err}
	}
	defer f.Close()
	return read(profile.File{Name: name, R: f}, folder, rec, o)
}

func read(f profile.File, folder fs.FS, rec tracer.Recorder, o profile.Options) error {
	in, err := gzipped.Reader(f.R)
	if err != nil {
		return &profile.FileError{Name: f.Name, Err: err}
	}
	r := newReader(in, rec, o)
	r.first = r.stream("tasks")
	if folder != nil {
		if tasks, err := folder.Open("tasks.rec"); err == nil {
			r.readTasks(tasks)
			tasks.Close()
		}
	}
	r.read()
	if err := r.finish(); err != nil {
		return &profile.FileError{Name: f.Name, Err: err}
	}
	return nil
}

// Package folder holds the files of a program: those below a folder of this computer, or files in memory.
//
// A program cannot reach a file outside of its folder, neither by a path nor by a symbolic link. Files in memory belong to one
// run, and their bytes are counted.
package folder

import "io"

// A Folder holds files by name.
type Folder interface {
	// Open opens a file. A file that does not exist is created with Create, and is an error without it. Truncate empties it.
	Open(name string, how How) (File, error)
	// Exists reports whether there is a file of the name.
	Exists(name string) bool
	// Remove deletes a file.
	Remove(name string) error
	// Scratch opens a new file without a name, which is deleted when it is closed.
	Scratch() (File, error)
}

// How describes how a file is opened.
type How struct {
	Read, Write      bool
	Create, Truncate bool
	New              bool // the file must not exist
}

// A File is an open file.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Size() (int64, error)
}

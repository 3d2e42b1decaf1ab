// Package symbol names the code of the running process: functions and lines, for errors and in the dictionary of a
// trace.
package symbol

import (
	"fmt"
	"runtime"
	"strings"
)

// Function returns the short name of the function with the given entry point.
func Function(entry uintptr) string {
	if f := runtime.FuncForPC(entry); f != nil {
		return Short(f.Name())
	}
	return "a function"
}

// Short removes the directories of the package path.
func Short(name string) string {
	cut := strings.LastIndexByte(name, '/') + 1
	if dot := strings.LastIndexByte(name, '['); dot > 0 && dot < cut { // a type argument has a path of its own
		cut = strings.LastIndexByte(name[:dot], '/') + 1
	}
	return strings.TrimSuffix(name[cut:], "[...]")
}

// A Position is a place in the program.
type Position struct {
	Function string // short name
	Path     string // of the source file; "" if it is unknown
	Line     int
}

// Locate returns the position of the call that returns to pc, or of the function with the given entry point if pc is 0 or
// unknown.
func Locate(pc, entry uintptr) Position {
	if pc != 0 {
		if f, _ := runtime.CallersFrames([]uintptr{pc}).Next(); f.File != "" {
			return Position{Short(f.Function), f.File, f.Line}
		}
	}
	p := Position{Function: Function(entry)}
	if f := runtime.FuncForPC(entry); f != nil {
		p.Path, p.Line = f.FileLine(entry)
	}
	return p
}

// String returns file:line, or the function if the file is unknown.
func (p Position) String() string {
	if p.Path == "" {
		return p.Function
	}
	return fmt.Sprintf("%s:%d", p.Path, p.Line)
}

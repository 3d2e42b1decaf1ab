package unit

import (
	"errors"
	"io/fs"
)

// An Error is an error of input or output, with the number that IOSTAT= gets.
type Error struct {
	Code int64
	Text string
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Numbers of IOSTAT=, as gfortran has them.
const (
	CodeEnd        = -1
	CodeRecord     = -2
	codeMissing    = 2  // no such file
	codeExists     = 17 // the file exists
	codePermission = 13
	CodeOS         = 5000
	codeConflict   = 5001
	CodeOption     = 5002
	codeNeeded     = 5003
	codeUnit       = 5005
	CodeFormat     = 5006
	codeAction     = 5007
	CodeValue      = 5010
	codeDirect     = 5015
	codeShort      = 5016
	codeCorrupt    = 5017
)

// NotConnected is the error of a unit without a connection.
var NotConnected error = &Error{codeUnit, "the unit is not connected"}

// EndOfRecord is the error where a record is too short for a statement.
var EndOfRecord error = &Error{CodeRecord, "end of the record"}

// ofSystem returns an error of the file system with its number.
func ofSystem(err error) error {
	code := int64(CodeOS)
	var text string
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		code, text = codeMissing, "no such file"
	case errors.Is(err, fs.ErrExist):
		code, text = codeExists, "the file exists already"
	case errors.Is(err, fs.ErrPermission):
		code, text = codePermission, "permission denied"
	}
	var path *fs.PathError
	switch {
	case text != "":
	case errors.As(err, &path):
		text = path.Err.Error()
	default:
		text = err.Error()
	}
	return &Error{code, text}
}

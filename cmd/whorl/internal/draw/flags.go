package draw

import (
	"fmt"
	"strconv"
	"strings"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// cameraFlag is the value of a flag with a camera in an area (view.ParseCamera). The zero cameraFlag shows everything.
type cameraFlag struct {
	camera view.Camera
	area   scene.Rect
}

// Set parses a camera.
func (f *cameraFlag) Set(text string) (err error) {
	f.camera, f.area, err = view.ParseCamera(text)
	return err
}

func (f *cameraFlag) String() string {
	if f.camera.Scale == 0 {
		return ""
	}
	return f.camera.Format(f.area)
}

// Type returns the name of the type in package pflag.
func (*cameraFlag) Type() string { return "camera" }

// linesFlag is the value of a flag with lines of a source file: FILE:FIRST..LAST or FILE:LINE. The zero linesFlag names none.
type linesFlag struct{ lines *view.Lines }

// Set parses lines.
func (f *linesFlag) Set(text string) error {
	i := strings.LastIndexByte(text, ':')
	if i < 1 {
		return strconv.ErrSyntax
	}
	a, b, many := strings.Cut(text[i+1:], "..")
	if !many {
		b = a
	}
	first, err := strconv.ParseInt(a, 10, 32)
	last, err2 := strconv.ParseInt(b, 10, 32)
	if err != nil || err2 != nil || first < 1 || last < first {
		return strconv.ErrSyntax
	}
	f.lines = &view.Lines{File: text[:i], First: int32(first), Last: int32(last)}
	return nil
}

func (f *linesFlag) String() string {
	if f.lines == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d..%d", f.lines.File, f.lines.First, f.lines.End())
}

// Type returns the name of the type in package pflag.
func (*linesFlag) Type() string { return "lines" }

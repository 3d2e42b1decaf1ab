package experiment

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/tracer/formats/profile"
)

// sourceEndings are those of source files. A profile may come from anyone, and a trace may go to anyone: no other files are put into one
// because a profile names them.
var sourceEndings = []string{
	".ada", ".adb", ".ads", ".asm", ".c", ".c++", ".cc", ".cpp", ".cs", ".cu", ".cxx", ".d", ".f", ".f03", ".f08", ".f77", ".f90", ".f95", ".fghc", ".for",
	".fpp", ".ftn", ".go", ".h", ".h++", ".hh", ".hpf", ".hpp", ".hs", ".hxx", ".inc", ".inl", ".ipp", ".java", ".jl", ".js", ".kl1", ".kt", ".lua", ".m", ".ml", ".mm",
	".nim", ".pas", ".php", ".pl", ".py", ".pyx", ".rb", ".rs", ".s", ".scala", ".swift", ".sx", ".tcc", ".ts", ".v", ".zig",
}

// source returns the text of a source file that a profile names: from where it says, or under one of the folders, in which the end of the name
// is looked for, the longest first.
func (o *Reading) source(name string) (string, bool) {
	if !slices.Contains(sourceEndings, strings.ToLower(filepath.Ext(name))) {
		return "", false
	}
	parts := strings.FieldsFunc(filepath.ToSlash(filepath.Clean(name)), func(r rune) bool { return r == '/' })
	for _, dir := range o.Sources {
		for i := range parts {
			if text, ok := sourceText(filepath.Join(dir, filepath.Join(parts[i:]...))); ok {
				return text, true
			}
		}
	}
	return sourceText(name)
}

// sourceText reads a file of a text that is not much longer than may be kept: the rest is cut, and the length tells.
func sourceText(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, profile.MostSource+1))
	return string(b), err == nil
}

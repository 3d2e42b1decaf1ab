package open

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/tracer/formats/profile"
)

// sourceEndings are the extensions of source files. Profiles and traces are exchanged between users, so a profile that names any other file must
// not bring that file into a trace.
var sourceEndings = []string{
	".ada", ".adb", ".ads", ".asm", ".c", ".c++", ".cc", ".cpp", ".cs", ".cu", ".cxx", ".d", ".f", ".f03", ".f08", ".f77", ".f90", ".f95", ".fghc", ".for",
	".fpp", ".ftn", ".go", ".h", ".h++", ".hh", ".hpf", ".hpp", ".hs", ".hxx", ".inc", ".inl", ".ipp", ".java", ".jl", ".js", ".kl1", ".kt", ".lua", ".m", ".ml", ".mm",
	".nim", ".pas", ".php", ".pl", ".py", ".pyx", ".rb", ".rs", ".s", ".scala", ".swift", ".sx", ".tcc", ".ts", ".v", ".zig",
}

// source returns the text of a source file that a profile names. It searches the folders of o.Sources for suffixes of the path, the longest first,
// and then tries the path itself.
func (o *Options) source(name string) (string, bool) {
	if !slices.Contains(sourceEndings, strings.ToLower(filepath.Ext(name))) {
		return "", false
	}
	parts := strings.FieldsFunc(filepath.ToSlash(filepath.Clean(name)), func(r rune) bool { return r == '/' })
	for _, folder := range o.Sources {
		for i := range parts {
			if text, ok := sourceText(filepath.Join(folder, filepath.Join(parts[i:]...))); ok {
				return text, true
			}
		}
	}
	return sourceText(name)
}

// sourceText reads at most one byte more than a trace keeps of a source file, so that the caller can detect a file that is too long.
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

package shares

import (
	"path"
	"strings"
)

// PackageOf returns the package, module or namespace of a function, or the name of its file without a folder if the function's name has none: net/http of
// net/http.(*conn).serve, std::vector of std::vector<int>::push_back, java.util of java.util.HashMap.put. It is "" if nothing is known.
func PackageOf(function, file string) string {
	name := function
	if i := strings.IndexAny(name, "(<{["); i > 0 { // arguments, receivers and parameters of types
		name = name[:i]
	}
	file = path.Base(strings.ReplaceAll(file, `\`, "/"))
	if i := strings.LastIndex(name, "::"); i > 0 {
		return lastWord(name[:i])
	}
	slash := strings.LastIndexByte(name, '/')
	dot := strings.IndexByte(name[slash+1:], '.')
	switch {
	case dot <= 0:
	case slash > 0 && strings.HasSuffix(file, ".java"):
		return name[:slash]
	case strings.HasSuffix(file, ".java") || strings.Count(name, ".") > 1 && slash < 0: // package.Class.method
		if i := strings.LastIndexByte(name, '.'); strings.LastIndexByte(name[:i], '.') > 0 {
			return name[:strings.LastIndexByte(name[:i], '.')]
		}
		return name[:strings.LastIndexByte(name, '.')]
	default:
		return name[:slash+1+dot]
	}
	if slash > 0 && strings.Trim(name[slash+1:], "0123456789") != "" { // java/util/HashMap, but not the arity of fib/2
		return name[:slash]
	}
	if file == "." || file == "/" {
		return ""
	}
	return file
}

// lastWord returns a name without the type that a C++ function returns.
func lastWord(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// The kinds of code.
const (
	kernel  = "kernel"
	runtime = "runtime"
	user    = "user"
)

// libraries are the beginnings of the names of files that belong to the run time of languages.
var libraries = []string{
	"libc.", "libc-", "libc++", "libstdc++", "libm.", "libm-", "libgcc", "libpthread", "ld-linux", "ld-2", "libdl", "librt", "[vdso]", "[vsyscall]", "libjvm",
	"libpython", "libgfortran", "libgomp", "libomp", "libiomp", "ntdll", "ucrtbase", "msvcrt", "libsystem_", "libdyld", "<frozen",
}

// packages are the packages of the run time of languages, with those below them.
var packages = []string{"runtime", "internal/runtime", "syscall", "internal/syscall", "std", "core", "alloc", "java", "jdk", "sun", "__gnu_cxx", "__libc_start"}

// KindOf returns the kind of a function's code. Names of kernel functions end with _[k] in some profiles; their files are [kernel.kallsyms] or modules.
func KindOf(function, file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if strings.HasSuffix(function, "_[k]") || strings.HasPrefix(file, "[kernel") || strings.HasPrefix(file, "[guest.kernel") || strings.HasSuffix(base, ".ko") ||
		strings.HasSuffix(base, ".ko.xz") || base == "vmlinux" || function == "[kernel]" {
		return kernel
	}
	for _, l := range libraries {
		if strings.HasPrefix(base, l) || strings.HasPrefix(function, l) {
			return runtime
		}
	}
	of := PackageOf(function, "")
	for _, p := range packages {
		if rest, ok := strings.CutPrefix(of, p); ok && (rest == "" || strings.ContainsAny(rest[:1], "/.:")) {
			return runtime
		}
	}
	return user
}

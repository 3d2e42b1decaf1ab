package profile

import (
	"regexp"
	"strings"
)

// Demangle returns the name of a function as it stands in its source: C++ and Rust without the types of arguments, Java with dots. Other names stay as
// they are, and so do those of Swift. In the page those of C++ and Rust stay too, because their
// demangler is large.
func Demangle(name string) string {
	switch {
	case strings.HasPrefix(name, "_"), strings.HasPrefix(name, "?"):
		return plain(name)
	case strings.HasPrefix(name, "L") && strings.Contains(name, ":"):
		if m := method.FindStringSubmatch(name); m != nil {
			return strings.ReplaceAll(m[1], "/", ".") + "." + m[2]
		}
	}
	return name
}

// method matches a method of Java with the descriptor of its class, as perf-map-agent writes it (Ljava/util/HashMap;::put) and stackcollapse-perf.pl
// rewrites it, in whose files a semicolon separates frames (Ljava/util/HashMap:.put).
var method = regexp.MustCompile(`^L([\pL\pN_$]+(?:/[\pL\pN_$]+)*)(?:;::|:::|:\.|;\.)([\pL_$<].*)$`)

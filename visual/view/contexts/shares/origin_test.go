package shares

import (
	"strings"
	"testing"
)

// TestOrigin shows packages and kinds of functions of several languages.
func TestOrigin(t *testing.T) {
	for _, c := range []struct{ function, file, of, kind string }{
		{"net/http.(*conn).serve", "server.go", "net/http", user},
		{"main.main", "/src/main.go", "main", user},
		{"main.run[...].func1", "/src/main.go", "main", user},
		{"github.com/a/b.v2/c.F", "", "github.com/a/b.v2/c", user},
		{"runtime.mallocgc", "malloc.go", "runtime", runtime},
		{"internal/runtime/maps.(*Map).getWithoutKey", "", "internal/runtime/maps", runtime},
		{"std::vector<int>::push_back(int const&)", "/usr/bin/x", "std", runtime},
		{"int ns::f(int)", "/usr/bin/x", "ns", user},
		{"core::ptr::drop_in_place", "", "core::ptr", runtime},
		{"java.util.HashMap.put", "HashMap.java", "java.util", runtime},
		{"java/util/HashMap.put", "HashMap.java", "java/util", runtime},
		{"org.acme.Main.main", "", "org.acme", user},
		{"malloc", "/lib/x86_64-linux-gnu/libc.so.6", "libc.so.6", runtime},
		{"do_syscall_64", "[kernel.kallsyms]", "[kernel.kallsyms]", kernel},
		{"do_syscall_64_[k]", "", "", kernel},
		{"ext4_write", "/lib/modules/ext4.ko", "ext4.ko", kernel},
		{"kernel", "solver.f90", "solver.f90", user},
		{"fib/2", "", "", user},
		{"", "", "", user},
		{"a.", ".", "a", user},
	} {
		if of, kind := PackageOf(c.function, c.file), KindOf(c.function, c.file); of != c.of || kind != c.kind {
			t.Errorf("%s of %s: package %q, kind %s; want %q, %s", c.function, c.file, of, kind, c.of, c.kind)
		}
	}
}

// TestShorter shows the shorter forms of names, which brackets do not cut.
func TestShorter(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"net/http.(*conn).serve", "net/http.(*conn).serve http.(*conn).serve serve"},
		{"pgregory.net/rapid.newGen[go.shape.int]", "pgregory.net/rapid.newGen[go.shape.int] rapid.newGen[go.shape.int] newGen[go.shape.int]"},
		{"std::map<a::b>::at(c::d)", "std::map<a::b>::at(c::d) at(c::d)"},
		{"[libc.so.6]", "[libc.so.6]"},
		{"fib/2", "fib/2"},
		{"f", "f"},
		{"a)b.c(", "a)b.c( c("},
	} {
		if got := strings.Join(Shorter(c.name), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

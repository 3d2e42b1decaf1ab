package saving

import "testing"

// TestNearPath: workspaces name traces relative to themselves.
func TestNearPath(t *testing.T) {
	for _, c := range []struct{ trace, workspace, want string }{
		{"/a/b/x.whorl", "/a/b/w.toml", "x.whorl"},
		{"/a/b/c/x.whorl", "/a/b/w.toml", "c/x.whorl"},
		{"/a/t/x.whorl", "/a/w/w.toml", "../t/x.whorl"},
		{"/t/x.whorl", "/a/w/w.toml", "/t/x.whorl"},
		{"/t/x.whorl", "/w.toml", "t/x.whorl"},
		{"/t/x.whorl", "", "/t/x.whorl"},
		{"", "/w.toml", ""},
	} {
		if got := nearPath(c.trace, c.workspace); got != c.want {
			t.Errorf("the workspace %s names %s as %s, want %s", c.workspace, c.trace, got, c.want)
		}
	}
}

// TestFileNames: suggested names need no quotes in a shell.
func TestFileNames(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"pascal 35, 5 PEs, on-demand-kaleidoscope", "pascal-35-5-PEs-on-demand-kaleidoscope"},
		{"a/b\\c (2)", "a-b-c-2"},
		{"三角形_x.1", "三角形_x.1"},
	} {
		if got := FileName(c.name); got != c.want {
			t.Errorf("%q is saved as %q, want %q", c.name, got, c.want)
		}
	}
}

package client

import (
	"os"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/share"
)

// TestKeep: the next program of a user has the secret of the person who joined by the same link.
func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "whorl", "person")
	access := func(token string) *share.Access {
		at := share.Address{URL: "http://a/", Token: token}
		a := New(at, nil, nil).Access("ada")
		keepIn(path, at, a)
		return a
	}
	first := access("t")
	if first.Secret != "" || first.IfAway {
		t.Errorf("the first program has %+v", first)
	}
	first.Keep("ada", "s3cret")
	if a := access("t"); a.Secret != "s3cret" || !a.IfAway {
		t.Errorf("the next one has %+v", a)
	}
	if a := access("u"); a.Secret != "" || a.IfAway {
		t.Errorf("with another link it has %+v", a)
	}
}

// TestDevice: the text is the same in each program of a user, differs between servers and users, and replaces what is damaged.
func TestDevice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "whorl", "device")
	here, there := share.Address{URL: "http://a/"}, share.Address{URL: "http://b/"}
	first := deviceIn(path, here)
	if first == "" || deviceIn(path, here) != first || deviceIn(path, there) == first {
		t.Errorf("%q, %q, at another server %q", first, deviceIn(path, here), deviceIn(path, there))
	}
	must.Do(t, os.WriteFile(path, nil, 0o600))
	if other := deviceIn(path, here); other == first || other == "" || deviceIn(path, here) != other {
		t.Errorf("after the loss of the file: %q", other)
	}
	if got := deviceIn(filepath.Join(path, "below"), here); got != "" {
		t.Errorf("where nothing can be written: %q", got)
	}
}

// Package must ends tests at errors that they do not expect.
package must

// TB is the part of testing.TB that the package needs. Tests of rapid have it too.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Get returns the value of a call, and ends the test if the call fails:
//
//	f := must.Get(store.Open(path))(t)
func Get[T any](value T, err error) func(TB) T {
	return func(t TB) T {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Do ends the test if err is not nil.
func Do(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

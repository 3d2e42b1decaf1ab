//go:build !js

package profile

import "github.com/ianlancetaylor/demangle"

// plain demangles a name of C++ or Rust.
func plain(name string) string { return demangle.Filter(name, demangle.NoParams) }

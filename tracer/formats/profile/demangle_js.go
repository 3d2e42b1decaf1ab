package profile

// plain returns a name of C++ or Rust as it is: the demangler would make the page 3 % larger.
func plain(name string) string { return name }

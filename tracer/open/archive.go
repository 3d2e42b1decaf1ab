package open

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer/formats"
	"whorl/tracer/formats/profile"
)

// Bounds of an archive.
const (
	mostArchived = 1 << 30 // bytes of all members
	mostMembers  = 1 << 17
)

// An archived is a file in a zip or tar archive.
type archived struct {
	name string
	data []byte
}

// zipMagic and tarMagic are the bytes by which archives are recognised, the latter at tarOffset.
const (
	zipMagic  = "PK\x03\x04"
	tarMagic  = "ustar"
	tarOffset = 257
)

// isArchive returns the function that reads the archive that begins with head, nil for other files.
func isArchive(head []byte) func(r io.Reader) ([]archived, error) {
	switch {
	case bytes.HasPrefix(head, []byte(zipMagic)):
		return unzipped
	case len(head) > tarOffset && bytes.HasPrefix(head[tarOffset:], []byte(tarMagic)):
		return untarred
	}
	return nil
}

// unzipped reads the files of a zip archive.
func unzipped(r io.Reader) ([]archived, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostArchived+1))
	if err != nil {
		return nil, err
	}
	if len(data) > mostArchived {
		return nil, tooLong()
	}
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("a zip archive that is cut or damaged: %s", strings.TrimPrefix(err.Error(), "zip: "))
	}
	var c collection
	for _, f := range in.File {
		if !f.Mode().IsRegular() {
			continue
		}
		member, err := f.Open()
		if err == nil {
			err = c.add(f.Name, member)
			member.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("%s in the archive: %w", f.Name, err)
		}
	}
	return c.members, nil
}

func tooLong() error {
	return fmt.Errorf("an archive of more than %s unpacked", figures.Size(mostArchived))
}

// A collection gathers the members of an archive.
type collection struct {
	members []archived
	size    int64
}

// add adds a member. It leaves out files that systems add for themselves: hidden ones, and __MACOSX.
func (c *collection) add(name string, r io.Reader) error {
	name = path.Clean("/" + filepath.ToSlash(name))[1:]
	if strings.HasPrefix(path.Base(name), ".") && path.Base(name) != ".ninja_log" || strings.HasPrefix(name, "__MACOSX/") {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(r, mostArchived-c.size+1))
	if c.size += int64(len(data)); c.size > mostArchived || len(c.members) == mostMembers {
		return tooLong()
	}
	c.members = append(c.members, archived{name, data})
	return err
}

// only returns the one member of an archive that is a trace: the only member, or the only one in a known format.
func only(members []archived) (archived, error) {
	if len(members) == 1 {
		return members[0], nil
	}
	var known []archived
	for _, m := range members {
		if detects(memberHead(m)) {
			known = append(known, m)
		}
	}
	if len(known) == 1 {
		return known[0], nil
	}
	of := known
	if len(known) == 0 {
		of = members
	}
	var names []string
	for _, m := range of[:min(len(of), 3)] {
		names = append(names, m.name)
	}
	text := strings.Join(names, ", ")
	if len(of) > len(names) {
		text += ", ..."
	}
	switch {
	case len(members) == 0:
		return archived{}, errors.New("an archive without files")
	case len(known) == 0:
		return archived{}, fmt.Errorf("an archive of %d files, of which none is a trace of a known format: %s", len(members), text)
	}
	return archived{}, fmt.Errorf("an archive with %d traces (%s): unpack it and open one of them, or open FILE/NAME", len(known), text)
}

// memberHead returns the beginning of the contents of a member, nil for a damaged one.
func memberHead(m archived) []byte {
	_, head, err := unpacked(bytes.NewReader(m.data), detects)
	if err != nil {
		return nil
	}
	return head
}

// membersOf returns the members of an archive, with their paths below that of the archive; none for another file.
func membersOf(archive string) []archived {
	info, err := os.Stat(archive)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(archive)
	if err != nil {
		return nil
	}
	defer f.Close()
	in, head, err := unpacked(f, func(head []byte) bool { return isArchive(head) != nil || detects(head) })
	if err != nil || isArchive(head) == nil {
		return nil
	}
	members, err := isArchive(head)(in)
	if err != nil {
		return nil // whoever opens the file reports it
	}
	for i := range members {
		members[i].name = filepath.Join(archive, filepath.FromSlash(members[i].name))
	}
	slices.SortStableFunc(members, func(a, b archived) int { return profile.Natural(a.name, b.name) })
	return members
}

// profilesOf returns the paths of the profiles in an archive, which are in the given format, or in the first one that has any.
func profilesOf(archive, format string) (paths []string, f formats.Format) {
	members := membersOf(archive)
	heads := map[string][]byte{}
	for _, m := range members {
		paths = append(paths, m.name)
		heads[m.name] = memberHead(m)
	}
	if paths, f = ofFormat(paths, format, func(path string) []byte { return heads[path] }); f.Profile {
		return paths, f
	}
	return nil, formats.Format{}
}

// memberOf returns the member of an archive that a path names behind the path of the archive, and false if there is none. archives keeps the members of
// archives by their paths; it may be nil.
func memberOf(path string, archives map[string][]archived) (archived, bool) {
	for folder := filepath.Dir(path); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		info, err := os.Stat(folder)
		if err != nil {
			continue
		}
		if !info.Mode().IsRegular() {
			return archived{}, false
		}
		members, ok := archives[folder]
		if !ok {
			members = membersOf(folder)
			if archives != nil {
				archives[folder] = members
			}
		}
		i := slices.IndexFunc(members, func(m archived) bool { return m.name == filepath.Clean(path) })
		if i < 0 {
			return archived{}, false
		}
		return members[i], true
	}
	return archived{}, false
}

// openFile opens a file, or a member of an archive.
func openFile(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err == nil {
		return f, nil
	}
	if m, ok := memberOf(path, nil); ok {
		return io.NopCloser(bytes.NewReader(m.data)), nil
	}
	return nil, err
}

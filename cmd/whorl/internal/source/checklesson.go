package source

import (
	"context"
	"os"
	"path/filepath"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/internal/files"
	"whorl/lesson/script/solve"
)

// checkLessons checks files of lessons.
func checkLessons(ctx context.Context, paths []string) (findings []experiment.Finding, err error) {
	for _, path := range paths {
		if err := files.CheckRegular(path); err != nil {
			return nil, err
		}
		dir := filepath.Dir(path)
		folder, err := os.OpenRoot(dir)
		if err != nil {
			return nil, files.OpenError(dir, err)
		}
		list, err := solve.Check(ctx, folder.FS(), filepath.ToSlash(dir), filepath.Base(path))
		folder.Close()
		if err != nil {
			return nil, command.InFile(path, err)
		}
		for _, f := range list {
			findings = append(findings, experiment.Finding{Error: f, End: f.Pos})
		}
	}
	return findings, nil
}

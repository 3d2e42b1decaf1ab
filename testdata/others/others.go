// Package others finds the programs of others with which tests read files that Whorl writes. tools/others.sh installs them.
package others

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
)

// Node returns the path of node and the path of the folder with the packages that it runs. It skips the test if one of them is missing.
func Node(t *testing.T) (node, folder string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	root := must.Get(os.Getwd())(t)
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if root == filepath.Dir(root) {
			t.Fatal("the test runs outside of the module")
		}
		root = filepath.Dir(root)
	}
	folder = filepath.Join(root, "bin", "others", "node_modules")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("tools/others.sh has installed nothing")
	}
	return node, folder
}

#!/bin/bash
# Installs the programs of others with which tests read the files that Whorl writes: view3dscene for VRML and X3D, and, in bin/others, packages
# for node (tools/others/package.json). Without them those tests are left out.
here=$(dirname "$0")
"$here"/need.sh tovrmlx3d view3dscene || echo "test: left out: VRML and X3D in view3dscene"
if cmp -s "$here"/others/package.json bin/others/package.json; then exit 0; fi
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
	echo "test: left out: VRML, X3D and glTF in programs that node runs, which needs node and npm"
	exit 0
fi
mkdir -p bin/others/new
cp "$here"/others/package.json bin/others/new
if (cd bin/others/new && timeout 300 npm install --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error >/dev/null </dev/null); then
	rm -rf bin/others/node_modules
	mv bin/others/new/node_modules bin/others/new/package.json bin/others
else
	echo "test: left out: VRML, X3D and glTF in programs that node runs, which npm cannot install"
fi
rm -rf bin/others/new

#!/bin/bash
# page.sh FOLDER: the page of the viewer, put into the folder, from which any web server can serve it. Says how large it is.
set -euo pipefail
out=$1
built=bin/whorl-view.wasm
mkdir -p "$out" bin
GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o "$built.new" ./cmd/whorl-view
if ! cmp -s "$built.new" "$built" || [ ! -e "$out/whorl.wasm.gz" ]; then
	gzip -9 -n -c "$built.new" >"$out/whorl.wasm.gz.new"
	mv "$out/whorl.wasm.gz.new" "$out/whorl.wasm.gz"
fi
mv "$built.new" "$built"
cp serve/page/* "$out"
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out"
echo '{"traces": []}' >"$out/whorl.json"
echo "$out: $(($(gzip -c "$out"/*.html "$out"/*.js | wc -c) + $(wc -c <"$out/whorl.wasm.gz"))) bytes packed"

#!/bin/bash
# figures.sh WHORL FOLDER: the figures of the papers, drawn anew from runs of our own.
set -euo pipefail
whorl=$1 out=$2
mkdir -p "$out"
size=1200x900

# figure NAME TRACE COLOR: one picture as SVG and PNG.
figure() {
	"$whorl" render "$2" --view kaleidoscope --color "$3" --size $size -o "$out/$1.svg"
	"$whorl" render "$2" --view kaleidoscope --color "$3" --size $size -o "$out/$1.png"
	echo "$out/$1.svg $out/$1.png"
}

# "Kaleidescope Visualization of Fine-Grain Parallel Programs" (Tick and Park 1991), Figures 8 and 13, 15 to 18, 19 and 20.
"$whorl" run fghc/qsort --goal 'qsort([2,1,4,5,3],X)' --pes 4 -o "$out/qsort.whorl" >/dev/null
"$whorl" run fghc/pascal --pes 5 -o "$out/pascal-5pe.whorl" >/dev/null
"$whorl" run fghc/pascal --pes 1 -o "$out/pascal-1pe.whorl" >/dev/null
"$whorl" run fghc/semigroup --pes 5 -o "$out/semigroup-5pe.whorl" >/dev/null

figure vista-08-qsort-procedure "$out/qsort.whorl" procedure
figure vista-15-pascal-procedure "$out/pascal-5pe.whorl" procedure
figure vista-16-pascal-pe "$out/pascal-5pe.whorl" pe
figure vista-17-pascal-time "$out/pascal-5pe.whorl" time
figure vista-18-pascal-time-1pe "$out/pascal-1pe.whorl" time
figure vista-19-semigroup-pe "$out/semigroup-5pe.whorl" pe
figure vista-20-semigroup-time "$out/semigroup-5pe.whorl" time

# threads NAME TRACE [OPTION...]: a thread graph as SVG and PNG.
threads() {
	local name=$1 trace=$2
	shift 2
	"$whorl" render "$trace" --view threadgraph --size $size "$@" -o "$out/$name.svg"
	"$whorl" render "$trace" --view threadgraph --size $size "$@" -o "$out/$name.png"
	echo "$out/$name.svg $out/$name.png"
}

# "Visualization of Parallel Execution Graphs" (Steckelbach et al. 1998), Figures 2 to 5.
WHORL_SOURCE=$PWD "$whorl" run ./cmd/whorl/testdata/figure2 --pes 8 -o "$out/figure2.whorl" >/dev/null
"$whorl" run dts/fibonacci --pes 8 -o "$out/fibonacci.whorl" >/dev/null
"$whorl" run dts/rsa --pes 12 -o "$out/rsa.whorl" >/dev/null
"$whorl" run dts/bubblesort --pes 8 -o "$out/bubblesort.whorl" >/dev/null

threads trevis-2-series-parallel "$out/figure2.whorl"
threads trevis-3-fibonacci "$out/fibonacci.whorl"
threads trevis-4a-rsa-enlarged "$out/rsa.whorl"
threads trevis-4b-rsa-true-scale "$out/rsa.whorl" --set truescale=true
threads trevis-5-bubblesort "$out/bubblesort.whorl"

# lines NAME VIEW: a view of the spike as SVG and PNG.
lines() {
	"$whorl" render "$out/spike.whorl" --view "$2" --palette spectrum --size $size -o "$out/$1.svg"
	"$whorl" render "$out/spike.whorl" --view "$2" --palette spectrum --size $size -o "$out/$1.png"
	echo "$out/$1.svg $out/$1.png"
}

# "PerfVisS", Figures 1 to 5.
"$whorl" run hpf/spike --pes 4 -o "$out/spike.whorl" >/dev/null
lines perfviss-1a-detail detail
lines perfviss-1c-minmax minmax
lines perfviss-2-assembler assembler
lines perfviss-3-surface surface
lines perfviss-4-overview overview
lines perfviss-5-procedures procedures

# Those of docs/bodies.md, "Animation for performance debugging", Figures 3 and 4.
go test -count=1 -run '^TestBodies$' ./internal/matrix -update >/dev/null
printf '%s\n' docs/pictures/bodies-{fibonacci,mesh}.png

# The pictures of the README: make demo as its test draws it, a thread graph, halos and bodies.
WHORL_SHOTS=$(realpath "$out") go test -count=1 -run '^TestDemo$' ./visual/app >/dev/null
mv "$out/demo.png" docs/pictures/viewer.png
echo docs/pictures/viewer.png
"$whorl" run dts/fibonacci --pes 8 -o "$out/threads.whorl" >/dev/null
"$whorl" render "$out/threads.whorl" --view threadgraph -o docs/pictures/threads.png
"$whorl" run hpf/mixture --pes 64 -o "$out/mixture.whorl" >/dev/null
"$whorl" render "$out/mixture.whorl" --view halo -o docs/pictures/halos.png
"$whorl" run fibonacci 22 --pes 8 --machine cenju3 --policy ring -o "$out/ring.whorl" >/dev/null
"$whorl" render "$out/ring.whorl" --view bodies --until 240ms -o docs/pictures/ring.png
printf '%s\n' docs/pictures/{threads,halos,ring}.png

#!/bin/bash
# demo.sh WHORL FOLDER: Pascal's triangle on 5 PEs, its numbers, and its kaleidoscope in four colourings, drawn into the folder.
set -euo pipefail
whorl=$1 out=$2
mkdir -p "$out"
trace=$out/pascal-5pe.whorl

"$whorl" run fghc/pascal --pes 5 --stats -o "$trace"
echo
for color in pe procedure time petime; do
	name=$out/pascal-5pe-$color
	"$whorl" render "$trace" --view kaleidoscope --color "$color" -o "$name.svg"
	"$whorl" render "$trace" --view kaleidoscope --color "$color" -o "$name.png"
	echo "by $color: $name.svg $name.png"
done

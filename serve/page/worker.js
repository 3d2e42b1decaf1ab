"use strict";

// A worker runs one program, or a recorded program again and again, over a port for each run. Messages that arrive before the program listens are kept for it. The page puts the scripts before this one when it has them.
if (typeof Go === "undefined") importScripts("wasm_exec.js", "load.js");

const early = [];
onmessage = (e) => {
	if (!e.data.module) {
		early.push(e);
		return;
	}
	run(e.data.module, "whorl-runner").then(
		(last) => postMessage({ stopped: last || "the program has ended" }),
		(error) => postMessage({ stopped: error.message }),
	);
};

// listen is called by the program when it can receive messages.
function listen(heard) {
	onmessage = (e) => (e.data.port ? serve(e.data.port) : heard(e));
	for (const e of early) heard(e);
}

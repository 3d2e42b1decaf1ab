// bodies.js LIBRARY BODIES: steps of bodies that repel each other in three dimensions, joined as a random tree, theta 0.9. Prints ns a step.
const [library, bodies] = [process.argv[2], Number(process.argv[3])];
const parents = [-1];
let r = 12345;
for (let i = 1; i < bodies; i++) {
  r ^= r << 13; r ^= r >>> 17; r ^= r << 5;
  parents.push(Math.floor((r >>> 0) / 4294967296 * i));
}
(async () => {
  let step;
  if (library === "d3-force-3d") {
    const d3 = await import("d3-force-3d");
    const nodes = parents.map((_, i) => ({ id: i }));
    const links = parents.slice(1).map((p, i) => ({ source: p, target: i + 1 }));
    const s = d3.forceSimulation(nodes, 3).stop().alphaDecay(0)
      .force("repulsion", d3.forceManyBody().theta(0.9)).force("links", d3.forceLink(links));
    step = () => s.tick();
  } else {
    const graph = require("ngraph.graph")();
    parents.forEach((_, i) => graph.addNode(i));
    parents.forEach((p, i) => { if (p >= 0) graph.addLink(p, i); });
    const layout = require("ngraph.forcelayout")(graph, { dimensions: 3, theta: 0.9 });
    step = () => layout.step();
  }
  step();
  step();
  let steps = 0;
  const begin = process.hrtime.bigint();
  let took;
  do {
    step();
    steps++;
    took = Number(process.hrtime.bigint() - begin);
  } while (took < 1e9);
  console.log(Math.round(took / steps));
})();

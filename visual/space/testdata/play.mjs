// Usage: play.mjs FOLDER FILE TIME...
// It plays a glTF file with three.js and prints the position of the point (0, 1, 0) of each node, by time in seconds and by name. The packages are
// in FOLDER.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
const [folder, file, ...times] = process.argv.slice(2);
globalThis.self = globalThis;
globalThis.ProgressEvent ??= class {};
const THREE = await import(pathToFileURL(folder + '/three/build/three.module.js'));
const { GLTFLoader } = await import(pathToFileURL(folder + '/three/examples/jsm/loaders/GLTFLoader.js'));
const bytes = fs.readFileSync(file);
const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
const mixer = new THREE.AnimationMixer(gltf.scene);
const action = mixer.clipAction(gltf.animations[0]);
action.setLoop(THREE.LoopOnce);
action.clampWhenFinished = true;
action.play();
const positions = times.map((time) => {
  mixer.setTime(Number(time));
  gltf.scene.updateMatrixWorld(true);
  const points = {};
  gltf.scene.traverse((o) => { if (o.userData.name || o.name) points[o.userData.name ?? o.name] = new THREE.Vector3(0, 1, 0).applyMatrix4(o.matrixWorld).toArray(); });
  return points;
});
console.log(JSON.stringify(positions));

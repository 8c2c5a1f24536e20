/** Replaces packages that the engine loads but that compiling a model never uses: downloads, shells, archives, pools. */
const absent = true;
// Some are read from when they are loaded.
export default absent;

/** Replaces packages that the engine loads but that compiling a model never uses: downloads, shells, archives. */
export const absent = true;

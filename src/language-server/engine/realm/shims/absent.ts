/** Stands in for packages that the engine's tree loads but that compiling a model never uses: downloads, shells, archives. */
export const absent = true;

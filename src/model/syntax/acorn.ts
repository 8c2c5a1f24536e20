/** The entry of the bundle that all others take the parser of JavaScript and its walks from (`esbuild.mjs`). */
export * from 'acorn';
export * from 'acorn-walk';

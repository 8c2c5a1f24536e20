/** The entry of the bundle that all others take the reader of scripts from (`esbuild.mjs`). */
export { parseScript } from '#model/syntax/script/script.ts';
export { codeOf, scriptCode } from '#model/syntax/script/code.ts';
export { visibleNames } from '#model/syntax/script/visible-names.ts';
// Its state is one for all readers, so it must be in one bundle.
export { spend, TooMuchWork, withinWork } from './work.ts';

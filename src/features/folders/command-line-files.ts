/** The bundles that the command line consists of, in `dist/`. */
export const commandLineBundles = [
  'cli',
  'cli-main',
  'cli-sync',
  'engine',
  'engine-process',
  'hash-worker',
  'mcp',
  'projects',
  'scripts',
  'templates',
] as const;

/** The machine code of the compiler's template library, beside them. */
export const engineTemplates = 'minijinja_js_bg.wasm';

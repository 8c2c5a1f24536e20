/**
 * Names that an expression can use while the model is loaded: the compile context and JavaScript's own. Cubes and the context of
 * a query do not exist yet.
 */
export const LOADED: ReadonlySet<string> = new Set([
  'COMPILE_CONTEXT',
  'Array',
  'Boolean',
  'Date',
  'Infinity',
  'Intl',
  'JSON',
  'Map',
  'Math',
  'NaN',
  'Number',
  'Object',
  'RegExp',
  'Set',
  'String',
  'console',
  'globalThis',
  'isNaN',
  'parseFloat',
  'parseInt',
  'require',
]);

/**
 * What an expression can name while the model is loaded: the compile context, and what JavaScript itself has. Cubes and
 * the context of a query are not there yet.
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

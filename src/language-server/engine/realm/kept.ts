/**
 * What the compiler's bundle uses in place of globals: the build injects these names. The realm itself has none of them, so that
 * a model has none either (`lock-down.ts`).
 */
import { Decoder, Encoder } from './shims/text.ts';

const {
  Int8Array: KeptInt8Array,
  Uint8Array: KeptUint8Array,
  Uint8ClampedArray: KeptUint8ClampedArray,
  Int16Array: KeptInt16Array,
  Uint16Array: KeptUint16Array,
  Int32Array: KeptInt32Array,
  Uint32Array: KeptUint32Array,
  Float32Array: KeptFloat32Array,
  Float64Array: KeptFloat64Array,
  ArrayBuffer: KeptArrayBuffer,
  DataView: KeptDataView,
  WebAssembly: KeptWebAssembly,
} = globalThis as unknown as typeof globalThis & { readonly WebAssembly: unknown };

export {
  KeptInt8Array as Int8Array,
  KeptUint8Array as Uint8Array,
  KeptUint8ClampedArray as Uint8ClampedArray,
  KeptInt16Array as Int16Array,
  KeptUint16Array as Uint16Array,
  KeptInt32Array as Int32Array,
  KeptUint32Array as Uint32Array,
  KeptFloat32Array as Float32Array,
  KeptFloat64Array as Float64Array,
  KeptArrayBuffer as ArrayBuffer,
  KeptDataView as DataView,
  KeptWebAssembly as WebAssembly,
  Encoder as TextEncoder,
  Decoder as TextDecoder,
};

const nothing = (): undefined => undefined;

/** A stand-in for Node's `process`. It turns off the engine's other query planner, which is native code. */
export const process = {
  env: { CUBEJS_TESSERACT_SQL_PLANNER: 'false', NO_COLOR: '1' } as Readonly<Record<string, string>>,
  argv: [],
  execArgv: [],
  platform: 'darwin',
  arch: 'arm64',
  version: 'v22.0.0',
  versions: { node: '22.0.0' },
  pid: 1,
  stdout: { fd: 1, isTTY: false },
  stderr: { fd: 2, isTTY: false },
  cwd: () => '/',
  on: nothing,
  once: nothing,
  off: nothing,
  emitWarning: nothing,
  exit: nothing,
  hrtime: () => [0, 0],
  memoryUsage: () => ({}),
  nextTick: nothing,
};

export const console = {
  log: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  debug: nothing,
  trace: nothing,
  time: nothing,
  timeEnd: nothing,
  table: nothing,
};

export const performance = { now: () => Date.now(), timeOrigin: 0, mark: nothing, measure: nothing };

const timer = { ref: nothing, unref: nothing, hasRef: () => false };

/** The realm has no clock, because nothing here waits. Caches want a timer only to read the clock less often. */
export const setTimeout = (): typeof timer => timer;
export const clearTimeout = nothing;
export const setInterval = (): typeof timer => timer;
export const clearInterval = nothing;
export const setImmediate = (): typeof timer => timer;

/** Nothing in the realm is a `Buffer`. */
export function Buffer(): void {
  // The engine only tests for buffers and never creates one.
}
Buffer.isBuffer = (): boolean => false;

/** No URL is ever parsed here. */
export function URL(): never {
  throw new TypeError('The sandbox of the engine has no URLs.');
}

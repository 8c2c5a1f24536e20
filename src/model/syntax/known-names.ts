const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Names by which the SQL of a cube or view refers to itself. */
export const SELF = words('CUBE TABLE');

/** Names that the engine's sandbox provides to a model, besides JavaScript itself. */
export const SANDBOX = words(
  'cube view view_group context addExport setExport asyncModule require COMPILE_CONTEXT console',
);

/** Names that JavaScript has in every environment: the engine's expressions become JavaScript. */
export const JAVASCRIPT =
  words(`AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error
  EvalError FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator
  JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String
  Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
  WebAssembly arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN
  parseFloat parseInt undefined unescape`);

/** Properties of every JavaScript object, and so of every cube and member while the engine compiles. */
export const INHERITED =
  words(`__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor
  hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf`);

/** Properties that the engine adds to cubes and members for its own use. */
export const INTERNAL = words('__cubeName _objectWithResolvedProperties cubeName');

/** Keywords of Python, of which the engine's expressions are a subset: no name in a path can be one. */
const PYTHON = words(
  'and assert async await break class continue def del for from global if import in is lambda nonlocal not or pass',
  'raise return try while with yield',
);
/** Keywords that are reserved only after a dot: at the start of a path, the engine reads them as nothing. */
const PYTHON_TAIL = words('as elif else except finally None True False');
/** Keywords of JavaScript, into which expressions are compiled: no path can begin with one. */
const SCRIPT = words(
  'case const default delete enum export function interface let new package private protected public static super',
  'switch typeof var void',
);

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(' '));
}

/** Returns the word in a dotted path that the engine cannot accept as a name. */
export function reservedIn(path: string): string | undefined {
  return path
    .trim()
    .split('.')
    .find((name, at) => PYTHON.has(name) || (at === 0 ? SCRIPT : PYTHON_TAIL).has(name));
}

/** Checks whether a word is reserved after a dot, too. */
export function isReservedAnywhere(word: string): boolean {
  return PYTHON.has(word) || PYTHON_TAIL.has(word);
}

import { plainText } from './cursor-path.ts';

/** How the types of a table of keys lead to those of their parts. */
interface TypeSteps<T> {
  readonly item: (type: T) => T | undefined;
  readonly value: (type: T, key: string) => T | undefined;
}

/** A position inside of brackets that open on the line. */
interface FlowPosition<T> {
  /** The type of the innermost map or list. */
  readonly around: T | undefined;
  /** Whether a key of that map is expected. */
  readonly isKey: boolean;
  /** The type of the value that is expected. */
  readonly value: T | undefined;
  /** Keys of the map before the position, with the text behind each; undefined: a list or a map. */
  readonly siblings: ReadonlyMap<string, string | undefined>;
  /** Offset in the text at which the word begins. */
  readonly wordStart: number;
}

interface Level<T> {
  readonly type: T | undefined;
  readonly isMap: boolean;
  key: string | undefined;
  /** Offset behind the colon of the key. */
  valueStart: number;
  readonly keys: Map<string, string | undefined>;
}

/** Returns the position at the end of a value of a type; undefined outside of brackets. */
export function flowPosition<T>(text: string, type: T | undefined, steps: TypeSteps<T>): FlowPosition<T> | undefined {
  const levels: Level<T>[] = [];
  let word = 0;
  for (let at = 0; at < text.length; at++) if (isBreak(text, at, word, levels, { type, steps })) word = at + 1;
  const level = levels.at(-1);
  if (!level) return undefined;
  const isKey = level.isMap && level.key === undefined;
  const value = isKey ? undefined : typeIn(level, steps);
  return { around: level.type, isKey, value, siblings: level.keys, wordStart: word };
}

/** Checks whether a word ends at a character; brackets, commas and colons update `levels`. */
function isBreak<T>(
  text: string,
  at: number,
  word: number,
  levels: Level<T>[],
  { type, steps }: { readonly type: T | undefined; readonly steps: TypeSteps<T> },
): boolean {
  const char = text.charAt(at);
  const level = levels.at(-1);
  switch (char) {
    case '[':
    case '{':
      levels.push({
        type: level ? typeIn(level, steps) : type,
        isMap: char === '{',
        key: undefined,
        valueStart: 0,
        keys: new Map(),
      });
      return true;
    case ']':
    case '}':
      levels.pop();
      return true;
    case ',':
      if (level?.key !== undefined) level.keys.set(level.key, plainText(text.slice(level.valueStart, at)));
      if (level) level.key = undefined;
      return true;
    case ':':
      if (!level?.isMap || level.key !== undefined) return false;
      level.key = text.slice(word, at).trim();
      level.valueStart = at + 1;
      level.keys.set(level.key, undefined);
      return true;
    default:
      return /[\s"']/.test(char);
  }
}

/** Returns the type of the next item inside brackets. */
function typeIn<T>({ type, isMap, key }: Level<T>, { item, value }: TypeSteps<T>): T | undefined {
  if (type === undefined) return undefined;
  if (!isMap) return item(type);
  return key === undefined ? undefined : value(type, key);
}

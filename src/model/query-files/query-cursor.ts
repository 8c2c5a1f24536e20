import { lineAt, plainText } from '../cursor-path.ts';
import {
  itemTypeOf,
  alternativesOf,
  queryShapes,
  queryTypeAt,
  type QueryShape,
  type QueryType,
  valueTypeOf,
} from './shapes.ts';

/** The items that may be written at an offset of a query file. */
export interface QueryCursor {
  /** A key of this shape, or a value of this type. */
  readonly shape: QueryShape | undefined;
  readonly value: QueryType | undefined;
  /** Keys that exist already, with the text behind each; undefined: a list or a map, or not read. */
  readonly siblings: ReadonlyMap<string, string | undefined>;
  /** Offset at which the word under the cursor begins. */
  readonly wordStart: number;
  /** Inside `[…]` or `{…}`. */
  readonly isFlow: boolean;
}

/** Finds what may be written at an offset, from indentation alone, so that it works on broken text. */
export function queryCursorAt(text: string, offset: number): QueryCursor {
  const { line, isValue, path, siblings, start } = lineAt(text, offset);
  const type = queryTypeAt(path);
  const flow = inFlow(text.slice(start, offset), start, type);
  if (flow) return flow;
  const quote = text[start] === '"' || text[start] === "'" ? 1 : 0;
  const wordStart = Math.min(start + quote, offset);
  const isItem = line.dashes.length > 0;
  const shape = isValue ? undefined : shapeIn(type);
  const value = isValue || isItem || byMemberIn(type) ? type : undefined;
  return { shape, value, siblings, wordStart, isFlow: false };
}

/** Returns the shape of the map that a value of this type can be. */
function shapeIn(type: QueryType | undefined): QueryShape | undefined {
  const option = type && alternativesOf(type).find((each) => each.is === 'map');
  return option && queryShapes[option.shape];
}

function byMemberIn(type: QueryType | undefined): boolean {
  return type !== undefined && alternativesOf(type).some(({ is }) => is === 'byMember');
}

interface Level {
  readonly type: QueryType | undefined;
  readonly isMap: boolean;
  key: string | undefined;
  /** Offset behind the colon of the key. */
  valueStart: number;
  readonly keys: Map<string, string | undefined>;
}

/** Returns the cursor inside brackets that open on the line. */
function inFlow(text: string, start: number, type: QueryType | undefined): QueryCursor | undefined {
  const levels: Level[] = [];
  let word = 0;
  for (let at = 0; at < text.length; at++) if (isBreak(text, at, word, levels, type)) word = at + 1;
  const level = levels.at(-1);
  if (!level) return undefined;
  const isKey = level.isMap && level.key === undefined;
  const keyed = byMemberIn(level.type) ? level.type : undefined;
  return {
    shape: isKey ? shapeIn(level.type) : undefined,
    value: isKey ? keyed : typeIn(level),
    siblings: level.keys,
    wordStart: start + word,
    isFlow: true,
  };
}

/** Checks whether a word ends at a character; brackets, commas and colons update `levels`. */
function isBreak(text: string, at: number, word: number, levels: Level[], type: QueryType | undefined): boolean {
  const char = text.charAt(at);
  const level = levels.at(-1);
  switch (char) {
    case '[':
    case '{':
      levels.push({
        type: level ? typeIn(level) : type,
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
function typeIn({ type, isMap, key }: Level): QueryType | undefined {
  if (!type) return undefined;
  if (!isMap) return itemTypeOf(type);
  return key === undefined ? undefined : valueTypeOf(type, key);
}

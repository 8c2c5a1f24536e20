import { lineAt } from '#model/cursor/cursor-path.ts';
import { flowPosition } from '#model/cursor/flow-position.ts';
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

/** Returns the cursor inside brackets that open on the line. */
function inFlow(text: string, start: number, type: QueryType | undefined): QueryCursor | undefined {
  const found = flowPosition(text, type, { item: itemTypeOf, value: valueTypeOf });
  if (!found) return undefined;
  const { around, isKey, value, siblings, wordStart } = found;
  return {
    shape: isKey ? shapeIn(around) : undefined,
    value: isKey && byMemberIn(around) ? around : value,
    siblings,
    wordStart: start + wordStart,
    isFlow: true,
  };
}

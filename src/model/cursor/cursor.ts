import { flowCursor, type FlowCursor } from './cursor-flow.ts';
import { pathTo, readLine, type Line } from './cursor-path.ts';
import { isNeverMap, shapeOf, typeAt, typeOfKey } from './cursor-type.ts';
import { canonicalKey } from '#model/language/language.ts';

/** The items that may be written at a cursor, determined from indentation alone so that it works on broken text. */
export interface Cursor extends FlowCursor {
  /** After `- ` on the same line, at the start of a list item. */
  readonly newItem: boolean;
  /** Inside `[…]` or `{…}`. */
  readonly flow: boolean;
}

/** Maximum number of lines above the cursor that are searched for the start of a flow collection. */
const FLOW_LINES = 40;

/** Returns what may be written at an offset of a masked YAML text. */
export function cursorAt(text: string, offset: number): Cursor {
  const lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const line = readLine(text.slice(lineStart, offset), lineStart);
  const above = textAbove(text, lineStart, offset);
  if (above) return valueCursor(text, above, above.key ?? '', offset);
  const plain = line.key === undefined ? plainAbove(text, lineStart, offset) : undefined;
  if (plain?.type?.is === 'sql') return plain;
  if (line.key !== undefined && offset >= line.valueStart)
    return (
      (isInFlow(text, lineStart) ? flowAbove(text, lineStart, offset) : undefined) ??
      valueCursor(text, line, line.key, offset)
    );
  return flowAbove(text, lineStart, offset) ?? lineCursor(text, line, offset);
}

/** Returns the cursor after `key: `. */
function valueCursor(text: string, line: Line, written: string, offset: number): Cursor {
  const { path, siblings } = pathTo(text, line.start, line.column, line.dashes);
  const shape = shapeOf(typeAt(path));
  const key = shape && canonicalKey(shape, written);
  const type = typeOfKey(shape, written);
  const flow = isFlowStart(text[line.valueStart])
    ? flowCursor(text, line.valueStart, offset, { type, shape, key })
    : undefined;
  if (flow) return { ...flow, newItem: false, flow: true };
  return {
    kind: 'value',
    shape,
    key,
    type,
    siblings,
    wordStart: behindQuote(text, line.valueStart),
    newItem: false,
    flow: false,
  };
}

/** Returns the cursor on a line without a key: the user types a key or a list item. */
function lineCursor(text: string, line: Line, offset: number): Cursor {
  const column = line.column === -1 ? offset - line.start : line.column;
  const { path, siblings } = pathTo(text, line.start, column, line.dashes);
  const type = typeAt(path);
  const newItem = line.dashes.length > 0;
  const key = path.findLast((part) => part !== '-');
  const wordStart = line.start + column;
  const flow =
    newItem && isFlowStart(text[wordStart])
      ? flowCursor(text, wordStart, offset, { type, shape: shapeOf(type), key })
      : undefined;
  if (flow) return { ...flow, newItem: false, flow: true };
  if (newItem && type && isNeverMap(type)) {
    const owner = shapeOf(typeAt(path.slice(0, path.lastIndexOf(key ?? ''))));
    return {
      kind: 'value',
      shape: owner,
      key,
      type,
      siblings: new Map(),
      wordStart: behindQuote(text, wordStart),
      newItem,
      flow: false,
    };
  }
  const other = newItem && type?.is === 'either' ? type : undefined;
  return { kind: 'key', shape: shapeOf(type), key, type: other, siblings, wordStart, newItem, flow: false };
}

/** Returns the cursor inside a flow collection that opened on an earlier line. */
function flowAbove(text: string, lineStart: number, offset: number): Cursor | undefined {
  for (let end = lineStart - 1, count = 0; end > 0 && count < FLOW_LINES; count++) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = readLine(text.slice(start, end), start);
    const opens = line.key === undefined ? start + line.column : line.valueStart;
    if (opens < end && isFlowStart(text[opens]) && (line.key !== undefined || line.dashes.length > 0)) {
      const cursor =
        line.key === undefined ? lineCursor(text, line, offset) : valueCursor(text, line, line.key, offset);
      if (cursor.flow || line.key === undefined) return cursor.flow ? cursor : undefined;
    }
    // A key of a block cannot be in brackets, where a comma follows each value.
    if (line.key !== undefined && !ENDS_ENTRY.test(text.slice(start, end))) return undefined;
    end = start - 1;
  }
  return undefined;
}

/** The end of a line of a collection in brackets that goes on below. */
const ENDS_ENTRY = /[,[{][ \t]*(?:#.*)?\r?$/;

/** Checks whether a line may continue a collection in brackets that opened above. */
function isInFlow(text: string, lineStart: number): boolean {
  const end = Math.max(0, lineStart - 1);
  return ENDS_ENTRY.test(text.slice(end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1, end));
}

/** Maximum number of lines above the cursor that are searched for the start of a multi-line text. */
const TEXT_LINES = 500;
/** The beginning of a block of text, which may have an anchor or a tag: `&name |`. */
const BLOCK = /^(?:[&!]\S*[ \t]+){0,2}[|>][-+\d]*[ \t]*(?:#.*)?$/;

/** Returns the line whose multi-line text (`|`, `>` or in quotes) contains the cursor; undefined on other lines. */
function textAbove(text: string, lineStart: number, offset: number): Line | undefined {
  const own = text.slice(lineStart, offset);
  let least = own.trim() === '' ? own.length : own.search(/\S/);
  for (let end = lineStart - 1, count = 0; end > 0 && count < TEXT_LINES; count++) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const written = text.slice(start, end);
    const line = readLine(written, start);
    if (line.key !== undefined) {
      const value = text.slice(line.valueStart, end).trimEnd();
      if (BLOCK.test(value) && (line.dashes[0] ?? line.column) < least) return line;
      if (line.column < least && isOpenQuote(text.slice(line.valueStart, lineStart))) return line;
    }
    if (written.trim() !== '') least = Math.min(least, written.search(/\S/));
    // No line further up can contain this one.
    if (least === 0) return undefined;
    end = start - 1;
  }
  return undefined;
}

/** Returns the cursor in a text without quotes that began on a line above; its other lines have neither keys nor comments. */
function plainAbove(text: string, lineStart: number, offset: number): Cursor | undefined {
  let least = text.slice(lineStart, offset).search(/\S|$/);
  for (let end = lineStart - 1, count = 0; end > 0 && count < TEXT_LINES; count++) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const written = text.slice(start, end);
    const line = readLine(written, start);
    if (line.key !== undefined) {
      const isText = line.column < least && PLAIN.test(text.slice(line.valueStart, end));
      return isText ? valueCursor(text, line, line.key, offset) : undefined;
    }
    if (/(?:^|\s)#/.test(written)) return undefined;
    if (written.trim() !== '') least = Math.min(least, written.search(/\S/));
    if (least === 0) return undefined;
    end = start - 1;
  }
  return undefined;
}

/** A value that can continue on the next line: no other style, and no comment behind it. */
const PLAIN = /^(?![\s"'|>[{&*!%@`#])(?!.*\s#)/;

/** Checks whether a text begins with a quote that it does not close. */
function isOpenQuote(text: string): boolean {
  return /^(?:"(?:\\[\s\S]|[^"\\])*|'(?:''|[^'])*)$/.test(text);
}

function isFlowStart(char: string | undefined): boolean {
  return char === '[' || char === '{';
}

function behindQuote(text: string, from: number): number {
  return text[from] === '"' || text[from] === "'" ? from + 1 : from;
}

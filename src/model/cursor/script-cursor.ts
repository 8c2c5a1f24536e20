import type { Cursor } from './cursor.ts';
import { itemType, shapeOf, typeOfKey } from './cursor-type.ts';
import { canonicalKey } from '#model/language/language.ts';
import type { ShapeName, Type } from '#model/language/types.ts';
import { CALLS, type EntityKind } from '#model/syntax/entity.ts';
import { entityShapes } from '#model/typed.ts';

/**
 * The items that may be written at a cursor in a script's definition; determined from its punctuation alone, so it may be half
 * typed.
 */
export interface ScriptCursor extends Cursor {
  /** Inside the quotes of a string. */
  readonly quoted: boolean;
  /** The name of the definition. */
  readonly entity: string;
  /** The offset after the opening bracket of its call. */
  readonly start: number;
  /** The shape whose instances are named by the keys here: members, joins. */
  readonly named: ShapeName | undefined;
}

interface Frame {
  readonly kind: 'object' | 'list' | 'other' | 'template';
  /** The type of the whole collection. */
  readonly type: Type | undefined;
  /** Objects: the key whose value follows, once there is a `:`. */
  key: string | undefined;
  /** The keys of an object, with their values where these are single words or texts. */
  readonly keys: Map<string, string | undefined>;
}

const CALL = /\b(cube|view|view_group)\s*\(\s*([`'"])([^`'"\n]*)\2\s*,\s*/g;
/** How far above the cursor to search for the start of a definition, and how far below for other keys of an object. */
const MOST_ABOVE = 300_000;
const MOST_BELOW = 20_000;

/** Returns what may be written at an offset of a script; undefined outside of definitions. */
export function scriptCursorAt(text: string, offset: number): ScriptCursor | undefined {
  const call = callBefore(text, offset);
  if (!call) return undefined;
  const reader = readerAt(text, offset, call);
  const { frames, quote } = reader;
  const top = frames.at(frames.at(-1)?.kind === 'template' ? -2 : -1);
  if (!top || top.kind === 'other') return undefined;
  const { entity, start } = call;
  const shared = {
    entity,
    start,
    wordStart: wordStartAt(text, quote, offset),
    quoted: quote !== -1,
    newItem: false,
    flow: true,
  };
  if (top.kind === 'list' || top.key !== undefined)
    return { ...shared, ...valueCursor(top, [...frames], () => reader.readOn(holderIn(frames), offset + MOST_BELOW)) };
  if (shared.quoted) return undefined;
  reader.readOn(top, offset + MOST_BELOW);
  return { ...shared, ...keyCursor(top) };
}

/** Returns the value whose template holds the expression at an offset: `sql: \`${|}\``; undefined anywhere else. */
export function scriptValueAround(text: string, offset: number): Cursor | undefined {
  const call = callBefore(text, offset);
  if (!call) return undefined;
  const reader = readerAt(text, offset, call);
  const frames = [...reader.frames];
  const at = frames.findLastIndex(({ kind }) => kind === 'template');
  const top = frames[at - 1];
  if (!top || top.kind === 'other' || frames[at + 1]?.kind !== 'other') return undefined;
  const below = frames.slice(0, at);
  const found = valueCursor(top, below, () => reader.readOn(holderIn(below), offset + MOST_BELOW));
  return { ...found, wordStart: wordStartAt(text, -1, offset), newItem: false, flow: true };
}

/**
 * Returns the value whose function or expression holds the code at an offset: `sql: () => { return | }`, `sql: |`; undefined outside
 * of definitions, and in code that has another meaning.
 */
export function scriptCodeAround(text: string, offset: number): Cursor | undefined {
  const call = callBefore(text, offset);
  if (!call) return undefined;
  const reader = readerAt(text, offset, call);
  const frames = [...reader.frames];
  const at = frames.findLastIndex(({ kind, type }) => kind === 'object' && type !== undefined);
  const top = frames[at];
  const isCode = frames.slice(at + 1).every(({ kind, type }) => kind === 'other' || type === undefined);
  // A name in brackets is in quotes, too: `CUBE['|`.
  const isText = reader.quote !== -1 && !text.slice(0, reader.quote).endsWith('[');
  if (top?.key === undefined || isText || !isCode) return undefined;
  const below = frames.slice(0, at + 1);
  const found = valueCursor(top, below, () => reader.readOn(top, offset + MOST_BELOW));
  return { ...found, wordStart: wordStartAt(text, -1, offset), newItem: false, flow: true };
}

function readerAt(text: string, offset: number, { kind, start }: Call): Reader {
  const reader = new Reader(text, start, { is: 'map', shape: entityShapes[kind] });
  reader.readTo(offset);
  return reader;
}

interface Call {
  readonly kind: EntityKind;
  readonly entity: string;
  readonly start: number;
}

/** Returns the last definition that begins above the offset. */
function callBefore(text: string, offset: number): Call | undefined {
  const from = Math.max(0, offset - MOST_ABOVE);
  const call = [...text.slice(from, offset).matchAll(CALL)].at(-1);
  const kind = CALLS[call?.[1] ?? ''];
  return call && kind && { kind, entity: call[3] ?? '', start: from + call.index + call[0].length };
}

type Found = Pick<ScriptCursor, 'kind' | 'shape' | 'type' | 'key' | 'siblings' | 'named'>;

function keyCursor({ type, keys }: Frame): Found {
  const shape = shapeOf(type);
  const siblings = new Map([...keys].map(([key, value]) => [canonical(shape, key), value]));
  const named = type?.is === 'members' ? type.shape : undefined;
  return { kind: 'key', shape, type: undefined, key: undefined, siblings, named };
}

/** `readOn` reads the rest of the object, so that all of its keys are known. */
function valueCursor(top: Frame, frames: readonly Frame[], readOn: () => void): Found {
  const holder = holderIn(frames);
  const shape = shapeOf(holder?.type);
  const key = holder?.key === undefined ? undefined : canonical(shape, holder.key);
  const type = top.kind === 'list' ? itemType(top.type) : valueType(top);
  const outer = holder && frames[frames.indexOf(holder) - 1];
  const name = outer?.type?.is === 'members' ? outer.key : undefined;
  readOn();
  const siblings = new Map([...(holder?.keys ?? [])].map(([each, value]) => [canonical(shape, each), value]));
  if (name !== undefined) siblings.set('name', name);
  return { kind: 'value', shape, type, key, siblings, named: undefined };
}

function holderIn(frames: readonly Frame[]): Frame | undefined {
  return frames.findLast(({ kind }) => kind === 'object');
}

function canonical(shape: ShapeName | undefined, key: string): string {
  return (shape === undefined ? undefined : canonicalKey(shape, key)) ?? key;
}

function wordStartAt(text: string, quote: number, offset: number): number {
  if (quote !== -1) return quote + 1;
  let start = offset;
  while (start > 0 && /[\w$.]/.test(text[start - 1] ?? '')) start--;
  return start;
}

function valueType({ type, key }: Frame): Type | undefined {
  if (key === undefined) return undefined;
  if (type?.is === 'members') return { is: 'map', shape: type.shape };
  return typeOfKey(shapeOf(type), key);
}

/** Reads tokens and tracks what is open at each offset. */
class Reader {
  readonly frames: Frame[] = [];
  /** Offset of the open quote; -1 without one. */
  quote = -1;
  readonly #text: string;
  #at: number;
  #root: Type | undefined;
  /** The definition has ended. */
  #isOver = false;
  /** The last word or string, which a `:` makes a key. */
  #word = '';
  #before = '';

  constructor(text: string, start: number, root: Type) {
    this.#text = text;
    this.#at = start;
    this.#root = root;
  }

  readTo(offset: number): void {
    while (this.#at < offset && !this.#isOver) this.#step(offset);
  }

  /** Reads until an object ends, so that all of its keys are known. */
  readOn(frame: Frame | undefined, limit: number): void {
    if (!frame) return;
    const end = Math.min(limit, this.#text.length);
    if (this.quote !== -1 && this.frames.at(-1)?.kind !== 'template') this.#skipString();
    while (this.#at < end && this.frames.includes(frame)) this.#step(end);
  }

  /** Continues behind the text in quotes that is being read. */
  #skipString(): void {
    const quote = this.#text[this.quote] ?? '';
    while (this.#at < this.#text.length && this.#text[this.#at] !== quote && this.#text[this.#at] !== '\n') this.#at++;
    if (this.#text[this.#at] === quote) this.#at++;
    this.quote = -1;
  }

  #step(end: number): void {
    const char = this.#text[this.#at] ?? '';
    const inTemplate = this.frames.at(-1)?.kind === 'template';
    if (inTemplate) this.#template(char);
    else if (char === '/' && /[/*]/.test(this.#text[this.#at + 1] ?? '')) this.#comment(end);
    else if (char === "'" || char === '"') this.#string(char, end);
    else if (char === '`') this.#open('template');
    else if (/[\w$]/.test(char)) this.#name(end);
    else this.#sign(char);
  }

  #sign(char: string): void {
    if (char === '{') this.#open(this.#isBlock() ? 'other' : 'object');
    else if (char === '[') this.#open(this.#before === '' || ':>,([?'.includes(this.#before) ? 'list' : 'other');
    else if (char === '(') this.#open('other');
    else if (char === '}' || char === ']' || char === ')') this.#close();
    else {
      this.#key(char);
      if (/\S/.test(char)) this.#before = char;
      this.#at++;
    }
  }

  #key(char: string): void {
    const top = this.frames.at(-1);
    if (top?.kind !== 'object') return;
    if (char === ',') this.#endValue(top);
    if (char !== ':' || top.key !== undefined) return;
    top.keys.set(this.#word, undefined);
    top.key = this.#word;
    this.#word = '';
  }

  /** Notes the value of a key if it was a single word or text. */
  #endValue(top: Frame): void {
    if (top.key !== undefined && this.#word !== '') top.keys.set(top.key, this.#word);
    top.key = undefined;
  }

  /** Checks whether a brace begins statements: `) => {` and `) {`. */
  #isBlock(): boolean {
    return this.#before === ')' || this.#before === '>';
  }

  #open(kind: Frame['kind']): void {
    const top = this.frames.at(-1);
    let type: Type | undefined;
    if (!top) type = this.#root;
    else if (top.kind === 'object') type = valueType(top);
    else if (top.kind === 'list') type = itemType(top.type);
    this.#root = undefined;
    this.frames.push({ kind, type: kind === 'other' ? undefined : type, key: undefined, keys: new Map() });
    if (kind === 'template') this.quote = this.#at;
    this.#before = '';
    this.#at++;
  }

  #close(): void {
    const closed = this.frames.pop();
    if (closed?.kind === 'object') this.#endValue(closed);
    if (closed?.kind !== 'template') this.#word = '';
    if (this.frames.length === 0) this.#isOver = true;
    this.#before = '}';
    this.#at++;
    if (this.frames.at(-1)?.kind === 'template') this.quote = this.#at - 1;
  }

  #template(char: string): void {
    if (char === '\\') this.#at += 2;
    else if (char === '`') {
      this.#word = this.#text.slice(this.quote + 1, this.#at);
      this.#close();
      this.quote = this.frames.at(-1)?.kind === 'template' ? this.quote : -1;
    } else if (char === '$' && this.#text[this.#at + 1] === '{') {
      this.#at++;
      this.quote = -1;
      this.#open('other');
    } else this.#at++;
  }

  #string(char: string, end: number): void {
    const start = this.#at++;
    const line = this.#text.indexOf('\n', start);
    const stop = Math.min(end, line === -1 ? end : line);
    while (this.#at < stop && this.#text[this.#at] !== char) this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#word = this.#text.slice(start + 1, this.#at);
    this.#before = char;
    if (this.#at >= end) this.quote = start;
    else if (this.#text[this.#at] === char) this.#at++;
  }

  #name(end: number): void {
    const start = this.#at;
    while (this.#at < end && /[\w$]/.test(this.#text[this.#at] ?? '')) this.#at++;
    this.#word = this.#text.slice(start, this.#at);
    this.#before = 'a';
  }

  #comment(end: number): void {
    const isLine = this.#text[this.#at + 1] === '/';
    const found = this.#text.indexOf(isLine ? '\n' : '*/', this.#at);
    this.#at = found === -1 ? end : found + (isLine ? 1 : 2);
  }
}

import type { Segment } from './segment.ts';
import type { ComputedKeys } from '#model/syntax/computed-keys.ts';

/** A text in brackets: `['name']`. */
const BRACKETS = /\[\s*(["'`])([\w$]+)\1\s*\]/y;

/** Adds the names in brackets behind a path of a script, `CUBE['name']` or `CUBE?.['name']`; returns where they end. */
export function addBracketed(segments: Segment[], text: string, from: number, to: number, keys?: ComputedKeys): number {
  let at = from;
  for (;;) {
    const open = text.startsWith('?.[', at) ? at + 2 : at;
    if (text[open] !== '[' || open >= to) return at;
    const computed = keys?.get(open);
    BRACKETS.lastIndex = open;
    const [written, , name] = BRACKETS.exec(text) ?? [];
    if (computed) {
      segments.push({ text: computed.names[0] ?? '', start: open + 1, end: computed.end - 1, from: computed.from });
      at = computed.end;
    } else if (written !== undefined && name !== undefined && open + written.length <= to) {
      const start = open + written.indexOf(name);
      segments.push({ text: name, start, end: start + name.length });
      at = open + written.length;
    } else return at;
  }
}

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);

/** Returns how many brackets are open since an opening one, and where that one is closed if it is before `to`. */
export function depthAt(text: string, open: number, to: number): { readonly depth: number; readonly end: number } {
  let depth = 0;
  for (let at = open; at < Math.min(to, text.length); at++) {
    if (OPENING.has(text[at] ?? '')) depth++;
    else if (CLOSING.has(text[at] ?? '') && --depth === 0) return { depth, end: at };
  }
  return { depth, end: text.length };
}

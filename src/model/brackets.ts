import type { Segment } from './segment.ts';
import type { ComputedKeys } from './syntax/computed-keys.ts';

/** A text in brackets: `['name']`. */
const BRACKETS = /\[\s*(["'`])([\w$]+)\1\s*\]/y;

/** Adds the names in brackets behind a path of a script, `CUBE['name']`; returns where they end. */
export function addBracketed(segments: Segment[], text: string, from: number, to: number, keys?: ComputedKeys): number {
  let at = from;
  while (text[at] === '[' && at < to) {
    const computed = keys?.get(at);
    BRACKETS.lastIndex = at;
    const [written, , name] = BRACKETS.exec(text) ?? [];
    if (computed) {
      segments.push({ text: computed.names[0] ?? '', start: at + 1, end: computed.end - 1, from: computed.from });
      at = computed.end;
    } else if (written !== undefined && name !== undefined && at + written.length <= to) {
      const start = at + written.indexOf(name);
      segments.push({ text: name, start, end: start + name.length });
      at += written.length;
    } else return at;
  }
  return at;
}

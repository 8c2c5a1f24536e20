import { FILLER } from './tree.ts';

const UNKNOWN = new RegExp(`${FILLER}+`);

/** Returns a pattern for a template's name that is partly known; undefined if it may be anything. */
export function namePattern(name: string): RegExp | undefined {
  const known = name.split(UNKNOWN);
  if (known.join('') === '') return undefined;
  return new RegExp(`^${known.map((piece) => piece.replaceAll(/[^\w]/g, String.raw`\$&`)).join('.*')}$`);
}

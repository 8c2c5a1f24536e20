import { FILLER } from './syntax/tree.ts';

const UNKNOWN = new RegExp(`${FILLER}+`);

/** What a name of a template that is known in part may be; undefined where it may be anything. */
export function namePattern(name: string): RegExp | undefined {
  const known = name.split(UNKNOWN);
  if (known.join('') === '') return undefined;
  return new RegExp(`^${known.map((piece) => piece.replaceAll(/[^\w]/g, String.raw`\$&`)).join('.*')}$`);
}

import { nounOfKind } from '../kind-nouns.ts';
import type { EntitySymbol } from '../symbols.ts';

/** The most characters of a value that a message repeats. */
const MOST = 80;

/** Returns a value of the file as messages repeat it: in backticks, in one line, and cut where it is long. */
export function quotedValue(value: string): string {
  if (value === '') return 'an empty text';
  const line = value.replaceAll(/\s+/g, ' ');
  return `\`${line.length > MOST ? `${line.slice(0, MOST)}…` : line}\``;
}

/** Returns how a message names a cube or view, also one without a name. */
export function quotedEntity({ name, kind }: Pick<EntitySymbol, 'name' | 'kind'>): string {
  return name === '' ? `this ${nounOfKind(kind)}` : quotedValue(name);
}

/** Returns how a message names a key. */
export function quotedKey(key: string): string {
  return key === '' ? '`""`' : quotedValue(key);
}

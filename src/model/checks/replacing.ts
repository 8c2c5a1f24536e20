import type { Fix } from '../codes.ts';
import type { ScalarNode } from '../syntax/tree.ts';
import { isIdentifier } from './names.ts';

/** Returns a fix that replaces a value and keeps its quotes; undefined if the text does not contain the value itself. */
export function replacing(node: ScalarNode, text: string, word: string): Fix | undefined {
  return fixOf(node, text, word, `Change to \`${word}\``);
}

/**
 * Returns a fix that gives the second of two items with one name the next free one. Uses of the name stay: they refer to the
 * first.
 */
export function renaming(node: ScalarNode, text: string, isTaken: (name: string) => boolean): Fix | undefined {
  if (!isIdentifier(node.value)) return undefined;
  const base = node.value.replace(/_\d+$/, '');
  let count = 2;
  while (isTaken(`${base}_${count}`)) count++;
  const name = `${base}_${count}`;
  return fixOf(node, text, name, `Rename it to \`${name}\``);
}

function fixOf({ start, end, value }: ScalarNode, text: string, word: string, title: string): Fix | undefined {
  const at = text.slice(start, end).indexOf(value);
  return at === -1 ? undefined : { title, start: start + at, end: start + at + value.length, text: word };
}

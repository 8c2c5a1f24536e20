import type { Fix } from '../codes.ts';
import type { ScalarNode } from '../syntax/tree.ts';
import { isIdentifier } from './names.ts';

/** A fix that puts another word in place of a value and keeps its quotes; undefined where the text does not hold the value itself. */
export function replacing(node: ScalarNode, text: string, word: string): Fix | undefined {
  return fixOf(node, text, word, `Change to \`${word}\``);
}

/** Gives the second of two things with one name the next free one. Uses of the name stay: they mean the first. */
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

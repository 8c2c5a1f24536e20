import { largest } from '#base/long-lists.ts';
import { type Path, readExpression, readTemplate } from './strings.ts';
import type { ComputedKeys } from '#model/syntax/computed-keys.ts';
import type { ScalarNode } from '#model/syntax/tree.ts';

/** Returns the references of the SQL of a script, also those whose names code in brackets yields: one for each of the names. */
export function readComputed(text: string, node: ScalarNode, keys: ComputedKeys): readonly Path[] {
  if (node.style === 'code') return readExpression(text, node).paths;
  const own = [...keys].filter(([at]) => node.start <= at && at < node.end);
  const most = largest([1, ...own.map(([, { names }]) => names.length)]);
  return Array.from({ length: most }, (_, round) => {
    const chosen = new Map(own.map(([at, key]) => [at, { ...key, names: [key.names[round] ?? key.names[0] ?? ''] }]));
    const { paths } = readTemplate(text, node, chosen);
    return round === 0 ? paths : paths.filter(({ segments }) => segments.some(({ from }) => from));
  }).flat();
}

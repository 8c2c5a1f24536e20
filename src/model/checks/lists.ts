import type { Problem } from '../codes.ts';
import type { Chunk } from '../file.ts';
import {
  findPair,
  isDynamic,
  type MapNode,
  type ScalarNode,
  scalarType,
  type SeqNode,
  textOf,
} from '../syntax/tree.ts';
import { isContext } from '../resolve.ts';
import { isEmptyContext } from './context-references.ts';
import { readTemplate } from '#model/expressions/strings.ts';
import type { Site } from '../typed.ts';
import { renaming } from './replacing.ts';

/** Lists whose items have names of their own, which must differ. */
const NAMED = new Set(['granularities', 'indexes', 'links']);

/** Shapes whose `values` are compared with: the engine reads each one as an expression. */
const COMPARED = new Set(['rowFilter', 'defaultFilter']);

/** Reports empty items, and lists and mappings where only values may be. */
export function checkItems(site: Site, node: SeqNode): Problem[] {
  if (site.key === 'meta') return [];
  const isCompared = site.key === 'values' && COMPARED.has(site.parent?.shape ?? '');
  return node.items.flatMap((item): Problem[] => {
    if (!item || (item.kind === 'scalar' && scalarType(item) === 'null')) {
      const at = item ?? { start: node.start, end: Math.min(node.start + 1, node.end) };
      const message = 'An item of this list is empty. Give it a value, or remove it.';
      return [{ code: 'null-value', start: at.start, end: at.end, message }];
    }
    if (!isCompared || item.kind === 'scalar' || item.kind === 'opaque') return [];
    return [{ code: 'wrong-type', start: item.start, end: item.start + 1, message: 'This must be a single value.' }];
  });
}

/** Reports names in a list of values that are not defined while the model is loaded: docs/model-language.md#strings. */
export function checkLoadedValues(site: Site, { items }: SeqNode, chunk: Chunk): Problem[] {
  const shape = site.parent?.shape;
  if (site.key !== 'values' || (shape !== 'defaultFilter' && shape !== 'stageCondition')) return [];
  return items.flatMap((item): Problem[] => {
    if (item?.kind !== 'scalar' || isDynamic(item.value)) return [];
    return readTemplate(chunk.text, item).paths.flatMap(({ segments: [head, property], start, end }): Problem[] => {
      if (!head || head.text === 'COMPILE_CONTEXT') return [];
      if (shape === 'defaultFilter' && isContext(head.text))
        return isEmptyContext(head.text, property?.text) ? [lateValue(head.text, start, end)] : [];
      const message = `\`${head.text}\` is not known while the model is loaded: write \`\\{${head.text}\\}\` for the characters themselves.`;
      return [{ code: 'braces-in-text', start: head.start, end: head.end, message }];
    });
  });
}

function lateValue(name: string, start: number, end: number): Problem {
  const message = `\`${name}\` has values only when a query runs, and this filter is read when the model is loaded.`;
  return { code: 'unknown-reference', start, end, message };
}

/** Reports names that items of one list share. */
export function checkNamedItems({ key = '' }: Site, { items }: SeqNode, chunk: Chunk): Problem[] {
  if (!NAMED.has(key) || chunk.templated) return [];
  const maps = items.flatMap((item) => (item?.kind === 'map' ? [item] : []));
  return [...sameNames(maps, chunk), ...(key === 'links' ? severalPrimary(maps) : [])];
}

function sameNames(items: readonly MapNode[], chunk: Chunk): Problem[] {
  const seen = new Map<string, ScalarNode>();
  return items.flatMap((item): Problem[] => {
    const name = findPair(item, 'name')?.value;
    if (name?.kind !== 'scalar' || name.value === '' || isDynamic(name.value)) return [];
    const first = seen.get(name.value);
    if (!first) {
      seen.set(name.value, name);
      return [];
    }
    const related = [{ chunk, start: first.start, end: first.end, message: 'The first one.' }];
    const message = `\`${name.value}\` appears twice in this list.`;
    const fix = renaming(name, chunk.text, (other) => items.some((each) => textOf(each, 'name') === other));
    return [{ code: 'duplicate-name', start: name.start, end: name.end, message, related, fix }];
  });
}

function severalPrimary(items: readonly MapNode[]): Problem[] {
  const primary = items.flatMap((item) => {
    const value = findPair(item, 'primary')?.value;
    return value?.kind === 'scalar' && value.value === 'true' ? [value] : [];
  });
  return primary.slice(1).map(({ start, end }) => ({
    code: 'bad-value',
    start,
    end,
    message: 'Only one link can be the primary one.',
  }));
}

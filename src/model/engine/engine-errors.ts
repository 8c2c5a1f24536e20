import type { Chunk } from '#model/file.ts';
import type { ModelIndex } from '#model/index.ts';
import { camelize } from '#model/language/camelize.ts';
import { language } from '#model/language/language.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import { findPair, type MapNode, type ScalarNode, type TreeNode } from '#model/syntax/tree.ts';

/** The position in a chunk of an error of the engine. */
export interface ErrorInChunk {
  readonly chunk: Chunk;
  readonly start: number;
  readonly end: number;
}

/** `orders cube: (measures.total.sql) is required` and the like: the entity, and the path below it. */
const IN_CUBE = /^(?:\[[^\]]*\] )?(\w+) (?:cube|view group): ([\s\S]*)$/;
const PATHS = /\(([\w.[\]-]+)(?: = [^)]*)?\)|"([\w.[\]-]+)"/g;
const MEMBER = /\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)\b/;

const KNOWN_KEYS = new Set(Object.values(language).flatMap(({ keys }) => Object.keys(keys).map(camelize)));

/**
 * Finds the position of an error of the engine, which gives none itself: by the path in the message
 * (docs/model-language.md#spelling-of-keys: camel case, members as keys), else by the cube and member that it names, else by a
 * reference that it could not resolve. Returns undefined if the message names nothing of the model.
 */
export function positionOfEngineError(message: string, index: ModelIndex): ErrorInChunk | undefined {
  const [, name = '', rest = message] = IN_CUBE.exec(message.trim()) ?? [];
  const entity = index.entity(name) ?? index.viewGroup(name);
  if (entity) return inEntity(entity, rest);
  return unresolved(message, index) ?? named(message, index);
}

function inEntity(entity: EntitySymbol, message: string): ErrorInChunk | undefined {
  const paths = [...message.matchAll(PATHS)].map(([, first, second]) => first ?? second ?? '');
  // The deepest path is the most precise. Alternatives list several; an unknown key is the likeliest typo.
  let best: { readonly position: ErrorInChunk; readonly rank: number } | undefined;
  for (const path of paths) {
    const steps = path.replaceAll('[', '.').replaceAll(']', '').split('.');
    const found = follow(entity, steps);
    const rank = found ? found.depth * 2 + (KNOWN_KEYS.has(steps.at(-1) ?? '') ? 0 : 1) : 0;
    if (found && rank > (best?.rank ?? 0)) best = { position: found.position, rank };
  }
  return best?.position ?? quotedIn(entity, message) ?? nameOf(entity);
}

/** Returns the position of the first quoted name that occurs below the entity. */
function quotedIn(entity: EntitySymbol, message: string): ErrorInChunk | undefined {
  for (const [, quoted = ''] of message.matchAll(/'([\w.]+)'/g)) {
    const name = quoted.split('.').at(-1) ?? '';
    const found = name === entity.name ? undefined : nameIn(entity, name);
    if (found) return found;
  }
  return undefined;
}

/** Follows a path down an entity and returns the last node that exists. */
function follow(
  entity: EntitySymbol,
  steps: readonly string[],
): { readonly position: ErrorInChunk; readonly depth: number } | undefined {
  let node: TreeNode | undefined = entity.entity.node;
  let mark: { readonly start: number; readonly end: number } | undefined;
  let depth = 0;
  for (const step of steps) {
    const next: Step | undefined = node && stepInto(node, step);
    if (!next) break;
    ({ node } = next);
    ({ mark } = next);
    depth++;
  }
  return mark && { position: { chunk: entity.chunk, start: mark.start, end: mark.end }, depth };
}

interface Step {
  readonly node: TreeNode | undefined;
  /** The range to mark if the path ends here: a key, or the name of a list item. */
  readonly mark: { readonly start: number; readonly end: number };
}

function stepInto(node: TreeNode, step: string): Step | undefined {
  if (node.kind === 'map') {
    const pair = node.pairs.find(({ key }) => key.value === step || camelize(key.value) === step);
    return pair && { node: pair.value, mark: pair.value?.kind === 'scalar' ? pair.value : pair.key };
  }
  if (node.kind !== 'seq') return undefined;
  const item = /^\d+$/.test(step)
    ? node.items[Number(step)]
    : node.items.find((candidate) => candidate?.kind === 'map' && itemName(candidate)?.value === step);
  if (!item) return undefined;
  return { node: item, mark: (item.kind === 'map' ? (itemName(item) ?? item.pairs[0]?.key) : undefined) ?? item };
}

function itemName(item: MapNode): ScalarNode | undefined {
  const name = findPair(item, 'name')?.value;
  return name?.kind === 'scalar' ? name : undefined;
}

/** Returns the first reference to the name in `nope is not defined`, `orders.nope cannot be resolved …`. */
function unresolved(message: string, index: ModelIndex): ErrorInChunk | undefined {
  const [, path] = /^(?:Errors?:\s*)?([\w.]+) (?:is not defined|cannot be resolved)/.exec(message.trim()) ?? [];
  const names = path?.split('.') ?? [];
  const last = names.at(-1);
  if (last === undefined) return undefined;
  const owner = names.length > 1 ? names.at(-2) : undefined;
  for (const entity of index.entities()) {
    const reference = entity.references.find(
      ({ segments }) =>
        segments.at(-1)?.text === last &&
        (owner === undefined || entity.name === owner || segments.at(-2)?.text === owner),
    );
    if (reference) return { chunk: entity.chunk, start: reference.start, end: reference.end };
  }
  return undefined;
}

/** Returns the position of the cube and member that a sentence names: `Member 'orders.x' references foreign cubes`. */
function named(message: string, index: ModelIndex): ErrorInChunk | undefined {
  const inside = index.entity(/\bin (?:cube|view) '(\w+)'/.exec(message)?.[1] ?? '');
  if (inside) return quotedIn(inside, message) ?? nameOf(inside);
  const [, cube = '', member = ''] = MEMBER.exec(message) ?? [];
  const entity = index.entity(cube);
  if (entity) return nameIn(entity, member) ?? nameOf(entity);
  for (const [, word = ''] of message.matchAll(/['"`](\w+)['"`]/g)) {
    const found = index.entity(word);
    if (found) return nameOf(found);
  }
  return undefined;
}

function nameIn(entity: EntitySymbol, name: string): ErrorInChunk | undefined {
  const node =
    entity.duplicates.find((member) => member.name === name)?.nameNode ??
    entity.members.get(name)?.nameNode ??
    entity.joins.find((join) => join.name === name)?.nameNode;
  const reference = node ?? entity.references.find(({ segments }) => segments.at(-1)?.text === name);
  return reference && { chunk: entity.chunk, start: reference.start, end: reference.end };
}

function nameOf({ nameNode, chunk }: EntitySymbol): ErrorInChunk | undefined {
  return nameNode && { chunk, start: nameNode.start, end: nameNode.end };
}

import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import { isError } from '#model/engine/is-error.ts';
import type { Chunk } from '../file.ts';
import { GRANULARITIES } from '../language/shared-keys.ts';
import { camelize } from '../language/camelize.ts';
import type { Key } from '../language/types.ts';

import type { Entity } from '../syntax/entity.ts';
import { findPair, isDynamic, type MapNode, type ScalarNode, scalarType, type TreeNode } from '../syntax/tree.ts';
import { keyInfo, type Site, walkEntity } from '../typed.ts';
import { checkDuplicates } from './duplicate-keys.ts';
import { checkEvaluatedNames } from './evaluated-names.ts';
import { checkItems, checkLoadedValues, checkNamedItems } from './lists.ts';
import { checkLateValues } from './late-keys.ts';
import { checkMeta } from './meta.ts';
import { checkNested } from './nested.ts';
import { nullValue } from './null-value.ts';
import { RefusedKeys } from './refused-keys.ts';
import { badName, checkTakenEntity, checkTakenKey, checkTakenName, isIdentifier } from './names.ts';
import { checkAccessors } from './script-accessors.ts';
import { isGroupValue, isOfGroupFunction } from './script-groups.ts';
import { checkShape } from './shape.ts';
import { checkTemplate } from './templates.ts';
import { checkValue } from './values.ts';
import { wrongType } from './wrong-type.ts';

/** Keys that may be empty, besides lists of members (the engine reads those as empty lists). */
const NULLABLE = new Set(['time_shift', 'meta', 'indexes']);

/** Checks everything about an entity that needs no other one. */
export function checkEntity(entity: Entity, chunk: Chunk): Problem[] {
  const problems: Problem[] = [];
  const refused = new RefusedKeys();
  walkEntity(entity, (site) => {
    const { node } = site;
    if (isOfGroupFunction(site, chunk)) return false;
    // A key that cannot be here has one problem, whatever its value is.
    if (site.pair && refused.has(site.pair.key)) return false;
    if (node.kind === 'map') {
      if (hasDuplicates(node)) append(problems, checkDuplicates(node, chunk, isOverwritten(site, chunk, entity)));
      append(problems, refused.note(checkKeys(site, node, chunk)));
      if (site.shape === 'granularity') append(problems, checkGranularity(site, node));
      append(problems, [...checkAccessors(site, node, chunk), ...checkTakenKey(site)]);
    }
    const wrong = valueProblems(site, entity, chunk);
    append(problems, wrong);
    // Of a value that is not allowed at all, nothing else needs to be said.
    if (node.kind === 'scalar' && !wrong.some(isError)) append(problems, checkWritten(site, node, chunk));
    if (node.kind === 'seq' && chunk.kind !== 'script' && !chunk.templated)
      append(problems, [
        ...checkItems(site, node),
        ...checkNamedItems(site, node, chunk),
        ...checkLoadedValues(site, node, chunk),
      ]);
    if (site.key === 'meta' && site.type.is === 'any') append(problems, checkMeta(node, chunk));
    return true;
  });
  append(problems, checkEntityName(entity));
  const { notAName } = entity;
  if (notAName)
    problems.push({ code: 'bad-name', start: notAName.start, end: notAName.end, message: 'A name must be text.' });
  if (entity.isNoObject === true) problems.push(wrongType(entity.node, 'an object: `{ … }`'));
  return chunk.kind === 'script' && entity.conditional
    ? problems.map((problem) => (isError(problem) ? { ...problem, severity: 'warning' as const } : problem))
    : problems;
}

function valueProblems(site: Site, entity: Entity, chunk: Chunk): Problem[] {
  if (isGroupValue(site, entity, chunk) || isOverriddenName(site, entity, chunk)) return [];
  const noName = chunk.kind === 'script' ? checkEvaluatedNames(site, entity, chunk) : undefined;
  return noName ? [noName] : checkValue(site, chunk);
}

/** Checks for the name of a cube or view in its object, which the one in front of the object replaces. */
function isOverriddenName({ key, parent, node }: Site, { nameNode }: Entity, { kind }: Chunk): boolean {
  return kind === 'script' && key === 'name' && parent !== undefined && !parent.parent && nameNode !== node;
}

/** Returns the problems of the keys of a map: what may be there, and what must have a value. */
function checkKeys(site: Site, node: MapNode, chunk: Chunk): Problem[] {
  const nested = chunk.templated ? [] : checkNested(site, node);
  if (site.shape === undefined) return nested;
  const late = chunk.templated ? [] : checkLateValues(site, node, chunk);
  return [...checkShape(site, node, chunk), ...checkPairs(site, node, chunk), ...late, ...nested];
}

/** Returns the problems of a scalar whose type is right. */
function checkWritten(site: Site, node: ScalarNode, chunk: Chunk): Problem[] {
  return [...checkTakenName(site, node), ...(chunk.kind === 'script' ? [] : checkTemplate(site, node, chunk))];
}

/** Checks only that no map of an entity holds a key twice, which the engine checks before it runs a script. */
export function checkWrittenKeys(entity: Entity, chunk: Chunk): Problem[] {
  const problems: Problem[] = [];
  walkEntity(entity, (site) => {
    if (site.node.kind === 'map' && hasDuplicates(site.node))
      append(problems, checkDuplicates(site.node, chunk, isOverwritten(site, chunk, entity)));
  });
  return problems;
}

/** Checks the name of an entity; in JavaScript it is the first argument, not a key. */
function checkEntityName({ nameNode, node, kind, notAName }: Entity): Problem[] {
  if (!nameNode || notAName || node.pairs.some(({ value }) => value === nameNode) || kind === 'viewGroup') return [];
  const { value, style } = nameNode;
  if (kind === 'view') {
    const problems = checkTakenEntity(nameNode);
    if (problems.length > 0) return problems;
  }
  return (style === 'template' && value.includes('${')) || isIdentifier(value) ? [] : [badName(nameNode)];
}

/** Checks whether a key occurs twice; nearly all maps are small. */
function hasDuplicates({ pairs }: MapNode): boolean {
  if (pairs.length > 40) return new Set(pairs.map(({ key }) => key.value)).size < pairs.length;
  for (let at = 1; at < pairs.length; at++) {
    const key = pairs[at]?.key.value;
    for (let before = 0; before < at; before++) if (pairs[before]?.key.value === key) return true;
  }
  return false;
}

/**
 * Checks whether the last of several equal keys silently wins, as in a list of a script: the engine checks for duplicates only in
 * nested objects of `cube(…)` and `view(…)`, and not in joins, of which it makes a list first.
 */
function isOverwritten(site: Site, { kind }: Chunk, entity: Entity): boolean {
  if (kind !== 'script') return false;
  if (entity.isElsewhere === true || entity.kind === 'viewGroup') return true;
  if (site.shape === 'join') return true;
  for (let at = site.parent; at; at = at.parent) if (at.node.kind === 'seq' || at.shape === 'join') return true;
  return false;
}

function checkPairs(site: Site, node: MapNode, chunk: Chunk): Problem[] {
  const problems: Problem[] = [];
  for (const pair of node.pairs) {
    const known = keyInfo(site, pair);
    if (!known) continue;
    const { key } = pair;
    const isNull =
      pair.value === undefined ||
      (pair.value.kind === 'scalar' && scalarType(pair.value) === 'null' && chunk.kind !== 'script');
    if (isNull && chunk.kind !== 'script' && !chunk.templated && !isNullable(known)) {
      // The engine reads the keys of a view group only if they have a value.
      problems.push(isOfViewGroup(site, known.name) ? { ...nullValue(pair), severity: 'warning' } : nullValue(pair));
    }
    if (known.info.deprecated) problems.push(deprecated(node, key, known.info.deprecated));
  }
  return problems;
}

function isOfViewGroup({ shape }: Site, name: string): boolean {
  return (
    (shape === 'viewGroup' && name !== 'name') || (shape === 'nestedViewGroup' && /^(?:title|description)$/.test(name))
  );
}

function isNullable({ name, info }: NonNullable<ReturnType<typeof keyInfo>>): boolean {
  return info.type.is === 'members' || NULLABLE.has(name);
}

/** Checks a granularity; one with SQL replaces a predefined one (docs/model-language.md#granularities). */
function checkGranularity({ nameNode }: Site, node: MapNode): Problem[] {
  const isBySql = findPair(node, 'sql') !== undefined;
  if (
    !nameNode ||
    !isBySql ||
    isDynamic(nameNode.value) ||
    (GRANULARITIES as readonly string[]).includes(nameNode.value.toLowerCase())
  )
    return [];
  return [
    {
      code: 'bad-name',
      start: nameNode.start,
      end: nameNode.end,
      message: `A granularity with \`sql\` must have one of these names: ${GRANULARITIES.join(', ')}. Use \`interval\` for your own.`,
    },
  ];
}

function deprecated(node: TreeNode, key: ScalarNode, { use, why }: NonNullable<Key['deprecated']>): Problem {
  const text = use !== undefined && /[A-Z]/.test(key.value) ? camelize(use) : use;
  const isTaken = node.kind === 'map' && text !== undefined && findPair(node, text) !== undefined;
  const fix =
    text === undefined || isTaken
      ? undefined
      : { title: `Change to \`${text}\``, start: key.start, end: key.end, text, sure: true };
  return { code: 'deprecated', start: key.start, end: key.end, message: why, fix };
}

import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import { capitalized, withArticle } from '#base/words.ts';
import type { Chunk } from '../file.ts';
import { camelize } from '../language/camelize.ts';
import { canonicalKey, convertKey, language } from '../language/language.ts';
import { nounOf, type Shape, type Type } from '../language/types.ts';
import { isTypo, nearestName } from '../suggest.ts';
import { findPair, isDynamic, type MapNode, type Pair, type TreeNode } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { checkRules, type Keys, missing } from './key-rules.ts';
import { isUnreadLate, takenLate } from './late-keys.ts';
import { KEYED } from './names.ts';
import { quotedKey } from './quoted-value.ts';
import { constantIn, isUndefined } from './script-values.ts';
import { isNothing, PASSED_OVER } from './wrong-type.ts';

/** Checks one map against its shape: forbidden, required and mutually exclusive keys. */
export function checkShape(site: Site, node: MapNode, chunk: Chunk): Problem[] {
  if (site.shape === undefined) return [];
  const shape = language[site.shape];
  const problems: Problem[] = [];
  const present = new Map<string, Pair>();
  const empty = new Map<string, Pair>();
  for (const pair of node.pairs) {
    const key = takenKey(pair, site, chunk);
    const refused = refusedKey(key, pair, site, chunk);
    if (refused) problems.push(refused);
    if (key === undefined) continue;
    if (!isLeftOut(key, pair, site)) present.set(key, pair);
    else if (isUndefined(pair.value)) empty.set(key, pair);
  }
  const isOpen = node.open || node.pairs.some(({ key }) => isDynamic(key.value));
  const unknown = withoutSharedFix(problems);
  return isOpen || chunk.templated
    ? unknown
    : [...unknown, ...keyProblems(site, chunk, shape, { present, empty }, unknown)];
}

/** Returns the problems of the keys that are there or missing. A key that is only misspelt is not missing as well. */
function keyProblems(
  site: Site,
  chunk: Chunk,
  shape: Shape,
  { present, empty }: Keys,
  unknown: readonly Problem[],
): readonly Problem[] {
  const found = checkKeys(site, chunk, shape, { present, empty });
  if (unknown.length === 0 || !found.some(({ code }) => code === 'missing-key')) return found;
  const { node } = site;
  const pairs = node.kind === 'map' ? node.pairs : [];
  const meant = new Map(present);
  for (const { start, fix } of unknown) {
    const pair = pairs.find(({ key }) => key.start === start);
    const key = pair && fix ? canonicalKey(site.shape ?? 'file', fix.text) : undefined;
    if (pair && key !== undefined) meant.set(key, pair);
  }
  const missingStill = new Set(checkKeys(site, chunk, shape, { present: meant, empty }).map(({ message }) => message));
  return found.filter(({ code, message }) => code !== 'missing-key' || missingStill.has(message));
}

/** Checks for a key that the engine takes for missing because of its value. */
function isLeftOut(key: string, pair: Pair, { shape = 'file' }: Site): boolean {
  if (PASSED_OVER.has(key) && isNothing(pair.value)) return true;
  if (isMissing(pair, language[shape].keys[key]?.type)) return true;
  return key === 'type' && shape === 'preAggregation' && isNothing(pair.value && knownValue(pair.value));
}

/** Returns a value as if it were written where it is computed, as far as it is known. */
function knownValue(node: TreeNode): TreeNode {
  return constantIn(node) ?? node;
}

/** Checks for `undefined` in a script. The engine makes a function of it where it expects SQL or references. */
function isMissing({ value }: Pair, type: Type | undefined): boolean {
  if (!isUndefined(value) || !type) return false;
  const { is } = type.is === 'list' ? type.of : type;
  return is !== 'sql' && is !== 'reference' && !(type.is === 'list' && is === 'any');
}

/** Keeps the fixes of two keys that would become the same one from being made together. */
function withoutSharedFix(problems: Problem[]): Problem[] {
  if (problems.length < 2) return problems;
  return problems.map((problem): Problem => {
    const { fix } = problem;
    const isShared = fix?.sure === true && problems.some((other) => other !== problem && other.fix?.text === fix.text);
    return isShared ? { ...problem, fix: { ...fix, sure: false } } : problem;
  });
}

/** Returns the key that the engine takes the written one for; undefined if it knows none. */
function takenKey(pair: Pair, site: Site, chunk: Chunk): string | undefined {
  const { shape = 'file' } = site;
  const key = canonicalKey(shape, pair.key.value);
  if (key === undefined) return takenLate(pair, site, chunk)?.name;
  return isReadAsWritten(key, pair, language[shape], chunk) ? undefined : key;
}

/**
 * Checks for a text in a script that the engine does not read as SQL, because it searches for the usual spellings of its key
 * before it converts keys.
 */
function isReadAsWritten(
  key: string,
  { key: { value }, value: node }: Pair,
  { keys }: Shape,
  { kind }: Chunk,
): boolean {
  if (kind !== 'script' || value === key || value === camelize(key)) return false;
  return keys[key]?.type.is === 'sql' && node?.kind === 'scalar' && node.style !== 'code';
}

/** Returns the problem of a key that is not allowed, whatever else is there. */
function refusedKey(key: string | undefined, pair: Pair, site: Site, chunk: Chunk): Problem | undefined {
  const { shape = 'file' } = site;
  if (key === 'name' && isNamedByKey(site)) return nameInMember(pair);
  // The engine ignores it only in YAML.
  const isKnown = key !== undefined && !(key === 'indexes' && shape === 'dimension' && chunk.kind === 'script');
  return isKnown || isDynamic(pair.key.value) ? undefined : unknownKey(pair, language[shape], site, chunk);
}

/** Checks for a member of a script, whose name is the key that holds it. */
function isNamedByKey({ nameNode, pair, shape }: Site): boolean {
  return nameNode !== undefined && nameNode === pair?.key && shape !== 'join';
}

function nameInMember({ key, end }: Pair): Problem {
  const message = 'In a script, the name of a member is the key in front of it: `name` is not allowed in it.';
  const fix = { title: 'Remove `name`', start: key.start, end, text: '' };
  return { code: 'misplaced-key', start: key.start, end: key.end, message, fix };
}

function checkKeys(site: Site, chunk: Chunk, shape: Shape, { present, empty }: Keys): Problem[] {
  const problems: Problem[] = [];
  for (const name of requiredKeys(shape))
    if (!present.has(name) && !(name === 'name' && hasOtherName(site, chunk)))
      append(problems, missing(site, chunk, [name], name === 'includes' ? ' It may be "*".' : ''));
  append(problems, checkRules(site, chunk, shape, { present, empty }));
  return problems;
}

/**
 * Checks whether the name is not under `name`: in JavaScript a member's name is the key that holds it, and an entity's is an
 * argument.
 */
function hasOtherName({ pair, nameNode, parent }: Site, chunk: Chunk): boolean {
  const isNamed = pair !== undefined && nameNode !== undefined && nameNode === pair.key;
  return isNamed || (parent === undefined && chunk.kind === 'script');
}

const required = new WeakMap<Shape, readonly string[]>();

function requiredKeys(shape: Shape): readonly string[] {
  let keys = required.get(shape);
  if (!keys) {
    keys = Object.keys(shape.keys).filter((name) => shape.keys[name]?.required);
    required.set(shape, keys);
  }
  return keys;
}

function unknownKey(pair: Pair, shape: Shape, site: Site, chunk: Chunk): Problem {
  const { key, end } = pair;
  const names = Object.keys(shape.keys).filter((name) => !shape.keys[name]?.hidden);
  const successor = SUCCESSORS[`${site.shape ?? ''}.${key.value}`];
  const offered = [...names, ...(shape.camel ? names.map(camelize) : [])];
  const guess = successor ?? nearestName(key.value, offered);
  const isTaken = site.node.kind === 'map' && guess !== undefined && findPair(site.node, guess) !== undefined;
  const hint = guess === undefined ? parentHint(key.value, site) : ` Did you mean \`${guess}\`?`;
  return {
    code: 'unknown-key',
    severity: chunk.kind !== 'script' && isPassedOver(pair, site) ? 'warning' : undefined,
    start: key.start,
    end: key.end,
    message: `${capitalized(withArticle(nounOf(shape)))} has no key ${quotedKey(key.value)}.${hint}`,
    fix:
      guess === undefined
        ? { title: `Remove ${quotedKey(key.value)}`, start: key.start, end, text: '' }
        : {
            title: `Change to \`${guess}\``,
            start: key.start,
            end: key.end,
            text: guess,
            sure: !isTaken && (successor !== undefined || isTypo(key.value, guess, new Set(offered))),
          },
  };
}

/**
 * Checks for keys that the engine ignores: unknown ones of a view group in YAML, those that it reads too late, and lists that it takes from every member, but
 * gives back only to members that can have them.
 */
function isPassedOver(pair: Pair, site: Site): boolean {
  const { key, value } = pair;
  const { shape = 'file' } = site;
  if (shape === 'viewGroup') return true;
  if (isUnreadLate(pair, site)) return true;
  if (!KEYED.has(shape) && shape !== 'index') return false;
  const name = convertKey(shape, key.value);
  return name === 'granularities' || name === 'indexes' || (name === 'timeShift' && isNothing(value));
}

/** Keys that the engine has renamed. */
const SUCCESSORS: Readonly<Record<string, string>> = { 'policy.role': 'group' };

/** Returns a hint if the key is valid one level further out. */
function parentHint(key: string, site: Site): string {
  for (let at = site.parent; at; at = at.parent) {
    if (at.shape !== undefined && canonicalKey(at.shape, key) !== undefined)
      return ` It belongs to the ${nounOf(language[at.shape])}: indent it less.`;
  }
  return '';
}

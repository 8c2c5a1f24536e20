import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import { unreachable } from '#base/result.ts';
import { capitalized, withArticle } from '#base/words.ts';
import type { Chunk } from '../file.ts';
import { camelize } from '../language/camelize.ts';
import { canonicalKey, convertKey, language } from '../language/language.ts';
import { nounOf, type Rule, type Shape, type Type, type When } from '../language/types.ts';
import { isTypo, nearestName } from '../suggest.ts';
import { findPair, isDynamic, type MapNode, type Pair, type ScalarNode, type TreeNode } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
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
  for (const pair of node.pairs) {
    const key = takenKey(pair, site, chunk);
    if (key !== undefined && isLeftOut(key, pair, site)) continue;
    if (key !== undefined) present.set(key, pair);
    else if (!isDynamic(pair.key.value)) problems.push(unknownKey(pair, shape, site, chunk));
  }
  const isOpen = node.open || node.pairs.some(({ key }) => isDynamic(key.value));
  const unknown = withoutSharedFix(problems);
  return isOpen || chunk.templated ? unknown : [...unknown, ...keyProblems(site, chunk, shape, present, unknown)];
}

/** Returns the problems of the keys that are there or missing. A key that is only misspelt is not missing as well. */
function keyProblems(
  site: Site,
  chunk: Chunk,
  shape: Shape,
  present: ReadonlyMap<string, Pair>,
  unknown: readonly Problem[],
): readonly Problem[] {
  const found = checkKeys(site, chunk, shape, present);
  if (unknown.length === 0 || !found.some(({ code }) => code === 'missing-key')) return found;
  const { node } = site;
  const pairs = node.kind === 'map' ? node.pairs : [];
  const meant = new Map(present);
  for (const { start, fix } of unknown) {
    const pair = pairs.find(({ key }) => key.start === start);
    const key = pair && fix ? canonicalKey(site.shape ?? 'file', fix.text) : undefined;
    if (pair && key !== undefined) meant.set(key, pair);
  }
  const missingStill = new Set(checkKeys(site, chunk, shape, meant).map(({ message }) => message));
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

function checkKeys(site: Site, chunk: Chunk, shape: Shape, present: ReadonlyMap<string, Pair>): Problem[] {
  const problems: Problem[] = [];
  for (const name of requiredKeys(shape))
    if (!present.has(name) && !(name === 'name' && hasOtherName(site, chunk)))
      append(problems, missing(site, chunk, [name], name === 'includes' ? ' It may be "*".' : ''));
  for (const rule of shape.rules ?? [])
    if (isBroken(rule, shape, present)) append(problems, checkRule(rule, site, chunk, shape, present));
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

/** Checks whether a map breaks a rule. Nearly none does: this runs for every map and allocates nothing. */
function isBroken(rule: Rule, shape: Shape, present: ReadonlyMap<string, Pair>): boolean {
  for (const when of rule.when ?? []) if (!holds(when, shape, present)) return false;
  let count = 0;
  for (const name of rule.keys) if (present.has(name)) count++;
  switch (rule.rule) {
    case 'some':
      return count === 0;
    case 'all':
      return count < rule.keys.length;
    case 'exclusive':
      return count > 1;
    case 'none':
      return count > 0;
    default:
      return unreachable(rule);
  }
}

function checkRule(rule: Rule, site: Site, chunk: Chunk, shape: Shape, present: ReadonlyMap<string, Pair>): Problem[] {
  const there = rule.keys.filter((name) => present.has(name));
  switch (rule.rule) {
    case 'some':
      return missing(site, chunk, rule.keys);
    case 'all':
      return rule.keys.filter((name) => !present.has(name)).flatMap((name) => missing(site, chunk, [name]));
    case 'exclusive':
      return inOrder(there, present)
        .slice(1)
        .flatMap((name) => excluded(name, there, present));
    case 'none':
      return there.flatMap((name) => misplaced(name, rule.why ?? because(rule.when ?? [], present), shape, present));
    default:
      return rule;
  }
}

function holds(when: When, shape: Shape, present: ReadonlyMap<string, Pair>): boolean {
  const pair = present.get(when.key);
  const value = pair?.value;
  if (when.in === undefined && when.notIn === undefined) return isThere(when, present) !== (when.absent ?? false);
  // An unknown value does not meet the condition.
  if (pair && (value?.kind !== 'scalar' || isComputed(value))) return false;
  return value?.kind === 'scalar' ? holdsFor(value.value, when, shape) : when.in === undefined;
}

function holdsFor(text: string, { key, in: listed, notIn = [] }: When, shape: Shape): boolean {
  const same = (candidate: string): boolean => candidate === text || camelize(candidate) === camelize(text);
  if (listed) return listed.some(same);
  // What a value that does not exist would need is not known: the value itself is reported.
  return !isRefused(shape.keys[key]?.type, same) && !notIn.some(same);
}

/** Checks for a key of listed values of which none is the same. */
function isRefused(type: Type | undefined, same: (candidate: string) => boolean): boolean {
  return type?.is === 'text' && type.choices?.some(({ value }) => same(value)) === false;
}

/** Checks for a value that is known only when a script runs or a template is rendered. */
function isComputed({ style, value }: ScalarNode): boolean {
  return style === 'code' || (style === 'template' && value.includes('${')) || isDynamic(value);
}

function isThere({ key, or = [] }: When, present: ReadonlyMap<string, Pair>): boolean {
  return present.has(key) || or.some((other) => present.has(other));
}

function because(when: readonly When[], present: ReadonlyMap<string, Pair>): string {
  const cause = when.find(({ key }) => present.has(key));
  return cause ? `It cannot be combined with \`${cause.key}\`.` : 'It cannot be combined with the other keys.';
}

/** Maximum number of keys listed in a message. */
const MOST_NAMED = 6;

function missing(site: Site, chunk: Chunk, keys: readonly string[], more = ''): Problem[] {
  const { node } = site;
  if (node.kind !== 'map' || site.shape === undefined) return [];
  const shape = language[site.shape];
  const shown = keys.slice(0, MOST_NAMED).map((name) => `\`${name}\``);
  const missingKeys = keys.length > MOST_NAMED ? `one of ${shown.join(', ')} and the like` : listOf(shown);
  // Mark the name: a range over the whole entity would be hard to find.
  const anchor = site.nameNode ?? findPair(node, 'name')?.value ?? node.pairs[0]?.key ?? node;
  const problem: Problem = {
    code: 'missing-key',
    start: anchor.start,
    end: anchor.end,
    message: `This ${nounOf(shape)} needs ${missingKeys}.${more}`,
    fix: chunk.kind === 'script' ? undefined : addKey(node, keys[0] ?? '', shape, chunk),
  };
  return [problem];
}

/** Lists alternatives: `a`, `b` or `c`. */
function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** Returns a fix that adds a line (or a flow entry) with the key and a value to fill in. */
function addKey(node: MapNode, name: string, shape: Shape, chunk: Chunk): Problem['fix'] {
  const last = node.pairs.at(-1);
  const type = shape.keys[name]?.type;
  if (!last || !type) return undefined;
  const value =
    type.is === 'text' && type.choices ? (type.choices[0]?.value ?? '') : type.is === 'boolean' ? 'true' : '""';
  const lineStart = chunk.text.lastIndexOf('\n', node.start - 1) + 1;
  const text = node.flow ? `, ${name}: ${value}` : `\n${' '.repeat(node.start - lineStart)}${name}: ${value}`;
  return { title: `Add \`${name}\``, start: last.end, end: last.end, text };
}

/** Returns names in the order of the file: the first one counts as intended. */
function inOrder(names: readonly string[], present: ReadonlyMap<string, Pair>): string[] {
  return [...names].sort((a, b) => (present.get(a)?.key.start ?? 0) - (present.get(b)?.key.start ?? 0));
}

function excluded(name: string, there: readonly string[], present: ReadonlyMap<string, Pair>): Problem[] {
  const pair = present.get(name);
  const others = there
    .filter((other) => other !== name)
    .map((other) => `\`${other}\``)
    .join(' and ');
  if (!pair) return [];
  const fix = { title: `Remove \`${name}\``, start: pair.key.start, end: pair.end, text: '' };
  return [
    {
      code: 'exclusive-keys',
      start: pair.key.start,
      end: pair.key.end,
      message: `\`${name}\` and ${others} cannot be combined.`,
      fix,
    },
  ];
}

function misplaced(name: string, why: string, shape: Shape, present: ReadonlyMap<string, Pair>): Problem[] {
  const pair = present.get(name);
  if (!pair) return [];
  return [
    {
      code: 'misplaced-key',
      start: pair.key.start,
      end: pair.key.end,
      message: `\`${name}\` is not allowed in this ${nounOf(shape)}. ${why}`,
    },
  ];
}

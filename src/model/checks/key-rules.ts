import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import { unreachable } from '#base/result.ts';
import type { Chunk } from '../file.ts';
import { camelize } from '../language/camelize.ts';
import { language } from '../language/language.ts';
import { nounOf, type Rule, type Shape, type Type, type When } from '../language/types.ts';
import { findPair, isDynamic, type MapNode, type Pair, type ScalarNode } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';

/** The keys of a map. */
export interface Keys {
  readonly present: ReadonlyMap<string, Pair>;
  /** Those with `undefined`: the engine misses them where they are needed, and refuses them where they are not allowed. */
  readonly empty: ReadonlyMap<string, Pair>;
}

/** Checks the keys of a map against the rules of its shape: which need, exclude or forbid each other. */
export function checkRules(site: Site, chunk: Chunk, shape: Shape, { present, empty }: Keys): Problem[] {
  const problems: Problem[] = [];
  for (const rule of shape.rules ?? [])
    if (isBroken(rule, shape, present)) append(problems, checkRule(rule, site, chunk, shape, present));
    else if (empty.size > 0) append(problems, checkEmpty(rule, shape, { present, empty }));
  return problems;
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

/** Reports keys with `undefined` that are not allowed beside the others. */
function checkEmpty(rule: Rule, shape: Shape, { present, empty }: Keys): Problem[] {
  if (rule.mayBeUndefined || rule.rule === 'some' || rule.rule === 'all') return [];
  const all = new Map([...present, ...empty]);
  // `undefined` is none of the values that a key may have.
  const when = (rule.when ?? []).filter(({ key }) => !(rule.keys.includes(key) && empty.has(key)));
  if (!isBroken({ ...rule, when }, shape, all)) return [];
  const there = rule.keys.filter((name) => all.has(name));
  const needed = rule.when?.flatMap(({ key, or = [] }) => [key, ...or]) ?? [];
  const refused = [...new Set([...there, ...needed])].filter((name) => empty.has(name));
  return refused.flatMap((name) =>
    rule.rule === 'none'
      ? misplaced(name, rule.why ?? because(when, present), shape, empty)
      : excluded(name, there, empty),
  );
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

/** Returns the problem of a map that needs one of some keys. */
export function missing(site: Site, chunk: Chunk, keys: readonly string[], more = ''): Problem[] {
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

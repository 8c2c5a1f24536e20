import { camelize } from './language.ts';
import type { Rule, Shape, When } from './types.ts';

/** The keys that a map has already; their values as text where they are known. */
export type Written = ReadonlyMap<string, string | undefined>;

/** Whether what a rule depends on is there. A value that is not known, or that is still to come, makes no statement. */
function holds(when: When, shape: Shape, written: Written): boolean {
  const { key, or = [], absent = false } = when;
  if (when.in === undefined && when.notIn === undefined)
    return [key, ...or].some((name) => written.has(name)) !== absent;
  const text = written.get(key);
  if (text === undefined && (written.has(key) || shape.keys[key]?.required)) return false;
  const isOne = (values: readonly string[]): boolean =>
    text !== undefined && values.some((value) => camelize(value) === camelize(text));
  return when.in ? isOne(when.in) : !isOne(when.notIn ?? []);
}

/** What a map of a shape can still take: keys that it needs, and keys that do not go with what is there. */
export function choiceOfKeys(
  shape: Shape,
  written: Written,
): { readonly needed: ReadonlySet<string>; readonly excluded: ReadonlySet<string> } {
  const needed = new Set(Object.keys(shape.keys).filter((name) => shape.keys[name]?.required));
  const excluded = new Set<string>();
  for (const rule of shape.rules ?? []) {
    if (!(rule.when ?? []).every((when) => holds(when, shape, written))) continue;
    for (const name of demanded(rule, written)) needed.add(name);
    for (const name of forbidden(rule, written)) excluded.add(name);
  }
  return { needed, excluded };
}

function demanded({ rule, keys }: Rule, written: Written): readonly string[] {
  // Of many that will do, none is the one.
  if (rule === 'some') return keys.length > 3 || keys.some((name) => written.has(name)) ? [] : keys;
  return rule === 'all' ? keys : [];
}

function forbidden({ rule, keys }: Rule, written: Written): readonly string[] {
  if (rule === 'none') return keys;
  return rule === 'exclusive' && keys.some((name) => written.has(name)) ? keys : [];
}

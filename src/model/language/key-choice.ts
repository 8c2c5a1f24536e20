import { camelize } from './camelize.ts';
import type { Rule, Shape, When } from './types.ts';

/** The keys that a map already has, with their values as text if known. */
export type WrittenKeys = ReadonlyMap<string, string | undefined>;

/** Checks whether the condition of a rule is met. A value that is unknown or still to be typed decides nothing. */
function holds(when: When, shape: Shape, written: WrittenKeys): boolean {
  const { key, or = [], absent = false } = when;
  if (when.in === undefined && when.notIn === undefined)
    return [key, ...or].some((name) => written.has(name)) !== absent;
  const text = written.get(key);
  if (text === undefined && (written.has(key) || shape.keys[key]?.required)) return false;
  const isOne = (values: readonly string[]): boolean =>
    text !== undefined && values.some((value) => camelize(value) === camelize(text));
  return when.in ? isOne(when.in) : !isOne(when.notIn ?? []);
}

/** Returns the keys that a map of a shape needs, and those that conflict with the ones that it has. */
export function choiceOfKeys(
  shape: Shape,
  written: WrittenKeys,
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

function demanded({ rule, keys }: Rule, written: WrittenKeys): readonly string[] {
  // With more than three alternatives, none of them is suggested.
  if (rule === 'some') return keys.length > 3 || keys.some((name) => written.has(name)) ? [] : keys;
  return rule === 'all' ? keys : [];
}

function forbidden({ rule, keys }: Rule, written: WrittenKeys): readonly string[] {
  if (rule === 'none') return keys;
  return rule === 'exclusive' && keys.some((name) => written.has(name)) ? keys : [];
}

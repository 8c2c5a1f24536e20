/** A parsed JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The context of a value that a rule needs. */
export interface RuleContext {
  /** Records that something was left out; `what` names it for the user. */
  readonly leaveOut: (what: string) => void;
}

/** Returns the value that may be drawn; `undefined` leaves it out. */
export type Rule<C extends RuleContext> = (value: Json, context: C) => Json | undefined;

/** Whether a value is a JSON object: neither a list nor null. */
export function isRecord(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Accepts a number and clamps it to the range. */
export function num<C extends RuleContext>(least: number, most: number): Rule<C> {
  return (value) =>
    typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : undefined;
}

export const flag = (value: Json): Json | undefined => (typeof value === 'boolean' ? value : undefined);

export const none = (value: Json): Json | undefined => (value === null ? null : undefined);

/** Accepts a text to show, or a colour, but no `url(…)`. */
export function text<C extends RuleContext>(longest = 500): Rule<C> {
  return (value) => (typeof value === 'string' && !/url\s*\(/i.test(value) ? value.slice(0, longest) : undefined);
}

/** Accepts one of several texts, which are separated by spaces. */
export function oneOf<C extends RuleContext>(values: string): Rule<C> {
  const known = new Set(values.split(' '));
  return (value) => (typeof value === 'string' && known.has(value) ? value : undefined);
}

/** Applies the first rule that accepts the value. */
export function any<C extends RuleContext>(...rules: readonly Rule<C>[]): Rule<C> {
  return (value, context) => {
    for (const rule of rules) {
      const taken = rule(value, context);
      if (taken !== undefined) return taken;
    }
    return undefined;
  };
}

/** Accepts a list of at most `most` items and leaves out those that the rule rejects. A longer list is left out as a whole. */
export function list<C extends RuleContext>(rule: Rule<C>, most: number): Rule<C> {
  return (value, context) => {
    if (!Array.isArray(value) || value.length > most) return undefined;
    return (value as readonly Json[]).flatMap((item) => {
      const taken = rule(item, context);
      return taken === undefined ? [] : [taken];
    });
  };
}

/** The keys of an object that may be drawn, each with its rule. */
export type Keys<C extends RuleContext> = Readonly<Record<string, Rule<C>>>;

/** Accepts an object with known keys; leaves out all others. `make` defers reading the table, so that it can refer to itself. */
export function object<C extends RuleContext>(make: () => Keys<C>, silent: ReadonlySet<string> = new Set()): Rule<C> {
  return (value, context) => {
    if (!isRecord(value)) return undefined;
    const keys = make();
    const taken = Object.entries(value).flatMap(([key, inner]) => {
      const allowed = Object.hasOwn(keys, key) ? keys[key]?.(inner, context) : undefined;
      if (allowed === undefined && !silent.has(key)) context.leaveOut(key);
      return allowed === undefined ? [] : [[key, allowed] as const];
    });
    return Object.fromEntries(taken);
  };
}

/** Accepts an object with arbitrary keys, such as channels or column names. */
export function dictionary<C extends RuleContext>(rule: Rule<C>, most: number): Rule<C> {
  return (value, context) => {
    if (!isRecord(value) || Object.keys(value).length > most) return undefined;
    const taken = Object.entries(value).flatMap(([key, inner]) => {
      const allowed = key === '__proto__' ? undefined : rule(inner, context);
      return allowed === undefined ? [] : [[key, allowed] as const];
    });
    return Object.fromEntries(taken);
  };
}

/** JSON as it was parsed. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What a rule needs of the chart around a value. */
export interface RuleContext {
  /** Notes that a part was left out; the path names it for the user. */
  readonly leaveOut: (what: string) => void;
}

/** Gives the value that may be drawn; `undefined` leaves it out. */
export type Rule<C extends RuleContext> = (value: Json, context: C) => Json | undefined;

/** Whether a value is an object of JSON: neither a list nor null. */
export function isRecord(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number, brought into the range. */
export function num<C extends RuleContext>(least: number, most: number): Rule<C> {
  return (value) =>
    typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : undefined;
}

export const flag = (value: Json): Json | undefined => (typeof value === 'boolean' ? value : undefined);

export const none = (value: Json): Json | undefined => (value === null ? null : undefined);

/** A text that is shown, or a colour: no address, in whatever disguise. */
export function text<C extends RuleContext>(longest = 500): Rule<C> {
  return (value) => (typeof value === 'string' && !/url\s*\(/i.test(value) ? value.slice(0, longest) : undefined);
}

/** One of some texts, which are given with spaces between them. */
export function oneOf<C extends RuleContext>(values: string): Rule<C> {
  const known = new Set(values.split(' '));
  return (value) => (typeof value === 'string' && known.has(value) ? value : undefined);
}

/** The first rule that takes the value. */
export function any<C extends RuleContext>(...rules: readonly Rule<C>[]): Rule<C> {
  return (value, context) => {
    for (const rule of rules) {
      const taken = rule(value, context);
      if (taken !== undefined) return taken;
    }
    return undefined;
  };
}

/** A list of no more than `most`; what its rule does not take is left out. A longer one is left out as a whole. */
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

/** An object with known keys; the others are left out. `make` puts off reading a table that refers to itself. */
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

/** An object whose keys are free, such as channels or column names. */
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

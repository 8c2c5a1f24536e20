import type { AnyNode, MemberExpression } from 'acorn';
import { base, full, simple } from 'acorn-walk';
import type { ComputedKey, ComputedKeys } from './computed-keys.ts';
import { TooManySteps } from './script-run.ts';
import { Scope, type Value, unknown } from './script-value.ts';
import { resultOf } from './unwrapped-sql.ts';

/** Maximum number of names of one pair of brackets. */
const MOST = 100;

/** Collects the names that code in brackets of the SQL of a definition yields: `${CUBE[name]}`. */
export class BracketKeys {
  readonly #evaluate: (node: AnyNode, scope: Scope) => Value;
  readonly #text: string;
  readonly #keys = new Map<number, ComputedKey>();

  constructor(evaluate: (node: AnyNode, scope: Scope) => Value, text: string) {
    this.#evaluate = evaluate;
    this.#text = text;
  }

  /** The names so far; undefined if there are none. */
  get found(): ComputedKeys | undefined {
    return this.#keys.size === 0 ? undefined : this.#keys;
  }

  /** Adds the brackets of SQL: of a template, or of a function that does nothing but return one. */
  addFrom(value: Value): void {
    if (!this.#text.slice(value.node.start, value.node.end).includes('[')) return;
    const { node } = value;
    const result = node.type === 'TemplateLiteral' ? node : resultOf(node);
    if (!result || (value.is !== 'function' && value.is !== 'unknown') || !value.scope) return;
    const scope = new Scope(value.scope);
    for (const param of 'params' in node ? node.params : [])
      full(param, (each) => (each.type === 'Identifier' ? scope.set(each.name, { value: unknown(each) }) : undefined));
    // Names in the functions of a template may be those of their own parameters.
    simple(result, { MemberExpression: (each) => this.#add(each, scope) }, { ...base, Function: () => {} });
  }

  #add({ object, property, computed }: MemberExpression, scope: Scope): void {
    if (!computed || property.type === 'Literal' || property.type === 'PrivateIdentifier') return;
    const start = this.#text.indexOf('[', object.end);
    const end = this.#text.indexOf(']', property.end) + 1;
    const value = this.#valueOf(property, scope);
    if (value.is !== 'primitive' || typeof value.value !== 'string' || !/^[\w$]+$/.test(value.value)) return;
    const known = this.#keys.get(start)?.names ?? [];
    if (known.includes(value.value) || known.length === MOST) return;
    const from: string[] = [];
    full(property, (each) => void (each.type === 'Identifier' && from.push(each.name)));
    this.#keys.set(start, { names: [...known, value.value], from, end });
  }

  #valueOf(node: AnyNode, scope: Scope): Value {
    try {
      return this.#evaluate(node, scope);
    } catch (error) {
      if (error instanceof TooManySteps) return unknown(node);
      throw error;
    }
  }
}

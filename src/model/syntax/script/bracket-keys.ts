import type { AnyNode, MemberExpression } from 'acorn';
import { base, full, simple } from 'acorn-walk';
import type { ComputedKey, ComputedKeys } from '#model/syntax/computed-keys.ts';
import { bindPattern } from './patterns.ts';
import { TooManySteps } from './stops.ts';
import { type FunctionNode, Scope, type Value, unknown } from './value.ts';
import { resultOf } from '#model/syntax/unwrapped-sql.ts';

/** Methods of lists that call a function for each item. */
const EACH = new Set(['map', 'flatMap', 'forEach', 'filter', 'some', 'every', 'find', 'reduce']);
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
    this.#addWithin(result, scope);
  }

  /** Adds the brackets of code, also in functions that methods of lists call for each item: `names.map((name) => CUBE[name])`. */
  #addWithin(code: AnyNode, scope: Scope): void {
    simple(
      code,
      {
        MemberExpression: (each) => this.#add(each, scope),
        CallExpression: ({ callee, arguments: [called] }) => {
          if (called && isFunction(called))
            for (const inner of this.#scopesOf(called, callee, scope)) this.#addWithin(called.body, inner);
        },
      },
      // Names in other functions may be those of their own parameters.
      { ...base, Function: () => {} },
    );
  }

  /** Returns the scopes in which a method of a list runs a function: one for each item. */
  #scopesOf({ params }: FunctionNode, callee: AnyNode, scope: Scope): readonly Scope[] {
    if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return [];
    if (!EACH.has(callee.property.name)) return [];
    const list = this.#valueOf(callee.object, scope);
    if (list.is !== 'list') return [];
    const before = callee.property.name === 'reduce' ? [unknown(callee)] : [];
    return list.items.slice(0, MOST).map((item, at) => {
      const inner = new Scope(scope);
      const given: readonly Value[] = [...before, item, { is: 'primitive', value: at, node: item.node }, list];
      for (const [index, param] of params.entries())
        bindPattern(param, given[index] ?? unknown(param), inner, {
          hasVars: false,
          value: this.#evaluate,
          apply: (_, __, node) => unknown(node),
        });
      return inner;
    });
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

function isFunction(node: AnyNode): node is FunctionNode {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';
}

import type { BinaryExpression, Expression, Literal, LogicalExpression, UnaryExpression } from 'acorn';
import { kindOfNew, outcomeOfCall } from './calls.ts';
import type { Constants } from './constants.ts';
import { kindOf, type Outcome, type Primitive, textOf } from './outcome.ts';
import type { ValueKind } from '#model/syntax/tree.ts';

/** Maximum depth of expressions and constants in each other; those of people have less. */
const DEEPEST = 40;

/**
 * Finds out what expressions yield whatever happens, without running them: literals, constants of the script and what is computed
 * from them.
 */
export class Values {
  readonly #constants: Constants;
  readonly #known = new Map<Expression, Outcome | undefined>();
  #depth = 0;

  constructor(constants: Constants) {
    this.#constants = constants;
  }

  /** Returns what an expression yields; undefined if that is known only when it runs. */
  of(node: Expression): Outcome | undefined {
    if (this.#known.has(node)) return this.#known.get(node);
    if (this.#depth === DEEPEST) return undefined;
    this.#depth++;
    const outcome = this.#read(node);
    this.#depth--;
    this.#known.set(node, outcome);
    return outcome;
  }

  #read(node: Expression): Outcome | undefined {
    const kind = KINDS[node.type];
    if (kind) return { kind };
    switch (node.type) {
      case 'Literal':
        return literal(node);
      case 'TemplateLiteral':
        return this.#template(node.quasis, node.expressions);
      case 'Identifier':
        return this.#name(node.name);
      case 'BinaryExpression':
        return this.#binary(node);
      case 'UnaryExpression':
        return this.#unary(node);
      case 'LogicalExpression':
        return this.#logical(node);
      case 'ConditionalExpression':
        return this.#either(this.of(node.test), node.consequent, node.alternate);
      case 'SequenceExpression':
        return this.#last(node.expressions);
      case 'NewExpression':
        return { kind: kindOfNew(node.callee, this.#constants) };
      case 'CallExpression':
        return outcomeOfCall(node, this.#constants, (each) => this.of(each));
      default:
        return undefined;
    }
  }

  #template(
    quasis: readonly { readonly value: { readonly cooked?: string | null | undefined } }[],
    expressions: readonly Expression[],
  ): Outcome {
    let text = quasis[0]?.value.cooked ?? '';
    for (const [at, expression] of expressions.entries()) {
      const outcome = this.of(expression);
      if (!outcome || !('value' in outcome)) return { kind: 'text' };
      text += `${outcome.value}${quasis[at + 1]?.value.cooked ?? ''}`;
    }
    return textOf(text);
  }

  #name(name: string): Outcome | undefined {
    if (this.#constants.isFunction(name)) return { kind: 'function' };
    const held = this.#constants.constant(name);
    if (held) return this.of(held);
    return Object.hasOwn(NAMES, name) && this.#constants.isFree(name) ? { value: NAMES[name] } : undefined;
  }

  #binary({ operator, left, right }: BinaryExpression): Outcome {
    if (COMPARISONS.has(operator)) return { kind: 'boolean' };
    const [first, second] = [left.type === 'PrivateIdentifier' ? undefined : this.of(left), this.of(right)];
    if (operator !== '+') return { kind: 'number' };
    if (first && second && 'value' in first && 'value' in second) return sumOf(first.value, second.value);
    if (isText(first) || isText(second)) return { kind: 'text' };
    return { kind: isNumber(first) && isNumber(second) ? 'number' : 'text or number' };
  }

  #unary({ operator, argument }: UnaryExpression): Outcome | undefined {
    if (operator === 'void') return { value: undefined };
    if (operator === 'typeof') return { kind: 'text' };
    const inner = this.of(argument);
    if (operator === '!') return inner && 'value' in inner ? { value: !inner.value } : { kind: 'boolean' };
    if (operator === 'delete') return { kind: 'boolean' };
    return operator === '-' && inner && 'value' in inner && typeof inner.value === 'number'
      ? { value: -inner.value }
      : { kind: 'number' };
  }

  #logical({ operator, left, right }: LogicalExpression): Outcome | undefined {
    const first = this.of(left);
    const isTaken = truthOf(first, operator);
    if (isTaken !== undefined) return isTaken ? first : this.of(right);
    return shared(first, this.of(right));
  }

  #either(test: Outcome | undefined, yes: Expression, no: Expression): Outcome | undefined {
    const isTrue = truthOf(test, '||');
    if (isTrue !== undefined) return this.of(isTrue ? yes : no);
    return shared(this.of(yes), this.of(no));
  }

  #last(expressions: readonly Expression[]): Outcome | undefined {
    const last = expressions.at(-1);
    return last && this.of(last);
  }
}

const COMPARISONS = new Set(['==', '!=', '===', '!==', '<', '<=', '>', '>=', 'in', 'instanceof']);
const NAMES: Readonly<Record<string, Primitive>> = { undefined, NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY };
const KINDS: Readonly<Partial<Record<Expression['type'], ValueKind>>> = {
  ArrowFunctionExpression: 'function',
  FunctionExpression: 'function',
  ClassExpression: 'function',
  ArrayExpression: 'list',
  ObjectExpression: 'map',
};

function literal({ value, regex }: Literal): Outcome {
  if (typeof value === 'bigint') return value === 0n ? { value: 0 } : { kind: 'bigint' };
  return regex ? { kind: 'regexp' } : { value: value as Primitive };
}

function sumOf(first: Primitive, second: Primitive): Outcome {
  if (typeof first === 'string' || typeof second === 'string') return textOf(`${first}${second}`);
  return { value: Number(first) + Number(second) };
}

/** Returns the kind that two outcomes have in common. */
function shared(first: Outcome | undefined, second: Outcome | undefined): Outcome | undefined {
  const [one, other] = [kindOf(first), kindOf(second)];
  return one && one === other ? { kind: one } : undefined;
}

/** Returns whether `a || …`, `a && …` or `a ?? …` yields its left side; undefined if that is not known. */
export function truthOf(outcome: Outcome | undefined, operator: string): boolean | undefined {
  if (!outcome) return undefined;
  const isKnown = 'value' in outcome;
  if (operator === '??') return isKnown ? outcome.value !== null && outcome.value !== undefined : true;
  // Every object is true; a text, a number or a boolean may be false.
  const isTrue = isKnown ? Boolean(outcome.value) : TRUE.has(outcome.kind) ? true : undefined;
  return operator === '&&' && isTrue !== undefined ? !isTrue : isTrue;
}

const TRUE: ReadonlySet<ValueKind> = new Set(['function', 'object', 'regexp', 'list', 'map', 'instance']);

function isText(outcome: Outcome | undefined): boolean {
  return kindOf(outcome) === 'text';
}

function isNumber(outcome: Outcome | undefined): boolean {
  return kindOf(outcome) === 'number';
}

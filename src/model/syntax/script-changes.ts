import type { AnyNode, CallExpression, Expression, Program, Super } from 'acorn';
import { full } from 'acorn-walk';
import { CALLS } from './entity.ts';

/**
 * Returns the names whose value a script changes after it is declared; undefined if a change may concern any value, for example
 * through a parameter. Code that is not certain to leave a value alone counts as a change.
 */
export function changedNames(program: Program): ReadonlySet<string> | undefined {
  const changes = new Changes();
  full(program, (node) => changes.declare(node));
  full(program, (node) => changes.add(node));
  return changes.names;
}

class Changes {
  readonly #declared = new Map<string, (AnyNode | undefined)[]>();
  readonly #names = new Set<string>();
  #isAny = false;

  get names(): ReadonlySet<string> | undefined {
    return this.#isAny ? undefined : this.#names;
  }

  declare(node: AnyNode): void {
    if (node.type === 'VariableDeclarator') this.#declarePattern(node.id, node.init ?? undefined);
    else if (isFunction(node)) {
      if (node.id) this.#declareName(node.id.name, node);
      for (const param of node.params) this.#declarePattern(param, undefined);
    } else if (node.type === 'ImportDeclaration')
      for (const { local } of node.specifiers) this.#declareName(local.name, undefined);
    else if (node.type === 'CallExpression') this.#declareResult(node);
  }

  add(node: AnyNode): void {
    if (node.type === 'AssignmentExpression') this.#assigned(node.left);
    else if (node.type === 'UpdateExpression') this.#assigned(node.argument);
    else if (node.type === 'UnaryExpression' && node.operator === 'delete') this.#assigned(node.argument);
    else if (node.type === 'CallExpression') this.#called(node);
    else if (node.type === 'NewExpression') this.#given(node.arguments);
    else if ((node.type === 'ForOfStatement' || node.type === 'ForInStatement') && !isDeclaration(node.left))
      this.#assigned(node.left);
  }

  #declarePattern(pattern: AnyNode, init: AnyNode | undefined): void {
    if (pattern.type === 'Identifier') this.#declareName(pattern.name, init);
    else full(pattern, (node) => (node.type === 'Identifier' ? this.#declareName(node.name, undefined) : undefined));
  }

  #declareName(name: string, init: AnyNode | undefined): void {
    const known = this.#declared.get(name);
    if (known) known.push(init);
    else this.#declared.set(name, [init]);
  }

  /** Declares what `reduce` builds again: its first value is new. */
  #declareResult({ callee, arguments: [first, second] }: CallExpression): void {
    if (propertyOf(callee) !== 'reduce' || !first || !second || !isFunction(first)) return;
    const [result] = first.params;
    const inits = result?.type === 'Identifier' ? this.#declared.get(result.name) : undefined;
    const at = inits?.indexOf(undefined) ?? -1;
    if (inits && at !== -1) inits[at] = second;
    else if (result?.type === 'Identifier') this.#declareName(result.name, second);
  }

  #assigned(target: AnyNode): void {
    if (target.type === 'Identifier') this.#names.add(target.name);
    else if (target.type === 'MemberExpression') this.#changed(target.object);
    else full(target, (node) => (node.type === 'Identifier' ? this.#names.add(node.name) : undefined));
  }

  /** Records a change of the object that an expression yields. */
  #changed(object: Expression | Super): void {
    if (isNew(object)) return;
    if (object.type !== 'Identifier') {
      this.#isAny = true;
      return;
    }
    this.#names.add(object.name);
    const inits = this.#declared.get(object.name) ?? [];
    // Another name may stand for the same object.
    if (!inits.every((init) => init !== undefined && isNew(init))) this.#isAny = true;
  }

  #called({ callee, arguments: given }: CallExpression): void {
    const method = propertyOf(callee);
    if (method === undefined) {
      if (!this.#isHarmless(callee)) this.#given(given);
    } else if (callee.type === 'MemberExpression' && !READING.has(method))
      this.#methodCalled(method, callee.object, given);
  }

  #methodCalled(method: string, object: Expression | Super, given: CallExpression['arguments']): void {
    const [target] = given;
    if (object.type === 'Identifier' && object.name === 'Object') {
      if (target && target.type !== 'SpreadElement') this.#changed(target);
    } else if (CHANGING.has(method)) this.#changed(object);
    else this.#given([...given, ...(object.type === 'Super' ? [] : [object])]);
  }

  #isHarmless(callee: Expression | Super): boolean {
    if (callee.type === 'Identifier') return HARMLESS.has(callee.name) || this.#isFunction(callee.name);
    return isFunction(callee);
  }

  /** Records that unknown code receives values. */
  #given(values: readonly AnyNode[]): void {
    for (const value of values)
      full(value, (node) => (node.type === 'Identifier' ? this.#names.add(node.name) : undefined));
  }

  #isFunction(name: string): boolean {
    const inits = this.#declared.get(name) ?? [];
    return inits.length > 0 && inits.every((init) => init !== undefined && isFunction(init));
  }
}

/** Checks for an expression whose object nothing else holds. */
function isNew({ type }: AnyNode): boolean {
  return /^(?:Object|Array|New)Expression$|Literal$/.test(type);
}

function isFunction(node: AnyNode): node is Extract<AnyNode, { readonly params: unknown }> {
  return (
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression'
  );
}

function isDeclaration({ type }: AnyNode): boolean {
  return type === 'VariableDeclaration';
}

/** Returns the name of a called method. */
function propertyOf(callee: Expression | Super): string | undefined {
  if (callee.type !== 'MemberExpression') return undefined;
  const { property, computed } = callee;
  if (property.type === 'PrivateIdentifier') return '';
  return property.type === 'Identifier' && !computed ? property.name : '';
}

/** Functions that change nothing that they receive. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...Object.keys(CALLS),
  ...'asyncModule require String Number Boolean parseInt parseFloat isNaN'.split(' '),
]);
/** Methods that change neither their object nor what they receive. */
const READING: ReadonlySet<string> = new Set(
  (
    'map filter reduce flatMap forEach some every find findIndex includes indexOf join concat slice flat at keys values entries ' +
    'fromEntries freeze isArray stringify parse replace replaceAll split toUpperCase toLowerCase trim startsWith endsWith ' +
    'padStart padEnd repeat substring charAt toString log warn info error then hasOwn hasOwnProperty'
  ).split(' '),
);
const CHANGING: ReadonlySet<string> = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin set add'.split(' '),
);

import type {
  AnyNode,
  CallExpression,
  Expression,
  MethodDefinition,
  NewExpression,
  Property,
  PropertyDefinition,
  SpreadElement,
  Super,
} from 'acorn';
import { CALLS } from '#model/syntax/entity.ts';
import type { ScriptFacts } from './facts.ts';
import { isFunction } from './value.ts';

/**
 * Returns the names whose value a script changes after it is declared; undefined if a change may concern any value, for example
 * through a parameter. Code that is not certain to leave a value alone counts as a change.
 */
export function changedNames(facts: ScriptFacts): ReadonlySet<string> | undefined {
  const changes = new Changes(facts);
  for (const target of facts.targets) changes.assigned(target);
  for (const call of facts.calls) changes.called(call);
  return changes.names;
}

class Changes {
  readonly #facts: ScriptFacts;
  readonly #declared = new Map<string, (AnyNode | undefined)[]>();
  readonly #names = new Set<string>();
  #isAny = false;

  constructor(facts: ScriptFacts) {
    this.#facts = facts;
    for (const { id, init } of facts.declarators) this.#declarePattern(id, init ?? undefined);
    for (const node of [...facts.functions, ...facts.classes]) if (node.id) this.#declareName(node.id.name, node);
    for (const { params } of facts.functions) for (const param of params) this.#declarePattern(param, undefined);
    for (const { specifiers } of facts.imports)
      for (const { local } of specifiers) this.#declareName(local.name, undefined);
    for (const call of facts.calls) if (call.type === 'CallExpression') this.#declareResult(call);
  }

  get names(): ReadonlySet<string> | undefined {
    return this.#isAny ? undefined : this.#names;
  }

  /** Records an assignment to a target, or its deletion. */
  assigned(target: AnyNode): void {
    if (target.type === 'Identifier') this.#names.add(target.name);
    else if (target.type === 'MemberExpression') this.#changed(target.object);
    else this.#addWithin(target);
  }

  called(call: CallExpression | NewExpression): void {
    if (call.type === 'NewExpression') {
      this.#given(call.arguments);
      return;
    }
    const { callee, arguments: given } = call;
    const method = propertyOf(callee);
    if (method === undefined) {
      if (!this.#isHarmless(callee)) this.#given(given);
    } else if (callee.type === 'MemberExpression' && !READING.has(method) && !this.#isOwnMethod(callee.object, method))
      this.#methodCalled(method, callee.object, given);
  }

  #declarePattern(pattern: AnyNode, init: AnyNode | undefined): void {
    if (pattern.type === 'Identifier') this.#declareName(pattern.name, init);
    else for (const name of this.#facts.names.within(pattern)) this.#declareName(name, undefined);
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
    for (const value of values) this.#addWithin(value);
  }

  #addWithin(node: AnyNode): void {
    for (const name of this.#facts.names.within(node)) this.#names.add(name);
  }

  #isFunction(name: string): boolean {
    const inits = this.#declared.get(name) ?? [];
    return inits.length > 0 && inits.every((init) => init !== undefined && isFunction(init));
  }

  /** Checks for a method that is written in the class or the object of the script that it is called on. */
  #isOwnMethod(object: Expression | Super, method: string): boolean {
    if (object.type === 'ThisExpression')
      return this.#classesAround(object).some((node) => this.#inherits(node, method, new Set()));
    return object.type === 'Identifier' && this.#isMethodOf(object.name, method, new Set());
  }

  #isMethodOf(name: string, method: string, seen: Set<string>): boolean {
    const inits = this.#declared.get(name) ?? [];
    if (seen.has(name) || inits.length === 0) return false;
    seen.add(name);
    return inits.every((init) => init !== undefined && this.#inherits(init, method, seen));
  }

  /** Checks for a method of an object, of a class, or of the class that it extends. */
  #inherits(node: AnyNode, method: string, seen: Set<string>): boolean {
    if (hasMethod(node, method)) return true;
    const parent = node.type === 'ClassDeclaration' || node.type === 'ClassExpression' ? node.superClass : undefined;
    return parent?.type === 'Identifier' && this.#isMethodOf(parent.name, method, seen);
  }

  #classesAround({ start }: AnyNode): readonly AnyNode[] {
    return this.#facts.classes.filter((node) => node.start <= start && start < node.end);
  }
}

/** Checks for an expression whose object nothing else holds. */
function isNew({ type }: AnyNode): boolean {
  return /^(?:Object|Array|New)Expression$|^Class|Literal$/.test(type);
}

/** Checks for a class or an object that is written with a method, which nothing that is written behind it replaces. */
function hasMethod(node: AnyNode, name: string): boolean {
  const last = itemsOf(node).findLast((item) => item.type === 'SpreadElement' || item.computed || isKey(item, name));
  return last !== undefined && last.type !== 'SpreadElement' && isKey(last, name) && isMethod(last);
}

type Item = MethodDefinition | Property | PropertyDefinition | SpreadElement;

function itemsOf(node: AnyNode): readonly Item[] {
  if (node.type === 'ObjectExpression') return node.properties;
  if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') return [];
  return node.body.body.flatMap((item) => (item.type !== 'StaticBlock' && item.static ? [item] : []));
}

function isMethod(item: Exclude<Item, SpreadElement>): boolean {
  const isAccessor = item.type !== 'PropertyDefinition' && (item.kind === 'get' || item.kind === 'set');
  return !isAccessor && item.value !== null && item.value !== undefined && isFunction(item.value);
}

function isKey({ key, computed }: Exclude<Item, SpreadElement>, name: string): boolean {
  return key.type === 'Identifier' && !computed && key.name === name;
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

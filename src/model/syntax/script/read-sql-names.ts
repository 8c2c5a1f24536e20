import type {
  AnyNode,
  CallExpression,
  Expression,
  Identifier,
  MemberExpression,
  ObjectPattern,
  Property,
  Statement,
} from 'acorn';
import { full, recursive, type RecursiveVisitors } from 'acorn-walk';
import { SANDBOX } from '#model/syntax/known-names.ts';
import { type MemberPath, memberPath } from './member-path.ts';
import type { Constants } from './constants.ts';
import { isFilledList } from './filled-lists.ts';
import type { ScriptFacts } from './facts.ts';
import { type FoundNames, SqlNames } from './sql-names.ts';
import { declaredIn, leaves, NOWHERE, type Place, possibly, runsAtOnce } from './sql-places.ts';
import { blockVariables } from './sql-variables.ts';
import { type FunctionNode, isFunction, type Range } from './value.ts';
import { truthOf, type Values } from './values.ts';

/** A file with SQL: a script, or a file of the model that it imports. */
export interface SqlFile {
  readonly facts: Pick<ScriptFacts, 'definitions' | 'functions' | 'sql'>;
  readonly values: Values;
  readonly constants: Constants;
}

/**
 * Finds out which names in the SQL of a script are references, and which of them are evaluated whatever happens. `functions`: those
 * that are used as SQL although no key of SQL holds them.
 */
export function sqlNamesOf(files: readonly SqlFile[], functions: ReadonlySet<FunctionNode>): SqlNames {
  const found: FoundNames = { certain: new Set(), possible: new Set(), variables: [], hidden: [], thrown: [] };
  const code: Range[] = [];
  for (const file of files) {
    const reader = new NameReader(file, found);
    const own = file.facts.functions.filter((each) => functions.has(each));
    for (const sql of [...file.facts.sql, ...own].sort((a, b) => a.start - b.start)) {
      // SQL within the code of other SQL belongs to that.
      if (sql.start < (code.at(-1)?.end ?? 0)) continue;
      if (sql.type === 'Property') reader.read(sql);
      else reader.readFunction(sql);
      const { start, end } = sql.type === 'Property' ? sql.value : sql;
      code.push({ start, end });
    }
  }
  return new SqlNames(code, found);
}

/** What all references in code have in common. */
const IN_CODE = { whole: false, call: false, late: false } as const;

class NameReader {
  readonly #file: SqlFile;
  readonly #found: FoundNames;
  /** Functions whose calls were followed. */
  readonly #called = new Set<FunctionNode>();

  constructor(file: SqlFile, found: FoundNames) {
    this.#file = file;
    this.#found = found;
  }

  /** Reads the SQL under a key. The parameters of a function there are references themselves. */
  read({ value, start, end, method }: Property): void {
    const isInside = this.#file.facts.definitions.some((call) => call.start <= start && end <= call.end);
    if (!isFunction(value)) {
      this.#visit(value, NOWHERE);
      return;
    }
    if (isInside && value.type === 'ArrowFunctionExpression' && value.body.type === 'BlockStatement')
      for (const variable of blockVariables(value.body.body)) this.#found.variables.push(variable);
    // In a definition, the engine makes a function that returns this one, unless it is an arrow function.
    const isReturned = isInside && !method && value.type === 'FunctionExpression';
    const isLater = value.generator || (value.async && !(isInside && value.type === 'ArrowFunctionExpression'));
    this.#visit(value.body, { ...declaredIn(value.body, NOWHERE), isCertain: !isReturned && !isLater });
    if (!isInside) this.#parameters(value);
  }

  /** Reads a function that is used as SQL by another name: the engine gives it what its parameters name. */
  readFunction(node: FunctionNode): void {
    const { body, async, generator, params } = node;
    const given = new Set(params.flatMap((param) => (param.type === 'Identifier' ? [param.name] : [])));
    this.#visit(body, { ...declaredIn(body, NOWHERE), given, isCertain: !async && !generator });
    this.#parameters(node);
  }

  /** Notes the parameters of a function, which the engine looks up among the cubes and members even if its code does not use them. */
  #parameters({ params, body }: FunctionNode): void {
    if (params.length === 0) return;
    const used = new Set<string>();
    full(body, (node) => {
      if (node.type === 'Identifier' && this.#found.certain.has(node.start)) used.add(node.name);
    });
    for (const param of params) {
      // Where it is used, its use is reported, unless a script knows the name.
      if (param.type !== 'Identifier' || (used.has(param.name) && !SANDBOX.has(param.name))) continue;
      const { name: text, start, end } = param;
      this.#found.certain.add(start);
      this.#found.hidden.push({
        at: body.start,
        segments: [{ text, start, end, isParameter: true }],
        start,
        end,
        ...IN_CODE,
      });
    }
  }

  #visit(node: AnyNode, place: Place): void {
    recursive(node, place, this.#visitors);
  }

  /** Visits each kind of code in which something may not run; all other code runs where the code around it does. */
  readonly #visitors: RecursiveVisitors<Place> = {
    Identifier: (node, place) => this.#add(node, place),
    Function: (node, place) => this.#function(node as FunctionNode, { ...place, isCertain: false }),
    BlockStatement: ({ body }, place) => this.#statements(body, place),
    StaticBlock: ({ body }, place) => this.#statements(body, place),
    ClassBody: ({ body }, place, visit) => {
      for (const item of body) visit(item, runsAtOnce(item) ? place : possibly(place));
    },
    ConditionalExpression: ({ test, consequent, alternate }, place, visit) => {
      visit(test, place);
      const isTrue = this.#truth(test);
      visit(consequent, isTrue === true ? place : possibly(place));
      visit(alternate, isTrue === false ? place : possibly(place));
    },
    IfStatement: ({ test, consequent, alternate }, place, visit) => {
      visit(test, place);
      const isTrue = this.#truth(test);
      visit(consequent, isTrue === true ? place : possibly(place));
      if (alternate) visit(alternate, isTrue === false ? place : possibly(place));
    },
    LogicalExpression: ({ operator, left, right }, place, visit) => {
      visit(left, place);
      visit(right, truthOf(this.#file.values.of(left), operator) === false ? place : possibly(place));
    },
    UnaryExpression: ({ operator, argument }, place, visit) => {
      // An unknown name has a type as well.
      visit(argument, operator === 'typeof' && argument.type === 'Identifier' ? possibly(place) : place);
    },
    AssignmentExpression: ({ operator, left, right }, place, visit) => {
      if (left.type === 'MemberExpression') visit(left, place);
      visit(right, /^(?:&&|\|\||\?\?)=$/.test(operator) ? possibly(place) : place);
    },
    AssignmentPattern: ({ right }, place, visit) => visit(right, possibly(place)),
    MemberExpression: (node, place, visit) => {
      visit(node.object, place);
      if (node.computed) visit(node.property, node.optional ? possibly(place) : place);
      this.#member(node, place);
    },
    VariableDeclarator: ({ id, init }, place, visit) => {
      this.#pattern(id, place);
      if (init) visit(init, place);
      const from = init && memberPath(init);
      if (from && id.type === 'ObjectPattern') this.#takeOut(from, id, place);
    },
    ThrowStatement: ({ argument, start, end }, place, visit) => {
      visit(argument, place);
      if (place.isCertain) this.#found.thrown.push({ start, end });
    },
    CallExpression: (node, place) => this.#call(node, place),
    TryStatement: ({ block, handler, finalizer }, place, visit) => {
      // Whatever leaves `finally` hides a failure as well.
      visit(block, handler || (finalizer && leaves(finalizer)) ? possibly(place) : place);
      if (handler) visit(handler.body, possibly(place));
      if (finalizer) visit(finalizer, place);
    },
    ForStatement: ({ init, test, update, body }, place, visit) => {
      if (init) visit(init, place);
      if (test) visit(test, place);
      if (update) visit(update, possibly(place));
      visit(body, possibly(place));
    },
    ForInStatement: ({ right, body }, place, visit) => {
      visit(right, place);
      visit(body, possibly(place));
    },
    ForOfStatement: ({ right, body }, place, visit) => {
      visit(right, place);
      visit(body, this.#isFilled(right, place) ? place : possibly(place));
    },
    WhileStatement: ({ test, body }, place, visit) => {
      visit(test, place);
      visit(body, possibly(place));
    },
    SwitchStatement: ({ discriminant, cases }, place, visit) => {
      visit(discriminant, place);
      for (const each of cases) visit(each, possibly(place));
    },
    LabeledStatement: ({ body }, place, visit) => visit(body, possibly(place)),
  };

  /** Reads a pattern: its keys name nothing, but the values that it has for what is missing may be. */
  #pattern(pattern: AnyNode, place: Place): void {
    if (pattern.type !== 'Identifier') this.#visit(pattern, place);
  }

  #add({ name, start, end }: Identifier, { isCertain, variables, given }: Place): void {
    if (variables.has(name) || given?.has(name) === false) return;
    (isCertain ? this.#found.certain : this.#found.possible).add(start);
    // With an escape (`\u0061`) it is another name than the one that is written.
    if (isCertain && end - start !== name.length)
      this.#found.hidden.push({ at: start, segments: [{ text: name, start, end }], start, end, ...IN_CODE });
  }

  /** Notes what a pattern takes out of a path: `const { id, users: { city } } = CUBE`. */
  #takeOut(from: MemberPath, { properties }: ObjectPattern, place: Place): void {
    for (const item of properties) {
      if (item.type !== 'Property' || item.computed || item.key.type !== 'Identifier') continue;
      const { name: text, start, end } = item.key;
      const inner = item.value.type === 'AssignmentPattern' ? item.value.left : item.value;
      const path = { ...from, names: [...from.names, { text, start, end }] };
      if (inner.type === 'ObjectPattern' && inner.properties.length > 0) this.#takeOut(path, inner, place);
      else this.#hide(path, place, item.shorthand);
    }
  }

  #member({ object, property, computed, optional }: MemberExpression, place: Place): void {
    if (object.type !== 'Identifier' || optional) return;
    if (!computed && property.type === 'Identifier') this.#escaped(object, property.name, property, place);
    else if (property.type === 'Literal' && typeof property.value === 'string')
      this.#escaped(object, property.value, { start: property.start + 1, end: property.end - 1 }, place);
  }

  #escaped(head: Identifier, text: string, range: Range, place: Place): void {
    if (range.end - range.start !== text.length) this.#hide({ head, names: [{ ...range, text }] }, place, false);
  }

  /** Notes a member of a cube whose name stands elsewhere, or has an escape. `isVariable`: whether it is that of a variable, too. */
  #hide({ head, names }: MemberPath, { isCertain, variables, given }: Place, isVariable: boolean): void {
    if (!isCertain || variables.has(head.name) || given?.has(head.name) === false) return;
    const { name: text, start, end } = head;
    const last = names.at(-1);
    const own = names.map((name) => (isVariable && name === last ? { ...name, from: [] } : name));
    this.#found.hidden.push({
      at: start,
      segments: [{ text, start, end }, ...own],
      start,
      end: last?.end ?? end,
      ...IN_CODE,
    });
  }

  /** Reads statements; those behind one that may leave the function may not run. */
  #statements(statements: readonly Statement[], place: Place): void {
    let { isCertain } = place;
    for (const statement of statements) {
      this.#visit(statement, { ...place, isCertain });
      if (isCertain && leaves(statement)) isCertain = false;
    }
  }

  /** Reads a function; `given`: how many arguments it certainly gets. */
  #function(node: FunctionNode, place: Place, given = Infinity): void {
    const inner = declaredIn(node, place);
    for (const [at, param] of node.params.entries()) {
      if (param.type === 'AssignmentPattern' && at >= given) this.#visit(param.right, inner);
      else this.#visit(param, possibly(inner));
    }
    this.#visit(node.body, inner);
  }

  #call({ callee, arguments: given, optional }: CallExpression, place: Place): void {
    this.#visit(callee, place);
    for (const each of given) this.#visit(each, optional ? possibly(place) : place);
    const called = place.isCertain && !optional ? this.#calledBy(callee, given, place) : undefined;
    if (!called || called.async || called.generator || this.#called.has(called)) return;
    this.#called.add(called);
    const isByName = callee.type !== 'MemberExpression' && given.every(({ type }) => type !== 'SpreadElement');
    this.#function(called, place, isByName ? given.length : undefined);
  }

  /** Returns the function whose code a call certainly runs: one that is written there, or one that a list calls for its items. */
  #calledBy(
    callee: CallExpression['callee'],
    [first]: CallExpression['arguments'],
    place: Place,
  ): FunctionNode | undefined {
    if (callee.type === 'Identifier') {
      const held = place.held.get(callee.name);
      return held && isFunction(held) ? held : undefined;
    }
    if (isFunction(callee)) return callee;
    const isEach =
      callee.type === 'MemberExpression' &&
      !callee.computed &&
      callee.property.type === 'Identifier' &&
      EACH.has(callee.property.name) &&
      callee.object.type !== 'Super' &&
      this.#isFilled(callee.object, place);
    return isEach && first && isFunction(first) ? first : undefined;
  }

  /** Checks for a list that certainly has an item. */
  #isFilled(node: AnyNode, place: Place): boolean {
    return isFilledList(node, (name) => this.#held(name, place));
  }

  /** Returns what a variable of the code or a constant of the script holds. */
  #held(name: string, { variables, held }: Place): AnyNode | undefined {
    return variables.has(name) ? held.get(name) : this.#file.constants.constant(name);
  }

  #truth(test: Expression): boolean | undefined {
    return truthOf(this.#file.values.of(test), '||');
  }
}

/** Methods of lists that call their function at least for the first item. */
const EACH = new Set('map flatMap forEach filter some every find findIndex reduce'.split(' '));

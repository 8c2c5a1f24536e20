import type {
  AnyNode,
  CallExpression,
  ClassBody,
  Expression,
  Identifier,
  MemberExpression,
  ObjectPattern,
  Property,
  Statement,
} from 'acorn';
import { full, recursive, type RecursiveVisitors } from 'acorn-walk';
import { type MemberPath, memberPath } from './member-path.ts';
import type { Constants } from './constants.ts';
import { isFilledList } from './filled-lists.ts';
import type { ScriptFacts } from './facts.ts';
import { type FoundNames, SqlNames } from './sql-names.ts';
import { blockVariables, variablesIn } from './sql-variables.ts';
import type { FunctionNode, Range } from './value.ts';
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

/** Where code is. */
interface Place {
  /** Whether it runs whatever happens. */
  readonly isCertain: boolean;
  /** The variables of the functions around it. */
  readonly variables: ReadonlySet<string>;
  /** What those that are declared once hold. */
  readonly held: ReadonlyMap<string, AnyNode>;
}

/** What all references in code have in common. */
const IN_CODE = { whole: false, call: false, late: false } as const;

const NOWHERE: Place = { isCertain: true, variables: new Set(), held: new Map() };

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
  }

  /** Reads a function that is used as SQL by another name. */
  readFunction({ body, async, generator }: FunctionNode): void {
    this.#visit(body, { ...declaredIn(body, NOWHERE), isCertain: !async && !generator });
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

  #add({ name, start, end }: Identifier, { isCertain, variables }: Place): void {
    if (variables.has(name)) return;
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
  #hide({ head, names }: MemberPath, { isCertain, variables }: Place, isVariable: boolean): void {
    if (!isCertain || variables.has(head.name)) return;
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

/** Checks for code of a class that runs when it is declared. */
function runsAtOnce(item: ClassBody['body'][number]): boolean {
  return item.type === 'StaticBlock' || (item.type === 'PropertyDefinition' && item.static);
}

function possibly(place: Place): Place {
  return place.isCertain ? { ...place, isCertain: false } : place;
}

function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration'
  );
}

/** Returns the place of code with the variables that it declares; of a function, with its parameters. */
function declaredIn(node: AnyNode, place: Place): Place {
  const variables = new Set(place.variables);
  const held = new Map(place.held);
  const add = (pattern: AnyNode): void => {
    for (const { name } of variablesIn(pattern)) variables.add(name);
  };
  const isOwn = 'params' in node;
  if (isOwn) for (const param of node.params) add(param);
  if (node.type === 'FunctionExpression' && node.id) add(node.id);
  const body = isOwn ? node.body : node;
  if (body.type !== 'BlockStatement') return { ...place, variables };
  const hold = (name: string, value: AnyNode): void =>
    void (variables.has(name) ? held.delete(name) : held.set(name, value));
  full(body, (each) => {
    if (each.type === 'VariableDeclaration')
      for (const { id, init } of each.declarations) {
        if (id.type === 'Identifier' && init && each.kind === 'const') hold(id.name, init);
        else if (id.type === 'Identifier') held.delete(id.name);
        add(id);
      }
    else if (each.type === 'FunctionDeclaration' && each.id) {
      hold(each.id.name, each);
      add(each.id);
    } else if (each.type === 'ClassDeclaration' && each.id) add(each.id);
    else if (each.type === 'CatchClause' && each.param) add(each.param);
  });
  return { ...place, variables, held };
}

/** Checks for a statement at which the function or the loop around it may end. */
function leaves(statement: AnyNode): boolean {
  let isThere = false;
  recursive(statement, undefined, {
    Function: () => {},
    ReturnStatement: () => void (isThere = true),
    ThrowStatement: () => void (isThere = true),
    BreakStatement: () => void (isThere = true),
    ContinueStatement: () => void (isThere = true),
  });
  return isThere;
}

import type { AnyNode, CallExpression, ClassBody, Expression, Identifier, Property, Statement } from 'acorn';
import { full, recursive, type RecursiveVisitors } from 'acorn-walk';
import type { Constants } from './constants.ts';
import { isFilledList } from './filled-lists.ts';
import type { ScriptFacts } from './facts.ts';
import { SqlNames, type SqlVariable } from './sql-names.ts';
import type { FunctionNode, Range } from './value.ts';
import { truthOf, type Values } from './values.ts';

/** A file with SQL: a script, or a file of the model that it imports. */
export interface SqlFile {
  readonly facts: Pick<ScriptFacts, 'definitions' | 'sql'>;
  readonly values: Values;
  readonly constants: Constants;
}

/** Finds out which names in the SQL of a script are references, and which of them are evaluated whatever happens. */
export function sqlNamesOf(files: readonly SqlFile[]): SqlNames {
  const certain = new Set<number>();
  const possible = new Set<number>();
  const code: Range[] = [];
  const variables: SqlVariable[] = [];
  for (const file of files) {
    const reader = new NameReader(file, { certain, possible, variables });
    for (const property of [...file.facts.sql].sort((a, b) => a.start - b.start)) {
      // SQL within the code of other SQL belongs to that.
      if (property.start < (code.at(-1)?.end ?? 0)) continue;
      reader.read(property);
      code.push({ start: property.value.start, end: property.value.end });
    }
  }
  return new SqlNames(code, certain, possible, variables);
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

const NOWHERE: Place = { isCertain: true, variables: new Set(), held: new Map() };

/** What is found so far. */
interface FoundNames {
  readonly certain: Set<number>;
  readonly possible: Set<number>;
  readonly variables: SqlVariable[];
}

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
    MemberExpression: ({ object, property, computed, optional }, place, visit) => {
      visit(object, place);
      if (computed) visit(property, optional ? possibly(place) : place);
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

  #add({ name, start, end }: Identifier, { isCertain, variables }: Place): void {
    // With an escape (`\u0061`) it is another name than the one that is written.
    if (variables.has(name) || end - start !== name.length) return;
    (isCertain ? this.#found.certain : this.#found.possible).add(start);
  }

  /** Reads statements; those behind one that may leave the function may not run. */
  #statements(statements: readonly Statement[], place: Place): void {
    let { isCertain } = place;
    for (const statement of statements) {
      this.#visit(statement, { ...place, isCertain });
      if (isCertain && leaves(statement)) isCertain = false;
    }
  }

  #function(node: FunctionNode, place: Place): void {
    const inner = declaredIn(node, place);
    for (const param of node.params) this.#visit(param, possibly(inner));
    this.#visit(node.body, inner);
  }

  #call({ callee, arguments: given, optional }: CallExpression, place: Place): void {
    this.#visit(callee, place);
    for (const each of given) this.#visit(each, optional ? possibly(place) : place);
    const called = place.isCertain && !optional ? this.#calledBy(callee, given, place) : undefined;
    if (!called || called.async || called.generator || this.#called.has(called)) return;
    this.#called.add(called);
    this.#function(called, place);
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

/** Yields the variables of statements that cannot have the name of a parameter. */
function* blockVariables(statements: readonly Statement[]): Iterable<SqlVariable> {
  for (const statement of statements) {
    const ids: readonly AnyNode[] =
      statement.type === 'VariableDeclaration' && statement.kind !== 'var'
        ? statement.declarations.map(({ id }) => id)
        : statement.type === 'ClassDeclaration'
          ? [statement.id]
          : [];
    for (const id of ids) yield* variablesIn(id);
  }
}

/** Yields the variables of a pattern. */
function* variablesIn(pattern: AnyNode): Iterable<SqlVariable> {
  switch (pattern.type) {
    case 'Identifier':
      yield { name: pattern.name, start: pattern.start, end: pattern.end };
      return;
    case 'ObjectPattern':
      for (const item of pattern.properties) yield* variablesIn(item.type === 'Property' ? item.value : item.argument);
      return;
    case 'ArrayPattern':
      for (const item of pattern.elements) if (item) yield* variablesIn(item);
      return;
    case 'AssignmentPattern':
      yield* variablesIn(pattern.left);
      return;
    case 'RestElement':
      yield* variablesIn(pattern.argument);
      return;
    default:
  }
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

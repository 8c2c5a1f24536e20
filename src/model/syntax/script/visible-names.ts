import type { AnyNode, Expression, Pattern, VariableDeclaration } from 'acorn';
import { full } from 'acorn-walk';
import { readScript } from './read.ts';
import { variablesIn } from './sql-variables.ts';

/** What a name of a script certainly holds; undefined if that is known only when the script runs. */
export type Held = 'object' | 'list' | 'text' | 'number' | 'boolean' | 'function' | 'class';

/** A name of a script itself that code at some position can use. */
export interface VisibleName {
  readonly name: string;
  readonly held: Held | undefined;
  /** What it is, for people: the code of its value, or that it is imported or a parameter. */
  readonly code: string;
}

/** Maximum length in characters of a script that is read for its names: it is read again for each completion. */
const LONGEST = 200_000;

/** Returns the names that a script declares and that are known at an offset, the innermost first. Never fails. */
export function visibleNames(written: string, offset: number): readonly VisibleName[] {
  if (written.length > LONGEST) return [];
  const { program, text } = readScript(written);
  const found = new Map<string, VisibleName>();
  const collector: Collector = {
    text,
    offset,
    add: (name) => {
      // What is not read yet is around what was.
      if (!found.has(name.name)) found.set(name.name, name);
    },
  };
  const around: AnyNode[] = [program];
  full(program, (node) => {
    if (node.start < offset && offset < node.end) around.push(node);
  });
  around.sort((a, b) => b.start - a.start || a.end - b.end);
  for (const node of around) namesOf(node, collector);
  return [...found.values()];
}

interface Collector {
  readonly text: string;
  readonly offset: number;
  readonly add: (name: VisibleName) => void;
}

/** Collects the names that code declares for everything in it. */
function namesOf(node: AnyNode, collector: Collector): void {
  if ('params' in node) for (const param of node.params) parameter(param, collector);
  if (node.type === 'Program' || node.type === 'BlockStatement')
    for (const statement of node.body) declared(statement, collector);
}

function parameter(pattern: Pattern, { add }: Collector): void {
  for (const { name } of variablesIn(pattern)) add({ name, held: undefined, code: 'parameter' });
}

function declared(statement: AnyNode, collector: Collector): void {
  const { add } = collector;
  switch (statement.type) {
    case 'ExportNamedDeclaration':
      if (statement.declaration) declared(statement.declaration, collector);
      return;
    case 'ImportDeclaration':
      for (const { local } of statement.specifiers)
        add({ name: local.name, held: undefined, code: `from ${String(statement.source.value)}` });
      return;
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      if (statement.id)
        add({
          name: statement.id.name,
          held: statement.type === 'ClassDeclaration' ? 'class' : 'function',
          code: headOf(statement, collector),
        });
      return;
    case 'VariableDeclaration':
      variables(statement, collector);
      return;
    default:
  }
}

/** Collects the variables of a declaration: none is known in its own value, nor above it. */
function variables({ declarations }: VariableDeclaration, collector: Collector): void {
  for (const { id, init, end } of declarations) {
    if (end >= collector.offset) continue;
    const held = id.type === 'Identifier' && init ? heldIn(init) : undefined;
    for (const { name } of variablesIn(id)) collector.add({ name, held, code: headOf(init, collector) });
  }
}

/** Maximum length of code that a list of names repeats. */
const LONGEST_CODE = 60;

function headOf(node: AnyNode | null | undefined, { text }: Collector): string {
  const code = node ? text.slice(node.start, Math.min(node.end, node.start + LONGEST_CODE + 1)) : '';
  const line = code.split('\n')[0]?.trim() ?? '';
  return line.length < code.trim().length || code.length > LONGEST_CODE ? `${line.slice(0, LONGEST_CODE)}…` : line;
}

function heldIn(value: Expression): Held | undefined {
  switch (value.type) {
    case 'ObjectExpression':
      return 'object';
    case 'ArrayExpression':
      return 'list';
    case 'TemplateLiteral':
      return 'text';
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return 'function';
    case 'ClassExpression':
      return 'class';
    case 'Literal':
      return heldInLiteral(value.value);
    default:
      return undefined;
  }
}

function heldInLiteral(value: unknown): Held | undefined {
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' || typeof value === 'boolean' ? (typeof value as 'number' | 'boolean') : undefined;
}

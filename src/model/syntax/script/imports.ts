import type { AnyNode, Program } from 'acorn';
import { ancestor } from 'acorn-walk';
import { namesIn } from './patterns.ts';
import type { ScriptFacts } from './facts.ts';
import type { SyntaxProblem } from '#model/syntax/tree.ts';

/** A file that a script imports by a path relative to the model's folder. */
export interface ImportedFile {
  /** With its extension, without `./`. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the files without which the script cannot be loaded; calls of `require` in functions may never run. */
export function importsOf({ body }: Program): ImportedFile[] {
  return body.flatMap((statement) => {
    if (statement.type === 'ImportDeclaration') return fileOf(statement.source);
    return statement.type === 'VariableDeclaration' ? statement.declarations.flatMap(({ init }) => required(init)) : [];
  });
}

function required(init: AnyNode | null | undefined): ImportedFile[] {
  if (init?.type === 'MemberExpression') return required(init.object);
  const isCall = init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'require';
  return isCall ? fileOf(init.arguments[0]) : [];
}

function fileOf(source: AnyNode | undefined): ImportedFile[] {
  const path = source?.type === 'Literal' && typeof source.value === 'string' ? pathOfImport(source.value) : undefined;
  return source && path !== undefined ? [{ path, start: source.start, end: source.end }] : [];
}

/** Returns the path of a file of the model that a script imports, without `./`; undefined for a package. */
export function pathOfImport(written: string): string | undefined {
  if (!written.startsWith('./')) return undefined;
  const name = written.slice(2);
  return name.endsWith('.js') ? name : `${name}.js`;
}

/** Returns the names that a script gives to what it imports, by the path of the file. */
export function importedNames({
  imports,
  declarators,
}: Pick<ScriptFacts, 'declarators' | 'imports'>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  const add = (path: string, name: string): void => void names.set(path, [...(names.get(path) ?? []), name]);
  for (const { source, specifiers } of imports)
    for (const { path } of fileOf(source)) for (const { local } of specifiers) add(path, local.name);
  for (const { id, init } of declarators)
    for (const { path } of required(init)) for (const name of namesIn(id)) add(path, name);
  return names;
}

/** Reports features of JavaScript that the engine's script runner lacks. */
export function foreignSyntax(program: Program, text: string): SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  const add = ({ start, end }: AnyNode, message: string | undefined): void => {
    if (message !== undefined) problems.push({ start, end, code: 'script-syntax', message });
  };
  for (const statement of program.body) add(statement, complaint(statement));
  if (!/\bawait\b|\bimport\s*\./.test(text)) return problems;
  const outside = (node: AnyNode, around: readonly AnyNode[]): void => {
    const isInside = around.some(({ type }) => /Function/.test(type));
    if (!isInside) add(node, 'A model runs as a script: `await` works only in `asyncModule(async () => { … })`.');
  };
  ancestor(program, {
    AwaitExpression: (node, _, around) => outside(node, around),
    ForOfStatement: (node, _, around) => {
      if (node.await) outside(node, around);
    },
    MetaProperty: (node) =>
      add(node, node.meta.name === 'import' ? 'A model runs as a script: it has no `import.meta`.' : undefined),
  });
  return problems;
}

function complaint(statement: Program['body'][number]): string | undefined {
  if (statement.type === 'ExportAllDeclaration' || (statement.type === 'ExportNamedDeclaration' && statement.source))
    return 'The engine cannot export what another file exports: import it first.';
  if (statement.type === 'ExportDefaultDeclaration')
    return /^(?:Function|Class)Declaration$/.test(statement.declaration.type)
      ? 'The engine exports no declaration by default: give it a name, `export function name() {…}`, and import it by that name.'
      : undefined;
  if (statement.type !== 'ImportDeclaration') return undefined;
  if (statement.specifiers.length === 0)
    return 'The engine cannot import a file for its effects alone, and need not: all files of the model are loaded. Remove this line.';
  return statement.specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')
    ? 'The engine does not know `import * as`: name what you need, `import { … } from …`.'
    : undefined;
}

import { parseSync, Visitor } from 'oxc-parser';

/** Returns the functions and classes that a module exports without a docstring. */
export function undocumented(path: string, source: string): readonly string[] {
  const { program, comments } = parseSync(path, source);
  const ends = new Set(comments.filter(({ value }) => value.startsWith('*')).map(({ end }) => end));
  const documented = new Set<string>();
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return [];
    const { declaration } = statement;
    const isFunction = declaration?.type === 'FunctionDeclaration' || declaration?.type === 'TSDeclareFunction';
    if (!isFunction && declaration?.type !== 'ClassDeclaration') return [];
    const name = declaration.id?.name ?? '';
    // The docstring of the first overload counts for all.
    if (ends.has(source.slice(0, statement.start).trimEnd().length)) documented.add(name);
    return documented.has(name) ? [] : [name];
  });
}

/** Returns the functions and methods that resolve to a value and whose docstring says that they return it. */
export function saidToReturn(path: string, source: string): readonly string[] {
  if (!source.includes('Returns ') || !source.includes('Promise<')) return [];
  const { program, comments } = parseSync(path, source);
  const docs = new Set(comments.filter(isReturning).map(({ end }) => end));
  const found: string[] = [];
  const see = (node: FunctionNode, start: number, name = ''): void => {
    const type = node.returnType ? source.slice(node.returnType.start, node.returnType.end) : '';
    if (/^:\s*Promise</.test(type) && docs.has(source.slice(0, start).trimEnd().length)) found.push(name);
  };
  new Visitor({
    ExportNamedDeclaration: ({ declaration, start }) => {
      if (declaration?.type === 'FunctionDeclaration') see(declaration, start, declaration.id?.name);
    },
    FunctionDeclaration: (node) => see(node, node.start, node.id?.name),
    MethodDefinition: ({ value, start, key }) => see(value, start, source.slice(key.start, key.end)),
    TSMethodSignature: (node) => see(node, node.start, source.slice(node.key.start, node.key.end)),
  }).visit(program);
  return found;
}

interface FunctionNode {
  readonly returnType?: { readonly start: number; readonly end: number } | null;
}

/** Checks for a docstring about a result; “Returns a promise” says what it is. */
function isReturning({ value }: { readonly value: string }): boolean {
  return /(?:^\*[\s*]*|\.[\s*]+)Returns (?!a promise)/.test(value);
}

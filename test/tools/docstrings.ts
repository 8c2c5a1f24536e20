import { parseSync } from 'oxc-parser';

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

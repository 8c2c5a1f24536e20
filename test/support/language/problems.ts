import { relatedProblems, templateProblems, textProblems } from '#model/checks/check.ts';
import type { Code, Severity } from '#model/codes.ts';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';

export interface Line {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly severity: Severity;
  readonly code: Code;
  readonly message: string;
  /** The marked text. */
  readonly text: string;
  readonly lineText: string;
}

export function indexOf(files: Readonly<Record<string, string>>): ModelIndex {
  const index = new ModelIndex('');
  index.templateGlobals = { names: [], isPython: false };
  for (const [path, text] of Object.entries(files)) index.set(parseFile(path, text));
  return index;
}

/** Returns all problems of a model, file by file. `database` is the kind of database that its tables are in. */
export function problemsOf(files: Readonly<Record<string, string>>, database?: string): Line[] {
  const index = indexOf(files);
  index.database = database;
  return [...index.files()].flatMap((file) => {
    const found = [
      ...textProblems(file),
      ...templateProblems(file, index),
      ...file.chunks.flatMap((placed) => relatedProblems(placed, index, file)),
    ];
    return found.map(({ problem, severity, start, end }) => {
      const lineStart = file.text.lastIndexOf('\n', start - 1) + 1;
      const lineEnd = file.text.indexOf('\n', start);
      const lineText = file.text.slice(lineStart, lineEnd === -1 ? file.text.length : lineEnd);
      return {
        file: file.path,
        line: file.text.slice(0, start).split('\n').length,
        severity,
        code: problem.code,
        message: problem.message,
        text: file.text.slice(start, end),
        lineText,
      };
    });
  });
}

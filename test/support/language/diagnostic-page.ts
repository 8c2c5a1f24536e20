import { readFileSync } from 'node:fs';
import { codes, type Code } from '#model/codes.ts';

/** The example on the page of a diagnostic, which is one of its test cases. */
export interface Example {
  readonly code: Code;
  readonly path: string;
  readonly wrong: string;
  /** The problems that the editor shows according to the page, one per line. */
  readonly reported: readonly string[];
  readonly right: string;
}

const PATHS: Readonly<Record<string, string>> = { yaml: 'orders.yml', js: 'orders.js', jinja: 'orders.yml.jinja' };

/** Returns the examples on all pages; a page may have none. */
export function examples(): readonly Example[] {
  return (Object.keys(codes) as Code[]).flatMap((code) => {
    const found = exampleIn(code, readFileSync(`media/diagnostics/${code}.md`, 'utf8'));
    return found ? [found] : [];
  });
}

/** Returns the example in the text of a page: a wrong model, the reported problems as a quotation, and the right model. */
export function exampleIn(code: Code, page: string): Example | undefined {
  const [, example] = /^## Example\n([\s\S]*?)^## /m.exec(page) ?? [];
  if (example === undefined) return undefined;
  const blocks = [...example.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const [[, language = '', wrong = ''] = [], [, , right = ''] = []] = blocks;
  const path = PATHS[language];
  if (blocks.length !== 2 || path === undefined)
    throw new Error(`The example of ${code} needs a wrong and a right model, each as yaml, js or jinja.`);
  const reported = [...example.matchAll(/^> - (.+)$/gm)].map(([, line = '']) => line);
  return { code, path, wrong, reported, right };
}

import type { Diagnostic } from 'vscode-languageserver';
import { describe, expect, it } from 'vitest';
import { filesIn, js } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';

/** Helpers with a mistake, and what a cube takes from them; `§` is before and behind the mistake. */
const HELPERS: readonly (readonly [what: string, helper: string, use: string])[] = [
  ['an argument of an object', `export const m = { a: { type: §'summ'§, sql: () => \`n\` } };`, 'measures: m'],
  [
    'the result of a function',
    `export const of = () => ({ a: { type: §'summ'§, sql: () => \`n\` } });`,
    'measures: of()',
  ],
  ['a spread', `export const m = { a: { type: §'summ'§, sql: () => \`n\` } };`, 'measures: { ...m }'],
  ['an unknown key', `export const m = { a: { type: 'count', §titel§: 'x' } };`, 'measures: { ...m }'],
  [
    'a reference',
    `export const m = { a: { type: 'number', sql: (CUBE) => \`MAX(\${CUBE.§nothing§})\` } };`,
    'measures: m',
  ],
  ['a name that nothing declares', `export const of = () => ({ a: { type: §nothing§ } });`, 'measures: of()'],
  ['text in place of a function', `export const m = { a: { type: 'sum', sql: §'n'§ } };`, 'measures: m'],
  [
    'a text behind characters of two units',
    `/* 😀 é */ export const m = { a: { type: §'summ'§, sql: () => \`n\` } };`,
    'measures: m',
  ],
];

const cube = (use: string): string =>
  js`
    // file: orders.js
    import { m, of } from './helper';
    cube('orders', { sql_table: \`t\`, dimensions: { id: { sql: \`id\`, type: 'number', primaryKey: true } }, ${use} });
  `;

function filesOf(helper: string, use: string): Record<string, string> {
  return Object.fromEntries(filesIn(`${cube(use)}// file: helper.js\n${helper}\n`));
}

/** Returns the texts that the related locations of diagnostics mark, with their files. */
function marked(diagnostics: readonly Diagnostic[], files: Readonly<Record<string, string>>): readonly string[] {
  return diagnostics.flatMap(({ relatedInformation = [] }) =>
    relatedInformation.map(({ location: { uri, range } }) => {
      const path = uri.slice(ROOT.length + 1);
      const line = files[path]?.split('\n')[range.start.line] ?? '';
      return `${path}: ${line.slice(range.start.character, range.end.character)}`;
    }),
  );
}

describe('a mistake in a file that a script imports', () => {
  it.each(HELPERS)('is shown where it is used, and names its own place: %s', async (_, helper, use) => {
    const [, wrong = ''] = helper.split('§');
    const files = filesOf(helper.replaceAll('§', ''), use);
    const session = await Session.start(files);
    const found = await session.diagnosticsOf(`${ROOT}/orders.js`, undefined);
    expect([...new Set(marked(found, files))]).toEqual([`helper.js: ${wrong}`]);
    session.dispose();
  });
});

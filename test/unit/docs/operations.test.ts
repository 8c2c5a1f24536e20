import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileSql, getMeta, loadData, runCubeSql } from '#api/data-operations.ts';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/operations.ts';
import { root } from '../../tools/run.ts';

const pages = ['platform-api.md', 'data-api.md', 'chat.md'].map((page) =>
  readFileSync(join(root, 'docs', page), 'utf8'),
);

/** What a page says of an operation: the text below the heading that has its id. */
function entryOf(id: string, texts = pages): string | undefined {
  return texts.join('\n').match(new RegExp(`^#### ${id}\\n(?<text>[^]*?)(?=^#|(?![^]))`, 'm'))?.groups?.['text'];
}

/** What an entry lacks of an operation: the request line, its mark, and the fields of the query and the body. */
function missing(operation: Operation, entry: string | undefined): readonly string[] {
  if (entry === undefined) return ['the entry'];
  const line = `\`${operation.method} ${operation.path}\`${operation.described ? ' · *optional*' : ''}\n`;
  const isWhole = operation.host !== 'chat';
  const fields = [operation.query, operation.body].flatMap((schema) => fieldsOf(schema));
  return [
    ...(entry.includes(line) ? [] : [line.trim()]),
    ...fields
      .filter((name) => isWhole && !new RegExp(`\`${name}\\??\``).test(entry))
      .map((name) => `the field ${name}`),
  ];
}

/** The names of an object's fields, whatever checks, options and pipes are around it. */
function fieldsOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { entries, wrapped, pipe } = schema as {
    readonly entries?: object;
    readonly wrapped?: unknown;
    readonly pipe?: readonly unknown[];
  };
  if (entries) return Object.keys(entries);
  return fieldsOf(wrapped ?? pipe?.[0]);
}

const all: readonly Operation[] = [...operations, getMeta, loadData, compileSql, runCubeSql];

describe('the pages about the APIs', () => {
  it.each(all.map((operation) => [operation.id, operation] as const))(
    'describe %s with its request',
    (id, operation) => {
      expect(missing(operation, entryOf(id))).toEqual([]);
    },
  );

  it('say which operations may be repeated although their method does not show it, and which take long', () => {
    const saying = (pattern: RegExp): readonly string[] =>
      all.filter(({ id }) => pattern.test(entryOf(id) ?? '')).map(({ id }) => id);
    const having = (has: (operation: Operation) => boolean): readonly string[] => all.filter(has).map(({ id }) => id);
    expect(saying(/may be repeated safely/i)).toEqual(having(({ idempotent }) => idempotent === true));
    expect(saying(/waits up to two minutes/)).toEqual(having(({ patience = 1 }) => patience > 1));
  });

  it('describe no operation that does not exist', () => {
    const described = pages.flatMap((page) => [...page.matchAll(/^#### (\w+)$/gm)].map(([, id = '']) => id));
    const ids = new Set(all.map(({ id }) => id));
    expect(described.filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(described).size).toBe(described.length);
  });

  it('would be found wrong without an entry, a field, or with another path', () => {
    const [operation] = operations.filter(({ id }) => id === 'startDevMode');
    if (!operation) throw new Error('startDevMode is missing');
    const right = entryOf('startDevMode') ?? '';
    expect(missing(operation, entryOf('startDevMode', ['#### startDevModes\n']))).toEqual(['the entry']);
    expect(missing(operation, right.replace('`branchName`', ''))).toEqual([]);
    expect(missing(operation, right.replaceAll('`branchName`', ''))).toEqual(['the field branchName']);
    expect(missing(operation, right.replace('/dev-mode', '/dev'))).toHaveLength(1);
  });
});

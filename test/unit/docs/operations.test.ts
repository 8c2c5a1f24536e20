import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dashboardConfigInput } from '#api/resources/dashboard-schema.ts';
import { compileSql, getMeta, loadData, runCubeSql } from '#api/data/data-operations.ts';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { root } from '../../tools/run.ts';

const pages = ['platform-api.md', 'data-api.md', 'chat.md'].map((page) =>
  readFileSync(join(root, 'docs', page), 'utf8'),
);

/** What a page says of an operation: the text below the heading that has its id. */
function entryOf(id: string, texts = pages): string | undefined {
  return texts.join('\n').match(new RegExp(`^#### ${id}\\n(?<text>[^]*?)(?=^#|(?![^]))`, 'm'))?.groups?.['text'];
}

/** What an entry lacks of an operation: the request line with its mark, and the fields of the query and the body. */
function missing(operation: Operation, entry: string | undefined): readonly string[] {
  if (entry === undefined) return ['the entry'];
  const line = `\`${operation.method} ${operation.path}\`${operation.described ? ' · *optional*' : ''}\n`;
  const body = item(entry, 'Body');
  return [
    ...(entry.includes(line) ? [] : [line.trim()]),
    ...(operation.host === 'chat'
      ? []
      : [
          ...differing('Query', item(entry, 'Query'), operation.query, entry),
          ...differing('Body', body, operation.body, entry),
          ...(body.includes('other fields pass through') === isOpen(operation.body) ? [] : ['the other fields']),
          ...(body.includes('the body may be missing') === isOptional(operation.body) ? [] : ['the missing body']),
          ...(body.includes('names guessed') === (operation.guessedBody === true) ? [] : ['the guessed names']),
        ]),
  ];
}

/** Returns the text of an entry's line about the query, the body or the answer. */
function item(entry: string, name: string): string {
  const text = new RegExp(`^- ${name}[^:\\n]*: ([^]*?)(?=^- |(?![^]))`, 'm').exec(entry)?.[1] ?? '';
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Returns the fields that a line and a schema do not share, and the values and inner fields that the entry lacks. */
function differing(name: string, line: string, schema: unknown, entry: string): readonly string[] {
  const listed = fieldsOf(line);
  const known = Object.entries(entriesOf(schema)).map(([field, type]) => `${field}${isOptional(type) ? '?' : ''}`);
  return [
    ...known.filter((field) => !listed.includes(field)).map((field) => `${name}: ${field}`),
    ...listed.filter((field) => !known.includes(field)).map((field) => `${name} has no ${field}`),
    ...Object.values(entriesOf(schema)).flatMap((type) =>
      insideOf(type)
        .filter((each) => !entry.includes(`\`${each}\``))
        .map((each) => `${name}: ${each} within a field`),
    ),
  ];
}

/** Returns the names of a line, without those in brackets. */
function fieldsOf(line: string): readonly string[] {
  let depth = 0;
  const found: string[] = [];
  for (const [text, name] of line.matchAll(/[()]|`([^`]+)`/g)) {
    if (text === '(') depth++;
    else if (text === ')') depth--;
    else if (depth === 0 && name !== undefined) found.push(name);
  }
  return found;
}

interface AnySchema {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly wrapped?: unknown;
  readonly item?: unknown;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly AnySchema[];
}

/** Returns the schema of a value, whatever checks, options and pipes are around it. */
function innermost(schema: unknown): AnySchema {
  const { wrapped, pipe, type } = (schema ?? {}) as AnySchema;
  if (wrapped !== undefined) return innermost(wrapped);
  const read =
    type === 'unknown'
      ? pipe?.findLast(({ type: of }) => of !== undefined && of !== 'unknown' && of !== 'transform')
      : undefined;
  return read ? innermost(read) : (schema ?? {});
}

const entriesOf = (schema: unknown): Readonly<Record<string, unknown>> => innermost(schema).entries ?? {};
const isOpen = (schema: unknown): boolean => innermost(schema).type === 'loose_object';
const isOptional = (schema: unknown): boolean =>
  ['optional', 'nullish', 'exact_optional'].includes((schema as AnySchema | undefined)?.type ?? '');

/** Returns the values that a field may have, and the fields of the objects in it. */
function insideOf(schema: unknown): readonly string[] {
  const { type, options = [], item: items } = innermost(schema);
  if (type === 'picklist') return (options as readonly string[]).filter((each) => !/^(?:true|false)$/.test(each));
  if (type === 'union')
    return options.flatMap((option) => (innermost(option).type === 'picklist' ? insideOf(option) : []));
  return Object.entries(entriesOf(items)).flatMap(([field, of]) => [
    `${field}${isOptional(of) ? '?' : ''}`,
    ...insideOf(of),
  ]);
}

/** Returns the names of all fields of an object and of the objects in it. */
function fieldsWithin(schema: unknown): readonly string[] {
  const { item: items } = innermost(schema);
  if (items !== undefined) return fieldsWithin(items);
  return Object.entries(entriesOf(schema)).flatMap(([name, of]) => [name, ...fieldsWithin(of)]);
}

/** Names around the rows of a list. */
const ENVELOPES = ['data', 'items', 'Resources', 'results'];

/** Returns the fields of an answer: of a list, those of its rows. */
function answerFields(schema: unknown): readonly string[] {
  const { type, item: items } = innermost(schema);
  if (type === 'array') return answerFields(items);
  const entries = entriesOf(schema);
  const [envelope] = ENVELOPES.filter((name) => Object.hasOwn(entries, name));
  if (envelope !== undefined) return answerFields(entries[envelope]);
  const [only, ...others] = Object.values(entries);
  if (others.length === 0 && innermost(only).type === 'array') return answerFields(only);
  return Object.entries(entries).map(([field, of]) => `${field}${isOptional(of) ? '?' : ''}`);
}

/** What the line about an answer lacks or invents; of one that only names the object ("the report"), nothing. */
function wrongAnswer({ answer, host }: Operation, entry: string): readonly string[] {
  const line = item(entry, 'Answer');
  const listed = [...line.replace(/\. .*/, '').matchAll(/`(\w+\??)`/g)].map(([, name = '']) => name);
  if (
    answer === undefined ||
    host === 'chat' ||
    /^(?:a tree|new tokens|`data`: users as above|`data\?` \(the branch\))/.test(line)
  )
    return [];
  const known = answerFields(answer);
  const own = listed.filter(
    (name) => known.includes(name) || known.includes(`${name}?`) || known.includes(name.slice(0, -1)),
  );
  return own.length === 0 && /^the [\w ]+$/.test(line)
    ? []
    : [
        ...known.filter((field) => !listed.includes(field)).map((field) => `Answer: ${field}`),
        ...own.filter((field) => !known.includes(field)).map((field) => `Answer has no ${field}`),
      ];
}

const all: readonly Operation[] = [...operations, getMeta, loadData, compileSql, runCubeSql];

describe('the pages about the APIs', () => {
  it.each(all.map((operation) => [operation.id, operation] as const))(
    'describe %s with its request',
    (id, operation) => {
      expect(missing(operation, entryOf(id))).toEqual([]);
    },
  );

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'name the fields of the answer of %s that the client reads',
    (id, operation) => {
      expect(wrongAnswer(operation, entryOf(id) ?? '')).toEqual([]);
    },
  );

  it('say which operations may be repeated although their method does not show it, and which take long', () => {
    const saying = (pattern: RegExp): readonly string[] =>
      all.filter(({ id }) => pattern.test(entryOf(id) ?? '')).map(({ id }) => id);
    const having = (has: (operation: Operation) => boolean): readonly string[] => all.filter(has).map(({ id }) => id);
    expect(saying(/may be repeated safely/i)).toEqual(having(({ idempotent }) => idempotent === true));
    expect(saying(/waits up to two minutes/)).toEqual(having(({ timeoutFactor = 1 }) => timeoutFactor > 1));
  });

  it('name every field of a dashboard', () => {
    const section = (pages[0] ?? '').match(/^### Dashboard configuration\n[^]*?(?=^#### )/m)?.[0] ?? '';
    const fields = fieldsWithin(dashboardConfigInput);
    expect(fields).toContain('codeFontFamily');
    expect(fields.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
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
    expect(missing(operation, right.replace('- Body: `branchName`', '- Body: `branch`'))).toEqual([
      'Body: branchName',
      'Body has no branch',
    ]);
    expect(missing(operation, right.replace('- Body: `branchName`', '- Body: `branchName?`'))).toHaveLength(2);
    expect(missing(operation, right.replace('/dev-mode', '/dev'))).toHaveLength(1);
    expect(wrongAnswer(operation, right.replace('`lastHash?`', '`lastHash`'))).toEqual([
      'Answer: lastHash?',
      'Answer has no lastHash',
    ]);
  });

  it.each([
    ['bulkUsers', '`DELETE`', ['Body: DELETE within a field']],
    ['bulkUsers', 'other fields pass through', ['the other fields']],
    ['bulkUsers', 'names guessed', ['the guessed names']],
    ['duplicateWorkbook', 'the body may be missing', ['the missing body']],
    ['renameDataModelFiles', '`newPath`', ['Body: newPath within a field']],
  ])('would be found wrong: %s without %s', (id, text, found) => {
    const operation = operations.find((each) => each.id === id);
    const right = entryOf(id) ?? '';
    expect(right).toContain(text);
    expect(operation && missing(operation, right.replace(text, ''))).toEqual(found);
  });
});

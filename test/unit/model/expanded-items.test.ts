import { array, assert, constantFrom, nat, property, record, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileProblems } from '#model/checks/file-problems.ts';
import { editFile } from '#model/edit.ts';
import { type ModelFile, parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { expansionOf, MOST_GROWTH, readAnchored, withEdits } from '#model/syntax/yaml/aliases.ts';
import { expandedChunks } from '#model/syntax/expanded-items.ts';

/** Cubes with anchors and aliases of every kind, also of the cubes above them. */
const CUBES: readonly string[] = [
  '  - &base\n    name: base\n    sql_table: t\n    dimensions: &dims\n      - &id {name: id, sql: id, type: &t number, primary_key: true}\n',
  '  - name: b\n    sql_table: t\n    dimensions: *dims\n    measures: [{name: n, type: sum, sql: &sql "{id}"}]\n',
  '  - <<: *base\n    name: c\n    measures:\n      - {name: n, type: sum, sql: *sql }\n      - {name: k, type: *t , sql: "{nothing}"}\n',
  '  - name: &name d\n    sql_table: *name\n    meta: &meta {a: 1, b: &list [x, {<<: {c: 2}}]}\n    title: *list\n',
  '  - name: e\n    extends: base\n    meta: {<<: *meta , z: *list }\n    segments: [{name: s, sql: "{CUBE.id} = {c.k}"}]\n',
  '  - name: f\n    sql_table: t\n    measures: [{name: n, type: count, drill_members: [e.id, b.id]}]\n',
];

/** Words that are written instead of others. */
const WORDS = ['id', 'name', '*t ', '*base ', '&t', '&id', 'number', 'x', '*meta ', '<<', 'count', '"{id}"', ''];

const changes = array(record({ at: nat(2_000), word: constantFrom(...WORDS) }), { minLength: 1, maxLength: 4 });
const models = array(constantFrom(...CUBES), { maxLength: 4 }).map((more) => [...CUBES.slice(0, 4), ...more]);

/** What is made of a text as a whole; undefined if it cannot be expanded. */
function expandedAsWhole(text: string): ReturnType<typeof withEdits> | undefined {
  const read = readAnchored(text);
  const expansion = read && expansionOf(read, (alias) => read.aliases.get(alias), text.length * MOST_GROWTH);
  return expansion && withEdits(text, expansion.edits);
}

/** What chunk by chunk is made of a file; undefined if it cannot be expanded. */
function expanded({ chunks, text }: ModelFile): ReturnType<typeof expandedAsWhole> {
  const edits = expandedChunks(
    chunks.map(({ chunk }) => chunk),
    text.length,
  );
  if (!edits) return undefined;
  const all = chunks.flatMap(({ chunk, start }) =>
    (edits.get(chunk) ?? []).map((edit) => ({ ...edit, start: start + edit.start, end: start + edit.end })),
  );
  return withEdits(text, all);
}

const problemsIn = (index: ModelIndex): readonly unknown[] =>
  [...index.files()].flatMap((file) =>
    fileProblems(file, index).map(({ problem, start, end, severity }) => [problem.code, severity, start, end]),
  );

/** Yields a file after each change: one word is written instead of another. */
function* editedFiles(cubes: readonly string[], edits: readonly { readonly at: number; readonly word: string }[]) {
  let file = parseFile('a.yml', `cubes:\n${cubes.join('')}`);
  yield file;
  for (const { at, word } of edits) {
    const words = [...file.text.matchAll(/[&*]?\w+ ?|<</g)];
    const found = words[at % words.length];
    if (!found) return;
    const change = { start: found.index, end: found.index + found[0].length, text: word };
    file = editFile(file, file.text.slice(0, change.start) + word + file.text.slice(change.end), [change]);
    yield file;
  }
}

describe('a file with aliases', () => {
  it('is expanded chunk by chunk to what it is expanded to as a whole, after any edits', () => {
    let compared = 0;
    assert(
      property(tuple(models, changes), ([cubes, edits]) => {
        for (const file of editedFiles(cubes, edits)) {
          const whole = expandedAsWhole(file.text);
          // A chunk that only the whole file makes unreadable can still be expanded.
          if (!whole || file.problems.length > 0) continue;
          compared++;
          expect(expanded(file)).toEqual(whole);
        }
      }),
      { numRuns: 12, seed: 19 },
    );
    expect(compared).toBeGreaterThan(8);
  });

  it('has the problems after an edit that it has when it is read for the first time', () => {
    let found = 0;
    assert(
      property(tuple(models, changes), ([cubes, edits]) => {
        const index = new ModelIndex('');
        index.set(parseFile('b.yml', 'views:\n  - name: v\n    cubes: [{join_path: c, includes: [n, k]}]\n'));
        for (const file of editedFiles(cubes, edits)) {
          index.set(file);
          const fresh = new ModelIndex('');
          for (const { path, text } of index.files()) fresh.set(parseFile(path, text));
          const problems = problemsIn(index);
          found += problems.length;
          expect(problems).toEqual(problemsIn(fresh));
        }
      }),
      { numRuns: 8, seed: 20 },
    );
    expect(found).toBeGreaterThan(10);
  });

  it('is expanded again only where a text or the value of an alias changes', () => {
    const first = parseFile('a.yml', `cubes:\n${CUBES.join('')}`);
    const at = first.text.lastIndexOf('count');
    const text = `${first.text.slice(0, at)}x${first.text.slice(at)}`;
    const last = editFile(first, text, [{ start: at, end: at, text: 'x' }]);
    const of = ({ chunks }: ModelFile) =>
      expandedChunks(
        chunks.map(({ chunk }) => chunk),
        10_000,
      );
    const [before, after] = [of(first), of(last)];
    const same = last.chunks.filter(({ chunk }) => before?.has(chunk));
    expect(same.length).toBeGreaterThan(3);
    for (const { chunk } of same) expect(after?.get(chunk)).toBe(before?.get(chunk));
  });
});

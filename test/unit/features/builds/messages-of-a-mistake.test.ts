import { describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import type { BuildProblem, ProblemLocation } from '#features/builds/build-problems.ts';
import { type BuiltFolder, placedErrors } from '#features/builds/placed-errors.ts';
import { buildSource, saysSame, saysUnreadable } from '#features/builds/build-staleness.ts';
import type { Found } from '#model/checks/check.ts';
import { fileProblems } from '#model/checks/file-problems.ts';
import { type ErrorInChunk, positionOfEngineError } from '#model/engine/engine-errors.ts';
import { type EngineRefusal, placedRefusals, uncoveredRefusals } from '#model/engine/engine-refusals.ts';
import type { ModelFile } from '#model/file.ts';
import { withoutFollowing } from '#model/engine/following-errors.ts';
import type { ModelIndex } from '#model/index.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { matrixEngine } from '#support/language/matrix/engine.ts';
import { indexOf } from '#support/language/problems.ts';
import { filesIn } from '#support/language/raw.ts';
import { renderTemplates } from '#support/language/rendered.ts';
import { SHOP } from '#support/language/shop.ts';

const engine = await matrixEngine();
const shop = Object.fromEntries(filesIn(SHOP));

/** A message as VS Code shows it, with the fields by which the product compares two. */
interface Shown {
  readonly source: string;
  readonly code: string;
  readonly message: string;
  readonly severity: number;
  readonly range: ReturnType<typeof rangeIn>;
}

/**
 * All errors and warnings that the Problems view shows for a model that was saved and pushed: those of our checks, of the engine on
 * this machine, and of the platform's build, which is the same engine.
 */
async function messagesOf(model: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const index = indexOf(model);
  renderTemplates(index);
  const files = [...index.files()];
  const own = new Map(files.map((file) => [file, fileProblems(file, index)]));
  const hasErrors = [...own.values()].flat().some(({ severity }) => severity === 'error');
  const answer = await engine.compile(Object.entries(model).map(([fileName, content]) => ({ fileName, content })));
  const refusals = withoutFollowing(answer, (name) => index.entity(name) !== undefined);
  const compiled = { index, fileNamed: (name: string) => files.find(({ path }) => path === name) };
  const placed = placedRefusals(refusals, compiled, () => hasErrors);
  const built = await placedErrors(ports, folderOf(model, index), errorText(answer));
  return files.flatMap((file) => {
    const found = own.get(file) ?? [];
    const here = [...found, ...uncoveredRefusals(placed, file, index, found)].map((each) => shown(file, each));
    const ofBuild = built.flatMap(({ path, problems }) => (path === file.path ? problems.map(ofTheBuild) : []));
    const fresh = ofBuild.filter((each) => !here.some((mine) => saysUnreadable(mine) || saysSame(mine, each)));
    return [...here, ...fresh].map(
      ({ source, code, message, range }) => `${file.path}:${range.start.line + 1} ${source} ${code}: ${message}`,
    );
  });
}

const ports = { clock: new ManualClock(), logger: silentLogger };

/** What the platform says of a build that failed: the errors of each file under its name. */
function errorText(errors: readonly EngineRefusal[]): string | undefined {
  const byFile = Map.groupBy(errors, ({ fileName }) => fileName ?? '');
  const groups = [...byFile].map(([name, each]) =>
    [...(name === '' ? [] : [`${name} Errors:`]), ...each.map(({ message }) => message)].join('\n'),
  );
  return errors.length === 0 ? undefined : `Compile errors:\n${groups.join('\n')}`;
}

/** The folder whose build failed, with the positions that the language server finds. */
function folderOf(model: Readonly<Record<string, string>>, index: ModelIndex): BuiltFolder {
  const texts = new Map(Object.entries(model));
  const serve = (messages: readonly string[]) =>
    Promise.resolve(messages.map((message) => servedIn(index, positionOfEngineError(message, index))));
  return { serve, texts: () => Promise.resolve({ here: texts, saved: texts }) };
}

function servedIn(index: ModelIndex, position: ErrorInChunk | undefined): ProblemLocation | undefined {
  const placed = position && index.placement(position.chunk);
  if (!position || !placed) return undefined;
  const { file, start } = placed;
  return { path: file.path, ...rangeIn(file.text, start + position.start, start + position.end) };
}

function ofTheBuild({ message, location }: BuildProblem): Shown {
  const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  return { source: buildSource('dev-ada'), code: '', message, severity: 0, range: location ?? nowhere };
}

function shown(file: ModelFile, { problem, severity, start, end }: Found): Shown {
  const range = rangeIn(file.text, start, end);
  return {
    source: 'modelbench',
    code: problem.code,
    message: problem.message,
    severity: severity === 'error' ? 0 : 1,
    range,
  };
}

function rangeIn(text: string, start: number, end: number) {
  const at = (offset: number) => {
    const lines = text.slice(0, offset).split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  };
  return { start: at(start), end: at(end) };
}

/** Replaces the first occurrence of a text in a file of the shop. */
function changed(path: string, from: string, to: string): Readonly<Record<string, string>> {
  const text = shop[path] ?? '';
  if (!text.includes(from)) throw new Error(`${path} has no “${from}”`);
  return { ...shop, [path]: text.replace(from, to) };
}
const orders = (from: string, to: string) => changed('cubes/orders.yml', from, to);

describe('the messages of one mistake', () => {
  it.each([
    ['a line that is too deep', orders('        sql: status\n', '          sql: status\n')],
    ['a line that is not deep enough', orders('        sql: status\n', '      sql: status\n')],
    ['a tab', orders('        sql: status\n', '\tsql: status\n')],
    ['a missing colon', orders('        sql: status\n', '        sql status\n')],
    ['a quote that is not closed', orders('"{total} / NULLIF({CUBE.count}, 0)"', '"{total} / NULLIF({CUBE.count}, 0)')],
    ['a brace that is not closed', orders('"{total} / NULLIF', '"{total / NULLIF')],
    ['a misspelt key', orders('        sql: status', '        sgl: status')],
    ['a misspelt key of a cube', orders('    measures:', '    measurs:')],
    ['a misspelt type', orders('        type: string', '        type: strng')],
    ['a missing name', orders('      - name: status\n        sql', '      - sql')],
    ['a missing type', orders('        sql: status\n        type: string\n', '        sql: status\n')],
    [
      'a name twice',
      orders('      - name: total\n', '      - name: count\n        type: count\n      - name: total\n'),
    ],
    ['a name with a blank', orders('      - name: status', '      - name: the status')],
    ['a relationship that does not exist', orders('many_to_one', 'many_to_many')],
    ['a member that does not exist', orders('{total} /', '{totl} /')],
    ['a drill member that does not exist', orders('[id, status, users.city]', '[id, statuz, users.city]')],
    ['a measure of a pre-aggregation that does not exist', orders('[count, total]', '[count, totl]')],
    [
      'a path of a view to a cube that does not exist',
      changed('views/shop.yml', 'join_path: orders\n', 'join_path: order\n'),
    ],
    [
      'a member of a view that does not exist',
      changed('views/shop.yml', '          - status\n', '          - statuz\n'),
    ],
    [
      'a member of a folder that does not exist',
      changed('views/shop.yml', 'users_city, revenue', 'users_town, revenue'),
    ],
    ['a cube without a table', changed('cubes/users.yml', '    sql_table: public.users\n', '')],
    [
      'a merge conflict',
      orders(
        '        sql: status\n',
        '<<<<<<< mine\n        sql: status\n=======\n        sql: state\n>>>>>>> theirs\n',
      ),
    ],
    ['a block that is not closed', orders('cubes:\n', '{% if true %}\ncubes:\n')],
  ])('are one: %s', async (_, model) => {
    const messages = await messagesOf(model);
    expect({ messages, count: messages.length }).toEqual({ messages, count: 1 });
  });

  it.each([
    ['a join to a cube that does not exist', orders('      - name: users\n', '      - name: userz\n')],
    ['a cube twice', { ...shop, 'cubes/copy.yml': shop['cubes/users.yml'] ?? '' }],
  ])('are two, each in a file of its own: %s', async (_, model) => {
    const files = (await messagesOf(model)).map((message) => message.split(':')[0]);
    expect(files).toHaveLength(2);
    expect(new Set(files).size).toBe(2);
  });

  it('are none in a model that is right', async () => {
    expect(await messagesOf(shop)).toEqual([]);
  });
});

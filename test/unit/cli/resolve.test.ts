import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { demo } from '#platform/seed/names.ts';
import { type LinkedProject, linkProject } from '#support/linked-project.ts';
import { send } from '#support/platform.ts';

const A = 'model/cubes/a.yml';
const B = 'model/cubes/b.yml';
const C = 'model/cubes/c.yml';
const base =
  'cubes:\n  - name: a\n    sql_table: t\n    public: true\n    title: A\n    shown: true\n    description: D\n';

interface Conflicting extends LinkedProject {
  /** Another user changes files on the dev branch. */
  readonly colleague: (files: Readonly<Record<string, string>>) => Promise<void>;
}

/** A project in which the folder and the branch both changed files that they agreed on. */
async function conflicting(
  mine: Readonly<Record<string, string>>,
  theirs: Readonly<Record<string, string>>,
  agreed: Readonly<Record<string, string>> = { [A]: base, [B]: base, [C]: base },
): Promise<Conflicting> {
  const project = await linkProject();
  await project.run('pull', '--yes');
  for (const [path, text] of Object.entries(agreed)) project.write(path, text);
  await project.run('push', '--yes');
  const colleague: Conflicting['colleague'] = async (files) => {
    await send(project.platform, writeDataModelFiles, {
      params: { deploymentId: String(demo.shop) },
      body: {
        branchName: project.branch,
        files: Object.entries(files).map(([path, content]) => ({ path, content })),
      },
    });
  };
  await colleague(theirs);
  for (const [path, text] of Object.entries(mine)) project.write(path, text);
  return { ...project, colleague };
}

/** Whether a text is among the versions that the state folder keeps. */
function isKept({ environment }: LinkedProject, text: string): boolean {
  const state = environment.state ?? '';
  // What a command writes in the background has a name of its own until it is whole, and is gone then.
  const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith('.tmp'),
  );
  return files.some(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8') === text);
}

const title = (text: string): string => base.replace('title: A', `title: ${text}`);
const table = (text: string): string => base.replace('sql_table: t', `sql_table: ${text}`);

describe('modelbench resolve', () => {
  it('shows what it would do, then takes both sides’ changes, with markers where they differ', async () => {
    const project = await conflicting(
      { [A]: title('Mine'), [B]: title('Mine') },
      { [A]: table('theirs'), [B]: title('Theirs') },
    );
    const shown = await project.run('resolve');
    const plan = /^Plan (\w+)$/m.exec(shown.out)?.[1] ?? '';
    expect(shown).toEqual({
      code: 0,
      out: [
        `merged ${A}`,
        `markers ${B}: 1 place to choose in`,
        `Plan ${plan}`,
        'Nothing was changed yet. “yes” does this for 2 conflicts.\n',
      ].join('\n'),
      err: '',
    });
    expect([project.read(A), await project.remote(A)]).toEqual([title('Mine'), table('theirs')]);

    expect(await project.run('resolve', '--plan', plan, '--yes')).toMatchObject({ code: 1, err: '' });
    const both = title('Mine').replace('sql_table: t', 'sql_table: theirs');
    expect([project.read(A), await project.remote(A)]).toEqual([both, both]);
    expect(project.read(B)).toBe(
      base.replace(
        '    title: A\n',
        `<<<<<<< Local\n    title: Mine\n=======\n    title: Theirs\n>>>>>>> ${project.branch}\n`,
      ),
    );
    expect(isKept(project, title('Mine'))).toBe(true);

    // Nothing takes a file with markers to the branch.
    for (const args of [['push'], ['resolve'], ['resolve', '--take', 'mine']]) {
      expect((await project.run(...args, '--yes')).code).toBe(1);
      expect(await project.remote(B)).toBe(title('Theirs'));
    }
    project.write(B, title('Ours'));
    expect(await project.run('resolve', '--yes')).toMatchObject({
      code: 0,
      out: `merged ${B}\nResolved 1 conflict.\n`,
    });
    expect(await project.remote(B)).toBe(title('Ours'));
    expect((await project.run('plan')).out).toMatch(/^Nothing to push or pull/);
  });

  it('continues a merge with what the branch got since, but not a file that is what it was before', async () => {
    const project = await conflicting(
      { [A]: title('Mine'), [B]: title('Mine') },
      { [A]: title('Theirs'), [B]: title('Theirs') },
    );
    await project.run('resolve', '--yes');
    await project.colleague({ [A]: title('Theirs').replace('description: D', 'description: Later') });
    project.write(A, title('Ours'));
    project.write(B, title('Mine'));
    expect(await project.json('resolve', '--yes')).toMatchObject({
      conflicts: [{ result: 'merged' }, { result: 'markers' }],
    });
    const all = title('Ours').replace('description: D', 'description: Later');
    expect([project.read(A), await project.remote(A)]).toEqual([all, all]);
    expect(await project.remote(B)).toBe(title('Theirs'));
  });

  it('takes one side of the named files, but only as it was shown', async () => {
    const project = await conflicting({ [A]: 'mine\n', [B]: 'mine\n' }, { [A]: 'theirs\n', [B]: 'theirs\n' });
    const { plan } = await project.json('plan');
    expect((await project.run('resolve', `./${A}`, '--take', 'theirs', '--yes')).code).toBe(0);
    expect([project.read(A), project.read(B)]).toEqual(['theirs\n', 'mine\n']);
    expect(isKept(project, 'mine\n')).toBe(true);
    expect(await project.run('resolve', '--take', 'mine', '--plan', String(plan), '--yes')).toMatchObject({ code: 2 });
    expect(await project.remote(B)).toBe('theirs\n');
    expect((await project.run('resolve', 'model', '--take', 'mine', '--yes')).code).toBe(0);
    expect([await project.remote(A), await project.remote(B)]).toEqual(['theirs\n', 'mine\n']);
    expect(isKept(project, 'theirs\n')).toBe(true);
    const none = await project.run('resolve', A, '--yes');
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toContain(`“${A}” is not in conflict. There are no conflicts.`);
  });

  it('keeps line endings and byte order marks, and leaves what it cannot merge', async () => {
    const windows = (text: string): string => text.replaceAll('\n', '\r\n');
    const added = 'model/new.yml';
    const binary = `mine${String.fromCodePoint(0, 1)}`;
    const project = await conflicting(
      { [A]: `\uFEFF${windows(title('Mine'))}`, [added]: 'a\r\nmine\r\n', [B]: binary, [C]: windows(title('Both')) },
      { [A]: table('theirs'), [added]: 'a\ntheirs\n', [B]: 'theirs\n', [C]: title('Both') },
    );
    expect(await project.json('resolve', '--yes')).toMatchObject({
      status: 'partial',
      conflicts: [
        { path: A, result: 'merged' },
        { path: B, result: 'left', message: expect.stringContaining('not UTF-8 text') as string },
        { path: C, result: 'left', message: expect.stringContaining('only line endings differ') as string },
        { path: added, result: 'markers' },
      ],
    });
    expect(project.read(A)).toBe(`\uFEFF${windows(title('Mine').replace('sql_table: t', 'sql_table: theirs'))}`);
    expect([project.read(B), project.read(C)]).toEqual([binary, windows(title('Both'))]);
    expect(project.read(added)).toBe(
      `a\r\n<<<<<<< Local\r\nmine\r\n=======\r\ntheirs\r\n>>>>>>> ${project.branch}\r\n`,
    );
  });

  it('resolves a name that is a file here and a folder on the branch as one', async () => {
    const project = await conflicting(
      { 'model/x': 'mine\n' },
      { 'model/x/one.yml': 'one\n', 'model/x/two.yml': 'two\n' },
      {},
    );
    expect(await project.json('resolve', '--yes')).toMatchObject({
      status: 'refused',
      conflicts: [{ result: 'left' }],
    });
    expect((await project.run('resolve', '--take', 'theirs', '--yes')).code).toBe(0);
    expect([project.read('model/x/one.yml'), project.read('model/x/two.yml')]).toEqual(['one\n', 'two\n']);
    expect(isKept(project, 'mine\n')).toBe(true);
  });
});

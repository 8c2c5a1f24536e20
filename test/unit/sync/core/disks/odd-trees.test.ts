import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LinkedFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { hasFeature, newFolder } from '#support/sync/test-disk.ts';

const THING = 'model/thing';

async function agreed(linked: LinkedFolder, files: Readonly<Record<string, string>>): Promise<void> {
  await linked.colleague(files);
  await linked.pullAll();
}

async function bothSides(linked: LinkedFolder, file: string): Promise<readonly (string | undefined)[]> {
  const here = path.join(linked.root, file);
  return [existsSync(here) && lstatSync(here).isFile() ? linked.read(file) : undefined, await linked.remote(file)];
}

/** The user answers the one question that such a change asks. */
async function answer(linked: LinkedFolder, choice: 'mine' | 'theirs'): Promise<void> {
  const asked = (await linked.sync.plan()).entries.find(({ kind }) => kind === 'conflict');
  expect(asked).toMatchObject({ reason: 'fileAndFolder' });
  expect(await linked.sync.resolve(asked?.path ?? '', choice)).toMatchObject({ status: 'done' });
  expect((await linked.sync.plan()).entries).toEqual([]);
}

describe('a file that becomes a folder', () => {
  it.each(['mine', 'theirs'] as const)('here is one question, with an answer that works: %s', async (choice) => {
    const linked = await pulledFolder();
    await agreed(linked, { [THING]: '# file\n' });
    linked.remove(THING);
    linked.write(`${THING}/a.yml`, '# inside\n');
    await answer(linked, choice);
    const [file, inside] = choice === 'mine' ? [undefined, '# inside\n'] : ['# file\n', undefined];
    expect(await bothSides(linked, THING)).toEqual([file, file]);
    expect(await bothSides(linked, `${THING}/a.yml`)).toEqual([inside, inside]);
  });

  it.each(['mine', 'theirs'] as const)('asks one question on the platform, too: %s', async (choice) => {
    const linked = await pulledFolder();
    await agreed(linked, { [THING]: '# file\n' });
    await linked.colleague({ [THING]: null });
    await linked.colleague({ [`${THING}/a.yml`]: '# inside\n' });
    await answer(linked, choice);
    const [file, inside] = choice === 'mine' ? ['# file\n', undefined] : [undefined, '# inside\n'];
    expect(await bothSides(linked, THING)).toEqual([file, file]);
    expect(await bothSides(linked, `${THING}/a.yml`)).toEqual([inside, inside]);
  });
});

describe('a folder that becomes a file', () => {
  it.each(['mine', 'theirs'] as const)('here is one question, with an answer that works: %s', async (choice) => {
    const linked = await pulledFolder();
    await agreed(linked, { [`${THING}/a.yml`]: '# a\n', [`${THING}/b.yml`]: '# b\n' });
    linked.remove(THING);
    linked.write(THING, '# file\n');
    await answer(linked, choice);
    const [file, inside] = choice === 'mine' ? ['# file\n', undefined] : [undefined, '# b\n'];
    expect(await bothSides(linked, THING)).toEqual([file, file]);
    expect(await bothSides(linked, `${THING}/b.yml`)).toEqual([inside, inside]);
  });

  it.each(['mine', 'theirs'] as const)('asks one question on the platform, too: %s', async (choice) => {
    const linked = await pulledFolder();
    await agreed(linked, { [`${THING}/a.yml`]: '# a\n', [`${THING}/b.yml`]: '# b\n' });
    await linked.colleague({ [`${THING}/a.yml`]: null, [`${THING}/b.yml`]: null });
    await linked.colleague({ [THING]: '# file\n' });
    await answer(linked, choice);
    const [file, inside] = choice === 'mine' ? [undefined, '# b\n'] : ['# file\n', undefined];
    expect(await bothSides(linked, THING)).toEqual([file, file]);
    expect(await bothSides(linked, `${THING}/b.yml`)).toEqual([inside, inside]);
  });
});

describe('an empty folder', () => {
  it('makes way for a file of its name', async () => {
    const linked = await pulledFolder();
    mkdirSync(path.join(linked.root, THING, 'deep'), { recursive: true });
    await linked.colleague({ [THING]: '# file\n' });
    expect(await linked.sync.pull(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done' });
    expect(await bothSides(linked, THING)).toEqual(['# file\n', '# file\n']);
  });

  it('makes no change of its own', async () => {
    const linked = await pulledFolder();
    mkdirSync(path.join(linked.root, 'model/empty/deep'), { recursive: true });
    expect((await linked.sync.plan()).entries).toEqual([]);
    linked.write('model/empty/x.yml', '# x\n');
    await linked.sync.push(await linked.sync.plan(), 'all');
    linked.remove('model/empty/x.yml');
    await linked.sync.push(await linked.sync.plan(), 'all');
    expect((await linked.sync.plan()).entries).toEqual([]);
    expect(existsSync(path.join(linked.root, 'model/empty/deep'))).toBe(true);
  });
});

describe('a model folder that is a symbolic link', () => {
  it('takes part in sync where the link stays inside of the linked folder', async () => {
    if (!hasFeature('symbolic links')) return;
    const linked = await pulledFolder();
    const [first = ''] = linked.files();
    renameSync(path.join(linked.root, 'model'), path.join(linked.root, 'real'));
    symlinkSync('real', path.join(linked.root, 'model'));
    const plan = await linked.sync.plan();
    expect(plan.entries).toEqual([]);
    linked.write(first, '# mine\n');
    await linked.sync.push(await linked.sync.plan(), 'all', { confirmed: ['rootChanged'] });
    expect(await linked.remote(first)).toBe('# mine\n');
    await linked.colleague({ [first]: '# theirs\n' });
    await linked.pullAll();
    expect(readFileSync(path.join(linked.root, first.replace('model', 'real')), 'utf8')).toBe('# theirs\n');
    expect(lstatSync(path.join(linked.root, 'model')).isSymbolicLink()).toBe(true);
  });

  it('stays untouched where the link leads out of it, and the message says what to do', async () => {
    if (!hasFeature('symbolic links')) return;
    const linked = await pulledFolder();
    const outside = newFolder('sync-outside-');
    onTestFinished(() => rmSync(outside, { recursive: true, force: true, maxRetries: 3 }));
    renameSync(path.join(linked.root, 'model'), path.join(outside, 'model'));
    symlinkSync(path.join(outside, 'model'), path.join(linked.root, 'model'));
    await expect(linked.sync.plan()).rejects.toThrow('leads out of the linked folder through a symbolic link');
    expect(linked.sync.status.value.state).not.toMatchObject({ kind: 'inSync' });
  });

  it('does not count as a deletion of all files when it leads nowhere', async () => {
    if (!hasFeature('symbolic links')) return;
    const linked = await pulledFolder();
    rmSync(path.join(linked.root, 'model'), { recursive: true });
    symlinkSync('nowhere', path.join(linked.root, 'model'));
    const before = linked.wire.sent.length;
    await linked.sync.plan().catch(() => undefined);
    expect(linked.wire.sent.slice(before).filter((line) => line.startsWith('DELETE'))).toEqual([]);
    expect(linked.sync.status.value.state).not.toMatchObject({ kind: 'inSync' });
  });
});

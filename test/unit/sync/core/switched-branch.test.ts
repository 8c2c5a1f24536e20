import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BranchDesk, openBranchDesk } from '#support/sync/branch-desk.ts';
import type { GuardKind } from '#sync/core/plan.ts';

const confirmed: readonly GuardKind[] = [
  'manyDeletesLocal',
  'manyDeletesRemote',
  'allChangedLocally',
  'allChangedRemotely',
  'localEmptied',
  'remoteEmptied',
];

const main = { 'model/a.yml': 'a', 'model/b.yml': 'b', 'model/only-main.yml': 'main' };
const other = { 'model/a.yml': 'a', 'model/b.yml': 'b of other', 'model/only-other.yml': 'other' };

/** A folder that holds everything of its first branch. */
async function pulledDesk(): Promise<BranchDesk> {
  const desk = await openBranchDesk({ 'dev-main': main, 'dev-other': other });
  await pull(desk);
  return desk;
}

async function pull({ sync }: BranchDesk): Promise<void> {
  await sync.pull(await sync.plan(), 'all', { confirmed });
}

async function push({ sync }: BranchDesk): Promise<void> {
  await sync.push(await sync.plan(), 'all', { confirmed });
}

/** What a check finds, as `kind path`. */
async function found({ sync }: BranchDesk): Promise<readonly string[]> {
  return (await sync.plan()).entries.map((entry) => `${entry.kind} ${entry.path}`).sort();
}

describe('a folder whose branch is switched', () => {
  it('has nothing to push that its user did not change: what differs comes in', async () => {
    const desk = await pulledDesk();
    await desk.switchTo('dev-other');
    expect(await found(desk)).toEqual([
      'deleteLocal model/only-main.yml',
      'download model/b.yml',
      'download model/only-other.yml',
    ]);
    await pull(desk);
    expect(desk.files()).toEqual(other);
    expect(await desk.trashed()).toEqual(expect.arrayContaining(['b', 'main']));
  });

  it('comes back the same way, though it was in sync with that branch before', async () => {
    const desk = await pulledDesk();
    await desk.switchTo('dev-other');
    await pull(desk);
    await desk.switchTo('dev-main');
    expect(await found(desk)).toEqual([
      'deleteLocal model/only-other.yml',
      'download model/b.yml',
      'download model/only-main.yml',
    ]);
    await pull(desk);
    expect(desk.files()).toEqual(main);
  });

  it('takes along what its user changed: to push where the branches agree, a conflict where they do not', async () => {
    const desk = await pulledDesk();
    desk.write('model/a.yml', 'mine');
    desk.write('model/b.yml', 'mine too');
    desk.write('model/new.yml', 'new');
    await desk.switchTo('dev-other');
    expect(await found(desk)).toEqual([
      'conflict model/b.yml',
      'deleteLocal model/only-main.yml',
      'download model/only-other.yml',
      'upload model/a.yml',
      'upload model/new.yml',
    ]);
  });

  it('takes along what was agreed in a session that did not end', async () => {
    const desk = await pulledDesk();
    desk.write('model/a.yml', 'mine');
    await push(desk);
    await desk.crash('dev-other');
    expect(await found(desk)).toEqual([
      'deleteLocal model/only-main.yml',
      'download model/a.yml',
      'download model/b.yml',
      'download model/only-other.yml',
    ]);
  });

  it('takes along what was agreed when it ends before its own records have it', async () => {
    const desk = await pulledDesk();
    await desk.switchTo('dev-other');
    desk.failNext('last-branch.json');
    await expect(desk.sync.plan()).rejects.toThrow();
    await desk.switchTo('dev-other');
    expect(await found(desk)).toEqual([
      'deleteLocal model/only-main.yml',
      'download model/b.yml',
      'download model/only-other.yml',
    ]);
  });

  it.each([
    ['the record of the branch before', /branches\/.*\/base$/],
    ['the name of the branch before', /last-branch\.json$/],
  ])('changes nothing without a question where %s is damaged', async (_, file) => {
    const desk = await pulledDesk();
    desk.damage(file);
    await desk.switchTo('dev-other');
    const plan = await desk.sync.plan();
    expect(plan.guards.map(({ kind }) => kind)).toContain('stateDamaged');
    expect((await desk.sync.pull(plan, 'all')).status).not.toBe('done');
    expect(desk.files()).toEqual(main);
  });

  it('changes nothing without a question where nothing says which of several branches was the last', async () => {
    const desk = await pulledDesk();
    await desk.switchTo('dev-other');
    await pull(desk);
    await desk.switchTo('dev-main');
    await pull(desk);
    desk.forget(/last-branch\.json$/);
    await desk.switchTo('dev-other');
    const plan = await desk.sync.plan();
    expect(plan.guards.map(({ kind }) => kind)).toContain('stateDamaged');
    expect(desk.files()).toEqual(main);
  });

  it('never shows as its user’s what it brought, and never gives up what its user wrote', async () => {
    const path = fc.constantFrom('model/a.yml', 'model/b.yml', 'model/c.yml', 'model/d.yml', 'model/e.yml');
    const branch = fc.constantFrom('dev-main', 'dev-other', 'dev-third');
    const step = fc.oneof(
      fc.record({ does: fc.constant('write' as const), path }),
      fc.record({ does: fc.constant('remove' as const), path }),
      fc.record({ does: fc.constant('theirs' as const), branch, path, isDeletion: fc.boolean() }),
      fc.record({ does: fc.constant('switch' as const), branch, isCrash: fc.boolean() }),
      fc.record({ does: fc.constant('pull' as const) }),
      fc.record({ does: fc.constant('push' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const third = { 'model/a.yml': 'third', 'model/c.yml': 'c of third' };
        const desk = await openBranchDesk({ 'dev-main': main, 'dev-other': other, 'dev-third': third });
        await pull(desk);
        let count = 0;
        /** What the user wrote or removed and did not push since: these paths only may be pushed or in conflict. */
        const mine = new Map<string, string | undefined>();
        /** What the user ever removed may be offered for removal again where that was not noted before a crash. */
        const removed = new Set<string>();
        for (const step of steps) {
          if (step.does === 'write') {
            count += 1;
            desk.write(step.path, `mine ${count}`);
            mine.set(step.path, `mine ${count}`);
          } else if (step.does === 'remove' && desk.files()[step.path] !== undefined) {
            desk.remove(step.path);
            mine.set(step.path, undefined);
            removed.add(step.path);
          } else if (step.does === 'theirs') {
            count += 1;
            const { files } = desk.branch(step.branch);
            if (step.isDeletion) files.delete(step.path);
            else files.set(step.path, `theirs ${count}`);
          } else if (step.does === 'switch') {
            await (step.isCrash ? desk.crash(step.branch) : desk.switchTo(step.branch));
          } else if (step.does === 'pull') {
            const before = Object.values(desk.files());
            await pull(desk);
            const kept = [...Object.values(desk.files()), ...(await desk.trashed())];
            expect(before.filter((text) => !kept.includes(text))).toEqual([]);
          } else if (step.does === 'push') await push(desk);
          const { entries } = await desk.sync.plan();
          const open = new Set(entries.map((entry) => entry.path));
          for (const each of mine.keys()) if (!open.has(each)) mine.delete(each);
          const strange = entries.filter(({ kind, path: at }) => {
            if (kind === 'deleteRemote') return !removed.has(at);
            return (kind === 'upload' || kind === 'conflict') && !mine.has(at);
          });
          expect(strange).toEqual([]);
          for (const [at, text] of mine) if (text !== undefined) expect(desk.files()[at]).toBe(text);
        }
      }),
      { numRuns: 60 },
    );
  });
});

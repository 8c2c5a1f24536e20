import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BranchDesk, openBranchDesk } from '#support/sync/branch-desk.ts';
import type { GuardKind } from '#sync/core/planning/plan.ts';

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

type Step =
  | { readonly does: 'write' | 'remove'; readonly path: string }
  | { readonly does: 'theirs'; readonly branch: string; readonly path: string; readonly isDeletion: boolean }
  | { readonly does: 'switch'; readonly branch: string; readonly isCrash: boolean }
  | { readonly does: 'pull' | 'push' };

const path = fc.constantFrom('model/a.yml', 'model/b.yml', 'model/c.yml', 'model/d.yml', 'model/e.yml');
const branch = fc.constantFrom('dev-main', 'dev-other', 'dev-third');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constantFrom('write', 'remove'), path }),
  fc.record({ does: fc.constant('theirs'), branch, path, isDeletion: fc.boolean() }),
  fc.record({ does: fc.constant('switch'), branch, isCrash: fc.boolean() }),
  fc.record({ does: fc.constantFrom('pull', 'push') }),
);

/** A user at a desk, beside colleagues, and what went wrong. */
class Story {
  readonly problems: string[] = [];
  readonly #desk: BranchDesk;
  #count = 0;
  /** What the user wrote or removed and did not push since: these paths only may be pushed or in conflict. */
  readonly #mine = new Map<string, string | undefined>();
  /** What the user ever removed may be offered for removal again where that was not noted before a crash. */
  readonly #removed = new Set<string>();

  constructor(desk: BranchDesk) {
    this.#desk = desk;
  }

  async play(next: Step): Promise<void> {
    this.#count += 1;
    await this.#act(next);
    await this.#judge();
  }

  async #act(next: Step): Promise<void> {
    switch (next.does) {
      case 'write':
        this.#desk.write(next.path, `mine ${this.#count}`);
        this.#mine.set(next.path, `mine ${this.#count}`);
        return;
      case 'remove':
        return this.#remove(next.path);
      case 'theirs': {
        const { files } = this.#desk.branch(next.branch);
        if (next.isDeletion) files.delete(next.path);
        else files.set(next.path, `theirs ${this.#count}`);
        return;
      }
      case 'switch':
        return next.isCrash ? this.#desk.crash(next.branch) : this.#desk.switchTo(next.branch);
      case 'pull':
        return this.#pull();
      default:
        return push(this.#desk);
    }
  }

  #remove(file: string): void {
    if (this.#desk.files()[file] === undefined) return;
    this.#desk.remove(file);
    this.#mine.set(file, undefined);
    this.#removed.add(file);
  }

  /** Whatever a pull replaces is in the trash. */
  async #pull(): Promise<void> {
    const before = Object.values(this.#desk.files());
    await pull(this.#desk);
    const kept = [...Object.values(this.#desk.files()), ...(await this.#desk.trashed())];
    this.problems.push(...before.filter((text) => !kept.includes(text)).map((text) => `lost: ${text}`));
  }

  async #judge(): Promise<void> {
    const { entries } = await this.#desk.sync.plan();
    const open = new Set(entries.map((entry) => entry.path));
    for (const file of this.#mine.keys()) if (!open.has(file)) this.#mine.delete(file);
    const isStrange = (kind: string, file: string): boolean =>
      kind === 'deleteRemote'
        ? !this.#removed.has(file)
        : (kind === 'upload' || kind === 'conflict') && !this.#mine.has(file);
    const strange = entries.filter(({ kind, path: file }) => isStrange(kind, file));
    this.problems.push(...strange.map(({ kind, path: file }) => `not the user’s: ${kind} ${file}`));
    const gone = [...this.#mine].filter(([file, text]) => text !== undefined && this.#desk.files()[file] !== text);
    this.problems.push(...gone.map(([file, text]) => `given up: ${text} in ${file}`));
  }
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
    await expect(desk.sync.plan()).rejects.toThrow('The record of the last sync');
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
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const third = { 'model/a.yml': 'third', 'model/c.yml': 'c of third' };
        const desk = await openBranchDesk({ 'dev-main': main, 'dev-other': other, 'dev-third': third });
        await pull(desk);
        const story = new Story(desk);
        for (const each of steps) await story.play(each);
        expect(story.problems).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { modelComparison } from '#compose/model-comparison.ts';
import { Emitter } from '#base/event.ts';
import type { AskEngine } from '#chat-core/proposal-ports.ts';
import { proposalPage, type ProposalPagePorts } from '#features/chat/proposal-page.ts';
import type { ReviewSource } from '#features/review/source.ts';
import { A, added, both, CUBE, inFence, measure, NEW, newFile, setUp } from '#support/chat/proposal-answer.ts';

const input = { message: '', options: [], typed: '' };

/** The page of an answer's files, over files and decisions in memory. */
async function open({
  answer = both,
  ...more
}: Partial<ProposalPagePorts> & { answer?: string; engine?: AskEngine } = {}) {
  const { engine, ...ports } = more;
  const { disk, review } = await setUp({ answer, ...(engine ? { engine } : {}) });
  const changed = new Emitter<void>();
  const done: unknown[] = [];
  const page = await proposalPage({
    review,
    paths: review.paths,
    effects: {
      model: modelComparison(async () => Promise.resolve(null)),
      models: () => Promise.resolve(disk.texts),
      impact: (texts) => Promise.resolve({ summary: [...texts.keys()].join(), show: () => Promise.resolve() }),
    },
    onDidChange: changed.event,
    editors: {
      diff: (paths) => Promise.resolve(done.push(['diff', ...paths])),
      draft: (path) => Promise.resolve(done.push(['draft', path])),
      merge: (path) => Promise.resolve(done.push(['merge', path])),
    },
    check: async (paths) => {
      await review.check(paths, () => changed.fire());
      changed.fire();
    },
    accept: (paths) => review.accept(paths),
    ...ports,
  });
  if (!page) throw new Error('nothing is open');
  return { disk, review, page: { ...page, accountId: 'a' }, changed, done };
}

const rows = ({ document }: ReviewSource): unknown =>
  document.value?.groups.flatMap((group) => group.rows.map(({ path, kind, note }) => [group.id, kind, path, note]));
const summary = ({ document }: ReviewSource, id: string): string | undefined =>
  document.value?.sections.find((section) => section.id === id)?.summary;

describe('the page of proposed files', () => {
  it('ticks all that can be accepted, says what they change of the model, and writes nothing', async () => {
    const { page, disk } = await open();
    expect(page.document.value).toMatchObject({
      title: 'Agent’s Proposal',
      isProduction: false,
      action: { label: 'Apply 2 Files', whyNot: '' },
    });
    expect(rows(page)).toEqual([
      ['change', 'change', A, '+3 −0'],
      ['change', 'add', NEW, '+3 −0'],
    ]);
    await expect.poll(() => summary(page, 'model')).toBe('1 cube added, 1 member added');
    expect(await page.texts(A)).toEqual({ before: CUBE, after: added, changes: ['added measure sum a.three'] });
    expect(disk.writes).toEqual([]);
  });

  it('applies what is ticked, together, and leaves the rest open', async () => {
    const { page, disk, review } = await open();
    page.tick([A], false);
    expect(page.document.value?.action.label).toBe('Apply 1 File');
    await expect.poll(() => summary(page, 'model')).toBe('1 cube added');
    expect(await page.apply(input)).toBe(true);
    expect(disk.writes).toEqual([[NEW]]);
    expect((await review.items()).map(({ state }) => state)).toEqual(['open', 'accepted']);
  });

  it('cannot be applied where nothing is ticked', async () => {
    const { page } = await open();
    page.tick([A, NEW], false);
    expect(page.document.value?.action).toEqual({ label: 'Apply 0 Files', whyNot: 'Tick at least one file.' });
  });

  it('ends when everything is decided elsewhere', async () => {
    const { page, review, changed } = await open();
    await review.changes([A, NEW]);
    await review.accept([A]);
    changed.fire();
    await expect.poll(() => rows(page)).toEqual([['change', 'add', NEW, '+3 −0']]);
    await review.reject([NEW]);
    changed.fire();
    await expect.poll(() => page.document.value).toBeUndefined();
  });

  it('follows the files, and writes nothing that was not shown as it is now', async () => {
    const { page, disk, changed } = await open();
    disk.texts.set(A, `# Mine.\n${CUBE}`);
    page.tick([NEW], false);
    await expect(page.apply(input)).rejects.toThrow('Files changed since you reviewed them.');
    expect(disk.texts.get(A)).toBe(`# Mine.\n${CUBE}`);
    changed.fire();
    await expect.poll(async () => (await page.texts(A)).after).toBe(`# Mine.\n${added}`);
    expect(await page.apply(input)).toBe(true);
    expect(disk.texts.get(A)).toBe(`# Mine.\n${added}`);
  });

  it('does not count as seen what it read again after it opened', async () => {
    const { page, disk, review, changed } = await open();
    disk.texts.set(A, `# Mine.\n${CUBE}`);
    changed.fire();
    await expect.poll(async () => (await page.texts(A)).after).toBe(`# Mine.\n${added}`);
    expect((await review.items()).map(({ isReviewed }) => isReviewed)).toEqual([false, true]);
    expect(await review.accept([A, NEW])).toEqual({ unseen: [A], conflicts: [] });
    expect(disk.texts.get(A)).toBe(`# Mine.\n${CUBE}`);
  });

  it('stays open where nothing may be written now', async () => {
    const { page, disk } = await open({ accept: () => Promise.resolve(undefined) });
    expect(await page.apply(input)).toBe(false);
    expect(disk.writes).toEqual([]);
  });

  it('leaves out what must be merged first, and opens the merge editor for it', async () => {
    const { page, disk, changed, done } = await open();
    disk.texts.set(A, CUBE + measure('three', 'max'));
    changed.fire();
    await expect.poll(() => page.document.value?.action.label).toBe('Apply 1 File');
    expect(page.document.value?.groups.map(({ label }) => label)).toEqual(['Conflicts (Resolve First)', 'Apply']);
    page.tick([A], true);
    expect(page.document.value?.action.label).toBe('Apply 1 File');
    await page.diff(A);
    await page.diff(NEW);
    await page.diffAll?.();
    expect(done).toEqual([
      ['merge', A],
      ['diff', NEW],
      ['diff', NEW],
    ]);
  });

  it('lists what fits nowhere with the reason, and opens it as a draft', async () => {
    const { page, done } = await open({ answer: `${inFence(A, 'measures: [\n')}\n${inFence(NEW, newFile)}` });
    const [, row] = page.document.value?.groups.flatMap((group) => group.rows) ?? [];
    expect(row).toMatchObject({ path: A, kind: 'none', canTick: false });
    await page.diff(A);
    expect(done).toEqual([['draft', A]]);
  });

  it('shows what the engine says of the ticked files', async () => {
    const asked: number[] = [];
    const { page } = await open({
      engine: (changes) => {
        asked.push(changes.length);
        const errors = [{ message: 'It is strange.', location: { path: A, line: 2 } }];
        return Promise.resolve(
          changes.some(({ path }) => path === A) ? { state: 'refused', errors } : { state: 'accepted' },
        );
      },
    });
    await expect.poll(() => summary(page, 'engine')).toBe('refuses the model with these changes');
    page.tick([A], false);
    await expect.poll(() => summary(page, 'engine')).toBe('accepts the model with these changes');
    expect(asked).toEqual([2, 1]);
  });

  it('finds out what it means for users when it is asked', async () => {
    const { page } = await open();
    page.tick([NEW], false);
    expect(summary(page, 'impact')).toBe('not checked for these files');
    await page.run?.('check impact');
    expect(summary(page, 'impact')).toBe(A);
  });

  it('is none where nothing of the files is open', async () => {
    const review = {
      items: () => Promise.resolve([]),
      unseenChanges: () => Promise.resolve([]),
      seen: () => undefined,
    };
    await expect(open({ review })).rejects.toThrow('nothing is open');
  });
});

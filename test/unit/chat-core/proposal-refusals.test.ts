import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProposalReview } from '#chat-core/proposal-review.ts';
import { proposedBlocks } from '#chat-core/proposed-files.ts';

import { classifier, recordsIn } from '#support/chat/memory-proposals.ts';
import {
  A,
  CUBE,
  NEW,
  added,
  both,
  cube,
  inFence,
  measure,
  newFile,
  setUp,
  states,
} from '#support/chat/proposal-answer.ts';

describe('proposals that are refused, and work that is kept', () => {
  it('refuses a result that must not take the place of the file, and says why', async () => {
    const { disk, stored } = await setUp();
    const refusing = { ...classifier, problem: () => Promise.resolve('It would remove the measure “one” of “a”.') };
    const review = new ProposalReview(
      { files: disk, records: recordsIn(stored), classifier: refusing },
      { turn: '1-message', blocks: proposedBlocks(both), modelPath: 'model' },
    );
    expect((await review.items())[0]).toMatchObject({
      state: 'open',
      canAccept: false,
      note: 'It would remove the measure “one” of “a”.',
    });
    await review.changes([A]);
    await review.accept([A]);
    expect(disk.writes).toEqual([]);
  });

  it('judges each path on its own, and says in one sentence why one is refused', async () => {
    const answer = [A, `${A}/x.yml`, 'model/con.yml', 'other.yml', 'model/A.yml', '../b.yml']
      .map((path) => inFence(path, path === A ? measure('three') : newFile))
      .join('\n');
    const { disk, review, accept } = await setUp({ answer });
    disk.unreadable.add(`${A}/x.yml`);
    disk.refusals.set('model/A.yml', 'model/a.yml exists, and the names differ only in letter case.');
    const items = await review.items();
    expect(items.map(({ path, state }) => [path, state])).toEqual([
      [A, 'open'],
      [`${A}/x.yml`, 'refused'],
      ['model/con.yml', 'refused'],
      ['other.yml', 'refused'],
      ['model/A.yml', 'refused'],
      ['../b.yml', 'refused'],
    ]);
    for (const { note } of items.slice(1)) {
      expect(note).toMatch(/^[A-Zm][^\n]*\.$/);
      expect(note).not.toContain('/home');
    }
    await accept(A, 'model/con.yml', 'model/A.yml', '../b.yml');
    expect(disk.writes).toEqual([[A]]);
  });

  it('refuses one of two new files whose names differ only in letter case', async () => {
    const answer = `${inFence(NEW, newFile)}\n${inFence('model/New.yml', newFile)}`;
    const { review } = await setUp({ answer });
    expect(await states(review)).toEqual(['open', 'refused']);
  });

  it('ignores paths that were not proposed', async () => {
    const { disk, accept } = await setUp();
    await accept('model/b.yml', '../x.yml');
    expect(disk.writes).toEqual([]);
  });

  it('shows a file that has the change already as accepted', async () => {
    const { disk, review } = await setUp();
    disk.texts.set(A, added);
    expect((await review.items())[0]).toMatchObject({ state: 'accepted', canUndo: false });
  });

  it('keeps the end of a file', async () => {
    const { disk, accept } = await setUp({ before: CUBE.trimEnd() });
    await accept(A);
    expect(disk.texts.get(A)).toBe(added.trimEnd());
  });

  it('puts what it replaces into the trash', async () => {
    const { disk, accept } = await setUp();
    await accept(A, NEW);
    expect(disk.trash).toEqual([[A, CUBE]]);
  });

  it('loses no line that the user wrote, whatever is clicked and written in between', async () => {
    const click = fc.oneof(
      fc.constantFrom('accept', 'reject', 'undo', 'reload', 'hunk').map((kind) => ({ kind, line: 0 })),
      fc.nat(8).map((line) => ({ kind: 'write', line })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(click, { maxLength: 14 }), async (clicks) => {
        const answer = inFence(A, cube(measure('zero'), measure('one', 'max'), measure('two'), measure('three')));
        const { disk, review, open } = await setUp({ answer });
        let subject = review;
        const written: string[] = [];
        for (const { kind, line } of clicks) {
          if (kind === 'write') {
            const lines = (disk.texts.get(A) ?? '').split('\n');
            const mine = `# mine ${written.length}`;
            lines.splice(line, 0, mine);
            written.push(mine);
            disk.texts.set(A, lines.join('\n'));
          } else if (kind === 'reload') subject = open();
          else if (kind === 'reject') await subject.reject([A]);
          else if (kind === 'undo') await subject.undo([A]);
          else {
            const [change] = await subject.changes([A]);
            await subject.accept([A], { hunks: kind === 'hunk' ? change?.hunks.slice(0, 1) : undefined });
          }
          const now = disk.texts.get(A) ?? '';
          for (const mine of written) expect(now.split('\n')).toContain(mine);
          for (const name of ['one', 'two']) expect(now).toContain(`name: ${name}\n`);
        }
      }),
      { numRuns: 60 },
    );
  });
});

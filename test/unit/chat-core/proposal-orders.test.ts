import { describe, expect, it } from 'vitest';
import { ProposalReview } from '#chat-core/proposal-review.ts';
import { proposedBlocks } from '#chat-core/proposed-files.ts';
import { A, CUBE, cube, inFence, measure, NEW, newFile, setUp, states } from '#support/chat/proposal-answer.ts';
import { classifier, MemoryProposalFiles, recordsIn } from '#support/chat/memory-proposals.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';

/** Two answers about one file, each made from the file as it was at first, of any number of windows. */
async function twoAnswers(first: string, second: string, before: string | null = CUBE) {
  const disk = new MemoryProposalFiles();
  if (before !== null) disk.texts.set(A, before);
  const stored = new MemoryFiles();
  for (const turn of ['1-message', '2-message'])
    await recordsIn(stored).begin(turn, { local: disk.texts, branch: new Map(), isComplete: true });
  const open = (turn: string, answer: string): ProposalReview =>
    new ProposalReview(
      { files: disk, records: recordsIn(stored), classifier },
      { turn, blocks: proposedBlocks(inFence(A, answer)), modelPath: 'model' },
    );
  const reload = () => ({ one: open('1-message', first), two: open('2-message', second) });
  return { disk, reload };
}

async function accept(review: ProposalReview): Promise<unknown> {
  await review.changes([A]);
  return review.accept([A]);
}

const clean = { unseen: [], conflicts: [] };
const three = cube(measure('one'), measure('two'), measure('three'));
const zero = cube(measure('zero'), measure('one'), measure('two'));
const both = cube(measure('zero'), measure('one'), measure('two'), measure('three'));

describe('two proposals to one file', () => {
  it.each([
    ['the first one first', ['one', 'two'] as const],
    ['the second one first', ['two', 'one'] as const],
  ])('are merged, and each can be taken back on its own: %s', async (_order, [first, second]) => {
    for (const undone of [first, second]) {
      const { disk, reload } = await twoAnswers(three, zero);
      expect(await accept(reload()[first])).toEqual(clean);
      expect(await accept(reload()[second])).toEqual(clean);
      expect(disk.texts.get(A)).toBe(both);
      expect(await reload()[undone].undo([A])).toEqual([]);
      const left = undone === 'one' ? zero : three;
      expect(disk.texts.get(A)).toBe(left);
      expect(await states(reload()[undone])).toEqual(['open']);
      expect(await states(reload()[undone === first ? second : first])).toEqual(['accepted']);
    }
  });

  it('ask where they change the same lines; the first can then be undone only by a merge', async () => {
    const max = cube(measure('one', 'max'), measure('two'));
    const min = cube(measure('one', 'min'), measure('two'));
    const { disk, reload } = await twoAnswers(max, min);
    expect(await accept(reload().one)).toEqual(clean);
    expect(await accept(reload().two)).toEqual({ unseen: [], conflicts: [A] });
    expect(disk.texts.get(A)).toBe(max);
    disk.resolve = ({ theirs }) => theirs;
    await reload().two.merge(A);
    expect(disk.texts.get(A)).toBe(min);
    expect(await reload().one.undo([A])).toEqual([A]);
    expect(disk.texts.get(A)).toBe(min);
  });

  it('keep each other’s text when both create the file, and undoing deletes nothing that a user wrote', async () => {
    const yours = newFile.replace('name: n', 'name: m').replace('sql_table: n', 'sql_table: m');
    const { disk, reload } = await twoAnswers(newFile, yours, null);
    expect(await accept(reload().one)).toEqual(clean);
    expect(disk.texts.get(A)).toBe(newFile);
    await accept(reload().two);
    expect(disk.texts.get(A)).toContain('name: n');
    const mine = `# Mine.\n${disk.texts.get(A) ?? ''}`;
    disk.texts.set(A, mine);
    await reload().one.undo([A]);
    expect(disk.texts.get(A)).toContain('# Mine.');
  });
});

describe('a proposal for a file', () => {
  it('brings no deleted file back unasked, and says why', async () => {
    const { disk, review } = await setUp({ answer: inFence(A, three) });
    disk.texts.delete(A);
    await accept(review);
    expect(disk.texts.has(A)).toBe(false);
    expect(await review.items()).toMatchObject([{ state: 'draft', note: 'The file has since been deleted.' }]);
  });

  it('does not replace a file that was created meanwhile', async () => {
    const { disk, review } = await setUp({ answer: inFence(NEW, newFile) });
    await review.changes([NEW]);
    disk.texts.set(NEW, '# Someone else.\n');
    await review.accept([NEW]);
    expect(disk.texts.get(NEW)).toContain('# Someone else.');
  });

  it('that has unsaved changes keeps them through accepting, a reload and undoing', async () => {
    for (const when of ['before it was shown', 'between']) {
      const { disk, review, open } = await setUp({ answer: inFence(A, three) });
      const mine = `# Mine.\n${CUBE}`;
      if (when === 'between') await review.changes([A]);
      disk.texts.set(A, mine);
      disk.unsaved.add(A);
      const { unseen } = when === 'between' ? await review.accept([A]) : { unseen: [A] };
      expect(unseen).toEqual([A]);
      expect(disk.texts.get(A)).toBe(mine);
      expect(await accept(review)).toEqual(clean);
      expect(disk.texts.get(A)).toBe(`# Mine.\n${three}`);
      // The user saves later, and writes on.
      disk.unsaved.delete(A);
      disk.texts.set(A, `# Mine too.\n${disk.texts.get(A) ?? ''}`);
      expect(await states(open())).toEqual(['accepted']);
      expect(await open().undo([A])).toEqual([]);
      expect(disk.texts.get(A)).toBe(`# Mine too.\n${mine}`);
      expect(await states(open())).toEqual(['open']);
    }
  });

  it('whose version is no longer kept is never merged by a guess', async () => {
    const { disk, stored, open } = await setUp({ answer: inFence(A, three) });
    stored.content.clear();
    const review = open();
    await review.changes([A]);
    await review.accept([A]);
    expect(disk.texts.get(A)).toBe(CUBE);
    expect(await states(review)).toEqual(['draft']);
  });
});

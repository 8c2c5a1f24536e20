import { describe, expect, it } from 'vitest';
import { ProposalReview } from '#chat-core/proposal-review.ts';
import { proposedBlocks } from '#chat-core/proposed-files.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { MemoryProposalFiles, classifier, recordsIn } from '#support/chat/memory-proposals.ts';
import { A, CUBE, NEW, added, cube, inFence, measure, newFile, setUp, states } from '#support/chat/proposal-answer.ts';

describe('decisions about proposals', () => {
  it('stays decided after a reload, whatever became of the files', async () => {
    const { disk, review, open, accept } = await setUp();
    await accept(A);
    await review.reject([NEW]);
    const reloaded = open();
    expect(await states(reloaded)).toEqual(['accepted', 'rejected']);
    disk.texts.set(A, `# Later work.\n${added}`);
    expect((await reloaded.items())[0]).toMatchObject({
      state: 'accepted',
      canUndo: true,
      note: 'The file has changed since.',
    });
    await reloaded.changes([A, NEW]);
    await reloaded.accept([A, NEW]);
    expect(disk.texts.get(A)).toBe(`# Later work.\n${added}`);
    disk.texts.delete(A);
    expect((await open().items())[0]).toMatchObject({ state: 'accepted', canUndo: false });
  });

  it('stays decided where the text that it was made from is no longer kept', async () => {
    const { stored, open, accept } = await setUp();
    await accept(A);
    for (const name of [...stored.content.keys()].filter((key) => key.includes('-text-'))) stored.content.delete(name);
    expect((await open().items())[0]).toMatchObject({ path: A, state: 'accepted', canUndo: false });
  });

  it('undoes after a reload, and keeps what was written since', async () => {
    const { disk, open, accept } = await setUp();
    await accept(A);
    disk.texts.set(A, `# Later work.\n${added}`);
    const reloaded = open();
    await reloaded.undo([A]);
    expect(disk.texts.get(A)).toBe(`# Later work.\n${CUBE}`);
    expect((await open().items())[0]).toMatchObject({ state: 'open' });
  });

  it('opens the merge editor where an undo meets later work in the same lines', async () => {
    const { disk, review, accept } = await setUp();
    await accept(A);
    const later = added.replace('sql: three', 'sql: third');
    disk.texts.set(A, later);
    expect(await review.undo([A])).toEqual([A]);
    await review.mergeUndo(A);
    expect(disk.texts.get(A)).toBe(later);
    expect(disk.conflicts).toMatchObject([{ path: A, base: added, mine: later, theirs: CUBE }]);
    expect((await review.items())[0]).toMatchObject({ state: 'accepted' });
  });

  it('deletes a file that it made only as it made it', async () => {
    const { disk, review, accept } = await setUp();
    await accept(NEW);
    disk.texts.set(NEW, `${newFile}    title: Mine\n`);
    expect((await review.items())[1]).toMatchObject({ state: 'accepted', canUndo: false });
    await review.undo([NEW]);
    expect(disk.texts.get(NEW)).toBe(`${newFile}    title: Mine\n`);
  });

  it('keeps a way back where the window ends between the decision and the write', async () => {
    const { disk, review, open } = await setUp();
    await review.changes([A]);
    disk.write = () => new Promise(() => undefined);
    void review.accept([A]);
    await expect.poll(() => states(open())).toEqual(['accepted', 'open']);
    expect((await open().items())[0]).toMatchObject({ canUndo: true, note: 'The file has its earlier content again.' });
    await open().undo([A]);
    expect(await states(open())).toEqual(['open', 'open']);
  });

  it('is open again where the write failed', async () => {
    const { disk, review } = await setUp();
    await review.changes([A]);
    disk.write = () => Promise.reject(new Error('The disk is full.'));
    await expect(review.accept([A])).rejects.toThrow('The disk is full.');
    expect(await states(review)).toEqual(['open', 'open']);
  });

  it('offers an answer whose files are not known as a draft', async () => {
    const disk = new MemoryProposalFiles();
    disk.texts.set(A, CUBE);
    const blocks = proposedBlocks(inFence(A, cube(measure('old'))));
    const input = { turn: '0-message', blocks, modelPath: 'model' };
    const review = new ProposalReview({ files: disk, records: recordsIn(new MemoryFiles()), classifier }, input);
    expect(await review.items()).toMatchObject([{ state: 'draft', note: expect.stringMatching(/unknown/) as string }]);
    await review.changes([A]);
    await review.accept([A]);
    expect(disk.texts.get(A)).toBe(CUBE);
    expect(review.draft(A)).toBe(cube(measure('old')));
  });
});

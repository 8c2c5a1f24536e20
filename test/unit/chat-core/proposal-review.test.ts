import { describe, expect, it } from 'vitest';

import { A, CUBE, NEW, added, cube, inFence, measure, setUp, states } from '#support/chat/proposal-answer.ts';

describe('ProposalReview', () => {
  it('shows what would change, and writes nothing unasked', async () => {
    const { disk, review } = await setUp();
    expect(await review.items()).toMatchObject([
      { path: A, state: 'open', isNew: false, added: 3, removed: 0, canAccept: true, canUndo: false },
      { path: NEW, state: 'open', isNew: true, added: 3, removed: 0, canAccept: true, canUndo: false },
    ]);
    expect(disk.writes).toEqual([]);
  });

  it('writes nothing that was not shown as it is now', async () => {
    const { disk, review } = await setUp();
    expect(await review.accept([A])).toEqual({ unseen: [A], conflicts: [] });
    await review.changes([A]);
    disk.texts.set(A, `# Mine.\n${CUBE}`);
    expect(await review.accept([A])).toEqual({ unseen: [A], conflicts: [] });
    expect(disk.writes).toEqual([]);
    await review.changes([A]);
    await review.accept([A]);
    expect(disk.texts.get(A)).toBe(`# Mine.\n${added}`);
  });

  it('never offers a piece of a file as the file', async () => {
    const { disk, accept } = await setUp({ answer: inFence(A, measure('three')) });
    await accept(A);
    expect(disk.texts.get(A)).toBe(added);
  });

  it('keeps what was saved since the question', async () => {
    const { disk, review, accept } = await setUp();
    const later = CUBE.replace('sql_table: a', 'sql_table: public.a');
    disk.texts.set(A, later);
    expect((await review.items())[0]).toMatchObject({
      added: 3,
      removed: 0,
      note: expect.stringMatching(/your changes are kept/) as string,
    });
    await accept(A);
    expect(disk.texts.get(A)).toBe(later + measure('three'));
  });

  it('keeps unsaved edits', async () => {
    const { disk, accept, review } = await setUp();
    disk.texts.set(A, `# Mine.\n${CUBE}`);
    disk.unsaved.add(A);
    await accept(A);
    expect(disk.texts.get(A)).toBe(`# Mine.\n${added}`);
    expect((await review.items())[0]).toMatchObject({ state: 'accepted', note: 'In the editor, not saved yet.' });
  });

  it('keeps local work that the branch did not have when the agent read it', async () => {
    const mine = cube(measure('mine'), measure('one'), measure('two'));
    const answer = inFence(A, CUBE.replace('sql: two', 'sql: second'));
    const { disk, accept } = await setUp({ answer, before: mine, branch: CUBE });
    await accept(A);
    expect(disk.texts.get(A)).toBe(mine.replace('sql: two', 'sql: second'));
  });

  it('places what it adds beside what the user added at the same place', async () => {
    const { disk, accept, review } = await setUp();
    const mine = CUBE + measure('mine');
    disk.texts.set(A, mine);
    expect((await review.items())[0]).toMatchObject({ added: 3, removed: 0, canAccept: true });
    await accept(A);
    expect(disk.texts.get(A)).toBe(mine + measure('three'));
    await review.undo([A]);
    expect(disk.texts.get(A)).toBe(mine);
  });

  it('asks where the user added a measure of the same name', async () => {
    const { disk, review } = await setUp();
    disk.texts.set(A, CUBE + measure('three', 'max'));
    await review.changes([A]);
    expect(await review.accept([A])).toEqual({ unseen: [], conflicts: [A] });
    expect(disk.texts.get(A)).toBe(CUBE + measure('three', 'max'));
  });

  it('opens the merge editor where the user changed the same lines, and chooses nothing', async () => {
    const answer = inFence(A, CUBE.replace('sql: two', 'sql: second'));
    const { disk, review } = await setUp({ answer });
    const mine = CUBE.replace('sql: two', 'sql: zwei');
    disk.texts.set(A, mine);
    await review.changes([A]);
    expect(await review.accept([A])).toEqual({ unseen: [], conflicts: [A] });
    await review.merge(A);
    expect(disk.texts.get(A)).toBe(mine);
    expect(await states(review)).toEqual(['open']);
    disk.resolve = ({ base, theirs, mine: now }) => {
      expect([base, theirs, now]).toEqual([CUBE, CUBE.replace('sql: two', 'sql: second'), mine]);
      return CUBE.replace('sql: two', 'sql: both');
    };
    await review.merge(A);
    expect(await states(review)).toEqual(['accepted']);
    await review.undo([A]);
    expect(disk.texts.get(A)).toBe(mine);
  });

  it('merges again where a file changes in the moment it is written', async () => {
    const { disk, review } = await setUp({ answer: inFence(A, measure('three')) });
    await review.changes([A]);
    disk.beforeWrite = () => disk.texts.set(A, `# Now.\n${CUBE}`);
    // What is written then was not seen.
    expect(await review.accept([A])).toEqual({ unseen: [A], conflicts: [] });
    expect(disk.texts.get(A)).toBe(`# Now.\n${CUBE}`);
    expect(await states(review)).toEqual(['open']);
  });

  it('accepts some of the changes of a file, and the others later', async () => {
    const answer = inFence(A, cube(measure('zero'), measure('one'), measure('two'), measure('three')));
    const { disk, review } = await setUp({ answer });
    const [change] = await review.changes([A]);
    expect(change?.hunks).toHaveLength(2);
    await review.accept([A], { hunks: change?.hunks.slice(1) });
    expect(disk.texts.get(A)).toBe(added);
    expect((await review.items())[0]).toMatchObject({ state: 'partly', added: 3, canAccept: true, canUndo: true });
    disk.texts.set(A, `# Mine.\n${added}`);
    await review.changes([A]);
    await review.accept([A]);
    expect((await review.items())[0]).toMatchObject({ state: 'accepted' });
    await review.undo([A]);
    expect(disk.texts.get(A)).toBe(`# Mine.\n${CUBE}`);
    expect(await states(review)).toEqual(['open']);
  });

  it('accepts and rejects one at a time, and takes each back', async () => {
    const { disk, review, accept } = await setUp();
    await accept(NEW);
    await review.reject([A]);
    expect(await states(review)).toEqual(['rejected', 'accepted']);
    expect(disk.texts.get(A)).toBe(CUBE);
    await review.undo([NEW, A]);
    expect(await states(review)).toEqual(['open', 'open']);
    expect(disk.texts.has(NEW)).toBe(false);
  });

  it('accepts all in one step', async () => {
    const { disk, review, accept } = await setUp();
    await accept(A, NEW);
    expect(disk.writes).toEqual([[A, NEW]]);
    await review.undo([A, NEW]);
    expect([...disk.texts]).toEqual([[A, CUBE]]);
  });
});

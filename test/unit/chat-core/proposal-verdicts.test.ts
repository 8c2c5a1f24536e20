import { describe, expect, it } from 'vitest';
import type { AskEngine, EngineVerdict } from '#chat-core/proposal-ports.ts';
import { ProposalVerdicts } from '#chat-core/proposal-verdicts.ts';
import { A, CUBE, NEW, added, inFence, measure, newFile, setUp } from '#support/chat/proposal-answer.ts';

const refused: EngineVerdict = {
  state: 'refused',
  errors: [
    { message: 'Cannot join.', location: { path: NEW, line: 2 } },
    { message: 'It is strange.', location: { path: A, line: 4 } },
  ],
};

/** An engine whose answers the test gives; `asked` holds the texts of each question. */
function engineOf(answer: (texts: Readonly<Record<string, string>>, signal?: AbortSignal) => Promise<EngineVerdict>) {
  const asked: Readonly<Record<string, string>>[] = [];
  const engine: AskEngine = (changes, signal) => {
    const texts = Object.fromEntries(changes.map(({ path, text }) => [path, text]));
    asked.push(texts);
    return answer(texts, signal);
  };
  return { engine, asked };
}
const always = (verdict: EngineVerdict) => engineOf(() => Promise.resolve(verdict));

describe('the engine’s verdict on a proposal', () => {
  it('is asked for what was shown, before anything is written, and shown with the file', async () => {
    const { engine, asked } = always({ state: 'accepted' });
    const { review, disk } = await setUp({ engine });
    await review.changes([A, NEW]);
    expect((await review.items())[0]?.engine).toBeUndefined();
    expect(await review.check([A, NEW])).toEqual({ state: 'accepted' });
    expect(asked).toEqual([{ [A]: added, [NEW]: newFile }]);
    expect(disk.writes).toEqual([]);
    expect((await review.items()).map(({ engine: said }) => said)).toEqual([
      { state: 'accepted', text: 'The engine accepts the model with this change.' },
      { state: 'accepted', text: 'The engine accepts the model with this change.' },
    ]);
    // What was classified together is not classified again.
    await review.accept([A, NEW]);
    expect(asked).toHaveLength(1);
    expect(disk.writes).toEqual([[A, NEW]]);
  });

  // @shows engine-check-of-proposals
  it('keeps a refused change from being written, unless the user wants it all the same', async () => {
    const { review, disk } = await setUp({ engine: always(refused).engine });
    await review.changes([A]);
    expect(await review.accept([A])).toMatchObject({ refused: refused.errors });
    expect(disk.texts.get(A)).toBe(CUBE);
    expect((await review.items())[0]?.engine).toEqual({
      state: 'refused',
      text: 'The engine refuses the model with this change: It is strange. (and 1 other error)',
    });
    await review.accept([A], { despiteEngine: true });
    expect(disk.texts.get(A)).toBe(added);
  });

  it('is asked for exactly what is accepted: one file of two, some changes, a file that changed since', async () => {
    const { engine, asked } = always({ state: 'accepted' });
    const answer = `${inFence(A, `${measure('three')}${measure('four')}`)}\n${inFence(NEW, newFile)}`;
    const { review, disk } = await setUp({ engine, answer });
    await review.changes([A, NEW]);
    await review.check([A, NEW]);
    await review.accept([NEW]);
    expect(asked.at(-1)).toEqual({ [NEW]: newFile });
    disk.texts.set(A, `# Mine.\n${CUBE}`);
    await review.changes([A]);
    expect((await review.items())[0]?.engine).toBeUndefined();
    await review.accept([A]);
    expect(asked.at(-1)).toEqual({ [A]: `# Mine.\n${CUBE}${measure('three')}${measure('four')}` });
  });

  it('says why there is none, and does not hold the change back then', async () => {
    const { review, disk } = await setUp({ engine: always({ state: 'unknown', reason: 'It is large.' }).engine });
    await review.changes([A]);
    await review.check([A]);
    expect((await review.items())[0]?.engine).toEqual({
      state: 'unknown',
      text: 'The engine did not check this change. It is large.',
    });
    await review.accept([A]);
    expect(disk.texts.get(A)).toBe(added);
  });

  it('is none where the engine fails, and is asked for again', async () => {
    const { engine, asked } = engineOf(() => Promise.reject(new Error('The engine needed too much memory.')));
    const { review } = await setUp({ engine });
    await review.changes([A]);
    expect(await review.check([A])).toEqual({ state: 'unknown', reason: 'The engine needed too much memory.' });
    await review.check([A]);
    expect(asked).toHaveLength(2);
  });

  it('can be waited for no longer: then nothing is written, and the change stays open', async () => {
    const { engine } = engineOf(() => new Promise(() => undefined));
    const { review, disk } = await setUp({ engine });
    await review.changes([A]);
    await new Promise<void>((begun) => void review.check([A], begun));
    expect((await review.items())[0]?.engine).toEqual({
      state: 'checking',
      text: 'The engine is checking this change…',
    });
    const cancel = new AbortController();
    const accepted = review.accept([A], {
      whileChecking: (work) => {
        const result = work(cancel.signal);
        cancel.abort();
        return result;
      },
    });
    expect(await accepted).toEqual({ unseen: [], conflicts: [] });
    expect(disk.writes).toEqual([]);
    expect((await review.items())[0]).toMatchObject({ state: 'open', canAccept: true });
  });

  it('comes for those who still wait when someone else cancels, and ends with the last of them', async () => {
    const { promise, resolve } = Promise.withResolvers<EngineVerdict>();
    let given: AbortSignal | undefined;
    const { engine, asked } = engineOf((_, signal) => {
      given = signal;
      return promise;
    });
    const verdicts = new ProposalVerdicts(engine);
    const texts = new Map([[A, added]]);
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const [one, two] = [verdicts.of(texts, first.signal), verdicts.of(texts, second.signal)];
    first.abort();
    expect(await one).toBe('cancelled');
    expect(given?.aborted).toBe(false);
    resolve({ state: 'accepted' });
    expect(await two).toEqual({ state: 'accepted' });
    const other = new Map([[A, CUBE]]);
    const endless = new ProposalVerdicts((_, signal) => {
      given = signal;
      return new Promise(() => undefined);
    });
    const last = endless.of(other, third.signal);
    third.abort();
    expect(await last).toBe('cancelled');
    expect(given?.aborted).toBe(true);
    expect(endless.known(A, CUBE)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it('is not asked for what cannot be accepted anyway', async () => {
    const { engine, asked } = always({ state: 'accepted' });
    const { review, disk } = await setUp({ engine });
    disk.texts.set(A, CUBE + measure('three', 'max'));
    await review.changes([A]);
    expect(await review.accept([A])).toEqual({ unseen: [], conflicts: [A] });
    await review.reject([NEW]);
    await review.check([NEW]);
    expect(asked).toEqual([]);
  });
});

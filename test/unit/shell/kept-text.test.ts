import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeptText } from '#shell/kept-text.ts';

/** A platform that answers when the test says so. */
function later(): { readonly send: () => Promise<string | undefined>; readonly answer: (text?: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  return { send: () => promise, answer: resolve };
}

describe('the text of an open document', () => {
  it('keeps what auto save writes after a save that the platform took as it was', async () => {
    const kept = new KeptText('one');
    await kept.send('two', () => Promise.resolve('two'));
    kept.keep('three');
    expect(kept.adoptAnswer()).toBe(false);
    expect(kept).toMatchObject({ text: 'three', isUnsent: true });
  });

  it('keeps what auto save writes before the answer to a save is shown', async () => {
    const kept = new KeptText('one');
    await kept.send('two', () => Promise.resolve('TWO'));
    kept.keep('three');
    expect(kept.adoptAnswer()).toBe(false);
    expect(kept).toMatchObject({ text: 'three', isUnsent: true });
  });

  it('keeps what auto save writes while a save is sent', async () => {
    const kept = new KeptText('one');
    const platform = later();
    const sending = kept.send('two', platform.send);
    kept.keep('three');
    platform.answer('TWO');
    await sending;
    expect(kept.adoptAnswer()).toBe(false);
    expect(kept).toMatchObject({ text: 'three', isUnsent: true });
  });

  it('shows once what the platform made of a save', async () => {
    const kept = new KeptText('one');
    await kept.send('two', () => Promise.resolve('TWO'));
    expect(kept).toMatchObject({ text: 'two', isUnsent: false, hasAnswer: true });
    expect(kept.adoptAnswer()).toBe(true);
    expect(kept).toMatchObject({ text: 'TWO', isUnsent: false, hasAnswer: false });
    expect(kept.adoptAnswer()).toBe(false);
  });

  it('stays unsent when a save fails', async () => {
    const kept = new KeptText('one');
    kept.keep('two');
    await expect(kept.send('two', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(kept).toMatchObject({ text: 'two', isUnsent: true, sends: 1 });
  });

  it('never gives up an unsent text, in whatever order saves, answers and auto save come', async () => {
    const text = fc.stringMatching(/^[a-c]$/);
    const step = fc.oneof(
      text.map((typed) => ({ does: 'keep', typed }) as const),
      text.map((typed) => ({ does: 'send', typed }) as const),
      fc.option(text, { nil: undefined }).map((answer) => ({ does: 'answer', answer }) as const),
      fc.constant({ does: 'adopt' } as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const kept = new KeptText('');
        /** What auto save kept last, until a save that began after it went through. */
        let unsent: string | undefined;
        let sending: { readonly answer: (text?: string) => void; readonly done: Promise<void> } | undefined;
        let hasKept = false;
        for (const { does, ...of } of steps) {
          if (does === 'keep' && 'typed' in of) {
            kept.keep(of.typed);
            unsent = of.typed;
            hasKept = true;
          } else if (does === 'send' && 'typed' in of && !sending) {
            const { send, answer } = later();
            sending = { answer, done: kept.send(of.typed, send) };
            hasKept = false;
          } else if (does === 'answer' && sending) {
            sending.answer('answer' in of ? of.answer : undefined);
            await sending.done;
            sending = undefined;
            if (!hasKept) unsent = undefined;
          } else if (does === 'adopt') kept.adoptAnswer();
          expect(kept.isUnsent ? kept.text : undefined).toBe(unsent);
        }
      }),
      { numRuns: 500 },
    );
  });
});

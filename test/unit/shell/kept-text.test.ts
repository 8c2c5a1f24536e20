import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeptText } from '#shell/kept-text.ts';

/** A platform that answers when the test says so. */
interface Later {
  readonly send: () => Promise<string | undefined>;
  readonly answer: (text?: string) => void;
}

function later(): Later {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  return { send: () => promise, answer: resolve };
}

async function answered(platform: Later, sending: Promise<void>, text: string | undefined): Promise<void> {
  platform.answer(text);
  await sending;
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

  it.each([
    { when: 'before', isUnsent: true },
    { when: 'after', isUnsent: false },
  ])('is sent when auto save writes the very text that is sent, $when the answer', async ({ when, isUnsent }) => {
    const kept = new KeptText('one');
    const platform = later();
    const sending = kept.send('two', platform.send);
    if (when === 'after') await answered(platform, sending, 'TWO');
    const isKept = kept.keep('two');
    await answered(platform, sending, 'TWO');
    expect({ isKept, text: kept.text, isUnsent: kept.isUnsent }).toEqual({
      isKept: isUnsent,
      text: 'two',
      isUnsent: false,
    });
    expect(kept.adoptAnswer()).toBe(true);
    expect(kept.text).toBe('TWO');
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
      text.map((kept) => ({ does: 'keep', text: kept }) as const),
      text.map((sent) => ({ does: 'send', text: sent }) as const),
      fc.option(text, { nil: undefined }).map((answer) => ({ does: 'answer', text: answer }) as const),
      fc.constant({ does: 'adopt' } as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const kept = new KeptText('');
        /** What auto save kept last, until a save of it, or one that began after it, went through. */
        let unsent: string | undefined;
        let sending: { readonly text: string; readonly platform: Later; readonly done: Promise<void> } | undefined;
        let isNewer = false;
        const expected: (string | undefined)[] = [];
        const seen: (string | undefined)[] = [];
        for (const step of steps) {
          if (step.does === 'keep') {
            if (kept.keep(step.text)) {
              unsent = step.text;
              isNewer = true;
            }
          } else if (step.does === 'send' && !sending) {
            const platform = later();
            sending = { text: step.text, platform, done: kept.send(step.text, platform.send) };
            isNewer = false;
          } else if (step.does === 'answer' && sending) {
            await answered(sending.platform, sending.done, step.text);
            if (!isNewer || unsent === sending.text) unsent = undefined;
            sending = undefined;
          } else if (step.does === 'adopt') kept.adoptAnswer();
          expected.push(unsent);
          seen.push(kept.isUnsent ? kept.text : undefined);
        }
        expect(seen).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Savable, saveAgain } from '#shell/save-again.ts';

/** What happens to a document while it is saved. */
interface Course {
  /** Another save begins after so many of its own turns; `undefined` for none. */
  readonly otherAt?: number | undefined;
  /** How many turns extensions work on a save, and how many the file takes to be written. */
  readonly prepares: number;
  readonly writes: number;
  /** Whether another program wrote the file, so that VS Code refuses each save. */
  readonly isNewer: boolean;
  /** Whether the beginning of a save is heard. */
  readonly isHeard: boolean;
}

/**
 * Saves of one document as VS Code makes them: while extensions work on one, the next is answered `false` at once; while the file
 * is written, the next one waits for it.
 */
class Editor implements Savable {
  readonly #course: Course;
  isDirty = true;
  begun = 0;
  /** How many saves were refused because of the newer file. */
  refused = 0;
  #running: { readonly kind: 'prepares' } | { readonly kind: 'writes'; readonly end: Promise<boolean> } | undefined;

  constructor(course: Course) {
    this.#course = course;
    if (course.otherAt !== undefined) void turns(course.otherAt).then(async () => this.save());
  }

  async save(): Promise<boolean> {
    if (this.#running?.kind === 'prepares') return false;
    if (this.#running) return this.#running.end;
    if (!this.isDirty) return true;
    this.#running = { kind: 'prepares' };
    if (this.#course.isHeard) this.begun++;
    await turns(this.#course.prepares);
    const end = this.#write();
    this.#running = { kind: 'writes', end };
    return end;
  }

  get isSaving(): boolean {
    return this.#running !== undefined;
  }

  async #write(): Promise<boolean> {
    await turns(this.#course.writes);
    this.#running = undefined;
    if (this.#course.isNewer) this.refused++;
    else this.isDirty = false;
    return !this.isDirty;
  }
}

/** Lets other work go on so many times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

const clock = { sleep: async () => turns(3) };
const course = fc.record({
  otherAt: fc.option(fc.nat(40), { nil: undefined }),
  prepares: fc.integer({ min: 1, max: 60 }),
  writes: fc.integer({ min: 1, max: 20 }),
  isNewer: fc.boolean(),
  isHeard: fc.constant(true),
});

test('a document is saved whatever other save of it is on its way', async () => {
  await fc.assert(
    fc.asyncProperty(course, async (given) => {
      const editor = new Editor(given);
      const isSaved = await saveAgain(editor, { clock, begun: () => editor.begun });
      expect({ isSaved, isDirty: editor.isDirty }).toEqual({ isSaved: !given.isNewer, isDirty: given.isNewer });
    }),
    { numRuns: 500 },
  );
});

test('no save is still writing the file when the answer is yes', async () => {
  await fc.assert(
    fc.asyncProperty(course, async (given) => {
      const editor = new Editor({ ...given, isNewer: false });
      await saveAgain(editor, { clock, begun: () => editor.begun });
      expect(editor.isSaving).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('a file that another program wrote is refused after the second attempt', async () => {
  const editor = new Editor({ prepares: 2, writes: 2, isNewer: true, isHeard: true });
  expect(await saveAgain(editor, { clock, begun: () => editor.begun })).toBe(false);
  expect(editor.refused).toBe(2);
});

test('the attempts end where the beginning of a save is never heard', async () => {
  const editor = new Editor({ prepares: 2, writes: 2, isNewer: true, isHeard: false });
  expect(await saveAgain(editor, { clock, begun: () => editor.begun })).toBe(false);
  expect(editor.refused).toBe(100);
});

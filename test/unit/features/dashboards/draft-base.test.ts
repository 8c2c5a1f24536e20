import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEqual } from '#base/equal.ts';
import { DraftBase } from '#features/dashboards/draft-base.ts';
import { saveDraft } from '#features/dashboards/save-draft.ts';

type Fields = Readonly<Record<string, string>>;

const start: Fields = { title: 'old', description: 'old', kind: 'CLASSIC' };

/** A platform with one draft and an editor on it, which behaves as VS Code's: undo also takes back what was loaded. */
class Desk {
  server: Fields = start;
  readonly base = new DraftBase();
  /** What *Revert File* brings back. */
  #file: Fields = start;
  #texts: Fields[] = [start];
  #at = 0;

  constructor() {
    this.base.opened(start, start);
  }

  get text(): Fields {
    return this.#texts[this.#at] ?? start;
  }

  show(text: Fields): void {
    if (isEqual(text, this.text)) return;
    this.#texts = [...this.#texts.slice(0, this.#at + 1), text];
    this.move(1);
  }

  /** Undo and redo. */
  move(by: 1 | -1): void {
    this.#at = Math.min(Math.max(this.#at + by, 0), this.#texts.length - 1);
    this.base.showing(this.text);
  }

  revert(): void {
    this.show(this.#file);
  }

  reopen(): void {
    this.#texts = [this.#file];
    this.#at = 0;
    this.base.showing(this.text);
  }

  /** `typed`: the user continues typing while it is saved, so that the editor does not show the merged draft. */
  async save(typed?: Fields): Promise<'saved' | 'compared'> {
    const place = {
      read: () => Promise.resolve(this.server),
      write: (draft: unknown) => Promise.resolve((this.server = draft as Fields)),
    };
    const mine = this.text;
    const outcome = await saveDraft(place, { base: this.base.value, mine });
    if (outcome.kind === 'invalid') throw new Error('the draft is valid');
    if (outcome.kind === 'conflicts') {
      this.base.offered({ mine, ...outcome });
      this.#file = outcome.theirs as Fields;
      this.show(outcome.merged as Fields);
      this.base.showing(this.text);
      return 'compared';
    }
    if (typed) this.show(typed);
    this.base.saved(mine, outcome.draft);
    this.#file = outcome.draft as Fields;
    if (!typed) this.revert();
    return 'saved';
  }
}

const theirs = { title: 'theirs', description: 'theirs' };

/** Both changed the title, a colleague the description too; the user opens the comparison. */
async function compared(): Promise<Desk> {
  const desk = new Desk();
  desk.show({ ...start, title: 'mine' });
  desk.server = { ...start, ...theirs };
  expect(await desk.save()).toBe('compared');
  expect(desk.text).toEqual({ ...start, title: 'mine', description: 'theirs' });
  return desk;
}

describe('the base of a draft', () => {
  it('is theirs once the merged text is shown: the choice is saved', async () => {
    const desk = await compared();
    expect(await desk.save()).toBe('saved');
    expect(desk.server).toEqual({ ...start, title: 'mine', description: 'theirs' });
  });

  it('goes back with Undo: what the colleague changed is merged again, not removed', async () => {
    const desk = await compared();
    desk.move(-1);
    expect(desk.text).toEqual({ ...start, title: 'mine' });
    expect(await desk.save()).toBe('compared');
    expect(desk.server).toMatchObject(theirs);
  });

  it('goes with Revert File, which brings back the platform’s draft', async () => {
    const desk = await compared();
    desk.revert();
    expect(desk.text).toEqual({ ...start, ...theirs });
    desk.show({ ...desk.text, kind: 'APP' });
    expect(await desk.save()).toBe('saved');
    expect(desk.server).toEqual({ ...start, ...theirs, kind: 'APP' });
  });

  it('is what was sent until the merged draft is shown', async () => {
    const desk = new Desk();
    desk.show({ ...start, title: 'mine' });
    desk.server = { ...start, description: 'theirs' };
    await desk.save({ ...start, title: 'mine', kind: 'APP' });
    await desk.save();
    expect(desk.server).toEqual({ title: 'mine', description: 'theirs', kind: 'APP' });
  });

  it('outlives a reload of the window, for edits that were not sent', async () => {
    const desk = new Desk();
    desk.show({ ...start, title: 'mine' });
    desk.server = { ...start, description: 'theirs' };
    desk.base.opened(desk.server, desk.server);
    desk.base.restored(start);
    await desk.save();
    expect(desk.server).toEqual({ ...start, title: 'mine', description: 'theirs' });
  });

  it('lets an own change be undone and saved', async () => {
    const desk = new Desk();
    desk.show({ ...start, title: 'mine' });
    await desk.save();
    desk.move(-1);
    await desk.save();
    expect(desk.server).toEqual(start);
  });

  it('never takes back what a colleague changed alone, whatever the user does', async () => {
    const value = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ do: fc.constant('type' as const), value }),
      fc.record({ do: fc.constantFrom('title' as const, 'description' as const), value }),
      fc.record({ do: fc.constantFrom('undo', 'redo', 'revert', 'reopen', 'save', 'save and type'), value }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
        const desk = new Desk();
        let description = start['description'];
        for (const each of steps) {
          await play(desk, each);
          if (each.do === 'description') description = each.value;
          expect(desk.server['description']).toBe(description);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

async function play(desk: Desk, step: { readonly do: string; readonly value: string }): Promise<void> {
  const { text } = desk;
  const typed = { ...text, title: `my ${step.value}` };
  if (step.do === 'type') desk.show(typed);
  else if (step.do === 'undo') desk.move(-1);
  else if (step.do === 'redo') desk.move(1);
  else if (step.do === 'revert') desk.revert();
  else if (step.do === 'reopen') desk.reopen();
  else if (step.do === 'save') await desk.save();
  else if (step.do === 'save and type') await desk.save(typed);
  else desk.server = { ...desk.server, [step.do]: step.value };
}

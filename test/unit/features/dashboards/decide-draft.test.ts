import { describe, expect, it } from 'vitest';
import { type ConflictDecision, saveDecided } from '#features/dashboards/decide-draft.ts';
import { DraftBase } from '#features/dashboards/draft-base.ts';

const draft = (title: string) => ({ title, layout: { cols: { lg: 12 }, rowHeight: 30 }, widgets: [] });

/** A draft on the platform, which someone else changes to each of `theirs` before the next read. */
function place(...theirs: readonly string[]) {
  const written: unknown[] = [];
  const coming = [...theirs];
  let now: unknown = draft('base');
  return {
    written,
    read: async () => {
      const next = coming.shift();
      if (next !== undefined) now = draft(next);
      return now;
    },
    write: async (sent: unknown) => {
      written.push(sent);
      now = sent;
      return sent;
    },
  };
}

function baseOf(title: string): DraftBase {
  const base = new DraftBase();
  base.opened(draft(title), draft(title));
  return base;
}

const never = async (): Promise<ConflictDecision> => {
  throw new Error('Nothing is to be decided here.');
};

describe('a draft that is saved', () => {
  it('is written without a question where no other draft was saved', async () => {
    const there = place();
    const saved = await saveDecided(there, baseOf('base'), draft('mine'), never);
    expect(saved).toEqual({ kind: 'saved', shown: undefined, isMerged: false, warnings: [] });
    expect(there.written).toEqual([draft('mine')]);
  });

  it('is not sent where the user gives up', async () => {
    const there = place('theirs');
    expect(await saveDecided(there, baseOf('base'), draft('mine'), async () => undefined)).toEqual({
      kind: 'declined',
    });
    expect(there.written).toEqual([]);
  });

  it('leads to the three sides where the user wants to compare', async () => {
    const saved = await saveDecided(place('theirs'), baseOf('base'), draft('mine'), async () => 'compare');
    const sides = { mine: draft('mine'), merged: draft('mine'), theirs: draft('theirs') };
    expect(saved).toEqual({ kind: 'compare', sides });
  });

  it('asks again where someone was quicker a second time', async () => {
    const there = place('theirs', 'newer');
    let asked = 0;
    const saved = await saveDecided(there, baseOf('base'), draft('mine'), async () => {
      asked += 1;
      return 'saveMine';
    });
    expect({ asked, kind: saved.kind, written: there.written }).toEqual({
      asked: 2,
      kind: 'saved',
      written: [draft('mine')],
    });
  });
});

import { describe, expect, it } from 'vitest';
import { openSnapshot } from '#tools/model/opened-model.ts';
import type { ModelSnapshot } from '#tools/ports.ts';
import { yaml } from '#support/language/raw.ts';

const large = (): ModelSnapshot => ({
  root: 'model/',
  files: new Map(
    Array.from({ length: 100 }, (_, at) => [
      `model/c${at}.yml`,
      yaml`
        cubes:
          - name: c${String(at)}
            sql_table: t
      `,
    ]),
  ),
  globals: undefined,
  isMixed: false,
});

/** Work of others in the same process: counts its turns until `end`. */
function others(onTurn: (turn: number) => void = () => undefined): () => number {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    next = setImmediate(turn);
    onTurn((turns += 1));
  };
  next = setImmediate(turn);
  return () => {
    clearImmediate(next);
    return turns;
  };
}

describe('opening a model', () => {
  it('lets other work of the process run while it reads many files, and reads a snapshot once', async () => {
    const snapshot = large();
    const end = others();
    const opened = await openSnapshot(snapshot, new AbortController());
    expect(end()).toBeGreaterThan(2);
    expect(opened.index.size).toBe(100);
    expect(await openSnapshot(snapshot, new AbortController())).toBe(opened);
  });

  it('ends in the middle when it is cancelled, and begins again next time', async () => {
    const snapshot = large();
    const stop = new AbortController();
    const end = others(() => stop.abort(new Error('Cancelled')));
    await expect(openSnapshot(snapshot, stop)).rejects.toThrow('Cancelled');
    end();
    expect((await openSnapshot(snapshot, new AbortController())).index.size).toBe(100);
  });
});

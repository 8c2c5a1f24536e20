import { describe, expect, it } from 'vitest';
import { Emitter } from '#base/event.ts';
import type { HostToView } from '#features/chat/messages.ts';
import { ProposalDesk } from '#features/chat/proposal-desk.ts';

type Item = { readonly path: string; readonly state: string };

/** A view's desk over a review whose readings end when the test says so. */
function desk() {
  const changed = new Emitter<void>();
  const readings: ((items: readonly Item[]) => void)[] = [];
  const review = {
    items: async () => new Promise<readonly Item[]>((resolve) => readings.push(resolve)),
    undo: async () => [],
  };
  const folders = { of: async (): Promise<undefined> => undefined };
  const host = { onDidChangeFiles: changed.event, reviewOf: async () => review, folders, mayWrite: async () => true };
  const thread = { key: 'thread', turns: [{ id: 'turn' }] };
  const posted: string[] = [];
  const post = (message: HostToView): void => {
    if (message.type === 'proposals') posted.push(message.files.map(({ state }) => state).join());
  };
  const own = new ProposalDesk({ host: host as never, thread: () => thread as never, post });
  /** The next reading that began; it ends with this state. */
  const reads = async (): Promise<(state: string) => Promise<void>> => {
    await expect.poll(() => readings.length).toBeGreaterThan(0);
    const end = readings.shift();
    return async (state) => {
      end?.([{ path: 'a.yml', state }]);
      await new Promise((resolve) => setImmediate(resolve));
    };
  };
  const handle = (action: 'list' | 'undo') => own.handle({ type: 'proposal', turn: 'turn', action, paths: ['a.yml'] });
  return { handle, reads, posted, fileChanged: () => changed.fire() };
}

describe('what a view shows of proposed files', () => {
  it('is the newest that was read, even where an older reading takes longer', async () => {
    const { handle, reads, posted, fileChanged } = desk();
    const listed = handle('list');
    await (
      await reads()
    )('accepted');
    await listed;
    // Undoing writes the file, which begins a reading; the decision changes only after it.
    fileChanged();
    const older = await reads();
    const undone = handle('undo');
    const newer = await reads();
    await newer('open');
    await undone;
    await older('accepted');
    expect(posted).toEqual(['accepted', 'open']);
  });

  it('is shown as it comes where readings end in the order in which they began', async () => {
    const { handle, reads, posted } = desk();
    const [first, second] = [handle('list'), handle('list')];
    const [one, two] = [await reads(), await reads()];
    await one('accepted');
    await two('open');
    await Promise.all([first, second]);
    expect(posted).toEqual(['accepted', 'open']);
  });
});

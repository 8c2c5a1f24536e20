import { describe, expect, it } from 'vitest';
import { derived } from '#base/derived.ts';
import { WindowBoard, type WindowProcess, type WindowRegistry } from '#features/platform/window-board.ts';
import { Windows } from '#features/platform/windows.ts';

const branch = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };

/** A registry in memory that several windows share. */
function sharedBoard(): WindowRegistry & { readonly entries: Map<string, unknown> } {
  const entries = new Map<string, unknown>();
  return {
    entries,
    all: () => [...entries.values()],
    put: (id, entry) => Promise.resolve(void entries.set(id, entry)),
    remove: (id) => Promise.resolve(void entries.delete(id)),
  };
}

let pids = 1;

/** A window whose process runs until its id is in `ended`. */
function windowOf(
  id: string,
  { registry, now = () => 0, ended }: { registry: WindowRegistry; now?: () => number; ended?: ReadonlySet<number> },
): WindowBoard & Pick<Windows, 'on'> {
  const process: WindowProcess = { pid: pids++, boot: 'a', uptime: 1 };
  const windows = new Windows();
  const hasEnded = ({ pid }: WindowProcess): boolean => ended?.has(pid) ?? false;
  const board = new WindowBoard({ id, registry, now, process, hasEnded, windows });
  return Object.assign(board, { on: windows.on.bind(windows) });
}

const pidOf = (registry: ReturnType<typeof sharedBoard>, id: string): number =>
  (registry.entries.get(id) as { process: WindowProcess }).process.pid;

describe('windows of one machine', () => {
  it('see which branch the others work on, and not themselves', async () => {
    const registry = sharedBoard();
    const [one, two] = ['one', 'two'].map((id) => windowOf(id, { registry }));
    const shown: number[] = [];
    derived(() => one?.on(branch).size ?? 0).onDidChange((count) => shown.push(count));
    await one?.show(branch, 'shop');
    await two?.show(branch, 'shop copy');
    one?.refresh();
    one?.refresh();
    expect([...(one?.on(branch) ?? [])]).toEqual([['dev-ada-1', ['shop copy']]]);
    expect([...(two?.on(branch) ?? [])]).toEqual([['dev-ada-1', ['shop']]]);
    expect([...(one?.on({ ...branch, deploymentId: '2' }) ?? [])]).toEqual([]);
    await Promise.resolve();
    expect(shown).toEqual([1]);
  });

  it('take one that left the branch, closed or fell silent for gone', async () => {
    const registry = sharedBoard();
    let now = 0;
    const [one, two, three] = ['one', 'two', 'three'].map((id) => windowOf(id, { registry, now: () => now }));
    const others = (): readonly string[] => {
      one?.refresh();
      return [...(one?.on(branch).values() ?? [])].flat();
    };
    await two?.show(branch, 'two');
    await three?.show(branch, 'three');
    expect(others()).toEqual(['two', 'three']);
    await two?.show(undefined, 'two');
    expect(others()).toEqual(['three']);
    now = 140_000;
    expect(others()).toEqual(['three']);
    now = 160_000;
    expect(others()).toEqual([]);
    await three?.beat();
    expect(others()).toEqual(['three']);
    three?.dispose();
    expect(others()).toEqual([]);
  });

  it('clear away after a day what a killed one left behind', async () => {
    const registry = sharedBoard();
    let now = 0;
    const [one, killed] = ['one', 'killed'].map((id) => windowOf(id, { registry, now: () => now }));
    await killed?.show(branch, 'killed');
    now = 3_600_000;
    await one?.beat();
    expect([...registry.entries.keys()]).toEqual(['killed']);
    now = 25 * 3_600_000;
    await one?.beat();
    expect([...registry.entries.keys()]).toEqual([]);
  });

  it('take one whose process has ended for gone at once, and clear it away', async () => {
    const registry = sharedBoard();
    const ended = new Set<number>();
    const [one, killed, living] = ['one', 'killed', 'living'].map((id) => windowOf(id, { registry, ended }));
    await killed?.show(branch, 'killed');
    await living?.show(branch, 'living');
    one?.refresh();
    let changes = 0;
    derived(() => one?.on(branch)).onDidChange(() => (changes += 1));
    ended.add(pidOf(registry, 'killed'));
    one?.refresh();
    await Promise.resolve();
    expect([...(one?.on(branch).values() ?? [])]).toEqual([['living']]);
    expect(changes).toBe(1);
    await one?.beat();
    expect([...registry.entries.keys()]).toEqual(['living']);
  });

  it('count one that an older version of the extension runs in as open while it reports so', async () => {
    const registry = sharedBoard();
    const one = windowOf('one', { registry });
    registry.entries.set('old', { id: 'old', ...branch, name: 'old', at: 0 });
    one.refresh();
    expect([...one.on(branch).values()]).toEqual([['old']]);
  });

  it('leave alone what another version wrote', () => {
    const registry = sharedBoard();
    registry.entries.set('old', { id: 7 });
    const one = windowOf('one', { registry });
    one.refresh();
    expect(one.on(branch).size).toBe(0);
  });
});

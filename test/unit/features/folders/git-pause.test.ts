import { describe, expect, it, onTestFinished } from 'vitest';
import { countedListeners } from '#support/counted-listeners.ts';
import { Emitter } from '#base/event.ts';
import { Store } from '#base/store.ts';
import { type GitRepository, pauseWhileGitMoves } from '#features/folders/git-pause.ts';
import { whileHeld } from '#features/folders/hold.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { ManualClock } from '#support/manual-clock.ts';

/** A sync that only notes what is asked of it. */
function fakeSession(folderId: string): { readonly notes: string[]; readonly session: SyncSession } {
  const notes: string[] = [];
  const sync = {
    pause: (reason: string) => notes.push(`pause ${reason}`),
    resume: (reason: string) => notes.push(`resume ${reason}`),
    plan: () => {
      notes.push('plan');
      return Promise.reject(new Error('The platform cannot be reached.'));
    },
  };
  return { notes, session: { folder: { folderId }, sync } as unknown as SyncSession };
}

class FakeRepository implements GitRepository {
  head: string | undefined = 'main 1';
  isUnfinished = false;
  readonly #changed = new Emitter<void>();
  readonly #counted = countedListeners(this.#changed.event);
  readonly onDidChange = this.#counted.event;

  now(state: { readonly head?: string; readonly isUnfinished?: boolean }): void {
    Object.assign(this, state);
    this.#changed.fire();
  }

  get isWatched(): boolean {
    return this.#counted.listeners() > 0;
  }
}

function scene(): {
  readonly clock: ManualClock;
  readonly repository: FakeRepository;
  readonly all: Store<readonly SyncSession[]>;
  readonly found: Map<string, GitRepository>;
  readonly opened: Emitter<void>;
  readonly notes: string[];
} {
  const clock = new ManualClock();
  const repository = new FakeRepository();
  const { notes, session } = fakeSession('file:///shop');
  const all = new Store<readonly SyncSession[]>([session]);
  const found = new Map<string, GitRepository>([['file:///shop', repository]]);
  const opened = new Emitter<void>();
  const pause = pauseWhileGitMoves({ all }, { of: (id) => found.get(id), onDidChange: opened.event }, clock);
  onTestFinished(() => pause.dispose());
  return { clock, repository, all, found, opened, notes };
}

describe('while Git moves the files of a linked folder', () => {
  it('nothing is pushed automatically: both sides are compared once HEAD rests, and then what waited goes', async () => {
    const { clock, repository, notes } = scene();
    repository.now({ head: 'topic 2' });
    expect(notes).toEqual(['pause gitCheckout']);
    await clock.advance(1000);
    repository.now({ head: 'topic 3' });
    await clock.advance(1000);
    expect(notes).not.toContain('plan');
    await clock.advance(1000);
    expect(notes.slice(-2)).toEqual(['plan', 'resume gitCheckout']);
  });

  it('an unfinished merge or rebase holds until it is done or given up', async () => {
    const { clock, repository, notes } = scene();
    repository.now({ isUnfinished: true });
    await clock.advance(60_000);
    expect(notes).toEqual(['pause gitCheckout']);
    repository.now({ isUnfinished: false });
    await clock.advance(2000);
    expect(notes.slice(-2)).toEqual(['plan', 'resume gitCheckout']);
  });

  it('a HEAD that was not read yet has not moved', async () => {
    const { clock, repository, notes, found, opened } = scene();
    found.clear();
    opened.fire();
    repository.head = undefined;
    found.set('file:///shop', repository);
    opened.fire();
    repository.now({ head: 'main 1' });
    await clock.advance(60_000);
    expect(notes).toEqual([]);
    repository.now({ head: 'main 2' });
    expect(notes).toEqual(['pause gitCheckout']);
  });

  it('other news of the repository (a staged file, a fetch) hold nothing', async () => {
    const { clock, repository, notes } = scene();
    repository.now({});
    await clock.advance(60_000);
    expect(notes).toEqual([]);
  });

  it('also counts a repository that is found later or busy from the start, and releases one that is closed', () => {
    const { repository, found, opened, all, notes } = scene();
    found.clear();
    opened.fire();
    expect(repository.isWatched).toBe(false);
    repository.isUnfinished = true;
    found.set('file:///shop', repository);
    opened.fire();
    expect(notes).toEqual(['pause gitCheckout']);
    all.set([]);
    expect(notes).toEqual(['pause gitCheckout', 'resume gitCheckout']);
    expect(repository.isWatched).toBe(false);
  });
});

describe('while the platform works on the branch for the user', () => {
  it('holds the syncs of the branch, and lets go however it ends', async () => {
    const { notes, session } = fakeSession('file:///shop');
    expect(await whileHeld([session], 'ownPull', () => Promise.resolve([...notes]))).toEqual(['pause ownPull']);
    await expect(whileHeld([session], 'ownPull', () => Promise.reject(new Error('No.')))).rejects.toThrow('No.');
    expect(notes).toEqual(['pause ownPull', 'resume ownPull', 'pause ownPull', 'resume ownPull']);
  });
});

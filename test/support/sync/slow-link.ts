import type { Clock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import type { WriteContext } from '#sync/core/context.ts';
import { defaultSettings } from '#sync/core/folder-sync.ts';
import { LinkSpeed } from '#sync/core/remote/link-speed.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { RemoteWriter, UploadTransaction } from '#sync/core/ports.ts';
import { pushEntries } from '#sync/core/transfer/push.ts';
import { RemoteReads } from '#sync/core/remote/remote-reads.ts';
import { SyncRun } from '#sync/core/transfer/sync-run.ts';
import { SyncRecord } from '#sync/core/record/sync-record.ts';
import { MemoryNotes, memoryPorts } from './memory-ports.ts';
import { hashOfVersion } from './versions.ts';
import { World } from './world.ts';

/** Time that passes only while everything waits, and then at once. */
export class OwnTime implements Clock {
  #now = 0;
  #sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ until: this.#now + ms, wake }));
  }

  /** Runs work to its end; resolves to its duration in milliseconds. */
  async during(work: () => Promise<unknown>): Promise<number> {
    const from = this.#now;
    let ended = false;
    const end = (): void => {
      ended = true;
    };
    const running = work().finally(end);
    running.catch(() => undefined);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (ended) break;
      const until = Math.min(...this.#sleepers.map((sleeper) => sleeper.until));
      if (until === Infinity) continue;
      this.#now = until;
      const awake = this.#sleepers.filter((sleeper) => sleeper.until <= until);
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.until > until);
      for (const { wake } of awake) wake();
    }
    await running;
    return this.#now - from;
  }
}

export interface SlowPush {
  readonly files: number;
  /** Duration of each request, in milliseconds. */
  readonly roundTrip: number;
  /** Whether the platform has other versions of the files; otherwise it has none. */
  readonly areChanged?: boolean;
  /** Whether the platform honours conditions of writes. */
  readonly honours: boolean;
}

/** Resolves to the cost of a push over a slow link. */
export async function pushSlowly({ files, roundTrip, areChanged = false, honours }: SlowPush): Promise<{
  readonly ms: number;
  readonly requests: readonly string[];
}> {
  const time = new OwnTime();
  const requests: string[] = [];
  const paths = Array.from({ length: files }, (_, at) => `model/f${at}.yml`);
  const world = new World(new Map(), () => false, { paths });
  for (const [at, path] of paths.entries()) {
    world.local.set(path, at + 1);
    if (areChanged) world.remote.set(path, at + 10_000);
  }
  const made = memoryPorts(world, new MemoryNotes(), { honours, quietWrites: false });
  const remote = slow(made.remote, async (what) => {
    requests.push(what);
    await time.sleep(roundTrip);
  });
  const ports = { ...made, remote, clock: time };
  const state = await SyncRecord.open(ports, { account: 'a', deployment: '1', branch: 'dev-sim' });
  const shared = { reads: new RemoteReads(), link: new LinkSpeed(time) };
  const settings = (): typeof defaultSettings => defaultSettings;
  const context: WriteContext = {
    ...{ ports, writer: remote, state, logger: silentLogger, settings, writable: true },
    ...shared,
  };
  const entries = paths.map((path, at): PlanEntry => {
    const expectedRemote = areChanged ? hashOfVersion(at + 10_000) : undefined;
    return { kind: 'upload', path, reason: 'added', hash: hashOfVersion(at + 1), size: 4096, expectedRemote };
  });
  const log = new SyncRun(entries.length, {});
  const ms = await time.during(async () => {
    // A plan comes before every push.
    await shared.link.timed(() => remote.list());
    await pushEntries(context, entries, 'transaction', log);
  });
  if (log.applied.length !== files) throw new Error(log.outcome('Pushed').message);
  return { ms, requests };
}

function slow(remote: RemoteWriter, wait: (what: string) => Promise<void>): RemoteWriter {
  const later =
    <A extends unknown[], R>(what: string, call: (...args: A) => Promise<R>): ((...args: A) => Promise<R>) =>
    async (...args) => {
      await wait(what);
      return call(...args);
    };
  const transaction = (made: UploadTransaction): UploadTransaction => ({
    id: made.id,
    upload: later('upload', async (path, bytes) => made.upload(path, bytes)),
    finish: later('finish', async (manifest, autoRemove, _signal, message) =>
      made.finish(manifest, autoRemove, undefined, message),
    ),
  });
  // Only the response to a write reveals it.
  let known = false;
  return {
    ...remote,
    get honoursPreconditions() {
      return known;
    },
    list: later('list', async () => remote.list()),
    put: later('put', async (files) => {
      known = remote.honoursPreconditions;
      return remote.put(files);
    }),
    startUpload: later('start', async () => transaction(await remote.startUpload())),
    resumeUpload: (id) => transaction(remote.resumeUpload(id)),
  };
}

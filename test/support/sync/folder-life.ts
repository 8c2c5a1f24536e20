import { isPlatformError } from '#api/errors.ts';
import { abortReason, CancelledError, isCancelled } from '#base/async.ts';
import { silentLogger } from '#base/log.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { HistoryStore } from '#sync/core/undo/history.ts';
import { direction, type GuardKind, type Plan, type PlanEntry } from '#sync/core/planning/plan.ts';
import type { RemoteWriter, SyncPorts } from '#sync/core/ports.ts';
import { chooseSide, isOpen } from './choose-side.ts';
import { MemoryNotes, memoryPorts } from './memory-ports.ts';
import type { Act, EngineVariant, Life } from './schedule.ts';
import { type Wish, wishesOf } from './witness.ts';
import { Crash, StateError, type World } from './world.ts';

type Ports = SyncPorts & { readonly remote: RemoteWriter };

const target = { account: 'sim', deployment: '1', branch: 'dev-sim' };

/** A user who has confirmed what these guards show. */
const confirmed: readonly GuardKind[] = [
  'rootChanged',
  'stateDamaged',
  'localEmptied',
  'remoteEmptied',
  'allChangedLocally',
  'allChangedRemotely',
  'manyDeletesRemote',
  'manyDeletesLocal',
];

/** Runs a schedule with what the extension uses: saves, their queue, plans, guards, and the return of the platform. */
export class FolderLife implements Life {
  readonly #world: World;
  readonly #variant: EngineVariant;
  readonly #notes = new MemoryNotes();
  #sync: FolderSync | undefined;
  #life = -1;
  #died: Promise<void> = Promise.resolve();
  runs = 0;

  constructor(world: World, variant: EngineVariant) {
    this.#world = world;
    this.#variant = variant;
    world.witness.ask([]);
    world.witness.remember();
    world.witness.note('here', new Map(world.local));
    world.witness.note('there', world.remote);
  }

  async act(act: Act): Promise<void> {
    switch (act.do) {
      case 'push':
        await this.#alive(() => this.#run('push'));
        break;
      case 'pull':
        await this.#alive(() => this.#run('pull'));
        break;
      case 'restart':
        await this.#alive(async () => this.#opened().close());
        this.#sync = undefined;
        break;
      case 'damage':
        await this.#alive(async () => this.#opened().close());
        this.#sync = undefined;
        this.#world.isRecordDamaged ||= !act.what.endsWith('Error');
        this.#notes.damage(act.what);
        break;
      case 'resolve':
        await this.#alive(() => this.#resolve(this.#world.pathAt(act.path), act.mine));
        break;
      case 'restore':
        await this.#alive(() => this.#restore(act.item));
        break;
      case 'edit':
      case 'save':
      case 'delete':
        this.#world.happen(act);
        await this.#alive(() => this.#saved([this.#world.pathAt(act.path)]));
        break;
      case 'rename':
        this.#world.happen(act);
        await this.#alive(() => this.#saved([this.#world.pathAt(act.path), this.#world.pathAt(act.to)]));
        break;
      default:
        this.#world.happen(act);
    }
  }

  /** Runs rounds without faults until both sides agree: three are enough. */
  async settle(rounds = 3): Promise<string[]> {
    await this.#opened().flush();
    let plan = await this.#plan();
    for (let round = 0; plan.entries.some(isOpen) && round < rounds; round++) {
      await this.#run('pull');
      await this.#run('push');
      for (const entry of (await this.#plan()).entries) await this.#choose(entry, round === 0);
      plan = await this.#plan();
    }
    await this.#opened().close();
    this.#sync = undefined;
    return plan.entries.filter(isOpen).map(({ kind, path }) => `a quiet run still wants: ${kind} ${path}`);
  }

  async #run(way: 'push' | 'pull'): Promise<void> {
    this.runs += 1;
    const sync = this.#opened();
    const plan = await this.#plan();
    const stop = new AbortController();
    this.#world.cancel = () => stop.abort(new CancelledError('stopped by the person'));
    const wishes = plan.entries.filter((entry) => direction(entry) === way).flatMap(wishesOf);
    const { life } = this.#world;
    await this.#world.asking(wishes, async () => {
      const { status } = await sync[way](plan, 'all', { confirmed, signal: stop.signal });
      // A process that died meanwhile reports nothing.
      if (status === 'done' && life === this.#world.life) this.#world.witness.saidDone();
    });
    // The automatic check after every transfer is complete before the next event.
    await this.#plan();
  }

  /** Compares both sides; the engine's own changes must not look like changes by others. */
  async #plan(): Promise<Plan> {
    const plan = await this.#opened().plan();
    const { witness, writers } = this.#world;
    witness.violations.push(...writers.misread(plan), ...groundless(plan, this.#world));
    return plan;
  }

  async #saved(paths: readonly string[]): Promise<void> {
    const sync = this.#opened();
    this.#world.witness.saved(paths);
    sync.onSaved(paths);
    await sync.flush();
  }

  async #resolve(path: string, mine: boolean): Promise<void> {
    const plan = await this.#plan();
    for (const entry of plan.entries) if (entry.path === path) await this.#choose(entry, mine);
  }

  async #restore(item: number): Promise<void> {
    const chosen = (await this.#opened().trashed())[item];
    if (chosen) await this.#world.restoring(chosen.path, () => this.#opened().restore(chosen));
    await this.#plan();
  }

  async #choose(entry: PlanEntry, mine: boolean): Promise<void> {
    const side = chooseSide(this.#world, entry, mine);
    if (side === undefined) return;
    const sync = this.#opened();
    const wish: Wish = { side: side === 'mine' ? 'there' : 'here', path: entry.path, version: 'any' };
    await this.#world.asking([wish], () => sync.resolve(entry.path, side));
    await this.#plan();
  }

  /** Waits until the work is done, or until its process is found dead. */
  async #alive(work: () => Promise<void>): Promise<void> {
    this.#opened();
    await Promise.race([surviving(work), this.#died]);
  }

  #opened(): FolderSync {
    if (this.#sync && this.#life === this.#world.life) return this.#sync;
    if (this.#sync) this.#notes.losePower();
    const rules = { honours: true, quietWrites: false, ...this.#variant.rules };
    const made: Ports = memoryPorts(this.#world, this.#notes, rules);
    const ports = this.#variant.ports?.(made, this.#world) ?? made;
    const { life } = this.#world;
    this.#life = life;
    const death = Promise.withResolvers<void>();
    this.#died = death.promise;
    const sleep = (_: number, signal?: AbortSignal): Promise<void> => {
      if (signal?.aborted === true) return Promise.reject(abortReason(signal));
      if (life === this.#world.life) return Promise.resolve();
      // Promises of a killed process never resolve.
      death.resolve();
      return new Promise(() => undefined);
    };
    const clock = { now: () => ports.clock.now(), sleep };
    const history: HistoryStore = {
      list: async () => [],
      append: async ({ applied }) => this.#world.witness.saidApplied(applied),
    };
    this.#sync = createFolderSync({ ports: { ...ports, clock, history }, target, logger: silentLogger });
    return this.#sync;
  }
}

/** Returns a complaint if the engine asks about records that were not damaged. */
export function groundless({ guards }: Plan, { isRecordDamaged }: World): readonly string[] {
  const asks = guards.some(({ kind }) => kind === 'stateDamaged');
  return asks && !isRecordDamaged ? ['asks about a record that nothing has damaged'] : [];
}

/** Returns the differences between both sides in the end. */
export function differences({ local, remote, paths, ignored }: World): string[] {
  return paths
    .filter((path) => path !== ignored)
    .filter((path) => local.get(path) !== remote.get(path))
    .map((path) => `${path}: ${local.get(path)} here, ${remote.get(path)} there`);
}

/** Ignores the end of a life or an unreachable platform: the next run continues from the state it finds. */
export async function surviving(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isPartOfLife(error) && !isPlatformError(error) && !isCancelled(error)) throw error;
  }
}

/** Whether an error is a crash or a full disk, even if the disk layer wrapped it. */
function isPartOfLife(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error instanceof Crash ||
    error instanceof StateError ||
    error.cause instanceof Crash ||
    /ENOSPC|disk is full/.test(error.message)
  );
}

import type { SyncContext } from '#sync/core/context.ts';
import { compareSides } from '#sync/core/planning/compare-sides.ts';
import { defaultSettings } from '#sync/core/folder-sync.ts';
import { direction, type Plan, type PlanEntry } from '#sync/core/planning/plan.ts';
import type { PlanInput } from '#sync/core/planning/plan-input.ts';
import type { RemoteWriter, SyncPorts } from '#sync/core/ports.ts';
import { pullEntries } from '#sync/core/transfer/pull.ts';
import { pushEntries } from '#sync/core/transfer/push.ts';
import { LinkSpeed } from '#sync/core/remote/link-speed.ts';
import { RemoteReads } from '#sync/core/remote/remote-reads.ts';
import { resolvePath } from '#sync/core/transfer/resolve.ts';
import { restoreVersion } from '#sync/core/undo/restore.ts';
import { SyncRun } from '#sync/core/transfer/sync-run.ts';
import { SyncRecord } from '#sync/core/record/sync-record.ts';
import { targetKey } from '#sync/core/target.ts';
import { CancelledError } from '#base/async.ts';
import { silentLogger } from '#base/log.ts';
import { chooseSide, isOpen } from './choose-side.ts';
import { MemoryNotes, memoryPorts, type RemoteRules } from './memory-ports.ts';
import { differences, FolderLife, groundless, surviving } from './folder-life.ts';
import { DiskSide, type WorldDisk } from './disk-world.ts';
import type { DiskKind } from './disk-kinds.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { randomFrom } from './random-schedule.ts';
import { type Wish, wishesOf } from './witness.ts';
import { World } from './world.ts';
import { type Damage, type Fault, PATHS, type WorldEvent } from './world-events.ts';

/** Acts in sequence; faults strike at numbered calls of the engine's ports. */
export interface Schedule {
  readonly acts: readonly Act[];
  readonly faults: readonly (readonly [step: number, fault: Fault])[];
  readonly coins: number;
  /** Numbers of the paths that both sides begin with. */
  readonly shared: readonly number[];
  /** All possible paths; the usual three by default. */
  readonly paths?: readonly string[] | undefined;
}

export type Act =
  | WorldEvent
  | { readonly do: 'push'; readonly transaction: boolean }
  | { readonly do: 'pull' | 'restart' }
  | { readonly do: 'resolve'; readonly path: number; readonly mine: boolean }
  /** The session ends, and its records are damaged. */
  | { readonly do: 'damage'; readonly what: Damage }
  /** A version from the trash is restored; counted from the newest. */
  | { readonly do: 'restore'; readonly item: number };

type Ports = SyncPorts & { readonly remote: RemoteWriter };

/** An engine under test: the real one, or one with one weakness. */
export interface EngineVariant {
  readonly name: string;
  /** Runs with the real disk layer on a simulated disk. */
  readonly disk?: DiskKind;
  /** Runs with the real disk layer on a new folder of a mounted disk. */
  readonly mounted?: () => WorldDisk;
  readonly rules?: Partial<RemoteRules>;
  readonly ports?: (ports: Ports, world: World) => Ports;
  readonly planner?: (input: PlanInput) => Generator<void, Plan>;
  /** Removes some of the engine's knowledge. */
  readonly weakenState?: (state: SyncRecord) => void;
  /** Runs with `FolderSync`, which the extension uses, instead of its components. */
  readonly asFolder?: boolean;
}

/** An engine in its world. */
export interface Life {
  readonly runs: number;
  act(act: Act): Promise<void>;
  /**
   * Runs rounds without faults (three are enough unless names clash) until both sides agree; resolves to what the engine still
   * wants then.
   */
  settle(rounds?: number): Promise<string[]>;
}

export interface Verdict {
  /** The problems; empty if all is well. */
  readonly violations: readonly string[];
  readonly log: readonly string[];
  readonly steps: number;
}

/**
 * Pauses between two acts in milliseconds: they affect whether stamps of two seconds differ, and whether earlier hashes are
 * trusted.
 */
const pauses = [0, 0, 500, 2500, 5000] as const;

const CALLS_PER_STEP = 9;

const target = { account: 'sim', deployment: '1', branch: 'dev-sim' };

/** Runs a schedule, lets everything calm down, and checks the promises. */
export async function live(
  schedule: Schedule,
  variant: EngineVariant,
  { verbose = false, rounds }: { readonly verbose?: boolean; readonly rounds?: number } = {},
): Promise<Verdict> {
  let coins = schedule.coins;
  const coin = (): boolean => {
    coins = (Math.imul(coins, 1_664_525) + 1_013_904_223) | 0;
    return coins < 0;
  };
  const side = sideOf(variant, coin);
  // On a disk, each step of the engine consists of many calls.
  const faults = schedule.faults.map(([step, fault]) => [side ? step * CALLS_PER_STEP : step, fault] as const);
  const world = new World(new Map(faults), coin, { verbose, paths: schedule.paths ?? PATHS, side });
  for (const path of schedule.shared) world.begin(world.pathAt(path));
  const life = startLife(world, variant);
  const violations: string[] = [];
  try {
    await actAll(schedule, life, side);
    calm(world);
    violations.push(...(await life.settle(rounds)), ...differences(world));
  } catch (error) {
    violations.push(`unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  violations.push(...(side?.hidden().map((name) => `left behind: ${name}`) ?? []));
  const lost = world.lost();
  violations.push(...world.witness.violations);
  if (lost.length > 0) violations.push(`lost: ${lost.map((version) => `h${version}`).join(', ')}`);
  return { violations, log: world.log, steps: life.runs };
}

async function actAll({ acts, coins }: Schedule, life: Life, side: DiskSide | undefined): Promise<void> {
  const below = randomFrom(coins);
  for (const act of acts) {
    side?.disk.pass?.(pauses[below(pauses.length)] ?? 0);
    await life.act(act);
  }
}

function sideOf({ mounted, disk: kind }: EngineVariant, coin: () => boolean): DiskSide | undefined {
  const disk = mounted?.() ?? (kind && new SimulatedDisk(kind));
  return disk && new DiskSide(disk, coin);
}

export function startLife(world: World, variant: EngineVariant): Life {
  return variant.asFolder === true ? new FolderLife(world, variant) : new EngineLife(world, variant);
}

/** Ends all faults; the user saves what is open. */
export function calm(world: World): void {
  world.calm = true;
  world.untrue.calm();
  for (const path of world.dirty.keys()) {
    world.happen({ do: 'save', path: world.paths.indexOf(path) });
  }
}

class EngineLife implements Life {
  readonly #world: World;
  readonly #variant: EngineVariant;
  readonly #notes = new MemoryNotes();
  readonly #rules: RemoteRules;
  #context: (SyncContext & { readonly writer: RemoteWriter; readonly life: number }) | undefined;
  runs = 0;

  constructor(world: World, variant: EngineVariant) {
    this.#world = world;
    this.#variant = variant;
    this.#rules = { honours: true, quietWrites: false, ...variant.rules };
    world.witness.ask([]);
  }

  async act(act: Act): Promise<void> {
    switch (act.do) {
      case 'push':
        await surviving(() => this.#run('push', act.transaction));
        break;
      case 'pull':
        await surviving(() => this.#run('pull', false));
        break;
      case 'restart':
        await surviving(() => this.#close());
        break;
      case 'damage':
        await surviving(() => this.#close());
        this.#context = undefined;
        this.#world.isRecordDamaged ||= !act.what.endsWith('Error');
        this.#notes.damage(act.what);
        break;
      case 'resolve':
        await surviving(() => this.#resolve(this.#world.pathAt(act.path), act.mine));
        break;
      case 'restore':
        await surviving(() => this.#restore(act.item));
        break;
      default:
        this.#world.happen(act);
    }
  }

  /**
   * Runs rounds without faults until both sides agree: one pull and one push, and the choices in between; three rounds are
   * enough.
   */
  async settle(rounds = 3): Promise<string[]> {
    let { plan } = await this.#stateOf();
    for (let round = 0; plan.entries.some(isOpen) && round < rounds; round++) {
      await this.#run('pull', false, plan);
      await this.#run('push', round === 1);
      for (const entry of (await this.#stateOf()).plan.entries) await this.#choose(entry, round === 0, plan.entries);
      ({ plan } = await this.#stateOf());
    }
    return plan.entries.filter(isOpen).map(({ kind, path }) => `a quiet run still wants: ${kind} ${path}`);
  }

  async #run(way: 'push' | 'pull', transaction: boolean, known?: Plan): Promise<void> {
    this.runs += 1;
    const context = await this.#open();
    const plan = known ?? (await this.#stateOf()).plan;
    const entries = plan.entries.filter((entry) => direction(entry) === way);
    const stop = new AbortController();
    this.#world.cancel = () => stop.abort(new CancelledError('stopped by the person'));
    const log = new SyncRun(entries.length, { signal: stop.signal });
    await this.#world.asking(entries.flatMap(wishesOf), async () => {
      if (way === 'pull') await pullEntries(context, entries, log);
      else await pushEntries(context, entries, transaction ? 'transaction' : 'direct', log);
      if (log.outcome(way === 'pull' ? 'Pulled' : 'Pushed').status === 'done') this.#world.witness.saidDone();
    });
  }

  async #resolve(path: string, mine: boolean): Promise<void> {
    const { plan } = await this.#stateOf();
    for (const entry of plan.entries) if (entry.path === path) await this.#choose(entry, mine, plan.entries);
  }

  async #restore(item: number): Promise<void> {
    const context = await this.#open();
    const chosen = (await context.ports.trash.list()).at(-1 - item);
    if (!chosen) return;
    await this.#world.restoring(chosen.path, () => restoreVersion(context, chosen));
  }

  async #choose(entry: PlanEntry, mine: boolean, shown: readonly PlanEntry[]): Promise<void> {
    const side = chooseSide(this.#world, entry, mine);
    if (side === undefined) return;
    const context = await this.#open();
    const wish: Wish = { side: side === 'mine' ? 'there' : 'here', path: entry.path, version: 'any' };
    await this.#world.asking([wish], () => resolvePath(context, entry.path, side, shown, {}));
  }

  async #stateOf(): Promise<{ plan: Plan }> {
    const found = await compareSides(await this.#open(), targetKey(target), { planner: this.#variant.planner });
    const { witness, writers } = this.#world;
    witness.violations.push(...writers.misread(found.plan), ...groundless(found.plan, this.#world));
    return found;
  }

  async #open(): Promise<SyncContext & { readonly writer: RemoteWriter }> {
    if (this.#context?.life === this.#world.life) return this.#context;
    if (this.#context) this.#notes.losePower();
    const made = memoryPorts(this.#world, this.#notes, this.#rules);
    const ports = this.#variant.ports?.(made, this.#world) ?? made;
    const { life } = this.#world;
    const state = await SyncRecord.open(ports, target);
    this.#variant.weakenState?.(state);
    const shared = { reads: new RemoteReads(), link: new LinkSpeed(ports.clock) };
    const settings = (): typeof defaultSettings => defaultSettings;
    this.#context = {
      ports,
      writer: ports.remote,
      state,
      logger: silentLogger,
      settings,
      ...shared,
      writable: true,
      life,
    };
    return this.#context;
  }

  async #close(): Promise<void> {
    const context = await this.#open();
    await context.state.close();
    this.#context = undefined;
  }
}

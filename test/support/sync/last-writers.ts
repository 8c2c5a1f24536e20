import type { Plan, PlanEntry } from '#sync/core/plan.ts';
import type { Version } from './versions.ts';

type Versions = ReadonlyMap<string, Version>;

/**
 * Knows which paths the engine itself changed last: what it put there is no change of anybody else, so a plan must not
 * bring it back, delete it or call it a conflict.
 */
export class LastWriters {
  /** Paths of the branch, with the engine that wrote them last; shared by all engines of a branch. */
  readonly #there: Map<string, LastWriters>;
  /** Paths of this disk that the engine gave exactly what was asked for. */
  readonly #here = new Set<string>();
  /** Paths that were left out of sync at some time: then both sides begin again. */
  readonly #leftOut = new Set<string>();

  constructor(beside?: LastWriters) {
    this.#there = beside ? beside.#there : new Map<string, LastWriters>();
  }

  wroteThere(path: string): void {
    this.#there.set(path, this);
  }

  /** `asAsked`: it is a version, or a deletion, that the user was shown and wanted. */
  wroteHere(path: string, asAsked: boolean): void {
    if (asAsked) this.#here.add(path);
    else this.#here.delete(path);
  }

  /** Someone else than an engine changed a side. */
  changed(side: 'here' | 'there', before: Versions, after: Versions): void {
    for (const path of differing(before, after)) {
      if (side === 'here') this.#here.delete(path);
      else this.#there.delete(path);
    }
  }

  leftOut(path: string): void {
    this.#leftOut.add(path);
  }

  powerLost(): void {
    this.#here.clear();
  }

  #forget(): void {
    this.#here.clear();
    for (const [path, writer] of this.#there) if (writer === this) this.#there.delete(path);
  }

  /** What a plan takes for the doing of others although the engine did it. */
  misread({ entries, guards }: Plan): readonly string[] {
    // The engine says that its own record is damaged: it knows nothing any more, and asks.
    if (guards.some(({ kind }) => kind === 'stateDamaged')) this.#forget();
    const watched = entries.filter((entry) => !pathsOf(entry).some((path) => this.#leftOut.has(path)));
    return watched.flatMap((entry) => {
      const name = `the engine’s own doing is taken for another’s: ${entry.kind} ${entry.path}`;
      const fromThere = isIncoming(entry) && pathsOf(entry).some((path) => this.#there.get(path) === this);
      const fromHere = isOutgoing(entry) && pathsOf(entry).some((path) => this.#here.has(path));
      return fromThere || fromHere ? [`${name} (${fromThere ? 'there' : 'here'})`] : [];
    });
  }
}

/** The paths that hold something else, or nothing, or something for the first time. Called in every step of a simulation. */
export function differing(before: Versions, after: Versions): readonly string[] {
  const paths: string[] = [];
  for (const [path, version] of before) if (after.get(path) !== version) paths.push(path);
  for (const path of after.keys()) if (!before.has(path)) paths.push(path);
  return paths;
}

function isIncoming(entry: PlanEntry): boolean {
  return ['download', 'deleteLocal', 'renameLocal'].includes(entry.kind) || isBothChanged(entry);
}

function isOutgoing(entry: PlanEntry): boolean {
  return ['upload', 'deleteRemote', 'renameRemote'].includes(entry.kind) || isBothChanged(entry);
}

function isBothChanged(entry: PlanEntry): boolean {
  return entry.kind === 'conflict' && (entry.reason === 'bothChanged' || entry.reason === 'bothAdded');
}

function pathsOf(entry: PlanEntry): readonly string[] {
  return 'from' in entry ? [entry.path, entry.from] : [entry.path];
}

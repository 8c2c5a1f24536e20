import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import type { Version } from './versions.ts';

type Versions = ReadonlyMap<string, Version>;

/**
 * Records which paths the engine itself changed last: these are not changes by others, so a plan must not bring them back, delete
 * them or report a conflict.
 */
export class LastWriters {
  /** Paths of the branch, with the engine that last wrote them; shared by all engines of a branch. */
  readonly #there: Map<string, LastWriters>;
  /** Paths of this disk at which the engine wrote exactly what was requested. */
  readonly #here = new Set<string>();
  /** Paths that were ever excluded from sync: for these, both sides start afresh. */
  readonly #leftOut = new Set<string>();

  constructor(beside?: LastWriters) {
    this.#there = beside ? beside.#there : new Map<string, LastWriters>();
  }

  wroteThere(path: string): void {
    this.#there.set(path, this);
  }

  /** `asAsked`: it is a version, or a deletion, that the user saw and wanted. */
  wroteHere(path: string, asAsked: boolean): void {
    if (asAsked) this.#here.add(path);
    else this.#here.delete(path);
  }

  /** Records a change of a side by anyone except an engine. */
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

  /** Returns entries of a plan that take the engine's own changes for changes by others. */
  misread({ entries, guards }: Plan): readonly string[] {
    // The engine reports that its own record is damaged: it knows nothing any more, and asks.
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

/** Returns the paths whose version differs, is gone or is new. Called in every step of a simulation. */
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

import { foldName } from '#base/file-names.ts';
import { isInside } from '#base/path.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { differing, type LastWriters } from './last-writers.ts';
import { type Version, versionOfHash } from './versions.ts';

type Side = 'here' | 'there';

/** A state of one path that the user requested: a version, no file, or any version. */
export interface Wish {
  readonly side: Side;
  readonly path: string;
  readonly version: Version | 'any' | undefined;
  /** Whether it is a step to another wish, and need not be reached. */
  readonly isStep?: boolean;
}

export type Versions = ReadonlyMap<string, Version>;

/**
 * Checks what the engine changes on both sides: only what was requested, apart from files that it moves aside and restores. Also
 * checks that everything it reports as done has happened.
 */
export class Witness {
  readonly violations: string[] = [];
  readonly #writers: LastWriters;
  /** `undefined`: the requests are unknown, so nothing is judged. */
  #asked: readonly Wish[] | undefined;
  /** Returns the key of a name on this disk, which may ignore letter case. */
  readonly #keyOf: (path: string) => string;
  /** Versions that the engine moved aside, by the key of their path. */
  readonly #taken = new Map<string, Set<Version>>();
  readonly #seen = new Set<string>();
  /** Paths that the user saved, which may be uploaded at any time. */
  readonly #saved = new Set<string>();
  /** Every version that a path ever had on a side; `undefined` if it is not needed. */
  #ever: Set<string> | undefined;

  constructor(writers: LastWriters, ignoresCase = false) {
    this.#writers = writers;
    this.#keyOf = ignoresCase ? foldName : (path) => path;
  }

  /** Sets what the engine may do from now on. */
  ask(wishes: readonly Wish[]): void {
    this.#asked = wishes;
    this.#seen.clear();
  }

  /** Ends all requests, if requests were set before. */
  askNothing(): void {
    if (this.#asked) this.ask([]);
  }

  /** Records every version from now on, so that saves and the history can be judged. */
  remember(): void {
    this.#ever ??= new Set();
  }

  /** Records that the user saved these files: their content and new names may go to the platform from now on. */
  saved(paths: readonly string[]): void {
    for (const path of paths) this.#saved.add(foldName(path));
  }

  /** Records the current state of a side. */
  note(side: Side, versions: Versions): void {
    if (this.#ever) for (const [path, version] of versions) this.#ever.add(`${side} ${path} ${version}`);
    for (const { path, version, side: where } of this.#asked ?? []) {
      if (where === side && versions.get(path) === version) this.#seen.add(`${side} ${path} ${version}`);
    }
  }

  /** Judges a change that a call of the engine made on a side. */
  changed(side: Side, before: Versions, after: Versions, what: string): void {
    this.note(side, before);
    this.note(side, after);
    for (const path of differing(before, after)) {
      const [old, now] = [before.get(path), after.get(path)];
      this.#remember(side, path, now);
      if (this.#asked && !this.#mayBecome(side, path, now) && !this.#isSave(side, path, before, after)) {
        this.violations.push(`not asked for: ${path} became ${now} ${side}, by: ${what}`);
      }
      if (side === 'here' && old !== undefined) this.#take(path, old);
    }
  }

  /** Judges the engine's report that everything was done. */
  saidDone(): void {
    for (const { side, path, version, isStep } of this.#asked ?? []) {
      const isSeen = version === 'any' || isStep === true || this.#seen.has(`${side} ${path} ${version}`);
      if (!isSeen) this.violations.push(`said done but never was: ${path} as ${version} ${side}`);
    }
  }

  #remember(side: Side, path: string, now: Version | undefined): void {
    if (side === 'there') this.#writers.wroteThere(path);
    else
      this.#writers.wroteHere(
        path,
        this.#wishesAt(side, path).some(({ version }) => version === now),
      );
  }

  #wishesAt(side: Side, path: string): readonly Wish[] {
    return (this.#asked ?? []).filter((wish) => wish.side === side && wish.path === path);
  }

  /** Judges the engine's report that it applied these entries, whoever requested them. */
  saidApplied(entries: readonly PlanEntry[]): void {
    // After a rename is done, the edit of the renamed file is a separate entry.
    const done = entries.map((entry) => ('edited' in entry ? { ...entry, edited: undefined } : entry));
    for (const { side, path, version } of done.flatMap(wishesOf)) {
      const isSeen = version === undefined || this.#ever?.has(`${side} ${path} ${version}`) === true;
      if (!isSeen) this.violations.push(`said done but never was: ${path} as ${version} ${side}`);
    }
  }

  /** Whether a change uploads what this disk had at that path; a rename counts for both of its names. */
  #isSave(side: Side, path: string, before: Versions, after: Versions): boolean {
    if (side === 'here') return false;
    const [old, now] = [before.get(path), after.get(path)];
    if (now === undefined) return [...after].some(([to, version]) => version === old && this.#isRename(path, to));
    const isMoved = [...before].some(([from, version]) => version === now && this.#isRename(from, path));
    return isMoved || (this.#isSaved(path) && this.#ever?.has(`here ${path} ${now}`) === true);
  }

  #isRename(from: string, to: string): boolean {
    return from !== to && (this.#isSaved(from) || this.#isSaved(to));
  }

  /** Whether the user saved a path, in any letter case. */
  #isSaved(path: string): boolean {
    return this.#saved.has(foldName(path));
  }

  #mayBecome(side: Side, path: string, now: Version | undefined): boolean {
    const about = this.#wishesAt(side, path);
    if (about.some(({ version }) => version === now || version === 'any')) return true;
    if (side === 'there') return false;
    // If letter case is ignored, a file that is deleted under one name may appear under the other at the same moment.
    if (now === undefined) return this.#isAskedFor(side, path);
    // A file whose letter case changed at the very moment in which it was moved aside is restored under the name that the engine
    // knew.
    return this.#taken.get(this.#keyOf(path))?.has(now) === true;
  }

  #isAskedFor(side: Side, path: string): boolean {
    // A folder that replaced a file is moved aside with its content, and restored at once.
    const isAt = (wish: Wish): boolean => isInside(foldName(path), foldName(wish.path));
    return (this.#asked ?? []).some((wish) => wish.side === side && isAt(wish));
  }

  #take(path: string, version: Version): void {
    const key = this.#keyOf(path);
    this.#taken.set(key, (this.#taken.get(key) ?? new Set()).add(version));
  }
}

/** Returns the wishes of a ticked row. */
export function wishesOf(entry: PlanEntry): readonly Wish[] {
  switch (entry.kind) {
    case 'upload':
      return [{ side: 'there', path: entry.path, version: versionOfHash(entry.hash) }];
    case 'deleteRemote':
      return [{ side: 'there', path: entry.path, version: undefined }];
    case 'renameRemote':
      return renamed('there', entry);
    case 'download':
      return [{ side: 'here', path: entry.path, version: versionOfHash(entry.hash) }];
    case 'deleteLocal':
      return [{ side: 'here', path: entry.path, version: undefined }];
    case 'renameLocal':
      return renamed('here', entry);
    default:
      return [];
  }
}

function renamed(
  side: Side,
  { from, path, hash, edited }: Extract<PlanEntry, { kind: 'renameRemote' | 'renameLocal' }>,
): readonly Wish[] {
  const moved: Wish = { side, path, version: versionOfHash(hash), isStep: edited !== undefined };
  const gone: Wish = { side, path: from, version: undefined };
  return edited ? [gone, moved, { side, path, version: versionOfHash(edited.hash) }] : [gone, moved];
}

import { differing } from './last-writers.ts';
import type { Version } from './versions.ts';
import type { WorldEvent } from './world-events.ts';

export type UntrueEvent = Extract<WorldEvent, { readonly do: 'ignoreWrite' | 'lateList' }>;

/** The number of lists that show the versions before a write which is listed late. */
const LATE_LISTS = 2;

/** A platform that, when told so, confirms a write without effect, or lists one late. */
export class UntruePlatform {
  readonly #remote: ReadonlyMap<string, Version>;
  #isWriteIgnored = false;
  #isListLate = false;
  /** Versions that lists do not show yet, with those that they show instead. */
  readonly #late = new Map<string, { readonly before: Version | undefined; readonly now: Version | undefined }>();
  #lateLists = 0;

  constructor(remote: ReadonlyMap<string, Version>) {
    this.#remote = remote;
  }

  /** Takes an event that is about the next write; returns false for any other. */
  takes(event: WorldEvent): event is UntrueEvent {
    this.#isWriteIgnored ||= event.do === 'ignoreWrite';
    this.#isListLate ||= event.do === 'lateList';
    return event.do === 'ignoreWrite' || event.do === 'lateList';
  }

  /** Ends all of this. */
  calm(): void {
    this.#isWriteIgnored = false;
    this.#isListLate = false;
    this.#lateLists = 0;
  }

  /** Performs a write, unless the platform confirms this one without effect. */
  written<T>(confirmation: T, write: () => T): T {
    if (this.#isWriteIgnored) {
      this.#isWriteIgnored = false;
      return confirmation;
    }
    if (!this.#isListLate) return write();
    this.#isListLate = false;
    const before = new Map(this.#remote);
    const reply = write();
    for (const path of differing(before, this.#remote)) {
      this.#late.set(path, { before: before.get(path), now: this.#remote.get(path) });
    }
    this.#lateLists = LATE_LISTS;
    return reply;
  }

  /** Returns the branch as the platform lists it: for a while without what the last write changed. */
  listed(): ReadonlyMap<string, Version> {
    if (this.#lateLists === 0) return this.#remote;
    this.#lateLists -= 1;
    const shown = new Map(this.#remote);
    for (const [path, { before, now }] of this.#late) {
      if (this.#remote.get(path) !== now) continue;
      if (before === undefined) shown.delete(path);
      else shown.set(path, before);
    }
    return shown;
  }
}

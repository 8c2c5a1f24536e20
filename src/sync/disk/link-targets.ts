import path from 'node:path';
import { compileIgnore } from '#sync/core/selection/ignore.ts';
import type { FollowedLink } from '#sync/core/selection/followed-link.ts';
import type { FrozenReason } from '#sync/core/planning/plan.ts';
import { codeOf } from '#base/system-error.ts';
import type { DiskCalls } from './disk-calls.ts';

/** Where a link leads. */
export interface LinkTarget extends FollowedLink {
  readonly kind: 'file' | 'folder';
}

/** The maximum number of entries that one scan reaches through links: folders that link to each other multiply. */
const MOST_LINKED = 10_000;

/**
 * Finds out where the symbolic links of a project lead, for one scan (docs/sync.md#deployed-links). A link to a folder that contains
 * it, on whatever way it was reached, is not followed.
 */
export class LinkTargets {
  readonly #calls: DiskCalls;
  readonly #project: string;
  /** What a project never deploys under its own name. */
  readonly #rules = compileIgnore([], [], 'deploy');
  /** The real folders of the links whose targets are being scanned. */
  readonly #from: string[] = [];
  #reached = 0;

  /** `project`: absolute path of the project's folder. */
  constructor(calls: DiskCalls, project: string) {
    this.#calls = calls;
    this.#project = calls.realPath(project);
  }

  /** Returns the target of a link, or the reason why the link is not followed. `link`: its absolute path. */
  of(link: string): LinkTarget | FrozenReason {
    try {
      const target = this.#calls.realPath(link);
      const stat = this.#calls.lstat(target);
      if (stat?.isFile() === true) return { kind: 'file', target, leadsTo: this.#placeOf(target, false) };
      if (stat?.isDirectory() !== true) return stat ? 'special' : 'brokenLink';
      const folders = [...this.#from, this.#calls.realPath(path.dirname(link))];
      if (folders.some((folder) => isWithin(folder, target))) return 'linkLoop';
      return { kind: 'folder', target, leadsTo: this.#placeOf(target, true) };
    } catch (error) {
      return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error)) ? 'brokenLink' : 'unreadable';
    }
  }

  /** Scans the target of a link to a folder. */
  inside(link: string, scan: () => void): void {
    this.#from.push(this.#calls.realPath(path.dirname(link)));
    try {
      scan();
    } finally {
      this.#from.pop();
    }
  }

  /** Counts an entry that the scan has come to; returns whether it was reached through a link and is one too many. */
  isTooMany(): boolean {
    if (this.#from.length === 0) return false;
    this.#reached += 1;
    return this.#reached > MOST_LINKED;
  }

  #placeOf(target: string, isFolder: boolean): FollowedLink['leadsTo'] {
    if (!isWithin(target, this.#project)) return 'outside';
    const inside = path.relative(this.#project, target).split(path.sep).join('/');
    return inside !== '' && this.#rules.ignores(inside, isFolder) ? 'leftOut' : 'project';
  }
}

/** Whether a real path is a folder or lies in it. */
function isWithin(target: string, folder: string): boolean {
  const relative = path.relative(folder, target);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}

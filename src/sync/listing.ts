import { delay } from '#base/async.ts';
import { isInside } from '#base/path.ts';
import { checkName } from './names.ts';
import type { FrozenReason } from './plan.ts';
import type { Hash, RemoteFile, RemoteListing } from './ports.ts';

interface HashesAnswer {
  readonly files: Readonly<Record<string, { readonly hash: string }>>;
  readonly [key: string]: unknown;
}

const HASH = /^[0-9a-f]{40}$/;

/** Sorts the answer of `file-hashes` into what is ours, what must not reach a disk, and what else the branch holds. */
export function readListing(answer: HashesAnswer, folder: string): RemoteListing {
  const sorter = new ListingSorter(folder, !saysMore(answer));
  // oxlint-disable-next-line guard-for-in -- parsed JSON has no inherited names, and an array of 100,000 pairs takes time
  for (const raw in answer.files) sorter.add(raw, answer.files[raw]?.hash ?? '');
  return sorter.listing();
}

const HEAD = '{"files":{';
const ENTRY = /"([^"\\]*)":\{"hash":"([0-9a-f]{40})"\}(,|\}\}\s*$)/y;
const SLICE = 1000;
const SLICE_MS = 8;

/**
 * Reads the usual form of the answer straight from its text, in slices of some milliseconds: a hundred thousand entries
 * would otherwise hold up the host. Undefined for any other form (and for a text that was cut): that is for the validator.
 */
export async function readListingText(text: string, folder: string): Promise<RemoteListing | undefined> {
  if (!text.startsWith(HEAD)) return undefined;
  const sorter = new ListingSorter(folder, true);
  if (text === `${HEAD}}}`) return sorter.listing();
  let since = performance.now();
  ENTRY.lastIndex = HEAD.length;
  for (let count = 1; ; count++) {
    const at = ENTRY.lastIndex;
    const found = ENTRY.exec(text);
    if (!found) return undefined;
    sorter.add(found[1] ?? '', found[2] ?? '');
    if (found[3] !== ',') return sorter.listing();
    if (count % SLICE !== 0 || performance.now() - since < SLICE_MS) continue;
    const next = at + found[0].length;
    await delay(0);
    since = performance.now();
    // The expression is shared: another listing may have been read meanwhile.
    ENTRY.lastIndex = next;
  }
}

class ListingSorter {
  readonly #folder: string;
  readonly #files = new Map<string, RemoteFile>();
  readonly #frozen = new Map<string, FrozenReason>();
  readonly #others = new Map<string, Hash>();
  #complete: boolean;

  constructor(folder: string, complete: boolean) {
    this.#folder = folder;
    this.#complete = complete;
  }

  add(raw: string, hash: string): void {
    const path = raw.startsWith('/') ? raw.slice(1) : raw;
    if (!HASH.test(hash)) this.#complete = false;
    else if (!isInside(path, this.#folder)) this.#others.set(raw, hash);
    else this.#addOurs(path, raw, hash);
  }

  listing(): RemoteListing {
    return { files: this.#files, frozen: this.#frozen, others: this.#others, complete: this.#complete };
  }

  #addOurs(path: string, raw: string, hash: string): void {
    const count = this.#files.size;
    let reason = path === this.#folder ? 'invalidName' : checkName(path);
    if (reason === undefined) this.#files.set(path, { hash });
    // One path under two names, with and without a slash: neither can be trusted.
    if (reason === undefined && this.#files.size === count) reason = 'invalidName';
    if (reason === undefined && !this.#frozen.has(path)) return;
    this.#files.delete(path);
    this.#frozen.set(path, reason ?? 'invalidName');
    this.#others.set(raw, hash);
  }
}

/** Whether the server says in one of the usual ways that the list goes on. */
function saysMore(answer: HashesAnswer): boolean {
  const { truncated, hasMore, nextCursor, pageInfo, total } = answer as Readonly<Record<string, unknown>>;
  if (truncated === true || hasMore === true) return true;
  if (typeof nextCursor === 'string' && nextCursor !== '') return true;
  if (typeof pageInfo === 'object' && pageInfo !== null && 'hasNextPage' in pageInfo && pageInfo.hasNextPage === true) {
    return true;
  }
  return typeof total === 'number' && total > Object.keys(answer.files).length;
}

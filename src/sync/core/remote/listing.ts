import { delay } from '#base/async.ts';
import { isInside } from '#base/path.ts';
import type { BaseEntry } from '#sync/core/base.ts';
import { type FileRules, nameProblem } from '#sync/core/selection/file-rules.ts';
import type { FrozenReason } from '#sync/core/planning/plan.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { RemoteFile, RemoteListing } from '#sync/core/ports.ts';
import { saysMore } from './says-more.ts';

interface HashesAnswer {
  readonly files: Readonly<Record<string, { readonly hash: string }>>;
  readonly [key: string]: unknown;
}

const HASH = /^[0-9a-f]{40}$/;

/** Splits a `file-hashes` response into our files, names that must not reach a disk, and the other files of the branch. */
export function readListing(answer: HashesAnswer, folder: string, rules: FileRules = 'sync'): RemoteListing {
  const sorter = new ListingSorter({ folder, rules, complete: !saysMore(answer) });
  // Parsed JSON has no inherited names, and building an array of 100,000 pairs takes time.
  for (const raw in answer.files) {
    const hash = answer.files[raw]?.hash ?? '';
    if (HASH.test(hash)) sorter.add(raw, hash);
    else sorter.miss();
  }
  return sorter.listing();
}

const HEAD = '{"files":{';
const MIDDLE = '":{"hash":"';
const TAIL = '"}';
const HASH_LENGTH = 40;
const END = /\}\}\s*$/y;
const QUOTE = 0x22;
const COMMA = 0x2c;
const SLICE = 1000;
const SLICE_MS = 8;

/**
 * Reads the usual form of the response directly from its text, in slices of some milliseconds: a hundred thousand
 * entries would otherwise block the extension host. Resolves to `undefined` for any other form (and for truncated
 * text), which the validator handles. Entries equal to those in `known` reuse these objects, so that a large branch is
 * in memory only once.
 */
export async function readListingText(
  text: string,
  folder: string,
  known?: KnownFiles,
  rules: FileRules = 'sync',
): Promise<RemoteListing | undefined> {
  if (!text.startsWith(HEAD)) return undefined;
  const sorter = new ListingSorter({ folder, rules, complete: true, known });
  if (text === `${HEAD}}}`) return sorter.listing();
  let since = performance.now();
  for (let at = HEAD.length, count = 1; ; count++) {
    const next = readEntry(text, at, sorter);
    if (next === undefined) return undefined;
    if (text.charCodeAt(next) !== COMMA) return endsAt(text, next) ? sorter.listing() : undefined;
    at = next + 1;
    if (count % SLICE !== 0 || performance.now() - since < SLICE_MS) continue;
    await delay(0);
    since = performance.now();
  }
}

/** Reads `"path":{"hash":"…"}` at a position, and returns the position of its end. */
function readEntry(text: string, at: number, sorter: ListingSorter): number | undefined {
  if (text.charCodeAt(at) !== QUOTE) return undefined;
  const end = text.indexOf('"', at + 1);
  const from = end + MIDDLE.length;
  if (end === -1 || !text.startsWith(MIDDLE, end) || !text.startsWith(TAIL, from + HASH_LENGTH)) return undefined;
  const path = text.slice(at + 1, end);
  const hash = text.slice(from, from + HASH_LENGTH);
  if (path.includes('\\') || !isHex(text, from)) return undefined;
  sorter.add(path, hash);
  return from + HASH_LENGTH + TAIL.length;
}

/** Checks whether the forty characters from a position are lower-case hexadecimal digits. */
function isHex(text: string, from: number): boolean {
  for (let at = from; at < from + HASH_LENGTH; at++) {
    const code = text.charCodeAt(at);
    if (!((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66))) return false;
  }
  return true;
}

function endsAt(text: string, at: number): boolean {
  END.lastIndex = at;
  return END.test(text);
}

type KnownFiles = ReadonlyMap<string, BaseEntry>;

interface SorterOptions {
  readonly folder: string;
  readonly rules: FileRules;
  readonly complete: boolean;
  readonly known?: KnownFiles | undefined;
}

class ListingSorter {
  readonly #folder: string;
  readonly #rules: FileRules;
  readonly #files = new Map<string, RemoteFile>();
  readonly #frozen = new Map<string, FrozenReason>();
  readonly #others = new Map<string, Hash>();
  readonly #known: KnownFiles | undefined;
  #complete: boolean;

  constructor({ folder, rules, complete, known }: SorterOptions) {
    this.#folder = folder;
    this.#rules = rules;
    this.#complete = complete;
    this.#known = known;
  }

  /** Records an unusable entry: the listing is incomplete. */
  miss(): void {
    this.#complete = false;
  }

  add(raw: string, hash: string): void {
    const known = this.#known?.get(raw);
    // Files that were agreed before the link was narrowed to a folder are not ours any more.
    if (known?.hash === hash && isInside(known.path, this.#folder) && this.#isNew(known)) return;
    const path = raw.startsWith('/') ? raw.slice(1) : raw;
    if (!isInside(path, this.#folder)) this.#others.set(raw, hash);
    else this.#addOurs(path, raw, hash);
  }

  listing(): RemoteListing {
    return { files: this.#files, frozen: this.#frozen, others: this.#others, complete: this.#complete };
  }

  #addOurs(path: string, raw: string, hash: string): void {
    const count = this.#files.size;
    let reason: FrozenReason | undefined = path === this.#folder ? 'folderName' : nameProblem(path, this.#rules);
    if (reason === undefined) this.#files.set(path, { hash });
    // One path listed twice, with and without a leading slash: neither entry can be trusted.
    if (reason === undefined && this.#files.size === count) reason = 'invalidName';
    if (reason === undefined && !this.#frozen.has(path)) return;
    this.#files.delete(path);
    this.#frozen.set(path, reason ?? 'invalidName');
    this.#others.set(raw, hash);
  }

  /** Adds an agreed entry, whose name was checked when it was agreed; returns false when its path was listed before. */
  #isNew(known: BaseEntry): boolean {
    const count = this.#files.size;
    this.#files.set(known.path, known);
    return this.#files.size > count && !this.#frozen.has(known.path);
  }
}

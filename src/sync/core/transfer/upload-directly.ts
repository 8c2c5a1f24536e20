import { append } from '#base/long-lists.ts';
import { asError, mapLimited } from '#base/async.ts';
import type { WriteContext } from '#sync/core/context.ts';
import { carryOut } from './carry-out.ts';
import { type Effect, writeOf } from './effects.ts';
import type { WriteReply } from '#sync/core/ports.ts';
import type { SyncRun } from './sync-run.ts';
import { KEPT_MAX, uploadInTransaction } from './upload.ts';

/** The condition of each changed file goes into one shared header line, and proxies cut lines beyond 4 KB. */
export const BATCH_FILES = 80;
/** Where none of the files may exist yet, one short condition covers all of them. */
const BATCH_NEW_FILES = 200;
const BATCH_BYTES = 1024 * 1024;
/** Larger files are not embedded in JSON. */
const FILE_BYTES = 5 * 1024 * 1024;
/** With more requests than these, it pays to find out first whether conditions are honoured. */
const FEW_REQUESTS = 2;
/** The number of concurrent requests; each contains different files. */
const BATCHES = 4;
/** The number of versions written to the store concurrently. */
const KEEPING = 8;

interface Reading {
  readonly effect: Effect;
  readonly bytes: Uint8Array;
}

/**
 * Uploads files in conditional writes of many files each, several at a time; confirmed files are never sent again.
 * Files that are not text, or too large to embed in JSON, go through a transaction afterwards; so do many files on a
 * platform without conditional writes, because the branch has to be listed before each request.
 */
export async function uploadDirectly(context: WriteContext, uploads: readonly Effect[], run: SyncRun): Promise<void> {
  const sender = new BatchSender(context, uploads.length <= KEPT_MAX, run);
  const rest: Effect[] = [];
  const groups = [...batches(uploads, true), ...batches(uploads, false)];
  const isMany = groups.length > FEW_REQUESTS;
  for (const batch of isMany && sender.mustProbe ? withProbe(groups) : groups) {
    if (run.stopped) break;
    if (rest.length > 0 || (isMany && sender.isTooExpensive)) append(rest, batch);
    else await sender.send(batch);
  }
  const unfit = await sender.end();
  if (rest.length + unfit.length > 0 && !run.stopped) await uploadInTransaction(context, [...rest, ...unfit], run);
}

/** Sends the first file alone: a server that supports conditions returns an entity tag for a single file. */
function withProbe([first = [], ...others]: readonly (readonly Effect[])[]): readonly (readonly Effect[])[] {
  return [first.slice(0, 1), first.slice(1), ...others].filter((group) => group.length > 0);
}

/** Batches new and changed files separately: their conditions differ in length. */
function batches(uploads: readonly Effect[], areNew: boolean): readonly (readonly Effect[])[] {
  const chosen = uploads.filter(({ facets }) => (facets[0]?.before === undefined) === areNew);
  const most = areNew ? BATCH_NEW_FILES : BATCH_FILES;
  const groups: Effect[][] = [];
  let size = 0;
  for (const effect of chosen) {
    const own = effect.entry.kind === 'upload' ? effect.entry.size : 0;
    const last = groups.at(-1);
    if (last && last.length < most && size + own <= BATCH_BYTES) {
      last.push(effect);
      size += own;
    } else {
      groups.push([effect]);
      size = own;
    }
  }
  return groups;
}

class BatchSender {
  readonly #context: WriteContext;
  readonly #keep: boolean;
  readonly #run: SyncRun;
  readonly #sending = new Set<Promise<void>>();
  readonly #unfit: Effect[] = [];
  #sent = 0;
  #failure: Error | undefined;

  constructor(context: WriteContext, keep: boolean, run: SyncRun) {
    this.#context = context;
    this.#keep = keep;
    this.#run = run;
  }

  /** Whether it is still unknown if the platform honours conditions. */
  get mustProbe(): boolean {
    return !this.#context.writer.honoursPreconditions;
  }

  /** Whether further requests are too expensive: after the first one, each would have to list the whole branch before. */
  get isTooExpensive(): boolean {
    return this.#sent > 0 && this.mustProbe;
  }

  /** Reads and sends a batch; resolves when the next one may follow. */
  async send(batch: readonly Effect[]): Promise<void> {
    const { ports, writer } = this.#context;
    const readings: Reading[] = [];
    for (const effect of batch) {
      const content = await ports.files.read(effect.entry.path);
      // Hash the bytes that are actually sent: what changed since the plan is left out.
      if (content?.hash !== effect.facets[0]?.after) this.#run.changed.add(effect.entry.path);
      else if (content && (content.bytes.length > FILE_BYTES || !writer.canPut(content.bytes))) {
        this.#unfit.push(effect);
      } else if (content) readings.push({ effect, bytes: content.bytes });
    }
    if (readings.length === 0) return;
    const sent: Promise<void> = this.#put(readings)
      .catch((thrown: unknown) => {
        this.#failure ??= asError(thrown);
      })
      .finally(() => this.#sending.delete(sent));
    this.#sending.add(sent);
    this.#sent += 1;
    // The first reply shows whether the platform honours conditions.
    if (this.#sent === 1 || this.#sending.size >= BATCHES) await Promise.race(this.#sending);
    if (this.#failure) await this.end();
  }

  /** Waits for all requests; resolves to the effects that need a transaction. */
  async end(): Promise<readonly Effect[]> {
    await Promise.all(this.#sending);
    if (this.#failure) throw this.#failure;
    return this.#unfit;
  }

  async #put(readings: readonly Reading[]): Promise<void> {
    const bytesOf = new Map(readings.map(({ effect, bytes }) => [effect, bytes]));
    const writes = (effects: readonly Effect[]): ReturnType<typeof writeOf>[] =>
      effects.map((effect) => writeOf(effect, bytesOf.get(effect) ?? new Uint8Array()));
    const send = (effects: readonly Effect[]): Promise<WriteReply> =>
      this.#context.link.timed(() => this.#context.writer.put(writes(effects), this.#run.signal, this.#run.why));
    const { done, confirmed } = await carryOut(this.#context, [...bytesOf.keys()], send, this.#run);
    if (!this.#keep) return;
    await mapLimited(writes([...done, ...confirmed]), KEEPING, ({ hash, bytes }) =>
      this.#context.ports.blobs.put(hash, bytes),
    );
  }
}

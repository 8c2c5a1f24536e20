import { createHash } from 'node:crypto';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import type { ChatFiles } from '#chat-core/ports.ts';
import { type ModelWhenAsked, ProposalRecords } from '#chat-core/proposal-records.ts';
import { proposedPaths } from '#chat-core/proposed-files.ts';
import type { ChatService } from '#chat-core/service.ts';
import { type ChatThread, finalAnswer } from '#chat-core/thread.ts';

interface OriginDeps {
  readonly service: ChatService;
  readonly files: ChatFiles;
  readonly logger: Logger;
  /** The model as it is now. */
  readonly snapshot: () => Promise<ModelWhenAsked | undefined>;
}

/** Stores the basis of each answer: the model at the moment when its question was sent. */
export class ProposalOrigins implements Disposable {
  readonly #deps: OriginDeps;
  readonly #store = new DisposableStore();
  readonly #records = new Map<string, ProposalRecords>();
  /** Snapshots for questions of this window, by turn. */
  readonly #taken = new Map<string, Promise<void>>();

  constructor(deps: OriginDeps) {
    this.#deps = deps;
    const { service } = deps;
    this.#store.add(service.onDidChangeThread((thread) => this.#onThread(thread)));
    this.#store.add(
      service.onDidEnd(({ thread, turn }) => {
        const paths = proposedPaths(finalAnswer(turn));
        void this.#guarded(async () => (await this.of(thread.key, turn.id)).keepFiles(turn.id, paths));
      }),
    );
    this.#store.add(service.onDidRemove((key) => this.#records.delete(key)));
  }

  /** Resolves to a thread's records once the snapshot of the turn is stored. */
  async of(thread: string, turn: string): Promise<ProposalRecords> {
    await this.#taken.get(`${thread} ${turn}`);
    return this.#recordsOf(thread);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #recordsOf(thread: string): ProposalRecords {
    const known = this.#records.get(thread);
    if (known) return known;
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const records = new ProposalRecords(this.#deps.files, thread, hash);
    this.#records.set(thread, records);
    return records;
  }

  #onThread({ key, turns }: ChatThread): void {
    const turn = turns.at(-1);
    const id = `${key} ${turn?.id ?? ''}`;
    if (turn?.phase !== 'sending' || this.#taken.has(id)) return;
    const taken = this.#guarded(async () => {
      const snapshot = await this.#deps.snapshot();
      if (snapshot) await this.#recordsOf(key).begin(turn.id, snapshot);
    });
    this.#taken.set(id, taken);
  }

  /** Logs a failure instead of throwing: without a snapshot, proposals can still be opened as drafts. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.logger.warn('The model could not be stored for later proposals', { reason: String(error) });
    }
  }
}

import { append } from '#base/long-lists.ts';
import { Sequencer, mapLimited } from '#base/async.ts';
import type { Logger } from '#base/log.ts';
import type { ChatFiles } from './ports.ts';
import { queuedOf, withAwaitedQueue } from './queue.ts';
import { type ChatThread, type ChatTurn, type QueuedQuestion, isRunning } from './thread.ts';
import { isProposalFile } from './proposal-files.ts';
import { type StoredRecord, type ThreadSummary, parseSummaries, summaryOf } from './records.ts';
import { restored } from './restored-thread.ts';

const INDEX = 'index.json';
const THREAD_FILE = /^thread-.+\.jsonl$/;

/**
 * Stores threads across restarts: one append-only file per thread, one record per line, and an index that is replaced atomically.
 * A streaming message is only written once it is complete, because the platform replays it. A torn last line is ignored.
 */
export class TranscriptStore {
  readonly #files: ChatFiles;
  readonly #logger: Logger;
  readonly #writes = new Sequencer();
  /** The content of each thread's file. */
  readonly #saved = new Map<string, ChatThread>();
  /** Files whose last line may be torn, so that the next record must begin on a new line. */
  readonly #torn = new Set<string>();

  constructor(files: ChatFiles, logger: Logger) {
    this.#files = files;
    this.#logger = logger;
  }

  /**
   * Resolves to all threads, latest first. The files are authoritative: a thread missing from the index is restored (two windows
   * may write the index at once), and one without a file is dropped.
   */
  async list(): Promise<readonly ThreadSummary[]> {
    const [index, names] = await Promise.all([this.#files.read(INDEX), this.#files.names()]);
    const there = new Set(names);
    const listed = parseSummaries(index).filter(({ key }) => there.has(fileOf(key)));
    const known = new Set(listed.map(({ key }) => fileOf(key)));
    const lost = await mapLimited(
      names.filter((name) => THREAD_FILE.test(name) && !known.has(name)),
      4,
      async (name) => restored((await this.#files.read(name)) ?? ''),
    );
    const found = lost.flatMap((thread) => (thread ? [summaryOf(thread)] : []));
    return [...listed, ...found].sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /**
   * Reads a thread after all pending writes; a turn that was running when the window closed becomes `interrupted`. Later saves
   * build on it only where `adopt` returns true: a save writes what differs from the thread that it builds on, so questions of
   * another window that this one never had would count as removed here.
   */
  async load(key: string, adopt: (thread: ChatThread) => boolean = () => true): Promise<ChatThread | undefined> {
    return this.#writes.queue(async () => {
      const text = await this.#files.read(fileOf(key));
      const stored = text === undefined ? undefined : restored(text);
      const thread = stored && withAwaitedQueue(stored);
      if (text !== undefined && !text.endsWith('\n')) this.#torn.add(key);
      if (thread && adopt(thread)) this.#saved.set(key, thread);
      return thread;
    });
  }

  /** Reads a thread from its file; unlike `load`, later saves do not build on it. */
  async read(key: string): Promise<ChatThread | undefined> {
    const text = await this.#files.read(fileOf(key));
    return text === undefined ? undefined : restored(text);
  }

  /**
   * Reads the state of a waiting question from the file. `gone`: another window has sent or removed it; `unknown`: it could not be
   * written, so only this window has it. If the file cannot be read, the question is held for the user.
   */
  async findQueued(key: string, id: string): Promise<'waits' | 'held' | 'gone' | 'unknown'> {
    const isWritten = queuedOf(this.#saved.get(key), id) !== undefined;
    try {
      const found = queuedOf(await this.read(key), id);
      if (found) return found.isHeld ? 'held' : 'waits';
      return isWritten ? 'gone' : 'unknown';
    } catch (error) {
      this.#logger.warn('The chat history could not be read', { reason: String(error) });
      return 'held';
    }
  }

  /** Resolves to the threads that this window stored and whose file something else has removed. */
  async removedElsewhere(): Promise<readonly string[]> {
    // Taken before listing, so that a thread that is saved meanwhile does not count as removed.
    const kept = [...this.#saved.keys()];
    const there = new Set(await this.#files.names());
    return kept.filter((key) => !there.has(fileOf(key)));
  }

  /** Writes the changes since the last save. Failures are logged: a full disk must not end a conversation. */
  async save(thread: ChatThread): Promise<void> {
    await this.#writes
      .queue(async () => {
        // Nothing changed: a file that was deleted meanwhile must not be written again.
        if (this.#saved.get(thread.key) === thread) return;
        const isThere = (await this.#files.names()).includes(fileOf(thread.key));
        // Another window removed the file, but the thread continues here: write all of it again.
        const records = changes(isThere ? this.#saved.get(thread.key) : undefined, thread);
        if (records.length === 0) return;
        const begin = isThere && this.#torn.has(thread.key) ? '\n' : '';
        this.#torn.add(thread.key);
        await this.#files.append(
          fileOf(thread.key),
          begin + records.map((record) => `${JSON.stringify(record)}\n`).join(''),
        );
        this.#torn.delete(thread.key);
        this.#saved.set(thread.key, thread);
        await this.#updateIndex((list) => [summaryOf(thread), ...list.filter(({ key }) => key !== thread.key)]);
      })
      .catch((error: unknown) =>
        this.#logger.error('The chat history could not be written', { reason: String(error) }),
      );
  }

  async remove(key: string): Promise<void> {
    await this.#writes.queue(async () => {
      this.#saved.delete(key);
      await this.#files.remove(fileOf(key));
      for (const name of await this.#files.names()) if (isProposalFile(name, key)) await this.#files.remove(name);
      await this.#updateIndex((list) => list.filter((summary) => summary.key !== key));
    });
  }

  /** Reads again before each write: another window may have added threads. */
  async #updateIndex(change: (list: readonly ThreadSummary[]) => readonly ThreadSummary[]): Promise<void> {
    await this.#files.replace(INDEX, JSON.stringify(change(await this.list())));
  }
}

function fileOf(key: string): string {
  return `thread-${key}.jsonl`;
}

function changes(saved: ChatThread | undefined, thread: ChatThread): StoredRecord[] {
  if (saved === thread) return [];
  const records: StoredRecord[] = [];
  const { turns, ...meta } = thread;
  const { queued, ...head } = meta;
  if (!saved) records.push({ kind: 'thread', ...meta });
  else if (saved.chatId !== head.chatId || saved.title !== head.title) records.push({ kind: 'thread', ...head });
  const before = new Map(saved?.turns.map((turn) => [turn.id, turn]));
  for (const turn of turns) {
    const known = before.get(turn.id);
    if (turn !== known) append(records, turnChanges(known, turn));
  }
  // After the turns: if this line is torn, the file also has the question's turn, which is recognised by its id.
  if (saved) append(records, queueChanges(saved.queued ?? [], queued ?? []));
  return records;
}

function queueChanges(saved: readonly QueuedQuestion[], now: readonly QueuedQuestion[]): StoredRecord[] {
  const kept = new Set(now.map(({ id }) => id));
  const gone = saved.filter(({ id }) => !kept.has(id));
  const known = new Map(saved.map((question) => [question.id, question.isHeld]));
  const added = now.filter(({ id, isHeld }) => known.get(id) !== isHeld);
  return [
    ...gone.map(({ id }): StoredRecord => ({ kind: 'unqueued', id })),
    ...added.map((question): StoredRecord => ({ kind: 'queued', ...question })),
  ];
}

function turnChanges(known: ChatTurn | undefined, turn: ChatTurn): StoredRecord[] {
  const { messages, ...meta } = turn;
  const records: StoredRecord[] = [];
  // The outcome of a stop may arrive after it.
  const isTold = !isRunning(turn) && known?.note !== turn.note;
  if (!known || known.phase !== turn.phase || known.usage !== turn.usage || isTold) {
    const order = isRunning(turn) ? undefined : messages.toArray().map(({ id }) => id);
    records.push({ kind: 'turn', ...meta, order });
  }
  for (const message of messages) {
    const settledNow = !message.isInProcess || !isRunning(turn);
    const saved = known?.messages.get(message.id);
    const { recent: _, ...kept } = message;
    if (settledNow && (message !== saved || saved.isInProcess))
      records.push({ kind: 'message', turn: turn.id, ...kept });
  }
  return records;
}

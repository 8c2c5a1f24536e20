import { Sequencer, mapLimited } from '#base/async.ts';
import { KeyedList } from '#base/keyed-list.ts';
import type { Logger } from '#base/log.ts';
import type { ChatFiles } from './ports.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, isRunning } from './thread.ts';
import { isProposalFile } from './proposal-records.ts';
import { type StoredRecord, type ThreadSummary, parseRecord, parseSummaries, summaryOf } from './records.ts';

const INDEX = 'index.json';
const THREAD_FILE = /^thread-.+\.jsonl$/;

/**
 * Keeps threads across restarts: one append-only file a thread, one record a line, and an index that is replaced
 * atomically. What is still streaming is not written word by word: the platform replays it. A torn last line is ignored.
 */
export class TranscriptStore {
  readonly #files: ChatFiles;
  readonly #logger: Logger;
  readonly #writes = new Sequencer();
  /** What each thread's file holds. */
  readonly #saved = new Map<string, ChatThread>();
  /** Files whose last line may be torn: the next record begins on a line of its own. */
  readonly #torn = new Set<string>();

  constructor(files: ChatFiles, logger: Logger) {
    this.#files = files;
    this.#logger = logger;
  }

  /**
   * All threads, latest first. The files are the truth: one that the index has lost is found again (two windows may write
   * the index at once), one without a file is gone.
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

  /** Reads a thread; a turn that was running when the window closed is `interrupted`. */
  async load(key: string): Promise<ChatThread | undefined> {
    const text = await this.#files.read(fileOf(key));
    const thread = text === undefined ? undefined : restored(text);
    if (thread) this.#saved.set(key, thread);
    if (text !== undefined && !text.endsWith('\n')) this.#torn.add(key);
    return thread;
  }

  /** A thread as its file has it; unlike `load`, nothing continues from what is read here. */
  async read(key: string): Promise<ChatThread | undefined> {
    const text = await this.#files.read(fileOf(key));
    return text === undefined ? undefined : restored(text);
  }

  /** The threads that were kept from here, and whose file someone else has removed. */
  async removedElsewhere(): Promise<readonly string[]> {
    // Before listing: a thread that is saved meanwhile is not in the list.
    const kept = [...this.#saved.keys()];
    const there = new Set(await this.#files.names());
    return kept.filter((key) => !there.has(fileOf(key)));
  }

  /** Writes what has changed since the last save. Failures are logged: a full disk must not end a conversation. */
  async save(thread: ChatThread): Promise<void> {
    await this.#writes
      .queue(async () => {
        // Nothing new: a file that was erased meanwhile is not written again.
        if (this.#saved.get(thread.key) === thread) return;
        const isThere = (await this.#files.names()).includes(fileOf(thread.key));
        // Removed by another window, but someone continues here: written again as a whole.
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

  /** Read again before each write: another window may have added threads. */
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
  const isOther = saved?.chatId !== meta.chatId || saved?.title !== meta.title || saved?.queued !== meta.queued;
  if (!saved || isOther) records.push({ kind: 'thread', ...meta });
  const before = new Map(saved?.turns.map((turn) => [turn.id, turn]));
  for (const turn of turns) {
    const known = before.get(turn.id);
    if (turn !== known) records.push(...turnChanges(known, turn));
  }
  return records;
}

function turnChanges(known: ChatTurn | undefined, turn: ChatTurn): StoredRecord[] {
  const { messages, ...meta } = turn;
  const records: StoredRecord[] = [];
  if (!known || known.phase !== turn.phase || known.usage !== turn.usage) {
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

function restored(text: string): ChatThread | undefined {
  let thread: ChatThread | undefined;
  const turns = new Map<string, RestoredTurn>();
  for (const line of text.split('\n')) {
    const record = parseRecord(line);
    if (record?.kind === 'thread') {
      const { kind: _, ...meta } = record;
      thread = { ...meta, turns: [] };
    } else if (record?.kind === 'turn') {
      const { kind: _, order = [], ...meta } = record;
      const messages = turns.get(meta.id)?.messages ?? new Map<string, ChatMessage>();
      turns.set(meta.id, { meta, order, messages });
    } else if (record) {
      const { kind: _, turn, ...message } = record;
      turns.get(turn)?.messages.set(message.id, message);
    }
  }
  if (!thread) return undefined;
  const all = [...turns.values()].map(({ meta, order, messages }) =>
    interrupted({ ...meta, messages: KeyedList.of(inOrder(messages, order)) }),
  );
  return { ...thread, turns: all.sort((a, b) => a.startedAt - b.startedAt) };
}

interface RestoredTurn {
  readonly meta: Omit<ChatTurn, 'messages'>;
  readonly order: readonly string[];
  readonly messages: Map<string, ChatMessage>;
}

/** Those that the order names first, in it; the others as they were written. */
function inOrder(messages: ReadonlyMap<string, ChatMessage>, order: readonly string[]): readonly ChatMessage[] {
  const named = order.flatMap((id) => messages.get(id) ?? []);
  return [...named, ...messages.values()];
}

function interrupted(turn: ChatTurn): ChatTurn {
  if (!isRunning(turn)) return turn;
  return turn.phase === 'stopping' ? { ...turn, phase: 'stopped' } : { ...turn, phase: 'interrupted' };
}

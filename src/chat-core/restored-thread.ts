import { KeyedList } from '#base/keyed-list.ts';
import { abandonedNote, lostUnnamedNote, unnamedNote } from './problem.ts';
import { withoutAsked } from './queue.ts';
import { type StoredRecord, parseRecord } from './records.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, type QueuedQuestion, isRunning } from './thread.ts';

/** Restores a thread from the lines of its file; returns `undefined` if none of them identifies the thread. */
export function restored(text: string): ChatThread | undefined {
  const thread = new Restored();
  for (const line of text.split('\n')) {
    const record = parseRecord(line);
    if (record) thread.take(record);
  }
  return thread.value;
}

type RecordOf<Kind extends StoredRecord['kind']> = Extract<StoredRecord, { readonly kind: Kind }>;

/** Assembles a thread from its records; later ones replace earlier ones. */
class Restored {
  #head: Omit<ChatThread, 'turns'> | undefined;
  readonly #turns = new Map<string, RestoredTurn>();
  readonly #queued = new Map<string, QueuedQuestion>();

  take(record: StoredRecord): void {
    switch (record.kind) {
      case 'thread':
        this.#takeHead(record);
        break;
      case 'queued':
        this.#queued.set(record.id, questionOf(record));
        break;
      case 'unqueued':
        this.#queued.delete(record.id);
        break;
      case 'turn':
        this.#takeTurn(record);
        break;
      case 'message':
        this.#takeMessage(record);
        break;
    }
  }

  get value(): ChatThread | undefined {
    if (!this.#head) return undefined;
    const turns = [...this.#turns.values()].map(({ meta, order, messages }) =>
      interrupted({ ...meta, messages: KeyedList.of(inOrder(messages, order)) }),
    );
    const queued = this.#queued.size === 0 ? undefined : [...this.#queued.values()];
    return withoutAsked({ ...this.#head, turns: turns.sort((a, b) => a.startedAt - b.startedAt), queued });
  }

  #takeHead(record: RecordOf<'thread'>): void {
    const { kind: _, queued, ...head } = record;
    this.#head = head;
    if (queued) this.#queued.clear();
    for (const question of queued ?? []) this.#queued.set(question.id, question);
  }

  #takeTurn(record: RecordOf<'turn'>): void {
    const { kind: _, order = [], ...meta } = record;
    const messages = this.#turns.get(meta.id)?.messages ?? new Map<string, ChatMessage>();
    this.#turns.set(meta.id, { meta, order, messages });
  }

  #takeMessage(record: RecordOf<'message'>): void {
    const { kind: _, turn, ...message } = record;
    this.#turns.get(turn)?.messages.set(message.id, message);
  }
}

interface RestoredTurn {
  readonly meta: Omit<ChatTurn, 'messages'>;
  readonly order: readonly string[];
  readonly messages: Map<string, ChatMessage>;
}

function questionOf({ id, prompt, isHeld }: RecordOf<'queued'>): QueuedQuestion {
  return { id, prompt, isHeld };
}

/** Returns the messages that the order names, followed by the others as they were written. */
function inOrder(messages: ReadonlyMap<string, ChatMessage>, order: readonly string[]): readonly ChatMessage[] {
  const named = order.flatMap((id) => messages.get(id) ?? []);
  return [...named, ...messages.values()];
}

/** Returns the turn after its window closed. A stop that was not confirmed by then stays unconfirmed. */
function interrupted(turn: ChatTurn): ChatTurn {
  if (turn.phase === 'stopping') return { ...turn, phase: 'stopped', note: abandonedNote };
  if (turn.phase === 'stopped' && turn.note === unnamedNote) return { ...turn, note: lostUnnamedNote };
  return isRunning(turn) ? { ...turn, phase: 'interrupted' } : turn;
}

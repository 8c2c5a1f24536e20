import { type Signal, batch, computed, signal } from '@preact/signals';
import {
  type HostToView,
  type ContextKind,
  isRunningPhase,
  type TaskName,
  taskOf,
  type ViewAttachment,
  type ViewContext,
  type ViewHeader,
  type ViewMention,
  type ViewThread,
  type ViewThreadItem,
} from '#features/chat/messages.ts';
import { Drafts } from './drafts.ts';
import type { Host } from './host.ts';
import { Pace, type PaceClock, windowClock } from './pace.ts';
import { proposalAnnouncement } from './proposal-announcement.ts';
import { ResultRows } from './result-rows.ts';
import { type ReplicaState, applyPatch, applySnapshot } from './replica-state.ts';

/** The model files that an answer proposes, and their folder if the window has several. */
type Proposed = Pick<Extract<HostToView, { readonly type: 'proposals' }>, 'files' | 'folder'>;

export interface ChartData {
  readonly spec: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Why the chart must not be drawn. */
  readonly failure?: string | undefined;
}

type Refused = Extract<HostToView, { readonly type: 'refused' }>;
type FoundThread = Extract<HostToView, { readonly type: 'foundThreads' }>['found'][number];
type HostRequest = 'focus' | undefined;

/** The state of this view, as signals. The host fills it; only drafts and folds belong to the view. */
export class ChatModel {
  readonly #host: Host;
  readonly #replica: Signal<ReplicaState | undefined> = signal(undefined);
  readonly thread = computed<ViewThread | undefined>(() => this.#replica.value?.thread);
  readonly threads = signal<readonly ViewThreadItem[]>([]);
  readonly header = signal<ViewHeader>({ examples: [], sendWith: 'enter', fontSize: 0 });
  readonly attachments = signal<readonly ViewAttachment[]>([]);
  /** The items that the user has open in the editor. */
  readonly context = signal<readonly ViewContext[]>([]);
  /** The kinds of context that the user has switched on or off here. */
  readonly #switched: Signal<Readonly<Record<string, boolean>>> = signal({});
  /** The kinds of context that are attached to the question being written. */
  readonly contextOn = computed<readonly ContextKind[]>(() => {
    const task = taskOf(this.draft.value);
    const needed: readonly ContextKind[] = task ? TASK_CONTEXT[task] : [];
    const isOn = ({ kind, isOn: byDefault }: ViewContext): boolean =>
      this.#switched.value[kind] ?? (byDefault || needed.includes(kind));
    return this.context.value.filter(isOn).map(({ kind }) => kind);
  });
  /** The matches for the name being typed, and the number of the latest request for them. */
  readonly mentions = signal<readonly ViewMention[]>([]);
  #mentionsAsked = 0;
  /** The threads whose texts contain the search text. */
  readonly foundThreads = signal<readonly FoundThread[]>([]);
  #searched = 0;
  readonly charts = signal<ReadonlyMap<string, ChartData>>(new Map());
  /** Proposed files, by turn. */
  readonly proposals = signal<ReadonlyMap<string, Proposed>>(new Map());
  readonly refused = signal<Refused | undefined>(undefined);
  readonly draft = signal('');
  /** Offset of the cursor in the draft. */
  readonly cursor = signal(0);
  /** The turn whose *Stop* was clicked: shown as stopping before the host confirms it. */
  readonly stopping = signal<string | undefined>(undefined);
  readonly showsThreads = signal(false);
  readonly finds = signal(false);
  /** The search text in lower case; folded sections that contain it unfold meanwhile. */
  readonly findQuery = signal('');
  /** A request of the host to the view; cleared by the component that carries it out. */
  readonly hostRequest = signal<HostRequest>(undefined);
  readonly announcement = signal('');
  readonly #drafts: Drafts;
  /** Every thread that was ever listed: one that is no longer listed was deleted, here or elsewhere. */
  readonly #listed = new Set<string>();
  /** The rows of results that were opened. */
  readonly #results = new Map<string, ResultRows>();

  constructor(host: Host, clock: PaceClock = windowClock) {
    this.#host = host;
    this.#drafts = new Drafts(host.saved(), host.save);
    this.#switched.value = this.#drafts.switched;
    const pace = new Pace<HostToView>(clock, (messages) =>
      batch(() => messages.forEach((message) => this.#receive(message))),
    );
    host.listen((message) => pace.push(message, !isText(message)));
    host.post({ type: 'ready', thread: this.#drafts.thread });
  }

  /** Returns the rows of a result of which the host holds `loaded` rows. */
  resultOf(where: { readonly turn: string; readonly id: string }, loaded: number): ResultRows {
    const key = partKey(where.turn, where.id);
    const known = this.#results.get(key);
    if (known?.loaded === loaded) return known;
    const rows = new ResultRows(where, loaded, this.#host.post);
    this.#results.set(key, rows);
    return rows;
  }

  /** Stores the unsent text, also across reloads. */
  setDraft(text: string, cursor = text.length): void {
    batch(() => {
      this.draft.value = text;
      this.cursor.value = cursor;
    });
    if (this.thread.value) this.#drafts.set(this.thread.value, text);
  }

  /** Hands a question to the host; it comes back if it does not arrive. Other text written meanwhile stays. */
  handOver(query: string): void {
    this.#drafts.handOver(query);
    if (this.draft.value === query) this.setDraft('');
  }

  /** Puts another text into the composer; an unsent draft is stored among the earlier texts. */
  compose(text: string): void {
    const draft = this.draft.value;
    if (draft.trim() !== '' && draft !== text) {
      this.#drafts.keepAside(draft);
      this.announcement.value = DRAFT_KEPT;
    }
    this.setDraft(text);
  }

  /** Asks the host for matches of the name being typed; `undefined` means that none is being typed. */
  findMentions(query: string | undefined): void {
    this.#mentionsAsked += 1;
    if (query === undefined) this.mentions.value = [];
    else this.#host.post({ type: 'mentions', version: this.#mentionsAsked, query: query.slice(0, 200) });
  }

  /** Searches the texts of all threads; an empty search finds nothing. */
  searchThreads(query: string): void {
    this.#searched += 1;
    this.foundThreads.value = [];
    if (query !== '') this.#host.post({ type: 'searchThreads', version: this.#searched, query: query.slice(0, 200) });
  }

  switchContext(kind: ContextKind, isOn: boolean): void {
    this.#switched.value = this.#drafts.switchContext(kind, isOn);
    this.announcement.value = isOn ? 'Sent with the question' : 'Not sent';
  }

  /** The questions of this thread and replaced drafts, oldest first: the composer recalls them. */
  get earlier(): readonly string[] {
    const asked = this.thread.value?.turns.map(({ head }) => head.prompt) ?? [];
    return [...new Set([...asked, ...this.#drafts.setAside].toReversed())].toReversed();
  }

  /** Makes a text without a thread the draft, or sets it aside if there is a draft already. */
  #giveBack(text: string): void {
    if (text === '') return;
    if (this.draft.value === '' || this.draft.value === text) {
      this.setDraft(text);
      return;
    }
    this.#drafts.keepAside(text);
    this.announcement.value = DRAFT_KEPT;
  }

  /** Updates the list of threads; the drafts of deleted ones are set aside. */
  #takeThreads(threads: readonly ViewThreadItem[]): void {
    this.threads.value = threads;
    const shown = this.thread.value?.key;
    const there = new Set(threads.map(({ key }) => key));
    for (const key of this.#listed)
      if (!there.has(key) && key !== shown) {
        this.#listed.delete(key);
        this.#drafts.keepAside(this.#drafts.takeFrom(key));
      }
    for (const key of there) this.#listed.add(key);
  }

  #receive(message: HostToView): void {
    switch (message.type) {
      case 'snapshot':
        this.#takeSnapshot(message);
        break;
      case 'patch':
        this.#takePatch(message);
        break;
      case 'threads':
        this.#takeThreads(message.threads);
        break;
      case 'header':
        this.#takeHeader(message.header);
        break;
      case 'attachments':
        this.attachments.value = message.attachments;
        break;
      case 'rows':
        this.#results.get(partKey(message.turn, message.id))?.take(message);
        break;
      case 'proposals':
        this.#takeProposals(message);
        break;
      case 'chart': {
        const { spec, rows, failure } = message;
        this.charts.value = new Map(this.charts.value).set(partKey(message.turn, message.id), { spec, rows, failure });
        break;
      }
      default:
        this.#takeRequest(message);
    }
  }

  #takeRequest(
    message: Extract<
      HostToView,
      { readonly type: 'refused' | 'compose' | 'focus' | 'context' | 'mentions' | 'foundThreads' }
    >,
  ): void {
    switch (message.type) {
      case 'context':
        this.context.value = message.context;
        break;
      case 'mentions':
        if (message.version === this.#mentionsAsked) this.mentions.value = message.mentions;
        break;
      case 'foundThreads':
        if (message.version === this.#searched) this.foundThreads.value = message.found;
        break;
      case 'refused':
        this.refused.value = message;
        this.announcement.value = message.message;
        this.#drafts.arrived(message.prompt);
        if (this.draft.value === '') this.setDraft(message.prompt);
        else this.#drafts.keepAside(message.prompt);
        break;
      case 'compose':
        if (message.replace) this.compose(message.text);
        else this.setDraft(joined(this.draft.value, message.text));
        this.hostRequest.value = 'focus';
        break;
      default:
        this.hostRequest.value = message.type;
    }
  }

  #takeSnapshot(message: Extract<HostToView, { readonly type: 'snapshot' }>): void {
    const before = this.thread.value;
    this.#replica.value = applySnapshot(this.#replica.value, message);
    const now = this.#replica.value.thread;
    this.#takeHeader(message.header);
    const left = before && before.key !== now.key ? this.#draftOfDeleted(before.key, message.threads) : '';
    this.#takeThreads(message.threads);
    this.attachments.value = message.attachments;
    this.#settleStop();
    if (before?.key !== now.key) {
      this.#takeOtherThread(before, now);
      this.#giveBack(left);
      return;
    }
    this.#drafts.rename(before, now);
    this.#drafts.follow(now);
  }

  /** Follows the account: nothing that another one wrote stays on the page. */
  #takeHeader(header: ViewHeader): void {
    this.header.value = header;
    const { thread } = this;
    if (!header.owner || !this.#drafts.own(header.owner) || !thread.value) return;
    this.draft.value = this.#drafts.of(thread.value);
    this.cursor.value = this.draft.value.length;
    this.refused.value = undefined;
  }

  /** Removes and returns the draft of a thread that is no longer listed. */
  #draftOfDeleted(key: string, threads: readonly ViewThreadItem[]): string {
    const isDeleted = this.#listed.has(key) && !threads.some((listed) => listed.key === key);
    return isDeleted ? this.#drafts.takeFrom(key) : '';
  }

  #takeOtherThread(before: ViewThread | undefined, now: ViewThread): void {
    this.draft.value = this.#drafts.of(now);
    this.cursor.value = this.draft.value.length;
    const lost = this.#drafts.show(now) ?? '';
    // Without an earlier thread, the host that was to ask the question has ended. Otherwise the text may be on that earlier
    // thread.
    if (before === undefined) this.#giveBack(lost);
    else this.#drafts.keepAside(lost);
    this.refused.value = undefined;
    this.#results.clear();
    this.charts.value = new Map();
    this.proposals.value = new Map();
    this.showsThreads.value = false;
    this.finds.value = false;
  }

  #takePatch(message: Extract<HostToView, { readonly type: 'patch' }>): void {
    const state = this.#replica.value;
    const next = state && applyPatch(state, message);
    if (next) {
      this.#announce(state.thread, next.thread);
      this.#replica.value = next;
      this.#drafts.rename(state.thread, next.thread);
      this.#drafts.follow(next.thread);
      this.#settleStop();
    } else this.#host.post({ type: 'resync', reason: state ? 'a patch was missed' : 'no snapshot yet' });
  }

  #takeProposals({ turn, files, folder }: Extract<HostToView, { readonly type: 'proposals' }>): void {
    const before = this.proposals.value.get(turn)?.files ?? [];
    this.proposals.value = new Map(this.proposals.value).set(turn, { files, folder });
    const news = proposalAnnouncement(before, files);
    if (news !== '') this.announcement.value = news;
  }

  #settleStop(): void {
    const last = this.thread.value?.turns.at(-1)?.head;
    if (last?.id !== this.stopping.value || (last && !isRunningPhase(last.phase))) this.stopping.value = undefined;
  }

  #announce(before: ViewThread, now: ViewThread): void {
    const was = before.turns.at(-1)?.head;
    const is = now.turns.at(-1)?.head;
    if (is && (was?.id !== is.id || was.phase !== is.phase)) this.announcement.value = PHASE_WORDS[is.phase];
  }
}

const DRAFT_KEPT = 'Your draft was kept. Press ↑ in the empty field to get it back.';

/** Returns the key of a message of a turn. */
export function partKey(turn: string, id: string): string {
  return `${turn}/${id}`;
}

/** Whether a message only appends text: it may wait a moment. */
function isText(message: HostToView): boolean {
  return message.type === 'patch' && message.ops.every(({ op }) => op === 'append' || op === 'appendThinking');
}

/** The context that a task is about, unless the user switches it off. */
const TASK_CONTEXT: Readonly<Record<TaskName, readonly ContextKind[]>> = {
  explain: ['selection'],
  fix: ['file', 'problems', 'build'],
  measure: ['selection'],
  test: ['query', 'selection'],
  review: ['changes'],
};

const PHASE_WORDS = {
  sending: 'Sending',
  streaming: 'Answering',
  reconnecting: 'Reconnecting',
  stopping: 'Stopping',
  interrupted: 'Interrupted',
  complete: 'Answer ready',
  stopped: 'Stopped',
  failed: 'The answer failed',
} as const;

function joined(draft: string, text: string): string {
  return draft === '' ? text : `${draft}\n${text}`;
}

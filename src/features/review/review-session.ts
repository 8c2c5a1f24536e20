import { asError } from '#base/async.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import { observe, type ReadonlyStore } from '#base/store.ts';
import { changedText } from '#chat-core/changed-text.ts';
import type { AskTarget } from '#shell/targets.ts';
import { diffLines } from './diff-lines.ts';
import type { HostToReview, ReviewDetail, ReviewDocument, ReviewInput, ReviewToHost } from './messages.ts';
import type { ReviewSource, RowTexts } from './source.ts';

/** The dependencies of {@link ReviewSession}. */
export interface ReviewSessionDeps {
  /** The accounts that are signed in. */
  readonly accounts: ReadonlyStore<readonly { readonly id: string }[]>;
  readonly post: (message: HostToReview) => void;
  /** Puts a question about a row into the chat. */
  readonly ask: (question: AskTarget) => Promise<void>;
  /** Closes the tab, because the review has ended. */
  readonly end: () => void;
}

/**
 * The host side of one review: sends the source's document to the page whenever it changes, and carries out the user's actions.
 * The rows are sent only if one of them changed, so that a tick in a long list costs little.
 */
export class ReviewSession implements Disposable {
  readonly #source: ReviewSource;
  readonly #deps: ReviewSessionDeps;
  readonly #owned = new DisposableStore();
  #groups: ReviewDocument['groups'] | undefined;
  #version: number;
  #isReady = false;
  #isApplying = false;

  /** `before`: the review whose tab this one takes over. What its user pressed is not for this one, whatever its rows are. */
  constructor(source: ReviewSource, deps: ReviewSessionDeps, before?: ReviewSession) {
    this.#version = before ? before.#version : 0;
    this.#source = source;
    this.#deps = deps;
    this.#owned.add({ dispose: () => source.close() });
    this.#owned.add(observe(source.document, (document) => this.#follow(document)));
    const { accountId } = source;
    if (accountId === undefined) return;
    this.#owned.add(
      deps.accounts.onDidChange((all) => {
        if (all.every(({ id }) => id !== accountId)) deps.end();
      }),
    );
  }

  get source(): ReviewSource {
    return this.#source;
  }

  /** Handles a message of the page; rejects with the error to show. */
  async receive(message: ReviewToHost): Promise<void> {
    const source = this.#source;
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        this.#groups = undefined;
        this.#follow(source.document.value);
        return;
      case 'tick':
        source.tick(message.ids, message.isTicked);
        return;
      case 'openAll':
        await source.diffAll?.();
        return;
      case 'input':
        source.input?.(message.input);
        return;
      case 'apply':
        await this.#apply(message.version, message.input);
        return;
      case 'close':
        this.#deps.end();
        return;
      default:
        await this.#handle(message);
    }
  }

  /** Handles a message about a single row or link. */
  async #handle({ type, id }: Extract<ReviewToHost, { readonly id: string }>): Promise<void> {
    const source = this.#source;
    switch (type) {
      case 'select':
        await this.#sendDetail(id);
        return;
      case 'open':
        await source.diff(id);
        return;
      case 'explain':
        await source.explain?.(id);
        return;
      case 'ask':
        await this.#ask(id);
        return;
      case 'run':
        await source.run?.(id);
    }
  }

  /** Ends the review; no further messages are sent. */
  dispose(): void {
    this.#owned.dispose();
  }

  #follow(document: ReviewDocument | undefined): void {
    if (!document) {
      this.#deps.end();
      return;
    }
    if (!this.#isReady) return;
    const { groups } = document;
    if (groups !== this.#groups) {
      if (!isEqual(groups, this.#groups)) {
        this.#version += 1;
        this.#post({ type: 'rows', version: this.#version, groups });
      }
      this.#groups = groups;
    }
    this.#sendState(document);
  }

  #sendState(document: ReviewDocument): void {
    const { diffAll, explain } = this.#source;
    const { ticked, ...state } = document;
    this.#post({
      ...without(state, 'groups'),
      type: 'state',
      ticked: [...ticked],
      opensAll: diffAll !== undefined,
      explains: explain !== undefined,
      ...(this.#isApplying && state.busy === '' ? { busy: 'Working…' } : {}),
    });
  }

  #post(message: HostToReview): void {
    if (!this.#owned.isDisposed) this.#deps.post(message);
  }

  /** Carries out the step, unless the page showed other rows than there are now. */
  async #apply(version: number, input: ReviewInput): Promise<void> {
    const document = this.#source.document.value;
    if (this.#isApplying || !document) return;
    if (version !== this.#version) {
      this.#post({ type: 'notice', text: 'The list has just changed. Review it and try again.' });
      return;
    }
    const refusal = refusalOf(document, input);
    if (refusal !== '') {
      this.#post({ type: 'notice', text: refusal });
      return;
    }
    this.#isApplying = true;
    this.#sendState(document);
    let isDone = false;
    try {
      isDone = await this.#source.apply(input);
    } finally {
      this.#isApplying = false;
      const now = this.#source.document.value;
      if (now) this.#sendState(now);
    }
    if (isDone) this.#deps.end();
  }

  /** Asks in the chat about one row: its path, what it changes in the model, and its changed lines. */
  async #ask(id: string): Promise<void> {
    const rows = this.#source.document.value?.groups.flatMap((group) => group.rows) ?? [];
    const path = rows.find((row) => row.id === id)?.path ?? id;
    const { before, after, changes = [] } = await this.#source.texts(id);
    const text = [...changes, changedText([{ path, before, after }])].join('\n');
    const detail = this.#source.document.value?.title ?? '';
    await this.#deps.ask({ ask: '/review ', attached: [{ label: `Changes of ${path}`, detail, text }] });
  }

  async #sendDetail(id: string): Promise<void> {
    const none = { type: 'detail', id, changes: [], lines: [], more: 0 } as const;
    this.#post({ ...none, state: 'loading', text: '' });
    try {
      this.#post(detailOf(id, await this.#source.texts(id)));
    } catch (error) {
      this.#post({ ...none, state: 'failed', text: asError(error).message });
    }
  }
}

function without<T extends object, K extends keyof T>(all: T, key: K): Omit<T, K> {
  const rest = { ...all };
  delete rest[key];
  return rest;
}

/** Returns why the primary button cannot be used; empty if it can. */
function refusalOf(
  { action, confirmation }: Pick<ReviewDocument, 'action' | 'confirmation'>,
  { typed }: Pick<ReviewInput, 'typed'>,
): string {
  if (action.whyNot !== '') return action.whyNot;
  if (confirmation && typed.trim() !== confirmation.expected) return `Type “${confirmation.expected}” to confirm.`;
  return '';
}

function detailOf(id: string, { before, after, note = '', changes = [] }: RowTexts): ReviewDetail {
  const base = { type: 'detail', id, state: 'ready', changes } as const;
  if (before === undefined && after === undefined) return { ...base, text: note, lines: [], more: 0 };
  const diff = diffLines(before ?? '', after ?? '');
  if (!diff)
    return {
      ...base,
      text: note || 'The difference is too large to show here. Open it in the diff editor.',
      lines: [],
      more: 0,
    };
  return { ...base, text: note || (diff.lines.length === 0 ? 'The content is the same.' : ''), ...diff };
}

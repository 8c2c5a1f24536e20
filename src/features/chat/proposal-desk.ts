import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import type { AcceptOptions, NotAccepted, ProposalReview } from '#chat-core/proposal-review.ts';
import { accountOfScope } from '#chat-core/scope.ts';
import type { ChatThread, ChatTurn } from '#chat-core/thread.ts';
import type { HostToView, ViewToHost } from '#features/chat/messages.ts';
import type { ProposalHost } from '#features/chat/host.ts';
import { proposalPage } from './proposal-page.ts';

interface DeskDeps {
  readonly host: ProposalHost;
  readonly thread: () => ChatThread;
  readonly post: (message: HostToView) => void;
}

type Request = Extract<ViewToHost, { readonly type: 'proposal' }>;
type Decision = Pick<Request, 'paths'> & { readonly action: Exclude<Request['action'], 'chooseFolder'> };

/** The proposed files of one view: carries out its requests, and shows the state of each file. */
export class ProposalDesk implements Disposable {
  readonly #deps: DeskDeps;
  readonly #store = new DisposableStore();
  /** Fires when the state of proposed files was read again. */
  readonly #changed = this.#store.add(new Emitter<void>());
  /** Turns whose proposals the view shows. */
  readonly #shown = new Set<string>();
  /** The number of refreshes of a turn's files so far, and the one that was posted last. */
  readonly #readings = new Map<string, { readonly begun: number; readonly posted: number }>();

  constructor(deps: DeskDeps) {
    this.#deps = deps;
    this.#store.add(deps.host.onDidChangeFiles(() => void this.#postAll()));
  }

  async handle(request: Request): Promise<void> {
    const turn = this.#turn(request.turn);
    if (!turn) return;
    const { host, thread } = this.#deps;
    const { action, paths } = request;
    const review = await host.reviewOf(thread().key, turn);
    try {
      if (action === 'chooseFolder') await host.folders.choose();
      else await this.#do({ action, paths }, turn, review);
    } finally {
      // Also after a failure, so that the buttons match the real state.
      await this.#post(turn);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #do({ action, paths }: Decision, turn: ChatTurn, review: ProposalReview): Promise<void> {
    const { host } = this.#deps;
    const [path] = paths;
    switch (action) {
      case 'list':
        return;
      case 'review':
        await this.#show(turn, review, paths);
        return;
      case 'accept':
        await this.#accept(turn, review, paths);
        return;
      case 'acceptHunks':
        if (path !== undefined) await this.#acceptHunks(turn, review, path);
        return;
      case 'reject':
        await review.reject(paths);
        return;
      case 'undo':
        if (!(await host.mayWrite())) return;
        for (const conflict of await review.undo(paths)) this.#inEditor(turn, () => review.mergeUndo(conflict));
        return;
      case 'draft':
        if (path !== undefined) await host.editors.openDraft(review, path, review.draft(path));
        return;
      default:
        action satisfies never;
    }
  }

  /**
   * Accepts files. Those that were not shown in their current form are shown first. A conflict opens the merge editor if its file
   * is the only one.
   */
  async #accept(turn: ChatTurn, review: ProposalReview, paths: readonly string[]): Promise<void> {
    const requireLanding = await this.#deps.host.mayAccept(turn.branch);
    if (!requireLanding) return;
    const { unseen, conflicts } = await this.#acceptChecked(review, paths, { requireLanding });
    const [conflict] = conflicts;
    if (unseen.length > 0) await this.#show(turn, review, unseen);
    if (conflict !== undefined && paths.length === 1) this.#inEditor(turn, () => review.merge(conflict));
  }

  async #acceptHunks(turn: ChatTurn, review: ProposalReview, path: string): Promise<void> {
    const requireLanding = await this.#deps.host.mayAccept(turn.branch);
    if (!requireLanding) return;
    const [change] = await review.changes([path]);
    const hunks = change && (await this.#deps.host.editors.pickHunks(change));
    if (hunks && hunks.length > 0) await this.#acceptChecked(review, [path], { hunks, requireLanding });
  }

  /**
   * Accepts files with the engine's check. What the engine refuses is written only if the user has read why and wants it anyway.
   */
  async #acceptChecked(review: ProposalReview, paths: readonly string[], options: AcceptOptions): Promise<NotAccepted> {
    const { engine } = this.#deps.host;
    const result = await review.accept(paths, { ...options, whileChecking: engine.whileChecking });
    if (!result.refused || !(await engine.acceptsRefused(result.refused))) return result;
    return review.accept(paths, { ...options, despiteEngine: true });
  }

  async #show(turn: ChatTurn, review: ProposalReview, paths: readonly string[]): Promise<void> {
    if (paths.length > 1 && (await this.#openPage(turn, review, paths))) return;
    await this.#showDiff(turn, review, paths);
    // A failure leaves the change as it was shown; showing it again repeats the check.
    this.#check(turn, review, paths).catch(() => undefined);
  }

  async #showDiff({ id }: ChatTurn, review: ProposalReview, paths: readonly string[]): Promise<void> {
    await this.#deps.host.editors.show(review, await review.changes(paths), (action, path) =>
      this.handle({ type: 'proposal', turn: id, action, paths: [path] }),
    );
  }

  /** Shows several files on one page; resolves to whether there is something to show. */
  async #openPage(turn: ChatTurn, review: ProposalReview, paths: readonly string[]): Promise<boolean> {
    const { host, thread } = this.#deps;
    const page = await proposalPage({
      review,
      paths,
      folder: (await host.folders.of(thread().key, turn))?.name,
      effects: host.effectsOf(review),
      onDidChange: this.#changed.event,
      editors: {
        diff: async (some) => this.#showDiff(turn, review, some),
        draft: async (path) => host.editors.openDraft(review, path, review.draft(path)),
        merge: async (path) => {
          if (await host.mayAccept(turn.branch)) this.#inEditor(turn, () => review.merge(path));
        },
      },
      check: async (some) => this.#check(turn, review, some),
      accept: async (some) => {
        const requireLanding = await host.mayAccept(turn.branch);
        if (!requireLanding) return undefined;
        const left = await this.#acceptChecked(review, some, { requireLanding });
        await this.#post(turn);
        return left;
      },
    });
    const accountId = accountOfScope(thread().scope) || undefined;
    if (page) await host.editors.openPage({ ...page, accountId });
    return page !== undefined;
  }

  /** Runs the engine's check, which takes its time; meanwhile the user can read the change. */
  async #check(turn: ChatTurn, review: ProposalReview, paths: readonly string[]): Promise<void> {
    const verdict = await review.check(paths, () => void this.#post(turn).catch(() => undefined));
    if (!verdict) return;
    this.#deps.host.engine.mark(review, verdict);
    await this.#post(turn);
  }

  /** Runs a merge without waiting for the user to finish it. */
  #inEditor(turn: ChatTurn, work: () => Promise<void>): void {
    this.#deps.host.editors.mergeInEditor(async () => {
      await work();
      await this.#post(turn);
    });
  }

  async #postAll(): Promise<void> {
    for (const id of this.#shown) {
      const turn = this.#turn(id);
      if (turn) await this.#post(turn);
    }
  }

  /** Shows the current state. A refresh that ends after a newer one is outdated: it would undo later decisions in the view. */
  async #post(turn: ChatTurn): Promise<void> {
    this.#shown.add(turn.id);
    const { host, thread, post } = this.#deps;
    const before = this.#readings.get(turn.id) ?? { begun: 0, posted: 0 };
    const reading = before.begun + 1;
    this.#readings.set(turn.id, { ...before, begun: reading });
    const review = await host.reviewOf(thread().key, turn);
    const files = (await review.items()).map((file) => ({ ...file }));
    const folder = await host.folders.of(thread().key, turn);
    const now = this.#readings.get(turn.id) ?? before;
    if (reading < now.posted) return;
    this.#readings.set(turn.id, { ...now, posted: reading });
    post({ type: 'proposals', turn: turn.id, files, folder });
    this.#changed.fire();
  }

  #turn(id: string): ChatTurn | undefined {
    return this.#deps.thread().turns.find((turn) => turn.id === id);
  }
}

import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { ChatThread, ChatTurn } from '#chat/thread.ts';
import type { HostToView, ViewToHost } from '#protocol/chat.ts';
import type { ProposalHost } from './host.ts';

interface DeskDeps {
  readonly host: ProposalHost;
  readonly thread: () => ChatThread;
  readonly post: (message: HostToView) => void;
}

/** One view's side of proposed files: does what is clicked there, and tells what became of each file. */
export class ProposalDesk implements Disposable {
  readonly #deps: DeskDeps;
  readonly #store = new DisposableStore();
  /** Turns whose proposals the view shows. */
  readonly #shown = new Set<string>();

  constructor(deps: DeskDeps) {
    this.#deps = deps;
    this.#store.add(deps.host.onDidChangeFiles(() => void this.#tellAll()));
  }

  async handle({ turn: id, action, paths }: Extract<ViewToHost, { readonly type: 'proposal' }>): Promise<void> {
    const turn = this.#turn(id);
    if (!turn) return;
    const { host, thread } = this.#deps;
    const review = host.reviewOf(thread().key, turn);
    try {
      if (action === 'review') {
        await host.show(review.proposed(paths), (decision, path) =>
          this.handle({ type: 'proposal', turn: id, action: decision, paths: [path] }),
        );
      }
      if (action === 'accept') {
        if (await host.mayAccept(turn.branch)) await review.accept(paths);
      } else if (action === 'reject' || action === 'undo') await review[action](paths);
    } finally {
      // Also after a failure: the buttons show what is.
      await this.#tell(turn);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #tellAll(): Promise<void> {
    for (const id of this.#shown) {
      const turn = this.#turn(id);
      if (turn) await this.#tell(turn);
    }
  }

  async #tell(turn: ChatTurn): Promise<void> {
    this.#shown.add(turn.id);
    const { host, thread, post } = this.#deps;
    const files = await host.reviewOf(thread().key, turn).items();
    post({ type: 'proposals', turn: turn.id, files: files.map((file) => ({ ...file })) });
  }

  #turn(id: string): ChatTurn | undefined {
    return this.#deps.thread().turns.find((turn) => turn.id === id);
  }
}

import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { derived } from '#base/derived.ts';
import type { SyncSession } from '#features/sync-sessions.ts';
import { pathsOfGroup, type PlanDirection, planSelection, planTree, type PlanNode } from '#features/trees/plan-tree.ts';
import type { Plan } from '#sync/plan.ts';

/** The plan that waits for a person's ticks. */
export interface OpenPlan {
  readonly session: SyncSession;
  readonly direction: PlanDirection;
  readonly plan: Plan;
  readonly ticked: ReadonlySet<string>;
}

/** Holds the open plan and its ticks; the view draws it, *Apply* reads it. */
export class PlanView implements Disposable {
  readonly #open = new Store<OpenPlan | undefined>(undefined);
  readonly #owned = new DisposableStore();
  readonly nodes: ReadonlyStore<readonly PlanNode[]>;

  constructor() {
    this.nodes = this.#owned.add(
      derived([this.#open.onDidChange], () => {
        const open = this.#open.value;
        return open ? planTree({ ...open, folderId: open.session.folder.folderId }) : [];
      }),
    );
  }

  get open(): ReadonlyStore<OpenPlan | undefined> {
    return this.#open;
  }

  show(session: SyncSession, direction: PlanDirection, plan: Plan): void {
    this.#open.set({ session, direction, plan, ticked: planSelection(plan, direction) });
  }

  close(): void {
    this.#open.set(undefined);
  }

  /** Ticks or unticks files; a group stands for its files. */
  tick(nodes: readonly (readonly [PlanNode, boolean])[]): void {
    const open = this.#open.value;
    if (!open) return;
    const ticked = new Set(open.ticked);
    for (const [node, checked] of nodes) {
      if (node.kind === 'guard' || node.checked === undefined) continue;
      const paths = node.kind === 'file' ? [node.path] : pathsOfGroup(open.plan, open.direction, node.group);
      for (const path of paths) {
        if (checked) ticked.add(path);
        else ticked.delete(path);
      }
    }
    this.#open.set({ ...open, ticked });
  }

  dispose(): void {
    this.#owned.dispose();
    this.#open.dispose();
  }
}

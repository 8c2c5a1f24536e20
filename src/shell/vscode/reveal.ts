import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';

/** The objects needed to reveal a row. */
export interface Revealing<E> {
  readonly view: Pick<vscode.TreeView<E>, 'visible' | 'onDidChangeVisibility' | 'reveal'>;
  readonly nodes: Pick<ReadonlyStore<unknown>, 'onDidChange'>;
  readonly elementOf: (id: string) => E | undefined;
}

/** Returns a function that selects a node's row and scrolls to it, as soon as the row exists and the view is visible. */
export function revealer<E>({ view, nodes, elementOf }: Revealing<E>, store: DisposableStore): (id: string) => void {
  let wanted: string | undefined;
  const check = (): void => {
    const id = wanted;
    const element = id === undefined ? undefined : elementOf(id);
    if (!element || !view.visible) return;
    wanted = undefined;
    // A tree that is being redrawn may refuse: the next event tries again.
    view.reveal(element, { focus: false, select: true }).then(undefined, () => (wanted ??= id));
  };
  store.add(nodes.onDidChange(check));
  store.add(view.onDidChangeVisibility(check));
  return (id) => {
    wanted = id;
    check();
  };
}

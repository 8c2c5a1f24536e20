import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';

/** What must be there to reveal a row. */
export interface Revealing<E> {
  readonly view: Pick<vscode.TreeView<E>, 'visible' | 'onDidChangeVisibility' | 'reveal'>;
  readonly nodes: Pick<ReadonlyStore<unknown>, 'onDidChange'>;
  readonly elementOf: (id: string) => E | undefined;
}

/** Answers what selects a node's row and brings it into sight, as soon as it is there and the view is shown. */
export function revealer<E>({ view, nodes, elementOf }: Revealing<E>, store: DisposableStore): (id: string) => void {
  let wanted: string | undefined;
  const check = (): void => {
    const id = wanted;
    const element = id === undefined ? undefined : elementOf(id);
    if (!element || !view.visible) return;
    wanted = undefined;
    // A tree that is just being redrawn may refuse: the next event asks again.
    view.reveal(element, { focus: false, select: true }).then(undefined, () => (wanted ??= id));
  };
  store.add(nodes.onDidChange(check));
  store.add(view.onDidChangeVisibility(check));
  return (id) => {
    wanted = id;
    check();
  };
}

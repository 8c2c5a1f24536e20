import { expect, it } from 'vitest';
import { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { Store } from '#base/store.ts';
import { revealer } from '#shell/vscode/reveal.ts';

/** A view with rows that come and go, which notes what it was asked to show. */
function shown(visible: boolean) {
  const nodes = new Store<readonly string[]>([]);
  const visibility = new Emitter<{ readonly visible: boolean }>();
  const asked: string[] = [];
  const view = {
    visible,
    refuses: false,
    onDidChangeVisibility: visibility.event,
    reveal: (id: string) => {
      asked.push(id);
      return view.refuses ? Promise.reject(new Error('not drawn')) : Promise.resolve();
    },
  };
  const elementOf = (id: string): string | undefined => nodes.value.find((each) => each === id);
  const reveal = revealer<string>({ view, nodes, elementOf }, new DisposableStore());
  const show = (): void => {
    view.visible = true;
    visibility.fire({ visible: true });
  };
  return { nodes, asked, view, reveal, show };
}

it('shows a row at once, or when it comes', () => {
  const { nodes, asked, reveal } = shown(true);
  nodes.set(['a']);
  reveal('a');
  reveal('b');
  expect(asked).toEqual(['a']);
  nodes.set(['a', 'b']);
  nodes.set(['a', 'b', 'c']);
  expect(asked).toEqual(['a', 'b']);
});

it('waits until the view is shown, and shows the last that was asked for', () => {
  const { nodes, asked, reveal, show } = shown(false);
  nodes.set(['a', 'b']);
  reveal('a');
  reveal('b');
  expect(asked).toEqual([]);
  show();
  expect(asked).toEqual(['b']);
});

it('asks again where the tree refused, unless another row was asked for since', async () => {
  const { nodes, asked, view, reveal } = shown(true);
  nodes.set(['a', 'b']);
  view.refuses = true;
  reveal('a');
  await Promise.resolve();
  await Promise.resolve();
  view.refuses = false;
  nodes.set(['b', 'a']);
  expect(asked).toEqual(['a', 'a']);
});

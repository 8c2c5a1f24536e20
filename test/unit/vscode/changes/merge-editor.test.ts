import { expect, it, vi } from 'vitest';
import { Emitter } from '#base/event.ts';

const { tabs } = vi.hoisted(() => ({ tabs: { fire: (_closed: readonly object[]): void => undefined } }));

vi.mock('vscode', () => {
  const changed = new Emitter<{ readonly closed: readonly object[] }>();
  tabs.fire = (closed) => changed.fire({ closed });
  return {
    window: { tabGroups: { onDidChangeTabs: changed.event } },
    commands: { executeCommand: () => Promise.resolve() },
  };
});

const output = { path: '/shop/model/orders.yml', toString: () => 'file:///shop/model/orders.yml' };
/** The tab of a merge as the stable API shows it. */
const tab = { label: 'Merging: orders.yml', input: undefined };

it('hears of the closing of a merge editor that VS Code brought back, and of each closing once', async () => {
  const { openMergeEditor } = await import('../../../../src/vscode/changes/merge-editor.ts');
  const side = { uri: output, title: '', description: '' };
  const open = async () => openMergeEditor(output as never, { base: output, theirs: side, mine: side } as never);
  const heard: string[] = [];
  const told = (name: string) => async (): Promise<void> => void heard.push(name);
  // The first opening of this window: its tab may be one of the window before.
  (await open())?.whenClosed(told('first'));
  // Opened again while it is there: the newer one knows what is to be done.
  (await open())?.whenClosed(told('second'));
  tabs.fire([{ label: 'orders.yml', input: undefined }]);
  expect(heard).toEqual([]);
  tabs.fire([tab]);
  expect(heard).toEqual(['second']);
  tabs.fire([tab]);
  expect(heard).toEqual(['second']);
});

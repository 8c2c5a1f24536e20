import { describe, expect, it } from 'vitest';
import { type ModelFolder, ModelFolders } from '#features/chat/model-folders.ts';
import { MemoryState } from '#support/memory-state.ts';

const folder = (id: string): ModelFolder => ({ id, name: id, modelPath: '' });

function setUp(...ids: readonly string[]) {
  let linked = ids.map(folder);
  const state = new MemoryState();
  const folders = new ModelFolders(() => linked, state);
  const current = (): string | undefined => folders.current()?.id;
  const link = (...now: readonly string[]): void => {
    linked = now.map(folder);
  };
  return { folders, current, link, state };
}

describe('the folder of the chat', () => {
  it('is the first one until the user chooses another one, which stays chosen in another window', async () => {
    const { folders, current, state } = setUp('a', 'b');
    expect(current()).toBe('a');
    await folders.choose('b');
    expect(current()).toBe('b');
    expect(new ModelFolders(() => [folder('a'), folder('b')], state).current()?.id).toBe('b');
  });

  it('is none where none is linked, and another one where the chosen one is linked no longer', async () => {
    const { folders, current, link } = setUp('a', 'b');
    await folders.choose('b');
    link('a');
    expect(current()).toBe('a');
    link();
    expect(current()).toBeUndefined();
    link('c', 'b', 'a');
    expect(current()).toBe('b');
  });

  it('is chosen for each deployment', async () => {
    const { folders, current, link } = setUp('a', 'b');
    await folders.choose('b');
    link('c', 'd');
    await folders.choose('d');
    expect(current()).toBe('d');
    link('a', 'b');
    expect(current()).toBe('b');
  });

  it('stays that of an answer whose files were accepted there, as long as it is linked', async () => {
    const { folders, link } = setUp('a', 'b');
    expect(folders.ofAnswer('b')?.id).toBe('b');
    expect(folders.ofAnswer(undefined)?.id).toBe('a');
    link('a');
    expect(folders.ofAnswer('b')?.id).toBe('a');
  });

  it('is the first one where what is stored is not its own', () => {
    const { current, state } = setUp('a', 'b');
    void state.set('modelbench.chat.modelFolders', [1, { b: 2 }]);
    expect(current()).toBe('a');
  });
});

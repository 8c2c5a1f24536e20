import { describe, expect, it } from 'vitest';
import { scmArguments } from '#shell/vscode/menu-arguments.ts';

const state = (path: string): object => ({ resourceUri: {}, folderId: 'file:///shop', path });

describe('what menus of the Source Control view pass', () => {
  it('is the file of a row, and all rows that are selected', () => {
    const [one, two] = [state('a.yml'), state('b.yml')];
    expect(scmArguments([one])).toEqual([one, [one]]);
    expect(scmArguments([one, two])).toEqual([one, [one, two]]);
  });

  it('is the folder of a group, known by its files', () => {
    expect(scmArguments([{ id: 'local', resourceStates: [state('a.yml')] }])).toEqual([{ folderId: 'file:///shop' }]);
    expect(scmArguments([{ id: 'local', resourceStates: [] }])).toEqual([undefined]);
  });

  it('is the folder and the commit box for the title', () => {
    const inputBox = { value: 'Why' };
    expect(scmArguments([{ rootUri: 'file:///shop', inputBox }])).toEqual([{ folderId: 'file:///shop', inputBox }]);
  });

  it('has the branch that the commit box names', () => {
    const inputBox = { value: 'Why' };
    const control = { rootUri: 'file:///shop', inputBox };
    const acceptInputCommand = { command: 'modelbench.commit', arguments: [{ to: 'returns' }] };
    const expected = { folderId: 'file:///shop', inputBox, to: 'returns' };
    expect(scmArguments([{ ...control, acceptInputCommand }])).toEqual([expected]);
    const none = { command: 'modelbench.commit', arguments: [{ to: undefined }] };
    expect(scmArguments([{ ...control, acceptInputCommand: none }])).toEqual([{ folderId: 'file:///shop', inputBox }]);
  });

  it.each([[undefined], ['text'], [{ folderId: 'file:///shop', path: 'a.yml' }], [null]])(
    'leaves what other menus pass alone: %j',
    (argument) => {
      expect(scmArguments([argument])).toBeUndefined();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { recordsIn } from '#support/chat/memory-proposals.ts';

const A = 'model/a.yml';

describe('ProposalRecords', () => {
  it('keeps what is decided when its file is damaged in other places, and nothing of a damaged text', async () => {
    const stored = new MemoryFiles();
    const records = recordsIn(stored);
    const hash = await records.keep('text');
    expect(await records.text(hash)).toBe('text');
    const name = [...stored.content.keys()].find((key) => key.includes(hash)) ?? '';
    stored.content.set(name, 'other');
    expect(await records.text(hash)).toBeUndefined();
    stored.content.set('proposal-thread.json', '{ damaged');
    expect(await records.decision('1-message', A)).toBeUndefined();
  });

  it('keeps the folder in which files of an answer were accepted, beside what is decided', async () => {
    const stored = new MemoryFiles();
    const records = recordsIn(stored);
    await records.decide('1', 'a.yml', { state: 'rejected' });
    expect(await records.folder('1')).toBeUndefined();
    await records.accept('1', 'file:///shop');
    await records.decide('1', 'b.yml', { state: 'rejected' });
    const later = recordsIn(stored);
    expect([await later.folder('1'), await later.folder('2')]).toEqual(['file:///shop', undefined]);
    expect(await later.decision('1', 'a.yml')).toEqual({ state: 'rejected' });
  });

  it('keeps a bounded number of texts, those of the newest turns', async () => {
    const stored = new MemoryFiles();
    const records = recordsIn(stored);
    for (let turn = 1; turn <= 420; turn++) {
      await records.begin(`${turn}-message`, {
        local: new Map([[A, `text ${turn}`]]),
        branch: new Map(),
        isComplete: true,
      });
      await records.keepFiles(`${turn}-message`, [A]);
    }
    expect(await records.versions('420-message', A)).toEqual(['text 420']);
    expect(await records.versions('1-message', A)).toBeUndefined();
    expect(stored.content.size).toBeLessThan(410);
  });

  it('does not take a file for new that the model was too large to keep', async () => {
    const records = recordsIn(new MemoryFiles());
    await records.begin('1-message', { local: new Map(), branch: new Map(), isComplete: false });
    await records.keepFiles('1-message', [A]);
    expect(await records.versions('1-message', A)).toBeUndefined();
  });
});

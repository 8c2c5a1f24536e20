import { describe, expect, it } from 'vitest';
import { statusWords } from '#features/language/status-words.ts';
import type { LanguageStatus } from '#features/language/messages.ts';

const ready: LanguageStatus = { state: 'ready', files: 3, cubes: 2, views: 1 };

describe('the status of the language server', () => {
  it('is busy while it indexes', () => {
    expect(statusWords({ ...ready, state: 'indexing' })).toMatchObject({ text: 'Model: indexing', busy: true });
  });

  it('says what is known when it is ready, and what the engine said', () => {
    expect(statusWords(ready)).toMatchObject({
      text: 'Model: 2 cubes, 1 view',
      detail: '3 files',
      severity: 'information',
    });
    const detail = (engine: LanguageStatus['engine']): string => statusWords({ ...ready, engine }).detail;
    expect(detail({ state: 'accepted' })).toBe('3 files · accepted by the engine');
    expect(detail({ state: 'refused', errors: 1 })).toBe('3 files · refused by the engine in 1 place');
    expect(detail({ state: 'skipped', reason: 'Too large.' })).toBe('3 files · not compiled: Too large.');
    expect(statusWords({ ...ready, engine: { state: 'refused', errors: 2 } }).severity).toBe('warning');
  });

  it('gives the reason of a problem, and offers to start anew', () => {
    const shown = statusWords({ ...ready, state: 'problem', reason: 'No disk.' });
    expect(shown).toMatchObject({ detail: 'No disk.', severity: 'error', restarts: true, busy: false });
    expect(statusWords({ ...ready, state: 'problem' }).detail).toContain('log');
  });
});

import { describe, expect, it } from 'vitest';
import { statusText } from '#features/language/status-text.ts';
import type { LanguageStatus } from '#features/language/messages.ts';

const ready: LanguageStatus = { state: 'ready', files: 3, cubes: 2, views: 1 };

describe('the status of the language server', () => {
  // @shows status
  it('says that it is busy while it indexes', () => {
    expect(statusText({ ...ready, state: 'indexing' })).toMatchInlineSnapshot(`
      {
        "busy": true,
        "detail": "Reading files",
        "restarts": false,
        "severity": "information",
        "text": "Model: indexing",
      }
    `);
  });

  it('says what is known when it is ready, and what the engine said', () => {
    expect(statusText(ready)).toMatchInlineSnapshot(`
      {
        "busy": false,
        "detail": "3 files",
        "restarts": false,
        "severity": "information",
        "text": "Model: 2 cubes, 1 view",
      }
    `);
    const detail = (engine: LanguageStatus['engine']): string => statusText({ ...ready, engine }).detail;
    expect(detail({ state: 'accepted' })).toBe('3 files · accepted by engine 1.7.43');
    expect(detail({ state: 'refused', errors: 1 })).toBe('3 files · refused in 1 place by engine 1.7.43');
    expect(detail({ state: 'skipped', reason: 'Too large.' })).toBe('3 files · not compiled: Too large.');
    expect(statusText({ ...ready, engine: { state: 'refused', errors: 2 } }).severity).toBe('warning');
  });

  it('says what the platform found in each of two models, and warns if it refuses one', () => {
    const accepted = { branch: 'dev-ann', version: '1.6.2', verdict: { state: 'accepted' } } as const;
    const refused = { branch: 'dev-bob', verdict: { state: 'refused', errors: 2 } } as const;
    const skipped = {
      branch: 'dev-bob',
      verdict: { state: 'skipped', reason: 'Validates again in 1 minute.' },
    } as const;
    expect(statusText({ ...ready, platform: [accepted, refused] })).toMatchObject({
      detail:
        '3 files · accepted by the platform on dev-ann (engine 1.6.2) · refused in 2 places by the platform on dev-bob',
      severity: 'warning',
    });
    expect(statusText({ ...ready, platform: [accepted, skipped] })).toMatchObject({
      detail:
        '3 files · accepted by the platform on dev-ann (engine 1.6.2) · not validated by the platform on dev-bob: Validates again in 1 minute.',
      severity: 'information',
    });
  });

  it('says where the deployment runs an engine with other rules', () => {
    const detail = (deployed: string): string =>
      statusText({ ...ready, engine: { state: 'accepted' } }, deployed).detail;
    expect(detail('1.7.2')).toBe('3 files · accepted by engine 1.7.43');
    expect(detail('1.8.2')).toBe(
      '3 files · accepted by engine 1.7.43. The deployment runs 1.8.2, whose rules may differ.',
    );
  });

  // @shows status
  it('gives the reason of a problem, and offers to start again', () => {
    expect(statusText({ ...ready, state: 'problem', reason: 'No disk.' })).toMatchInlineSnapshot(`
      {
        "busy": false,
        "detail": "No disk.",
        "restarts": true,
        "severity": "error",
        "text": "Model: not available",
      }
    `);
    expect(statusText({ ...ready, state: 'problem' }).detail).toMatchInlineSnapshot(
      `"The language server stopped. See the log for the reason."`,
    );
  });
});

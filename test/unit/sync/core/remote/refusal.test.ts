import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import { silentLogger } from '#base/log.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { sha1, TinyPlatform } from '#support/sync/tiny-platform.ts';
import { effectOf, finishEffects, type EffectOutcomes } from '#sync/core/transfer/effects.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { devBranch } from '#sync/core/target.ts';
import { patientClient } from '../../../../support/api/patient-client.ts';

const PATH = 'model/cubes/orders.yml';
const bytes = new TextEncoder().encode('mine');

/** A write that the platform refuses in these words. */
async function refusedWrite(
  status: number,
  words: string,
  theirs?: string,
): Promise<EffectOutcomes & { sent: number }> {
  const platform = new TinyPlatform({ [PATH]: 'base' }, { honours: false });
  let sent = 0;
  const clock = new ManualClock();
  const client = patientClient({
    baseUrl: 'http://127.0.0.1',
    credential: () => ({ kind: 'bearer', token: 'k', origin: originOf('http://127.0.0.1') }),
    logger: silentLogger,
    clock,
    fetch: (input, init) => {
      const request = new Request(input, init);
      if (request.method !== 'PUT') return platform.answer(request);
      sent += 1;
      if (theirs !== undefined) platform.files.set(PATH, theirs);
      return Promise.resolve(Response.json({ error: words }, { status }));
    },
  });
  const branch = devBranch('dev-a');
  if (!branch.ok) throw new Error(branch.error);
  const writer = createPlatformWriter({ client, deployment: 7, branch: branch.value });
  const [hash, expected] = [sha1('mine'), sha1('base')];
  const effect = effectOf({ kind: 'upload', path: PATH, reason: 'changed', hash, size: 4, expectedRemote: expected });
  const settling = { remote: writer, clock, signal: undefined, listsFirst: true, how: 'conditional' } as const;
  const put = () => writer.put([{ path: PATH, bytes, hash, expected }]);
  return { ...(await clock.run(finishEffects(effect ? [effect] : [], put, settling))), sent };
}

const claims = /\bchanged (?:there|meanwhile)|something changed|belongs to|is behind|has moved|not committed/i;

describe('a refused write', () => {
  it('counts as overtaken only where the hashes say so, whatever the status and the words', async () => {
    const status = fc.constantFrom(400, 403, 409, 422);
    // Words that were once taken for something, in any order and with any others.
    const clues = fc.constantFrom(
      ...['uncommitted', 'commit your changes first', 'pull first', 'parent has moved', 'another user’s dev branch'],
      ...['changed', 'read-only branch', 'only in dev mode', 'not allowed for this deployment', 'staging', 'conflict'],
    );
    const words = fc.array(fc.oneof(clues, fc.lorem({ maxCount: 2 })), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(status, words, fc.boolean(), async (code, said, isOvertaken) => {
        const text = said.join(' ');
        const { failed, changed, error, sent } = await refusedWrite(code, text, isOvertaken ? 'theirs' : undefined);
        expect([failed.length, changed.length, sent]).toEqual(isOvertaken ? [0, 1, 1] : [1, 0, 1]);
        if (isOvertaken) return;
        expect(error?.message).toContain(`The platform refused the change (status ${code}): “${text}”`);
        // What is said beside the platform's own words claims nothing.
        expect(error?.message.replace(text, '').replaceAll(/\bIf [^.]*\./g, '')).not.toMatch(claims);
      }),
      { numRuns: 60 },
    );
  });

  it('goes out again after a failed condition that the hashes do not explain, then fails with the reason', async () => {
    const { failed, changed, error, sent } = await refusedWrite(412, 'Precondition failed');
    expect([failed.length, changed.length]).toEqual([1, 0]);
    expect(sent).toBeGreaterThan(1);
    expect(error?.message).toMatchInlineSnapshot(
      `"The platform refused the change (status 412): “Precondition failed”. Refresh, then try again."`,
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlatformError, type PlatformErrorKind } from '#api/errors.ts';
import { isCancelled } from '#base/async.ts';
import { type AskReason, type QueryCredential, TokenBroker, type TokenPorts } from '#features/data/token-broker.ts';
import { signedJwt } from '#features/data/jwt.ts';
import { ManualClock } from '#support/manual-clock.ts';

const refused = (kind: PlatformErrorKind = 'forbidden'): PlatformError =>
  new PlatformError({ kind, operation: 'loadData', message: kind });

const goodToken = `${btoa('{"alg":"HS256"}')}.${btoa('{}')}.good`;
const badToken = `${btoa('{"alg":"HS256"}')}.${btoa('{}')}.bad`;

/** A target in memory: what its server takes, what it issues, what is kept, and what the user types. */
class Target {
  readonly clock = new ManualClock();
  readonly kept = new Map<string, string>();
  readonly sent: (string | undefined)[] = [];
  /** Tokens that were tested. */
  readonly tested: string[] = [];
  /** Tests do not reach the server. */
  isCut = false;
  readonly reasons: AskReason[] = [];
  readonly said: (string | undefined)[] = [];
  /** Texts that the user types, one after the other; then they close the form. */
  typed: string[] = [];
  issues = false;
  needsToken = true;
  goodSecret = 'secret';
  /** Tokens that the server takes besides those of its secret. */
  readonly good = new Set<string>();
  #count = 0;

  readonly broker = new TokenBroker(this.#ports());

  /** A request that the server judges by its token. */
  async send(token: string | undefined): Promise<string> {
    this.sent.push(token);
    if (!this.takes(token)) throw refused();
    return token ?? 'none';
  }

  takes(token: string | undefined): boolean {
    if (token === undefined) return !this.needsToken;
    return this.good.has(token) || token.startsWith(`minted:${this.goodSecret}:`);
  }

  #ports(): TokenPorts {
    return {
      clock: this.clock,
      issue: async () => {
        if (!this.issues) return undefined;
        const token = `issued:${++this.#count}`;
        this.good.add(token);
        return { token, expiresAt: this.clock.now() + 3_600_000 };
      },
      mint: async (secret) => `minted:${secret}:${++this.#count}`,
      test: async (token) => {
        if (this.isCut) throw refused('network');
        if (token !== undefined) this.tested.push(token);
        return this.takes(token);
      },
      read: async (kind) => this.kept.get(kind),
      keep: async ({ kind, value }: QueryCredential) => void this.kept.set(kind, value),
      drop: async (kind) => void this.kept.delete(kind),
      ask: async (reason, check) => {
        this.reasons.push(reason);
        for (let typed = this.typed.shift(); typed !== undefined; typed = this.typed.shift()) {
          const problem = await check(typed, new AbortController().signal);
          this.said.push(problem);
          if (problem === undefined) return;
        }
      },
    };
  }
}

const asking = { mayAsk: true };
const quiet = { mayAsk: false };

describe('the token broker', () => {
  it('asks nothing where the server issues tokens', async () => {
    const target = new Target();
    target.issues = true;
    expect(await target.broker.use(asking, (token) => target.send(token))).toBe('issued:1');
    expect(await target.broker.use(asking, (token) => target.send(token))).toBe('issued:1');
    expect(target.reasons).toEqual([]);
  });

  it('asks nothing where the server needs no token', async () => {
    const target = new Target();
    target.needsToken = false;
    expect(await target.broker.use(asking, (token) => target.send(token))).toBe('none');
    expect(target.reasons).toEqual([]);
  });

  it('keeps a secret once it was tested, and signs tokens with it from then on', async () => {
    const target = new Target();
    target.typed = ['', 'wrong', 'secret'];
    await target.broker.use(asking, (token) => target.send(token));
    expect(target.said).toEqual([
      'Enter the API secret or a token.',
      'The server refused a token that was signed with this secret. Check that it is the value of CUBEJS_API_SECRET.',
      undefined,
    ]);
    expect([...target.kept]).toEqual([['secret', 'secret']]);
    await target.broker.use(quiet, (token) => target.send(token));
    expect(target.reasons).toEqual(['nothing']);
  });

  it('renews an issued token that expired', async () => {
    const target = new Target();
    target.issues = true;
    await target.broker.use(quiet, (token) => target.send(token));
    target.clock.set(3_600_000);
    expect(await target.broker.use(quiet, (token) => target.send(token))).toBe('issued:2');
  });

  it('renews an issued token that is refused, once', async () => {
    const target = new Target();
    target.issues = true;
    await target.broker.use(quiet, (token) => target.send(token));
    target.good.clear();
    expect(await target.broker.use(quiet, (token) => target.send(token))).toBe('issued:2');
  });

  it('drops a pasted token that expired, and says so when it asks', async () => {
    const target = new Target();
    const now = target.clock.now();
    const token = await signedJwt('other', {}, { now, lifetimeMs: 600_000 });
    const next = await signedJwt('other', {}, { now, lifetimeMs: 7_200_000 });
    target.good.add(token).add(next);
    target.typed = [token];
    await target.broker.use(asking, (each) => target.send(each));
    target.clock.set(600_000);
    target.typed = [token, next];
    expect(await target.broker.use(asking, (each) => target.send(each))).toBe(next);
    expect(target.reasons).toEqual(['nothing', 'expired']);
    expect(target.said).toEqual([
      undefined,
      'This token has expired. Enter the API secret or another token.',
      undefined,
    ]);
    expect([...target.kept]).toEqual([['token', next]]);
  });

  it('drops a secret whose tokens are refused, and asks for another one', async () => {
    const target = new Target();
    target.kept.set('secret', 'old');
    target.typed = ['secret'];
    await target.broker.use(asking, (token) => target.send(token));
    expect(target.reasons).toEqual(['refused']);
    expect([...target.kept]).toEqual([['secret', 'secret']]);
  });

  it('keeps a secret that was entered, in this window or another, while the one before it was refused', async () => {
    const target = new Target();
    target.kept.set('secret', 'old');
    // It is entered while the old one is tested for the last time.
    target.tested.push = (token) => {
      if (token.startsWith('minted:old')) target.kept.set('secret', 'secret');
      return 1;
    };
    await target.broker.use(asking, (token) => target.send(token)).catch(() => undefined);
    expect([...target.kept]).toEqual([['secret', 'secret']]);
  });

  it('keeps a good secret when the server refuses one query of it', async () => {
    const target = new Target();
    target.kept.set('secret', 'secret');
    const send = (token: string | undefined): Promise<never> => {
      target.sent.push(token);
      return Promise.reject(refused());
    };
    await expect(target.broker.use(asking, send)).rejects.toMatchObject({ kind: 'forbidden' });
    expect(target.reasons).toEqual([]);
    expect([...target.kept]).toEqual([['secret', 'secret']]);
  });

  it('ends silently when the user closes the form', async () => {
    const target = new Target();
    const ended = await target.broker.use(asking, (token) => target.send(token)).catch((error: unknown) => error);
    expect(isCancelled(ended)).toBe(true);
    expect(target.sent).toEqual([]);
  });

  it('does not ask the user in the background', async () => {
    const target = new Target();
    await expect(target.broker.use(quiet, (token) => target.send(token))).rejects.toMatchObject({
      kind: 'auth',
      status: undefined,
    });
    expect(target.reasons).toEqual([]);
  });

  it('asks once for all that wait at the same time', async () => {
    const target = new Target();
    target.typed = ['secret'];
    const all = [1, 2, 3].map(() => target.broker.use(asking, (token) => target.send(token)));
    expect(new Set(await Promise.all(all)).size).toBe(1);
    expect(target.reasons).toEqual(['nothing']);
  });

  it.each([
    ['', false],
    ['a', false],
    ['b', true],
  ])('tests the token “%s” of an earlier version once', async (earlier, isGood) => {
    const target = new Target();
    target.good.add('b');
    target.kept.set('earlier', earlier);
    await target.broker.use(quiet, (token) => target.send(token)).catch(() => undefined);
    expect([...target.kept]).toEqual(isGood ? [['token', 'b']] : []);
  });

  it('keeps what is stored when the connection is cut', async () => {
    const target = new Target();
    target.kept.set('secret', 'secret');
    const cut = (): Promise<never> => Promise.reject(refused('network'));
    await expect(target.broker.use(asking, cut)).rejects.toMatchObject({ kind: 'network' });
    expect([...target.kept]).toEqual([['secret', 'secret']]);
    expect(target.reasons).toEqual([]);
  });
});

describe('every course of requests', () => {
  const answer = fc.constantFrom('ok', 'auth', 'forbidden', 'network', 'cut');
  const typed = fc.constantFrom('', 'secret', 'rotated', 'wrong', goodToken, badToken);
  const step = fc.record({
    answers: fc.array(answer, { maxLength: 4 }),
    typed: fc.array(typed, { maxLength: 3 }),
    issues: fc.boolean(),
    needsToken: fc.boolean(),
    isCut: fc.boolean(),
    goodSecret: fc.constantFrom('secret', 'rotated'),
    mayAsk: fc.boolean(),
    needs: fc.integer({ min: 1, max: 3 }),
    passes: fc.constantFrom(0, 40_000, 400_000, 4_000_000),
  });

  it('keeps nothing empty or untested, repeats no refused token, and asks at most once a need', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(undefined, '', 'x', goodToken),
        async (steps, earlier) => {
          const target = new Target();
          target.good.add(goodToken);
          if (earlier !== undefined) target.kept.set('earlier', earlier);
          const dead = new Set<string>();
          const repeated: string[] = [];
          for (const { answers, needs, passes, mayAsk, ...world } of steps) {
            Object.assign(target, world, { typed: [...world.typed] });
            const questions = target.reasons.length;
            const script = [...answers];
            const send = async (token: string | undefined): Promise<void> => {
              if (token !== undefined && dead.has(token)) repeated.push(token);
              expect(token).not.toBe('');
              await Promise.resolve();
              const next = script.shift() ?? 'ok';
              if (next === 'ok' && target.takes(token)) return;
              const kind = next === 'network' || next === 'cut' ? 'network' : next === 'auth' ? 'auth' : 'forbidden';
              if (kind !== 'network' && token !== undefined) dead.add(token);
              throw refused(kind);
            };
            await Promise.allSettled(Array.from({ length: needs }, () => target.broker.use({ mayAsk }, send)));
            const asked = target.reasons.length - questions;
            expect(asked).toBeLessThanOrEqual(mayAsk ? needs : 0);
            const kept = ['secret', 'token'].flatMap((kind) => target.kept.get(kind) ?? []);
            expect(kept.filter((value) => !['secret', 'rotated', goodToken].includes(value))).toEqual([]);
            target.clock.set(passes);
          }
          expect(repeated).toEqual([]);
          expect(new Set(target.tested).size).toBe(
            target.tested.filter((token) => token !== goodToken).length + (target.tested.includes(goodToken) ? 1 : 0),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

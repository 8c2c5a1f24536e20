import { describe, expect, it } from 'vitest';
import { type DeviceCode, deviceSignIn, refreshTokens, type Tokens } from '#api/resources/device-sign-in.ts';
import { ClientUnderTest, json, thrown } from '#support/api/client-under-test.ts';

const code = {
  deviceCode: 'device-1',
  userCode: 'ABCD-EFGH',
  verificationUri: 'https://id.example/device',
  expiresIn: 60,
  interval: 2,
};
const tokens = { accessToken: 'access-1', refreshToken: 'refresh-1', expiresIn: 3600 };
const refusal = (error: string): Response => json({ error }, { status: 400 });

interface Flow {
  readonly under: ClientUnderTest;
  readonly shown: DeviceCode[];
  /** Milliseconds from the start to each question. */
  readonly asked: number[];
  readonly result: Promise<Tokens>;
}

/** A flow whose questions are answered in turn; the last answer is for ever. */
function flow(answers: readonly (() => Response)[], start: object = code, signal?: AbortSignal): Flow {
  const asked: number[] = [];
  const shown: DeviceCode[] = [];
  const under = new ClientUnderTest(
    (request) => {
      if (request.url.endsWith('/auth/device/code')) return json(start);
      asked.push(under.clock.now() - began);
      return (answers[Math.min(asked.length, answers.length) - 1] ?? (() => refusal('?')))();
    },
    { limits: { attempts: 1 } },
  );
  const began = under.clock.now();
  const options = {
    clientId: 'modelbench',
    onCode: (each: DeviceCode) => shown.push(each),
    clock: under.clock,
    signal,
  };
  return { under, shown, asked, result: deviceSignIn(under.client, options) };
}

describe('deviceSignIn', () => {
  it('shows the code, asks at the server’s pace until the user is done, and sends no key', async () => {
    const pending = (): Response => refusal('authorization_pending');
    const { under, shown, asked, result } = flow([pending, pending, () => json(tokens)]);
    const found = await under.clock.run(result);
    expect(asked).toEqual([2000, 4000, 6000]);
    expect(found).toEqual({
      accessToken: 'access-1',
      refreshToken: 'refresh-1',
      expiresAt: under.clock.now() + 3_600_000,
    });
    expect(shown.map(({ userCode, verificationUri }) => [userCode, verificationUri])).toEqual([
      ['ABCD-EFGH', 'https://id.example/device'],
    ]);
    expect(under.sent.some(({ headers }) => headers.has('authorization'))).toBe(false);
  });

  it('slows down for good when the server asks, and when the connection is lost', async () => {
    const lost = (): never => {
      throw new TypeError('fetch failed');
    };
    const pending = (): Response => refusal('authorization_pending');
    const { under, asked, result } = flow([() => refusal('slow_down'), pending, lost, () => json(tokens)]);
    await under.clock.run(result);
    expect(asked).toEqual([2000, 9000, 16_000, 28_000]);
  });

  it.each([
    ['access_denied', /refused in the browser/],
    ['expired_token', /code expired/],
  ])('ends with %s in plain words', async (error, words) => {
    const { under, result } = flow([() => refusal(error)]);
    const found = await thrown(under.clock.run(result));
    expect(found).toMatchObject({ kind: 'auth' });
    expect((found as Error).message).toMatch(words);
  });

  it('ends when the code has expired', async () => {
    const { under, asked, result } = flow([() => refusal('authorization_pending')], { ...code, expiresIn: 5 });
    expect(await thrown(under.clock.run(result))).toMatchObject({ kind: 'auth' });
    expect(asked).toEqual([2000, 4000]);
  });

  it('can be cancelled while it waits', async () => {
    const controller = new AbortController();
    const { under, asked, result } = flow([() => refusal('authorization_pending')], code, controller.signal);
    const ended = thrown(result);
    await under.clock.advance(2500);
    controller.abort();
    expect(await ended).toMatchObject({ kind: 'cancelled', name: 'AbortError' });
    expect(asked).toEqual([2000]);
  });

  it.each([
    ['404', () => json({ error: 'no' }, { status: 404 }), 'notFound'],
    ['a web page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'invalidResponse'],
  ])('is not there on a server that answers %s', async (_, answer, kind) => {
    const under = new ClientUnderTest(answer);
    const options = { clientId: 'modelbench', onCode: () => undefined, clock: under.clock };
    expect(await thrown(deviceSignIn(under.client, options))).toMatchObject({ kind });
  });
});

describe('refreshTokens', () => {
  it('answers new tokens and keeps the refresh token that the server does not replace', async () => {
    const under = new ClientUnderTest(() => json({ data: { accessToken: 'access-2' } }));
    const found = await refreshTokens(under.client, 'refresh-1', { clock: under.clock });
    expect(found).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-1', expiresAt: undefined });
    expect(await under.sent[0]?.text()).toBe('grant_type=refresh_token&refresh_token=refresh-1');
  });
});

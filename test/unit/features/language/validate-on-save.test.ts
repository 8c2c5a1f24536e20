import { describe, expect, it } from 'vitest';
import { burstMs, type UploadedFolder, validateSaved } from '#features/language/validate-on-save.ts';
import { type Desk, openDesk } from '#support/features.ts';
import type { PlatformVerdict } from '#features/language/messages.ts';
import { ManualClock } from '#support/manual-clock.ts';

/** What validation needs of a window, on a platform whose answers are noted. */
interface Bench {
  readonly desk: Desk;
  readonly clock: ManualClock;
  /** The branches that were validated. */
  readonly asked: string[];
  readonly validate: (sync?: UploadedFolder, signal?: AbortSignal) => Promise<PlatformVerdict | null>;
}

async function bench(answer: object | Response, { isOffered = true } = {}): Promise<Bench> {
  const asked: string[] = [];
  const desk = await openDesk({
    through: (request, send) => {
      const { pathname, searchParams } = new URL(request.url);
      if (!pathname.endsWith('/data-model/validate')) return send(request);
      asked.push(searchParams.get('branchName') ?? '');
      return Promise.resolve(answer instanceof Response ? answer.clone() : Response.json(answer));
    },
  });
  const clock = new ManualClock();
  const { data, account } = desk;
  const services = { data, offers: () => isOffered, learnOffers: () => Promise.resolve(), clock };
  const target = { accountId: account.id, deploymentId: '1', branchName: 'dev-ann' };
  const never = new AbortController().signal;
  return {
    desk,
    clock,
    asked,
    validate: async (sync, signal = never) => {
      const found = validateSaved(services, { target, modelPath: 'model', sync }, signal);
      found.catch(() => undefined);
      await clock.advance(burstMs);
      return (await found)?.verdict ?? null;
    },
  };
}

type Entries = Awaited<ReturnType<UploadedFolder['plan']>>['entries'];

function folder(entries: readonly object[], log: string[] = []): UploadedFolder {
  return {
    flush: async () => void log.push('flush'),
    plan: async () => {
      log.push('plan');
      return { entries: entries as Entries };
    },
  };
}

const pushed = folder([]);

describe('the validation of a saved model', () => {
  it('names the engine of the deployment, and files by their place in the model', async () => {
    const { validate, asked } = await bench({
      valid: false,
      errors: [{ fileName: 'model/cubes/a.yml', message: 'a is wrong' }, { message: 'so is something' }],
    });
    expect(await validate(pushed)).toEqual({
      branch: 'dev-ann',
      version: expect.stringMatching(/^v?\d/) as unknown,
      state: 'compiled',
      errors: [{ fileName: 'cubes/a.yml', message: 'a is wrong' }, { message: 'so is something' }],
    });
    expect(asked).toEqual(['dev-ann']);
  });

  it('waits until what was saved is uploaded, and asks nothing while the branch lacks it', async () => {
    const { validate, asked } = await bench({ valid: true });
    const log: string[] = [];
    const change = { kind: 'upload', path: 'model/a.yml' };
    const conflict = { kind: 'conflict', path: 'model/b.yml' };
    expect(await validate(folder([change, conflict], log))).toMatchInlineSnapshot(`
      {
        "branch": "dev-ann",
        "reason": "2 changes of the folder are not on the branch.",
        "state": "skipped",
        "version": "1.7.43",
      }
    `);
    expect(log).toEqual(['flush', 'plan']);
    expect(asked).toEqual([]);
  });

  it('asks once for saves that follow each other', async () => {
    const { validate, asked } = await bench({ valid: true });
    const first = new AbortController();
    const early = validate(pushed, first.signal);
    first.abort();
    const late = validate(pushed);
    await expect(early).rejects.toThrow('aborted');
    expect(await late).toMatchInlineSnapshot(`
      {
        "branch": "dev-ann",
        "errors": [],
        "state": "compiled",
        "version": "1.7.43",
      }
    `);
    expect(asked).toEqual(['dev-ann']);
  });

  it('asks nothing where the platform cannot validate', async () => {
    const { validate, asked } = await bench({ valid: true }, { isOffered: false });
    expect(await validate(pushed)).toBeNull();
    expect(asked).toEqual([]);
  });

  it.each([
    ['model/a.yml', 'a.yml'],
    ['/model/cubes/a.yml', 'cubes/a.yml'],
    ['./model/a.yml', 'a.yml'],
    ['a.yml', 'a.yml'],
    ['/cube/conf/model/cubes/a.yml', 'cubes/a.yml'],
    ['C:\\conf\\model\\größe #1.yml', 'größe #1.yml'],
    ['other/model/a.yml', 'other/model/a.yml'],
  ])('finds the file that the platform calls %s', async (fileName, expected) => {
    const { validate } = await bench({ valid: false, errors: [{ fileName, message: 'is wrong' }] });
    expect(await validate(pushed)).toMatchObject({ errors: [{ fileName: expected, message: 'is wrong' }] });
  });

  it('names a file whose text on the branch is newer instead of marking a line of another text', async () => {
    const errors = [
      { fileName: '/model/a.yml', message: 'Bad.\nAt 3:4.' },
      { fileName: 'model/b.yml', message: 'Bad.' },
    ];
    const { validate } = await bench({ valid: false, errors });
    const download = { kind: 'download', path: 'model/a.yml' };
    expect(await validate(folder([download]))).toMatchObject({
      errors: [
        { message: 'Bad. (in model/a.yml on dev-ann, which is not pulled yet)\nAt 3:4.' },
        { fileName: 'b.yml', message: 'Bad.' },
      ],
    });
  });

  it.each([
    [{ valid: false }, ['The platform refuses this model and gives no reason.']],
    [{ valid: false, errors: null }, ['The platform refuses this model and gives no reason.']],
    [
      {
        valid: false,
        errors: [{ text: 'A.' }, 'B.', { error: 'C.', fileName: null }, { code: 7 }, null, { message: 'D.' }],
      },
      ['A.', 'B.', 'C.', '{"code":7}', 'D.'],
    ],
    [{ valid: false, errors: { 'a.yml': ['A.', { text: 'B.' }], 'b.yml': 'C.', 'c.yml': null } }, ['A.', 'B.', 'C.']],
    [{ valid: false, errors: { message: 'A.', fileName: 7 } }, ['A.']],
    [{ valid: false, errors: 'A.' }, ['A.']],
    [{ valid: false, errors: [['A.'], [{ message: 'B.' }]] }, ['A.', 'B.']],
    [
      { valid: false, errors: [{ message: { text: 'A' } }, { message: '' }] },
      ['{"message":{"text":"A"}}', '{"message":""}'],
    ],
    [{ valid: false, errors: {} }, ['The platform refuses this model and gives no reason.']],
    [{ valid: true, errors: [{ message: 'A note.' }] }, []],
    [{ valid: true, errors: [], cubesCount: null }, []],
  ])('takes %j at its word', async (answer, messages) => {
    const { validate } = await bench(answer);
    const verdict = await validate(pushed);
    expect(verdict?.state === 'compiled' && verdict.errors.map(({ message }) => message)).toEqual(messages);
  });

  it.each([
    ['orders.yml', 'orders.yml'],
    ['model/orders.yml', 'orders.yml'],
    ['./model//orders.yml', 'orders.yml'],
    ['/cube/conf/model/orders.yml', 'orders.yml'],
    ['file:///cube/conf/model/orders.yml', 'orders.yml'],
    [String.raw`C:\cube\conf\model\cubes\orders.yml:7`, 'cubes/orders.yml'],
    ['"model/orders.yml"', 'orders.yml'],
  ])('knows the file %s of the model', async (fileName, expected) => {
    const { validate } = await bench({ valid: false, errors: [{ message: 'A.', fileName }] });
    const verdict = await validate(pushed);
    expect(verdict?.state === 'compiled' && verdict.errors.map((error) => error.fileName)).toEqual([expected]);
  });

  it.each([
    ['an error', Response.json({ error: 'The compiler is down.' }, { status: 500 }), 'The compiler is down'],
    ['a refusal', Response.json({ error: 'Not yours.' }, { status: 403 }), 'Not yours'],
    ['a page of its own', new Response('<html>busy</html>', { headers: { 'content-type': 'text/html' } }), ''],
    ['an answer of another shape', Response.json({ ok: true }), ''],
  ])('says in its verdict why the platform did not judge, which answers with %s', async (_, answer, reason) => {
    const { validate } = await bench(answer);
    const verdict = await validate(pushed);
    expect(verdict).toMatchObject({
      branch: 'dev-ann',
      state: 'skipped',
      reason: expect.stringContaining(reason) as string,
    });
    expect(verdict?.state === 'skipped' && verdict.reason.length).toBeGreaterThan(10);
  });

  it.each([405, 501])('has no verdict where the platform lacks the operation and answers %i', async (status) => {
    const { validate } = await bench(Response.json({}, { status }));
    expect(await validate(pushed)).toBeNull();
  });

  it('rejects while the platform cannot be reached', async () => {
    const { validate } = await bench({ valid: true });
    const offline: UploadedFolder = { ...pushed, plan: () => Promise.reject(new Error('offline')) };
    await expect(validate(offline)).rejects.toThrow('offline');
  });
});

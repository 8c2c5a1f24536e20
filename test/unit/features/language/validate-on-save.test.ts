import { describe, expect, it } from 'vitest';
import { burstMs, type UploadedFolder, validateSaved } from '#features/language/validate-on-save.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { ManualClock } from '#support/manual-clock.ts';

/** What validation needs of a window, on a platform whose answers are noted. */
interface Bench {
  readonly desk: Desk;
  readonly clock: ManualClock;
  /** The branches that were validated. */
  readonly asked: string[];
  readonly validate: (sync?: UploadedFolder, signal?: AbortSignal) => ReturnType<typeof validateSaved>;
}

async function bench(answer: object, { isOffered = true } = {}): Promise<Bench> {
  const asked: string[] = [];
  const desk = await openDesk({
    through: (request, send) => {
      const { pathname, searchParams } = new URL(request.url);
      if (!pathname.endsWith('/data-model/validate')) return send(request);
      asked.push(searchParams.get('branchName') ?? '');
      return Promise.resolve(Response.json(answer));
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
      const verdict = validateSaved(services, { target, modelPath: 'model', sync }, signal);
      verdict.catch(() => undefined);
      await clock.advance(burstMs);
      return verdict;
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

  it('rejects while the platform cannot be reached', async () => {
    const { validate } = await bench({ valid: true });
    const offline: UploadedFolder = { ...pushed, plan: () => Promise.reject(new Error('offline')) };
    await expect(validate(offline)).rejects.toThrow('offline');
  });
});

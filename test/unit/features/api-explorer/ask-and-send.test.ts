import { beforeEach, describe, expect, it } from 'vitest';
import { merge } from '#api/resources/branches.ts';
import { CancelledError } from '#base/async.ts';
import { type AskPorts, askAndSend } from '#features/api-explorer/ask-and-send.ts';
import { gatedRequest } from '#features/api-explorer/gated-request.ts';
import { catalogueOf } from '#features/api-explorer/catalogue.ts';
import type { RequestParts } from '#features/api-explorer/request-template.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import { demo } from '#platform/seed/names.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { listingOnly } from '#support/listed-branches.ts';

let desk: Desk;
let asked: Parameters<AskPorts['confirm']>[0][];
let sent: (string | undefined)[];
beforeEach(async () => {
  desk = await openDesk();
  asked = [];
  sent = [];
});

async function run(
  id: string,
  chunks: RequestParts,
  ports: Partial<AskPorts> = {},
  description?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const entry = catalogueOf(description).find(id);
  if (!entry) throw new Error(`no ${id}`);
  await askAndSend(
    {
      data: desk.data,
      isTrusted: true,
      isProtected: () => false,
      confirm: (question) => Promise.resolve((asked.push(question), true)),
      say: () => undefined,
      ...ports,
    },
    { entry, chunks, account: desk.account },
    (pass) => Promise.resolve(void sent.push(pass?.step)),
  );
}

const deployment = { deploymentId: '1' };

describe('sending a request of the API Explorer', () => {
  it('asks nothing before a request that only reads', async () => {
    await run('listBranches', { params: deployment }, { isTrusted: false });
    expect([asked, sent]).toEqual([[], [undefined]]);
  });

  it('sends nothing that may change something in Restricted Mode', async () => {
    await expect(run('deleteDeployment', { params: deployment }, { isTrusted: false })).rejects.toThrow(
      /Restricted Mode/,
    );
    expect(sent).toEqual([]);
  });

  it('asks before a request that deletes, and sends nothing after a no', async () => {
    const confirm: AskPorts['confirm'] = (question) => Promise.resolve((asked.push(question), false));
    await run('deleteDeployment', { params: deployment }, { confirm });
    expect(asked).toMatchObject([{ button: 'Delete', typed: undefined }]);
    expect(sent).toEqual([]);
  });

  it('has the name of a protected target typed', async () => {
    await run('deleteDeployment', { params: deployment }, { isProtected: ({ deploymentId }) => deploymentId === '1' });
    expect(asked).toMatchObject([{ typed: '1' }]);
  });

  it('asks nothing before a request that the client refuses', async () => {
    await run('deleteDeployment', {});
    expect([asked, sent]).toEqual([[], [undefined]]);
  });

  it('takes what reaches production through the gate and asks once', async () => {
    const target = { accountId: desk.account.id, ...deployment };
    const main = deployBranchOf(await desk.data.of(target).branches.get());
    await run('startDbtSync', { params: deployment, body: { branchName: main?.name } });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.detail).toContain(main?.name);
    expect(sent).toEqual(['dbtSync']);
  });

  it('names the files of a step that reaches production, and their number', async () => {
    const paths = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `model/cubes/more/${name}.yml`);
    const files = Object.fromEntries(paths.map((path) => [path, 'cubes: []\n']));
    await desk.platform.control.colleagueCommit(1, demo.sharedBranch, files);
    await run('merge', { params: deployment, body: { branchName: demo.sharedBranch } });
    const detail = asked[0]?.detail ?? '';
    const [, count] = /(\d+) files of “\S+” differ from “main”: model\/.*, …\./.exec(detail) ?? [];
    expect(Number(count)).toBeGreaterThanOrEqual(paths.length);
    expect(detail).toContain('is rebuilt from “main”');
  });

  it('says which files came to production while a step was being sent', async () => {
    const file = (name: string): Readonly<Record<string, string>> => ({ [`model/cubes/${name}.yml`]: 'cubes: []\n' });
    await desk.platform.control.colleagueCommit(1, demo.sharedBranch, file('shown'));
    const entry = catalogueOf(undefined).find('merge');
    if (!entry) throw new Error('There is no merge.');
    const body = {
      branchName: demo.sharedBranch,
      squashCommits: false,
      switchToParentBranch: false,
      deleteBranch: false,
    };
    const chunks = { params: deployment, body };
    const said: string[] = [];
    const confirm: AskPorts['confirm'] = () => Promise.resolve(true);
    const say = (hint: string): void => void said.push(hint);
    const ports = { data: desk.data, isTrusted: true, isProtected: () => false, confirm, say };
    await askAndSend(ports, { entry, chunks, account: desk.account }, async () => {
      await desk.platform.control.colleagueCommit(1, demo.sharedBranch, file('late'));
      await desk.client.call(merge, { params: deployment, body });
    });
    expect(said).toEqual([
      expect.stringMatching(/^“main” also has 1 change that you did not confirm.*: model\/cubes\/late\.yml/),
    ]);
  });

  it('sends and asks nothing where the user cancels while the platform compiles the branch', async () => {
    const cancelled = new AbortController();
    const body = { branchName: demo.sharedBranch };
    desk.platform.control.faults([{ kind: 'latency', ms: 50, path: 'validate' }]);
    const reading: AskPorts['reading'] = async (work) => {
      const read = work(cancelled.signal);
      cancelled.abort(new CancelledError());
      return read;
    };
    await expect(run('merge', { params: deployment, body }, { reading })).rejects.toThrow(CancelledError);
    expect([asked, sent]).toEqual([[], []]);
  });

  it('says how many files a request writes whose body is too long to be shown', async () => {
    const files = Array.from({ length: 40 }, (_, at) => ({ path: `model/cubes/${at}.yml`, content: 'cubes: []\n' }));
    await run('writeDataModelFiles', { params: deployment, body: { branchName: 'main', files } });
    expect(asked[0]?.detail).toMatch(/…\nfiles: 40\n/);
  });

  it.each(['refs/heads/main', 'MAIN', 'main ', 'origin/main'])(
    'takes a branch that is not listed for production: “%s”',
    async (branchName) => {
      const body = { branchName };
      await run('startDbtSync', { params: deployment, body }, { confirm: (q) => Promise.resolve(asked.push(q) === 0) });
      expect(asked[0]?.detail).toContain('is not known whether');
      expect(sent).toEqual([]);
    },
  );

  it.each([
    ['deleteBranch', { query: { branchName: 'main' }, body: { branchName: 'returns-model' } }],
    ['startDbtSync', { query: { branchName: demo.sharedBranch }, body: { branchName: 'main' } }],
  ] as const)('takes the branch of %s from where the client sends it: %j', async (id, chunks) => {
    await run(id, { params: deployment, ...chunks });
    expect(asked.map(({ detail }) => detail)).toEqual([expect.stringContaining('“main”')]);
    expect(asked[0]?.detail).not.toMatch(/returns-model|pricing-experiments/);
  });

  it('takes two names of one branch for production: the server decides which one counts', () => {
    const op = catalogueOf(undefined).find('startDbtSync')?.op;
    const both = { query: { branchName: demo.sharedBranch }, body: { branchName: 'main' } };
    const gated = op && gatedRequest({ ...op, query: op.body }, { params: deployment, ...both }, 'a');
    expect(gated).toMatchObject({ step: 'dbtSync', to: undefined });
  });

  it('asks nothing before a write to a shared branch that is listed', async () => {
    await run('startDbtSync', { params: deployment, body: { branchName: demo.sharedBranch } });
    expect([asked, sent]).toEqual([[], ['dbtSync']]);
  });

  describe('to production in other ways', () => {
    const main = 'main';
    const files = [{ path: 'model/a.yml', content: '' }];
    /** Answers the first question, whatever it is, with no. */
    const never: Partial<AskPorts> = { confirm: (question) => Promise.resolve(asked.push(question) === 0) };

    it.each([
      ['writeDataModelFiles', { body: { branchName: main, files } }],
      ['deleteDataModelFiles', { body: { branchName: main, files: [{ path: 'model/a.yml' }] } }],
      ['renameDataModelFiles', { body: { branchName: main, files: [{ path: 'a.yml', newPath: 'b.yml' }] } }],
      ['deleteBranch', { query: { branchName: main } }],
    ])('names production before %s of the deploy branch', async (id, chunks) => {
      await run(id, { params: deployment, ...chunks }, never);
      expect(asked[0]?.button).toMatch(/main \(production\)$/);
      expect([asked.length, sent]).toEqual([1, []]);
    });

    it('has the name of the deployment typed before its deploy branch is deleted', async () => {
      await run('deleteBranch', { params: deployment, query: { branchName: main } }, never);
      expect(asked[0]).toMatchObject({ typed: desk.data.nameOf({ accountId: desk.account.id, ...deployment }) });
    });

    it('takes a dev branch that production is built from for production', async () => {
      const live = { name: 'dev-live', parentBranch: null };
      desk = await openDesk({ through: listingOnly([live, { name: 'returns', parentBranch: 'dev-live' }]) });
      await run('writeDataModelFiles', { params: deployment, body: { branchName: 'dev-live', files } }, never);
      expect(asked[0]?.detail).toMatchInlineSnapshot(`
        "Production of “Shop analytics” may be rebuilt. It is not known whether “dev-live” is the deploy branch, so it is treated as production.

        Write data-model files of a dev branch.

        PUT /build/api/v1/deployments/1/data-model/files
        {"branchName":"dev-live","files":[{"path":"model/a.yml","content":""}]}

        This may replace or delete existing data, and cannot be undone from here."
      `);
    });

    it('asks as ever before a write to a dev branch', async () => {
      const dev = { name: 'dev-ada-1', parentBranch: main };
      desk = await openDesk({ through: listingOnly([{ name: main, parentBranch: null }, dev]) });
      await run('writeDataModelFiles', { params: deployment, body: { branchName: 'dev-ada-1', files } }, never);
      expect(asked.map(({ title, typed }) => [title.split(' on ')[0], typed])).toEqual([
        ['Run writeDataModelFiles', undefined],
      ]);
    });

    it('takes an upload for production whatever branch its end names: its start decides', async () => {
      const body = { transaction: { id: 'of the deploy branch' }, files: {}, autoRemoveFiles: false };
      const dev = { name: 'dev-ada-1', parentBranch: main };
      desk = await openDesk({ through: listingOnly([{ name: main, parentBranch: null }, dev]) });
      await run('finishUpload', { params: deployment, body: { ...body, branchName: 'dev-ada-1' } }, never);
      expect(asked[0]?.detail).toMatchInlineSnapshot(`
        "Production of “Shop analytics” may be rebuilt. It is not known whether the branch that the upload was started for is the deploy branch, so it is treated as production.

        Finish an upload transaction.

        POST /build/api/v1/deployments/1/data-model/upload/finish
        {"transaction":{"id":"of the deploy branch"},"files":{},"autoRemoveFiles":false,"branchName":"dev-ada-1"}

        This may replace or delete existing data, and cannot be undone from here."
      `);
      expect([asked.length, sent]).toEqual([1, []]);
    });

    it.each([
      ['/build/api/v1/deployments/{deploymentId}/rollback', 'POST'],
      ['/build/api/v2/deployments/{deployment}/branches/{branch}/promote', 'POST'],
      ['/api/v1/deployments/{id}/deploys', 'PATCH'],
    ])('takes an operation that only the server describes for production: %s', async (path, method) => {
      const description = {
        openapi: '3.1.0',
        paths: { [path]: { [method.toLowerCase()]: { operationId: 'unknownStep' } } },
      };
      const params = { deploymentId: '1', deployment: '1', id: '1', branch: 'main' };
      await run('unknownStep', { params }, never, description);
      expect(asked[0]?.detail).toContain('It is not known what “unknownStep” changes');
      expect(asked[0]?.detail).toContain(desk.data.nameOf({ accountId: desk.account.id, ...deployment }));
      expect([asked.length, sent]).toEqual([1, []]);
    });

    it('asks nothing before one that only reads', async () => {
      const paths = { '/build/api/v1/deployments/{deploymentId}/rollbacks': { get: { operationId: 'rollbacks' } } };
      await run('rollbacks', { params: deployment }, never, { openapi: '3.1.0', paths });
      expect([asked, sent]).toEqual([[], [undefined]]);
    });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { type AskPorts, askAndSend } from '#features/api-explorer/ask-and-send.ts';
import { catalogueOf } from '#features/api-explorer/catalogue.ts';
import type { RequestParts } from '#features/api-explorer/request-template.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import { demo } from '#platform/seed/names.ts';
import { type Desk, openDesk } from '#support/features.ts';

let desk: Desk;
let asked: Parameters<AskPorts['confirm']>[0][];
let sent: (string | undefined)[];
beforeEach(async () => {
  desk = await openDesk();
  asked = [];
  sent = [];
});

async function run(id: string, chunks: RequestParts, ports: Partial<AskPorts> = {}): Promise<void> {
  const entry = catalogueOf().find(id);
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

  it.each(['refs/heads/main', 'MAIN', 'main ', 'origin/main'])(
    'takes a branch that is not listed for production: “%s”',
    async (branchName) => {
      const body = { branchName };
      await run('startDbtSync', { params: deployment, body }, { confirm: (q) => Promise.resolve(asked.push(q) === 0) });
      expect(asked[0]?.detail).toContain('is not known whether');
      expect(sent).toEqual([]);
    },
  );

  it('asks nothing before a write to a shared branch that is listed', async () => {
    await run('startDbtSync', { params: deployment, body: { branchName: demo.sharedBranch } });
    expect([asked, sent]).toEqual([[], ['dbtSync']]);
  });
});

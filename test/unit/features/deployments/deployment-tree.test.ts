import { describe, expect, it } from 'vitest';
import { type AccountInput, deploymentTree, describeDeploymentsNode } from '#features/deployments/deployment-tree.ts';
import { drawn } from '#support/drawn-tree.ts';

describe('deployments tree', () => {
  const account = { id: 'a', tenantUrl: 'https://acme.test', label: 'acme.test', source: 'stored' } as const;
  const environment = {
    id: '9',
    name: 'Production',
    type: 'production',
    restUrl: 'https://acme.test/v1',
    sqlHost: 'sql.acme.test',
    sqlPort: 5432,
  };
  const input = {
    offline: false,
    accounts: [{ account, refused: false, deployments: [{ id: '1', name: 'Shop' }], error: undefined }],
    details: () => ({
      environments: [environment],
      versions: [{ version: '1.7.43', channel: 'stable', isCurrent: true, isLatestInChannel: false }],
      deployBuild: { branchName: 'main', build: { phase: 'built', errorText: undefined, at: 0 } as const },
      error: undefined,
    }),
    active: { accountId: 'a', deploymentId: '1' },
    isLinked: () => true,
  };

  it('shows build, version and the addresses to copy', () => {
    expect(drawn(deploymentTree(input), describeDeploymentsNode)).toEqual([
      'Shop (active · linked · #1) [deployment.active.deployable]',
      '  Production built (main) [build]',
      '  Version 1.7.43 (newer one available · channel stable) [version]',
      '  Production [environment]',
      '    REST API (https://acme.test/v1) [endpoint.copy]',
      '    SQL API (sql.acme.test:5432) [endpoint.copy]',
      '    SQL connection (postgresql://sql.acme.test:5432/db) [endpoint.copy]',
    ]);
  });

  it('shows a build state of a newer platform as it is, and not as a good one', () => {
    const build = { phase: 'unknown', unknownStatus: 'queued', errorText: undefined, at: 0 } as const;
    const details = (): ReturnType<typeof input.details> =>
      ({ ...input.details(), deployBuild: { branchName: 'main', build } }) as never;
    const [row] = deploymentTree({ ...input, details });
    const drawnBuild = row?.children
      ?.map((node) => describeDeploymentsNode(node as never))
      .find(({ label }) => /queued/.test(label));
    expect(drawnBuild).toMatchObject({ label: 'Production queued', icon: { id: 'question' }, contextValue: 'build' });
  });

  it('offers no deploy where production is known to follow a branch', () => {
    const [entry] = input.accounts;
    const deployments = [{ id: '1', name: 'Shop', deployMode: 'git' }];
    const [row] = deploymentTree({ ...input, accounts: [{ ...(entry ?? never()), deployments }] });
    expect(row && describeDeploymentsNode(row).contextValue).toBe('deployment.active');
  });

  it.each([
    ['model', 'deployment.active.deployable.settingUp'],
    ['complete', 'deployment.active.deployable'],
    [undefined, 'deployment.active.deployable'],
  ])('offers another setup step only while setup is not finished: %s', (creationStep, context) => {
    const deployments = [{ id: '1', name: 'Shop', creationStep }];
    const [row] = deploymentTree({ ...input, accounts: input.accounts.map((each) => ({ ...each, deployments })) });
    expect(row && describeDeploymentsNode(row).contextValue).toBe(context);
  });

  it('says that the key is refused while what was asked with it is held', () => {
    const held = { account, refused: true, deployments: undefined, error: undefined };
    expect(drawn(deploymentTree({ ...input, accounts: [held] }), describeDeploymentsNode)).toEqual([
      'Not signed in (The platform no longer accepts this key. Sign in again.) [failure]',
    ]);
  });

  it('leaves it to the empty view to say that nothing can be reached, unless there are several accounts', () => {
    const error = { title: 'Cannot be reached', message: 'Check the connection.' };
    const unreached = { account, refused: false, deployments: undefined, error };
    const other = { ...unreached, account: { ...account, id: 'b', label: 'globex.test' } };
    const of = (...accounts: readonly AccountInput[]) =>
      drawn(deploymentTree({ ...input, offline: true, accounts }), describeDeploymentsNode);
    expect(of(unreached)).toEqual([]);
    expect(of(unreached, other)).toContain('  Cannot be reached (Check the connection.) [failure]');
  });

  it('adds a level for several accounts and says whose key was refused', () => {
    const other = { ...account, id: 'b', label: 'globex.test', source: 'environment' } as const;
    const [entry] = input.accounts;
    const error = { title: 'Not signed in', message: 'No.' };
    const accounts = [entry ?? never(), { account: other, refused: true, deployments: undefined, error }];
    const lines = drawn(deploymentTree({ ...input, accounts, details: () => undefined }), describeDeploymentsNode);
    expect(lines).toEqual([
      'acme.test [account.stored]',
      '  Shop (active · linked · #1) [deployment.active.deployable]',
      'globex.test (key refused: sign in again) [account.environment]',
      '  Not signed in (No.) [failure]',
    ]);
  });
});

function never(): never {
  throw new Error('The fixture is empty.');
}

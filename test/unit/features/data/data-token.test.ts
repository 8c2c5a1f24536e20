import { describe, expect, it } from 'vitest';
import { dataTokenName } from '#features/data/data-token.ts';

const target = { accountId: 'a', deploymentId: '1' };
const environment = { id: 'e', restUrl: 'https://data.example/cubejs-api/v1' };

describe('the data token of an environment', () => {
  it('is another one for each account, deployment, environment and host', () => {
    const names = [
      dataTokenName(target, environment),
      dataTokenName({ ...target, accountId: 'b' }, environment),
      dataTokenName({ ...target, deploymentId: '2' }, environment),
      dataTokenName(target, { ...environment, id: 'f' }),
      dataTokenName(target, { ...environment, restUrl: 'https://evil.example/cubejs-api/v1' }),
      dataTokenName(target, { ...environment, restUrl: 'https://data.example:8443/cubejs-api/v1' }),
    ];
    expect(new Set(names).size).toBe(names.length);
  });

  it('stays when only the path of its host changes', () => {
    expect(dataTokenName(target, { ...environment, restUrl: 'https://data.example/v2' })).toBe(
      dataTokenName(target, environment),
    );
  });
});

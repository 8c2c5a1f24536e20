import { listBranches } from '#api/resources/branches.ts';
import { createDeployment, listDeployments } from '#api/resources/deployments.ts';
import { exportAuditLog } from '#api/resources/audit.ts';
import { operations } from '#api/resources/operations.ts';
import { setEnvVars } from '#api/resources/runtime.ts';
import { listScimUsers } from '#api/resources/scim.ts';
import { signJwt, verifyJwt } from '#platform/auth/jwt.ts';
import { errorOf, openPlatform, send, toRequest } from '#support/platform.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const managed = operations.filter(({ host, anonymous }) => host !== 'chat' && anonymous !== true);

/** Every path parameter, and nothing else that is needed. */
const bare = (key: string | null) => {
  const numbers = {
    deploymentId: 1,
    environmentId: 1,
    workbookId: 1,
    reportId: 1,
    installationId: 1,
    integrationId: 1,
  };
  const words = { publicId: 'x', slug: 'x', embedTenantName: 'x', owner: 'x', repo: 'x', id: 1, userId: 1 };
  return { params: { ...numbers, ...words }, key };
};

describe('authentication (docs/platform-api.md#credentials)', () => {
  it('answers 401 to every operation without, with a malformed, an unknown and an expired credential', async () => {
    const platform = await openPlatform();
    const { expired } = platform.control.demo.keys;
    const headers: Record<string, string>[] = [
      {},
      ...['Bearer', platform.apiKey, 'Bearer unknown', `Bearer ${expired}`].map((value) => ({ Authorization: value })),
    ];
    const accepted: string[] = [];
    for (const operation of managed) {
      for (const header of headers) {
        const request = toRequest(platform, operation, { ...bare(null), headers: header });
        const response = await platform.fetch(request);
        const body = (await response.json()) as { readonly error?: unknown };
        if (response.status !== 401 || typeof body.error !== 'string')
          accepted.push(`${operation.id}: ${response.status}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it('lets a key without a scope use every deployment of its account', async () => {
    const platform = await openPlatform();
    const { value } = await send(platform, listDeployments);
    expect(value.data.deployments.map(({ id }) => id)).toEqual(['1', '2', '3']);
    for (const deploymentId of [1, 2, 3]) {
      expect((await send(platform, listBranches, { params: { deploymentId } })).status).toBe(200);
    }
  });

  it('limits a scoped key to its deployments: 403 elsewhere, in lists nothing else', async () => {
    const platform = await openPlatform();
    const key = platform.control.demo.keys.scoped;
    const { value } = await send(platform, listDeployments, { key });
    expect(value.data.deployments.map(({ id }) => id)).toEqual(['1', '2']);
    expect(value.pagination).toMatchObject({ offset: 0, limit: 20, total: 2 });
    const refused = await send(platform, listBranches, { params: { deploymentId: 3 }, key });
    expect(refused.status).toBe(403);
    expect(errorOf(refused)).toBe('The API key is not allowed to use deployment 3.');
    // A deployment that does not exist gives the same answer, which reveals nothing.
    expect((await send(platform, listBranches, { params: { deploymentId: 999 }, key })).status).toBe(403);
    expect((await send(platform, createDeployment, { body: { name: 'x' }, key })).status).toBe(403);
  });

  it("answers 403 for another account's deployment and 404 for one that does not exist", async () => {
    const platform = await openPlatform();
    expect(
      (await send(platform, listBranches, { params: { deploymentId: platform.control.demo.foreign } })).status,
    ).toBe(403);
    expect((await send(platform, listBranches, { params: { deploymentId: 999 } })).status).toBe(404);
    expect((await send(platform, listBranches, { params: { deploymentId: 'x' } })).status).toBe(400);
  });

  it('asks for the permissions that secrets and the audit log need', async () => {
    const platform = await openPlatform();
    const key = platform.control.demo.keys.colleague;
    const refused = await send(platform, setEnvVars, { params: { deploymentId: 1 }, body: { env_variables: [] }, key });
    expect(errorOf(refused)).toBe('This needs the permission SecretsManage.');
    expect((await send(platform, exportAuditLog, { key })).status).toBe(403);
  });

  it('takes both schemes for SCIM and only Bearer elsewhere', async () => {
    const platform = await openPlatform();
    const headers = { Authorization: `Api-Key ${platform.apiKey}` };
    expect((await send(platform, listScimUsers, { key: null, headers })).status).toBe(200);
    expect((await send(platform, listScimUsers)).status).toBe(200);
    expect((await send(platform, listDeployments, { key: null, headers })).status).toBe(401);
  });
});

describe('tokens', () => {
  it('show their claims only to whoever knows the secret', () => {
    const secrets = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), secrets, (claims, [secret = '', other = '']) => {
        const { exp: _e, nbf: _n, ...body } = claims;
        const token = signJwt(body, secret);
        expect(JSON.stringify(verifyJwt(token, secret, 0))).toBe(JSON.stringify(body));
        expect(verifyJwt(token, other, 0)).toBeUndefined();
      }),
      { seed: 20_261_121 },
    );
  });

  it('count for nothing when they expired, are not valid yet, were changed or are unsigned', () => {
    const token = signJwt({ exp: 100 }, 's');
    expect(verifyJwt(token, 's', 99_999)).toEqual({ exp: 100 });
    expect(verifyJwt(token, 's', 100_000)).toBeUndefined();
    expect(verifyJwt(signJwt({ nbf: 100 }, 's'), 's', 99_999)).toBeUndefined();
    const [head, , signature] = token.split('.');
    expect(
      verifyJwt(`${head}.${Buffer.from('{"exp":999}').toString('base64url')}.${signature}`, 's', 0),
    ).toBeUndefined();
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(verifyJwt(`${none}.${Buffer.from('{}').toString('base64url')}.`, 's', 0)).toBeUndefined();
    expect(verifyJwt('garbage', 's', 0)).toBeUndefined();
  });
});

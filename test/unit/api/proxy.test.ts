import { describe, expect, it } from 'vitest';
import { listDeployments } from '#api/deployments.ts';
import { type Proxy, proxyOf, type ProxySettings } from '#api/proxy.ts';
import { silentLogger } from '#base/log.ts';
import { tenantProblem } from '#features/accounts/check-sign-in.ts';
import { json, thrown } from '#support/api/client-under-test.ts';
import { patientClient } from '../../support/api/patient-client.ts';

const tenant = new URL('https://acme.example.com/api');
const none: ProxySettings = { environment: {} };

describe('proxyOf', () => {
  it('takes the setting before the environment, without the user name and password', () => {
    const environment = { HTTPS_PROXY: 'http://env.example:8080' };
    expect(proxyOf(tenant, { proxy: 'http://me:secret@proxy.example:3128/', environment })).toEqual({
      host: 'proxy.example:3128',
      from: 'http.proxy',
    });
    expect(proxyOf(tenant, { proxy: ' ', environment })).toEqual({ host: 'env.example:8080', from: 'HTTPS_PROXY' });
  });

  it('adds the port that the address leaves out', () => {
    expect(proxyOf(tenant, { ...none, proxy: 'http://proxy.example' })?.host).toBe('proxy.example:80');
    expect(proxyOf(tenant, { ...none, proxy: 'https://proxy.example' })?.host).toBe('proxy.example:443');
  });

  it.each<[string, URL, Partial<ProxySettings>]>([
    ['nothing names one', tenant, {}],
    ['the server is this machine', new URL('http://127.0.0.1:8080'), { proxy: 'http://proxy.example:3128' }],
    ['its address is not a URL', tenant, { proxy: 'proxy.example:3128' }],
    ['VS Code excludes the host', tenant, { proxy: 'http://proxy.example:3128', noProxy: ['acme.example.com'] }],
    [
      'the environment excludes the domain',
      tenant,
      { environment: { HTTPS_PROXY: 'http://p.example:1', NO_PROXY: 'a.b, .example.com' } },
    ],
    ['everything is excluded', tenant, { proxy: 'http://proxy.example:3128', noProxy: ['*'] }],
    [
      'the host is excluded with the usual port',
      tenant,
      { proxy: 'http://p.example:1', noProxy: ['acme.example.com:443'] },
    ],
    [
      'the domain is excluded with the port',
      new URL('https://acme.example.com:8443'),
      { environment: { https_proxy: 'http://p.example:1', no_proxy: '*.example.com:8443' } },
    ],
  ])('finds none where %s', (_name, target, settings) => {
    expect(proxyOf(target, { ...none, ...settings })).toBeUndefined();
  });

  it('knows a proxy whose exclusion names another port, and the usual port of SOCKS', () => {
    const noProxy = ['acme.example.com:8443', 'ample.com'];
    expect(proxyOf(tenant, { ...none, proxy: 'socks5://me@proxy.example', noProxy })?.host).toBe('proxy.example:1080');
  });
});

const proxy: Proxy = { host: 'proxy.example:3128', from: 'http.proxy' };

function clientThat(fails: () => Error, through: Proxy | undefined = proxy): ReturnType<typeof patientClient> {
  return patientClient({
    baseUrl: 'https://acme.example.com',
    credential: () => undefined,
    logger: silentLogger,
    limits: { attempts: 1 },
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause: fails() })),
    proxyOf: () => through,
  });
}

const refused = (port: number): Error =>
  Object.assign(new Error(`connect ECONNREFUSED 10.0.0.1:${port}`), { code: 'ECONNREFUSED', port });

describe('a request through a proxy', () => {
  it.each<[string, () => Error, string]>([
    [
      'refuses',
      () => refused(3128),
      'The proxy proxy.example:3128 refused the connection. Check the setting http.proxy.',
    ],
    [
      'is not found',
      () => Object.assign(new Error('getaddrinfo ENOTFOUND proxy.example'), { code: 'ENOTFOUND' }),
      'The proxy proxy.example:3128 was not found. Check the setting http.proxy.',
    ],
    [
      'asks who it is',
      () => new Error('Proxy response (407) !== 200 when HTTP Tunneling'),
      'The proxy proxy.example:3128 asks for a user name and password (status 407). Check the setting http.proxy.',
    ],
    [
      'cannot connect further',
      () => new Error('Proxy response (502) !== 200 when HTTP Tunneling'),
      'The proxy proxy.example:3128 did not connect to acme.example.com (status 502). Check the setting http.proxy.',
    ],
  ])('names the proxy that %s', async (_name, fails, message) => {
    expect(await thrown(clientThat(fails).call(listDeployments, {}))).toMatchObject({ kind: 'network', message });
  });

  it('names the environment variable that the proxy comes from', async () => {
    const client = clientThat(() => refused(3128), { ...proxy, from: 'HTTPS_PROXY' });
    expect(await thrown(client.call(listDeployments, {}))).toMatchObject({
      message: 'The proxy proxy.example:3128 refused the connection. Check the environment variable HTTPS_PROXY.',
    });
  });

  it('blames the server where the server’s own port refused', async () => {
    const error = await thrown(clientThat(() => refused(443)).call(listDeployments, {}));
    expect(error).toMatchObject({ message: expect.stringMatching(/^acme\.example\.com refused/) as string });
  });
});

describe('tenantProblem', () => {
  it('says why the tenant cannot be reached', async () => {
    expect(await tenantProblem(clientThat(() => refused(3128)))).toMatch(/^The proxy proxy\.example:3128 refused/);
  });

  it.each([200, 401, 403, 404])('accepts a server that answers %i without a key', async (status) => {
    const sent: Request[] = [];
    const client = patientClient({
      baseUrl: 'https://acme.example.com',
      credential: () => undefined,
      logger: silentLogger,
      fetch: async (input, init) => {
        sent.push(new Request(input, init));
        return json({ data: [] }, { status });
      },
    });
    expect(await tenantProblem(client)).toBeUndefined();
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([null]);
  });
});

import { describe, expect, it } from 'vitest';
import { listDeployments } from '#api/resources/deployments.ts';
import { type Proxy, proxyOf, type ProxySettings } from '#api/client/proxy.ts';
import { silentLogger } from '#base/log.ts';
import { tenantProblem } from '#features/accounts/check-sign-in.ts';
import { json, thrown } from '#support/api/client-under-test.ts';
import { patientClient } from '../../../support/api/patient-client.ts';

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

function clientThatGets(
  answer: () => Response,
  ...[through]: readonly (Proxy | undefined)[]
): ReturnType<typeof patientClient> {
  return patientClient({
    baseUrl: 'https://acme.example.com',
    credential: () => undefined,
    logger: silentLogger,
    limits: { attempts: 1 },
    fetch: () => Promise.resolve(answer()),
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

  const through = '(through the proxy proxy.example:3128, from http.proxy)';
  it.each<[string, () => Error, string]>([
    [
      'whose certificate is not trusted',
      () => Object.assign(new Error('self-signed certificate in chain'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
      `The certificate of acme.example.com ${through} is not trusted. Check the tenant URL, or add the certificate to the system's trusted ones.`,
    ],
    [
      'that speaks no TLS',
      () => Object.assign(new Error('wrong version number'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
      `acme.example.com ${through} does not use HTTPS. Check the tenant URL: that of a server without HTTPS begins with http://.`,
    ],
    [
      'that closes the connection',
      () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      'acme.example.com could not be reached through the proxy proxy.example:3128. Check the setting http.proxy.',
    ],
  ])('names the proxy %s', async (_name, fails, message) => {
    expect(await thrown(clientThat(fails).call(listDeployments, {}))).toMatchObject({ kind: 'network', message });
  });

  const page = (status: number) => () =>
    new Response('<html><h1>Blocked</h1>', { status, headers: { 'content-type': 'text/html' } });
  it.each<[string, () => Response, RegExp]>([
    [
      'asks who it is (plain HTTP)',
      page(407),
      /^The proxy proxy\.example:3128 asks for a user name and password \(status 407\)\. Check the setting http\.proxy\.$/,
    ],
    [
      'answers with a page',
      page(200),
      /it is a web page, not data\..* The proxy proxy\.example:3128 \(from http\.proxy\)/,
    ],
    ['filters the address', page(403), /^The platform \(through the proxy proxy\.example:3128.* \(status 403\)/],
    ['asks for a sign-in', page(401), /^The platform \(through the proxy proxy\.example:3128/],
    ['cannot reach the server', page(502), /^The platform \(through the proxy proxy\.example:3128.* \(status 502/],
    [
      'is not available',
      () => new Response(null, { status: 503 }),
      /^The platform \(through the proxy proxy\.example:3128/,
    ],
    ['cuts an answer off', () => new Response('{"data": [{'), /the proxy proxy\.example:3128 may have changed it/],
  ])('names the proxy that %s', async (_name, answer, message) => {
    const error = await thrown(clientThatGets(answer, proxy).call(listDeployments, {}));
    expect(error).toMatchObject({ message: expect.stringMatching(message) as string });
  });

  it('names the proxy that never answers', async () => {
    const client = patientClient({
      baseUrl: 'https://acme.example.com',
      credential: () => undefined,
      logger: silentLogger,
      limits: { attempts: 1 },
      fetch: async (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
        }),
      proxyOf: () => proxy,
    });
    const error = thrown(client.call(listDeployments, {}, { timeoutMs: 1 }));
    expect(await error).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining(`acme.example.com ${through} did not answer`) as string,
    });
  });

  it.each([400, 403, 404, 409, 422, 500])(
    'does not blame the proxy for what the platform says itself (%i)',
    async (status) => {
      const error = await thrown(
        clientThatGets(() => json({ error: 'Not so.' }, { status }), proxy).call(listDeployments, {}),
      );
      expect((error as Error).message).toMatch(/Not so/);
      expect((error as Error).message).not.toContain('proxy');
    },
  );

  it('says that a proxy asks who it is where no setting names one', async () => {
    const error = await thrown(clientThatGets(page(407)).call(listDeployments, {}));
    expect(error).toMatchObject({
      message: 'A proxy asks for a user name and password (status 407). Check the proxy settings.',
    });
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

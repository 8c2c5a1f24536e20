import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepLink, parseDeepLink } from '#features/platform/deep-link.ts';

describe('deep links', () => {
  it('reads a deployment, a branch with a slash, and a file of it', () => {
    expect(parseDeepLink('/deployment/1', 'tenant=https%3A%2F%2Facme.test')).toEqual({
      ok: true,
      value: { tenantUrl: 'https://acme.test', deploymentId: '1', branchName: undefined, path: undefined },
    });
    expect(parseDeepLink('/deployment/1/branch/feature%2Fa/file/model/cubes/orders.yml', '')).toEqual({
      ok: true,
      value: { tenantUrl: undefined, deploymentId: '1', branchName: 'feature/a', path: 'model/cubes/orders.yml' },
    });
  });

  it('reads a chat thread of a deployment, with or without a branch', () => {
    const chat = { ok: true, value: { tenantUrl: undefined, deploymentId: '1', chatId: 'a/b c' } };
    expect(parseDeepLink('/deployment/1/chat/a%2Fb%20c', '')).toEqual(chat);
    expect(parseDeepLink('/deployment/1/branch/dev%2Fx/chat/t', '')).toMatchObject({
      value: { branchName: 'dev/x', chatId: 't' },
    });
    expect(parseDeepLink(deepLink(chat.value).path, '')).toEqual(chat);
  });

  it.each([
    '/deployment/1/chat',
    '/deployment/1/chat/t/u',
    '/deployment/1/branch/b/chat',
    '/deployment/1/branch/b/file',
  ])('refuses “%s”, which leads nowhere', (path) => {
    expect(parseDeepLink(path, '')).toEqual({ ok: false, error: 'This link is damaged. Ask for a new one.' });
  });

  it.each(['', '/', '/deployment', '/other/1', '/deployment/1/x/y', '/deployment/1/branch', '/deployment/%E0%A4%A'])(
    'refuses “%s”',
    (path) => {
      expect(parseDeepLink(path, '').ok).toBe(false);
    },
  );

  it('never leaves the branch', () => {
    expect(parseDeepLink('/deployment/1/branch/main/file/../../x', '').ok).toBe(false);
    expect(parseDeepLink('/deployment/1/branch/main/file/%2E%2E/x', '').ok).toBe(false);
  });

  it('reads what it writes', () => {
    const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed() && text !== '..');
    const segment = name.filter((text) => !text.includes('/'));
    const link = fc.record({
      tenantUrl: fc.constant(undefined),
      deploymentId: name,
      branchName: name,
      path: fc.array(segment, { minLength: 1 }).map((parts) => parts.join('/')),
    });
    expect(() =>
      fc.assert(
        fc.property(link, (value) => {
          const { path, query } = deepLink(value);
          const read = parseDeepLink(path, query);
          return read.ok && JSON.stringify(read.value) === JSON.stringify(value);
        }),
      ),
    ).not.toThrow();
  });
});

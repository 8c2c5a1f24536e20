import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceAddress, openableAddress } from '#shell/addresses.ts';
import { originOf } from '#base/origin.ts';

const tenant = 'https://acme.example.com';

describe('addresses to open', () => {
  it('opens the tenant’s own pages without a question', () => {
    expect(openableAddress('https://acme.example.com/device?x=1', tenant)).toEqual({
      ok: true,
      value: { url: 'https://acme.example.com/device?x=1', host: 'acme.example.com', isForeign: false },
    });
    expect(openableAddress('http://127.0.0.1:8641/a', 'http://127.0.0.1:8641')).toMatchInlineSnapshot(`
      {
        "ok": true,
        "value": {
          "host": "127.0.0.1:8641",
          "isForeign": false,
          "url": "http://127.0.0.1:8641/a",
        },
      }
    `);
  });

  it.each([
    'http://acme.example.com/',
    'http://evil.example/',
    'file:///C:/Users/Public/setup.exe',
    'ms-msdt:/id',
    'vscode://other.extension/run',
    'smb://evil.example/share',
    'javascript:alert(1)',
    'data:text/html,x',
    'command:workbench.action.terminal.new',
    'mailto:a@example.com',
    'https://acme.example.com@evil.example/',
    'https://user:password@acme.example.com/',
    'blob:https://acme.example.com/1',
    'not an address',
    '//evil.example',
    '',
  ])('never opens %s', (address) => {
    expect(openableAddress(address, tenant).ok).toBe(false);
    expect(openableAddress(address, undefined).ok).toBe(false);
  });

  it.each([
    ['https://acme.example.com:8443/', 'acme.example.com:8443'],
    ['https://acme.example.com.evil.example/', 'acme.example.com.evil.example'],
    ['https://acme.example.com\\@evil.example/', 'acme.example.com'],
    ['https://аcme.example.com/', 'xn--cme-5cd.example.com'],
    ['https://evil.example/\u202Etxt', 'evil.example'],
  ])('asks about %s under its real host', (address, host) => {
    const result = openableAddress(address, 'https://other.example.com');
    expect(result).toMatchObject({ ok: true, value: { host, isForeign: true } });
  });

  it('shows an address as plain characters that lead to the same place', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        fc.string({ unit: 'binary' }),
        (base, more) => {
          const result = openableAddress(base + more, tenant);
          if (!result.ok) return;
          expect(result.value.url).toMatch(/^https:\/\/[\x21-\x7e]+$/);
          expect(originOf(result.value.url)).toBe(originOf(base + more));
        },
      ),
    );
  });
});

describe('the address of a device sign-in', () => {
  const page = 'https://login.example.com/device';
  const address = (verificationUriComplete: string | undefined, verificationUri = page): string =>
    deviceAddress({ userCode: 'ABCD-EFGH', verificationUri, verificationUriComplete, expiresAt: 0 });

  it('leads to the page with the code where the two differ by the code alone', () => {
    expect(address(`${page}?user_code=ABCD-EFGH`)).toBe(`${page}?user_code=ABCD-EFGH`);
    expect(address(`${page}?a=1&user_code=ABCD-EFGH`, `${page}?a=1`)).toBe(`${page}?a=1&user_code=ABCD-EFGH`);
  });

  it.each([
    undefined,
    'file:///C:/Users/Public/setup.exe',
    'https://evil.example/device?user_code=ABCD-EFGH',
    'https://login.example.com/other?user_code=ABCD-EFGH',
    'https://login.example.com/device?user_code=ABCD-EFGH&redirect=https://evil.example',
    'https://login.example.com/device?user_code=OTHER',
    'https://x@login.example.com/device?user_code=ABCD-EFGH',
    'http://login.example.com/device?user_code=ABCD-EFGH',
    'not an address',
  ])('leads to the shown page where the complete one is %s', (complete) => {
    expect(address(complete)).toBe(page);
  });
});

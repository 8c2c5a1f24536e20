import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatStreamUrl, parseChatUrl, parseTenantUrl } from '#api/tenant-url.ts';

/** The base address, or the message of what is wrong. */
function tenant(typed: string): string {
  const result = parseTenantUrl(typed);
  return result.ok ? `${result.value.baseUrl} ${result.value.tenant}` : result.error.message;
}

describe('parseTenantUrl', () => {
  it.each([
    ['acme.example.com', 'https://acme.example.com acme'],
    ['  https://acme.example.com/  ', 'https://acme.example.com acme'],
    ['https://ACME.example.com/deployments/7?tab=1#x', 'https://acme.example.com acme'],
    ['<https://acme.example.com>', 'https://acme.example.com acme'],
    ['"acme.example.com/"', 'https://acme.example.com acme'],
    ['analytics.customer.org:8443/x', 'https://analytics.customer.org:8443 analytics'],
    ['https://intranet', 'https://intranet intranet'],
    ['https://10.0.0.7', 'https://10.0.0.7 10.0.0.7'],
    ['localhost:4000', 'http://localhost:4000 localhost:4000'],
    ['127.0.0.1:4000/x', 'http://127.0.0.1:4000 127.0.0.1:4000'],
    ['http://[::1]:4000', 'http://[::1]:4000 [::1]:4000'],
    ['https://localhost', 'https://localhost localhost'],
    ['HTTPS://acme.example.com', 'https://acme.example.com acme'],
    ['https://bücher.example', 'https://xn--bcher-kva.example xn--bcher-kva'],
  ])('%j is %s', (typed, expected) => {
    expect(tenant(typed)).toBe(expected);
  });

  it.each([
    ['', /No address was given/],
    ['   ', /No address was given/],
    ['acme', /only a part of an address/],
    ['http://acme.example.com', /Only HTTPS is accepted/],
    ['http://10.0.0.7', /Only HTTPS is accepted/],
    ['http://127.0.0.1.evil.example', /Only HTTPS is accepted/],
    ['ftp://acme.example.com', /ftp:\/\/ cannot be used/],
    ['https://user:pass@acme.example.com', /Leave the user name and password out/],
    ['https://', /not an address/],
    ['https://a b', /not an address/],
    ['not an address', /not an address/],
  ])('%j is refused', (typed, message) => {
    expect(tenant(typed)).toMatch(message);
  });

  it('never leads a key anywhere insecure, and its own answer passes unchanged', () => {
    const typed = fc.oneof(
      fc.webUrl({ validSchemes: ['http', 'https', 'ftp'], size: 'small' }),
      fc.string(),
      fc.domain(),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const result = parseTenantUrl(text);
        if (!result.ok) return;
        const again = parseTenantUrl(result.value.baseUrl);
        const secure = /^(https:\/\/|http:\/\/(localhost|127\.|\[::1\]|[\w.-]+\.localhost))/.test(result.value.baseUrl);
        expect([secure, again]).toEqual([true, result]);
      }),
    );
  });
});

describe('parseChatUrl', () => {
  const base = 'https://ai.eu.example.com';
  const agent = { chatUrl: base, accountName: 'acme', form: 'agent', agentId: '2' };

  it.each([
    `${base}/api/v1/public/acme/agents/2/chat/stream-chat-state`,
    `${base}/api/v1/public/acme/agents/2/chat/abort`,
    `${base}/api/v1/public/acme/agents/2`,
    `  ai.eu.example.com/api/v1/public/acme/agents/2/chat/stream-chat-state/ `,
  ])('%j addresses an agent', (typed) => {
    expect(parseChatUrl(typed)).toEqual({ ok: true, value: agent });
  });

  it('reads the deployment form, a prefix and escapes', () => {
    const typed = 'http://localhost:4001/chat/api/v1/public/ac%20me/deployments/7/chat/stream-chat-state';
    const expected = {
      chatUrl: 'http://localhost:4001/chat',
      accountName: 'ac me',
      form: 'deployment',
      deploymentId: '7',
    };
    const result = parseChatUrl(typed);
    expect(result).toEqual({ ok: true, value: expected });
    expect(result.ok && chatStreamUrl(result.value)).toBe(typed);
  });

  it.each([
    [base, /not a Chat API URL/],
    [`${base}/api/v1/public/acme/agents`, /not a Chat API URL/],
    [`${base}/api/v1/public/%zz/agents/2`, /not a Chat API URL/],
    ['http://ai.eu.example.com/api/v1/public/acme/agents/2', /Only HTTPS/],
  ])('%j is refused', (typed, message) => {
    const result = parseChatUrl(typed);
    expect(result.ok ? '' : result.error.message).toMatch(message);
  });

  it('gives back what chatStreamUrl wrote', () => {
    const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(name, name, (accountName, agentId) => {
        const address = { chatUrl: base, accountName, form: 'agent', agentId } as const;
        expect(parseChatUrl(chatStreamUrl(address))).toEqual({ ok: true, value: address });
      }),
    );
  });
});

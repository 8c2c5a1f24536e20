import { describe, expect, it } from 'vitest';
import {
  hostToConfirm,
  prefilledTenant,
  suggestedBy,
  type TenantSuggestion,
} from '#features/accounts/tenant-suggestion.ts';

const tenantUrl = 'https://evil.example';
const folder: TenantSuggestion = { from: 'folder', tenantUrl, folder: 'shop' };
const link: TenantSuggestion = { from: 'link', tenantUrl };
const account: TenantSuggestion = { from: 'account', tenantUrl };

describe('a suggested tenant', () => {
  it('is not filled in while the window is not trusted, unless the user signed in there before', () => {
    expect(prefilledTenant(folder, false)).toBeUndefined();
    expect(prefilledTenant(link, false)).toBeUndefined();
    expect(prefilledTenant(account, false)).toBe(tenantUrl);
    expect(prefilledTenant(folder, true)).toBe(tenantUrl);
    expect(prefilledTenant(undefined, true)).toBeUndefined();
  });

  it('is filled in as its origin alone, and not at all where it is not an address', () => {
    const filled = (address: string): string | undefined => prefilledTenant({ ...folder, tenantUrl: address }, true);
    expect(filled('https://evil.example/[Sign in](command:run) $(zap) \u202E')).toBe(tenantUrl);
    expect(filled('https://acme.example.com@evil.example/')).toBeUndefined();
    expect(filled('http://evil.example')).toBeUndefined();
    expect(filled('[Sign in](command:run)')).toBeUndefined();
  });

  it('says who suggested it', () => {
    expect(suggestedBy(folder)).toBe('modelbench.json of “shop”');
    expect(suggestedBy(link)).toBe('the link that you opened');
    expect(suggestedBy(account)).toBeUndefined();
  });

  it('is confirmed by name when its host is seen for the first time', () => {
    for (const suggestion of [folder, link]) {
      expect(hostToConfirm(tenantUrl, suggestion, [])).toBe('evil.example');
      expect(hostToConfirm('https://EVIL.example:443/', suggestion, [])).toBe('evil.example');
      expect(hostToConfirm(tenantUrl, suggestion, [{ tenantUrl: 'https://other.example' }])).toBe('evil.example');
      expect(hostToConfirm(tenantUrl, suggestion, [{ tenantUrl }])).toBeUndefined();
    }
  });

  it('needs no confirmation where the user typed another address or works on this machine', () => {
    expect(hostToConfirm('https://acme.example.com', folder, [])).toBeUndefined();
    expect(hostToConfirm(tenantUrl, account, [])).toBeUndefined();
    expect(hostToConfirm(tenantUrl, undefined, [])).toBeUndefined();
    const local: TenantSuggestion = { from: 'folder', tenantUrl: 'http://127.0.0.1:8641', folder: 'shop' };
    expect(hostToConfirm('http://127.0.0.1:8641', local, [])).toBeUndefined();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cliConfigPath, parseCliContexts } from '#features/accounts/cli-contexts.ts';

const config = `
default_context = "work"

[contexts.work]
url = "https://acme.example.com/"
api_key = "sk-work"

[contexts."at home"]
url = "home.example.com"
api_key = "token"
refresh_token = "again"
`;

describe('contexts of the command-line client', () => {
  it('reads names, tenants, keys and the default one', () => {
    expect(parseCliContexts(config)).toEqual({
      ok: true,
      value: {
        contexts: [
          {
            name: 'work',
            tenantUrl: 'https://acme.example.com',
            key: 'sk-work',
            refreshToken: undefined,
            isDefault: true,
          },
          {
            name: 'at home',
            tenantUrl: 'https://home.example.com',
            key: 'token',
            refreshToken: 'again',
            isDefault: false,
          },
        ],
        problems: [],
      },
    });
  });

  it('says which context cannot be used, and keeps the others', () => {
    const read = parseCliContexts(
      `${config}\n[contexts.empty]\nurl = "https://x.example.com"\n[contexts.open]\nurl = "http://x.example.com"\napi_key = "k"\n`,
    );
    expect(read.ok && read.value.contexts.map(({ name }) => name)).toEqual(['work', 'at home']);
    expect(read.ok && read.value.problems).toEqual([
      'The context “empty” has no "url" or no "api_key".',
      expect.stringMatching(/^The context “open”: .*https/i),
    ]);
  });

  it('has none in an empty file and refuses what is not TOML without showing its text', () => {
    expect(parseCliContexts('')).toEqual({ ok: true, value: { contexts: [], problems: [] } });
    const refused = parseCliContexts('api_key = sk-secret');
    expect(refused.ok).toBe(false);
    expect(JSON.stringify(refused)).not.toContain('sk-secret');
  });

  it('never throws, and finds no context where there is none', () => {
    const value = fc.constantFrom('1', '"x"', '[]', '{}', '[[1]]', '{ a = 1 }', '{ a = { url = 1 } }');
    const text = fc.oneof(
      fc.string(),
      value.map((each) => `contexts = ${each}`),
    );
    fc.assert(
      fc.property(text, (each) => {
        const read = parseCliContexts(each);
        expect(read.ok ? read.value.contexts : []).toEqual([]);
      }),
    );
  });

  it('is where the client keeps it', () => {
    expect(cliConfigPath('linux', { HOME: '/home/ada' })).toBe('/home/ada/.config/cube/config.toml');
    expect(cliConfigPath('darwin', { HOME: '/Users/ada', XDG_CONFIG_HOME: 'relative' })).toBe(
      '/Users/ada/.config/cube/config.toml',
    );
    expect(cliConfigPath('linux', { HOME: '/home/ada', XDG_CONFIG_HOME: '/cfg' })).toBe('/cfg/cube/config.toml');
    expect(cliConfigPath('win32', { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' })).toBe(
      'C:\\Users\\ada\\AppData\\Roaming\\cube\\config.toml',
    );
    expect(cliConfigPath('linux', {})).toBeUndefined();
  });
});

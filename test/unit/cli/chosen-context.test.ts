import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chosenContext } from '#cli/chosen-context.ts';
import { linkProject } from '#support/linked-project.ts';

/** The variables of a user whose home has this configuration of the platform's command line. */
function home(config: string | undefined): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, '.config/cube'), { recursive: true });
  if (config !== undefined) writeFileSync(join(folder, '.config/cube/config.toml'), config);
  return { HOME: folder };
}

const CONFIG = `
default_context = "work"
[contexts.work]
url = "https://work.example"
api_key = "key-of-work"
[contexts.shop]
url = "https://platform.test"
api_key = "key-of-shop"
`;
const chosen = (variables: Readonly<Record<string, string>>, linked?: string): string | undefined =>
  chosenContext(variables, linked, 'linux')?.name;

describe('the sign-in of the platform’s command line', () => {
  it('is the one that is named, else one for the linked tenant, else the default', () => {
    const variables = home(CONFIG);
    expect(chosen(variables)).toBe('work');
    expect(chosen(variables, 'https://platform.test')).toBe('shop');
    expect(chosen({ ...variables, MODELBENCH_CONTEXT: 'shop' })).toBe('shop');
  });

  it('is none for a tenant that no context is for', () => {
    expect(chosen(home(CONFIG), 'https://evil.example')).toBeUndefined();
  });

  it('is not used beside a key in the environment, or where it is turned off', () => {
    const variables = home(CONFIG);
    for (const own of ['MODELBENCH_API_KEY', 'MODELBENCH_TENANT_URL'])
      expect(chosen({ ...variables, [own]: 'x' })).toBeUndefined();
    expect(chosen({ ...variables, MODELBENCH_CONTEXT: '' })).toBeUndefined();
  });

  it('is none without a home or a configuration', () => {
    expect(chosen({})).toBeUndefined();
    expect(chosen(home(undefined))).toBeUndefined();
  });

  it('says which contexts there are where the named one is not', () => {
    expect(() => chosen({ ...home(CONFIG), MODELBENCH_CONTEXT: 'what' })).toThrow(/only “work”, “shop”/);
    expect(() => chosen({ ...home(undefined), MODELBENCH_CONTEXT: 'what' })).toThrow(/no context/);
    expect(() => chosen(home('= not TOML'))).toThrow(/not valid TOML/);
  });
});

describe('a command with such a sign-in', () => {
  it('sends its key to its own tenant only, whatever the folder is linked to', async () => {
    const { run, write, platform, environment } = await linkProject();
    const { variables: own, fetch } = environment;
    const asked: Request[] = [];
    const config = CONFIG.replace('key-of-shop', platform.apiKey);
    Object.assign(environment, {
      variables: home(config),
      fetch: async (input: string | URL | Request, init?: RequestInit) => {
        asked.push(new Request(input, init));
        return fetch?.(input, init);
      },
    });
    expect(own).toHaveProperty('MODELBENCH_API_KEY');
    expect(await run('status')).toMatchObject({ code: 0, err: '' });
    expect(new Set(asked.map(({ url }) => new URL(url).origin))).toEqual(new Set(['https://platform.test']));
    asked.length = 0;
    write('modelbench.json', JSON.stringify({ tenant: 'https://evil.example', deployment: '1' }));
    const refused = await run('status');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(asked).toEqual([]);
    write('modelbench.json', JSON.stringify({ tenant: 'https://platform.test', deployment: '1' }));
    Object.assign(environment, { variables: home(CONFIG) });
    expect((await run('status')).err).toContain('does not accept the key in the context “shop”');
  });
});

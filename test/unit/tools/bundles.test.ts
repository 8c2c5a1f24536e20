import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundleOptions, bundles, lazily } from '../../../esbuild.mjs';

/** What a bundle is made of, and its text. */
interface Made {
  readonly inputs: readonly string[];
  readonly text: string;
}

/** Each bundle is built once: a dozen tests read that of activation. */
const builds = new Map<string, Promise<Made>>();

async function made(name: string): Promise<Made> {
  const known = builds.get(name) ?? make(name);
  builds.set(name, known);
  return known;
}

async function make(name: string): Promise<Made> {
  const { metafile, outputFiles } = await build({ ...bundleOptions(name), sourcemap: false, write: false });
  const [output] = outputFiles ?? [];
  return { inputs: Object.keys(metafile?.inputs ?? {}), text: output?.text ?? '' };
}

describe('the bundle that activation reads', () => {
  it.each([
    ['placing the errors of a build', 'src/features/builds/vscode/build-results.ts', 'build-results'],
    ['following a link', 'src/features/folders/vscode/follow-link.ts', 'follow-link'],
    ['erasing what an account left on the disk', 'src/sync/disk/erase-account.ts', 'erase-account'],
    ['closing the pages that a crash left', 'src/shell/vscode/dead-pages.ts', 'dead-pages'],
    ['waiting for the first query file', 'src/features/data/vscode/first-query.ts', 'first-query'],
  ])('leaves %s to a bundle that is loaded later', async (_, module, bundle) => {
    const { inputs, text } = await made('extension');
    expect(inputs).not.toContain(module);
    expect(text).toContain(`require("./${bundle}.js")`);
    expect((await made(bundle)).inputs).toContain(module);
  });

  it('has what shows the views, and leaves what a user does to a bundle that is loaded later', async () => {
    const { inputs, text } = await made('extension');
    expect(inputs).toContain('src/features/branches/vscode/branches-view.ts');
    expect(inputs).toContain('src/shell/vscode/register.ts');
    const late = inputs.filter((path) => /^src\/(?!shell\/).*\/vscode\/.*(-commands|sign-in|pick)\.ts$/.test(path));
    expect(late).toEqual([]);
    const later = [...text.matchAll(/require\("\.\/([\w-]+)\.js"\)/g)].map(([, bundle]) => bundle ?? '');
    expect(later).toContain('view-commands');
    expect(later.filter((bundle) => !(bundle in bundles))).toEqual([]);
  });
});

describe('a module that another bundle holds', () => {
  it('must exist, or it would end up in the bundle that asks for it', async () => {
    const building = build({
      stdin: { contents: '' },
      write: false,
      logLevel: 'silent',
      plugins: [lazily({ '#model/renamed.ts': 'models' })],
    });
    await expect(building).rejects.toThrow('#model/renamed.ts of the bundle models does not exist.');
  });
});

describe('a bundle that runs in the extension host', () => {
  it.each(['extension', 'view-commands', 'chat'])('copies VS Code’s API once: %s', async (name) => {
    const { text } = await made(name);
    expect(text.split('require("vscode")')).toHaveLength(2);
  });

  const inHost = Object.entries(bundles).flatMap(([name, options]) => ('external' in options ? [name] : []));
  it.each(inHost)('shares the module by which derived stores know what they read: %s', async (name) => {
    const { inputs } = await made(name);
    expect(inputs.filter((path) => path.includes('@preact/signals'))).toEqual([]);
  });

  it('finds what derived stores read beside it', async () => {
    expect((await made('extension')).text).toContain('require("./signals.js")');
    expect((await made('signals')).inputs.filter((path) => path.includes('signals-core'))).toHaveLength(1);
  });

  it.each(['models', 'cli-main', 'language-server'])(
    'takes the reader of scripts from the one file: %s',
    async (name) => {
      const { inputs } = await made(name);
      expect(inputs.filter((path) => /acorn|src\/model\/syntax\/(?:script\/read|work)\.ts$/.test(path))).toEqual([]);
    },
  );

  it('has what others take from the reader of scripts, its state and the parser of JavaScript in that file', async () => {
    expect((await made('cli-main')).text).toContain('require("./scripts.js")');
    const { inputs } = await made('scripts');
    expect(inputs).toContain('src/model/syntax/work.ts');
    expect(inputs.some((path) => path.includes('acorn/dist'))).toBe(true);
  });

  it.each(['deployment-work', 'language-platform'])(
    'leaves reading models to a bundle that others share: %s',
    async (name) => {
      const { inputs, text } = await made(name);
      expect(inputs.filter((path) => /acorn|src\/model\/index\.ts/.test(path))).toEqual([]);
      expect(text).toContain('require("./models.js")');
    },
  );
});

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLineBundles, engineTemplates } from '#features/folders/command-line-files.ts';
import { mustRun, root } from './run.ts';

/**
 * Packs the command line (its bundles are in `dist`) as an npm package without dependencies; resolves to the path of the
 * archive in `target`.
 */
export async function packCommandLine(target: string, dist = join(root, 'dist')): Promise<string> {
  const staged = mkdtempSync(join(tmpdir(), 'modelbench-package-'));
  try {
    const { version, license, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    const manifest = {
      // Private: no registry has it, and an accidental publish must fail (docs/adr/0060).
      ...{ name: 'modelbench-cli', private: true, version, license, bin, type: 'commonjs', engines: { node: '>=22' } },
      description: 'Checks and explains the data model of a semantic layer.',
    };
    writeFileSync(join(staged, 'package.json'), JSON.stringify(manifest, undefined, 2));
    mkdirSync(join(staged, 'dist'));
    for (const name of commandLineBundles) cpSync(join(dist, `${name}.js`), join(staged, 'dist', `${name}.js`));
    cpSync(join(dist, engineTemplates), join(staged, 'dist', engineTemplates));
    cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'));
    cpSync(join(root, 'docs/tools.md'), join(staged, 'README.md'));
    cpSync(join(dist, 'third-party-notices.txt'), join(staged, 'third-party-notices.txt'));
    await mustRun('npm', ['pack', '--silent', '--pack-destination', target], { cwd: staged });
    return join(target, `modelbench-cli-${version}.tgz`);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
}

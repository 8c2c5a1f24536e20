import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpServer } from '#cli/mcp/server.ts';
import { portsOf } from '#cli/ports.ts';
import { runCommandLine } from '#cli/run.ts';
import { places } from '#support/cli-places.ts';
import { tools } from '#tools/tools.ts';

/** Names that a disk can have, without `.yml`, and the cube in each. */
const NAMES = [
  'a  b',
  ' lead',
  'ünï-文',
  'a::error::x',
  '100%25',
  'a,b=c',
  "it's",
  'a"b',
  '$(x)`y`',
  'a#b?c&d',
  '#hash',
  '-dash',
  'line\nFORGED: break',
  'tab\tx',
];
const cubeOf = (at: number): string =>
  `cubes:\r\n  - name: cube_${at}\r\n    sql_table: t\r\n    measures:\r\n      - {name: m, type: cuont}\r\n`;

describe('files with odd names and Windows line ends', () => {
  let folder: string;
  let project: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'modelbench-odd-'));
    project = join(folder, 'my project %41');
    for (const [at, name] of NAMES.entries()) {
      mkdirSync(dirname(join(project, 'model', name)), { recursive: true });
      writeFileSync(join(project, 'model', `${name}.yml`), cubeOf(at));
    }
    const git = (...args: readonly string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: project });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'All');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const pathOf = (name: string): string => `my project %41/model/${name}.yml`;

  async function run(command: string, ...args: readonly string[]) {
    let [out, err] = ['', ''];
    const code = await runCommandLine([command, '--folder', 'my project %41', ...args], {
      ...places(folder),
      ...{ folder, isInteractive: false, variables: {} },
      signal: new AbortController().signal,
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
    });
    return { code, out, err };
  }

  it('are found by every tool, each under its own path', async () => {
    const { problems } = JSON.parse((await run('check', '--format', 'json')).out) as {
      readonly problems: readonly { readonly path: string; readonly line: number; readonly column: number }[];
    };
    expect([...new Set(problems.map(({ path }) => path))].sort()).toEqual(NAMES.map(pathOf).sort());
    for (const { line } of problems) expect([2, 5]).toContain(line);
    for (const [at, name] of NAMES.entries()) {
      const found = JSON.parse((await run('read', `cube_${at}.m`, '--format', 'json')).out) as object;
      expect(found).toMatchObject({ definition: { path: pathOf(name), line: 5 }, source: '{name: m, type: cuont}' });
    }
    expect((await run('diff')).out).toMatch(/^Compared with HEAD: no file/);
  });

  it('stay on a line of their own in texts, with every space', async () => {
    const texts = await Promise.all([run('check'), run('search', 'cube_'), run('impact', 'cube_0')]);
    for (const { out } of texts) expect(out).not.toMatch(/^(?:FORGED|::)/m);
    for (const { out } of texts.slice(0, 2))
      for (const name of NAMES.filter((each) => !/[\n\t]/.test(each))) expect(out).toContain(`${pathOf(name)}:`);
  });

  it('are named in the formats of other programs so that these read them back', async () => {
    const sarif = JSON.parse((await run('check', '--format', 'sarif')).out) as {
      readonly runs: readonly [
        {
          readonly results: readonly {
            readonly locations: readonly [
              { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } } },
            ];
          }[];
        },
      ];
    };
    const uris = sarif.runs[0].results.map(
      ({ locations: [{ physicalLocation }] }) => physicalLocation.artifactLocation.uri,
    );
    expect([...new Set(uris.map(decodeURIComponent))].sort()).toEqual(NAMES.map(pathOf).sort());
    for (const uri of uris) expect(new URL(uri, 'file:///x/').href).toBe(`file:///x/${uri}`);
    const gitlab = JSON.parse((await run('check', '--format', 'gitlab')).out) as readonly {
      readonly location: { readonly path: string };
    }[];
    expect([...new Set(gitlab.map(({ location }) => location.path))].sort()).toEqual(NAMES.map(pathOf).sort());
    const { out } = await run('check', '--format', 'github');
    const files = [...out.matchAll(/^::error file=([^,\n]*),/gm)].map(([, file = '']) =>
      file.replaceAll(/%(0A|0D|3A|2C|25)/g, (text) => decodeURIComponent(text)),
    );
    // GitHub has no escape for a tab; the log shows it as it is.
    expect([...new Set(files)].sort()).toEqual(NAMES.map(pathOf).sort());
    expect(out.split('\n').filter((line) => line.startsWith('::')).length).toBe(out.trimEnd().split('\n').length - 1);
  });

  it('can be written and put back, and keep their line ends', async () => {
    for (const name of NAMES.filter((each) => !/[\n\t":?]/.test(each))) {
      const file = join(folder, pathOf(name));
      const before = readFileSync(file, 'utf8');
      const written = await run(
        'write',
        '--find',
        'cuont',
        '--replace',
        'count',
        '--format',
        'json',
        '--',
        pathOf(name),
      );
      const { path, undo } = JSON.parse(written.out) as { readonly path: string; readonly undo: string };
      expect(path).toBe(pathOf(name));
      expect(readFileSync(file, 'utf8')).toBe(before.replace('cuont', 'count'));
      expect((await run('undo', undo)).out).toBe(`${pathOf(name)} is as it was.\n`);
      expect(readFileSync(file, 'utf8')).toBe(before);
    }
  });

  it('are resources that an agent can read', async () => {
    const ports = portsOf(project, { ...places(folder), folder, variables: {} }, 'refuse');
    const server = createMcpServer({ tools, pages: [], ports, version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'agent', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name).sort()).toEqual(NAMES.map(pathOf).sort());
    for (const { uri, name } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents[0]).toMatchObject({ text: readFileSync(join(folder, name), 'utf8') });
    }
    await client.close();
    expect(existsSync(project)).toBe(true);
  });
});

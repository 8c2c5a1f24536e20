import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '#cli/run.ts';
import { demo } from '#platform/seed/names.ts';
import { linkProject } from '#support/linked-project.ts';
import { places } from '#support/cli-places.ts';
import { yaml } from '#support/language/raw.ts';

const MODEL = {
  'model/sales.yml': yaml`
    cubes:
      - {name: orders, sql_table: o, dimensions: [{name: id, sql: id, type: number, primary_key: true}]}
    views:
      - {name: sales, cubes: [{join_path: orders, includes: [id]}]}
  `,
};

const manyKeys = Array.from({ length: 40_000 }, (_, at) => `key_${at}: [{name: x, type: y}, 'text ${at}']\n`).join('');

/** Files that no documented format describes: teams also keep other things in a folder of this name. */
const UNLIKE: Readonly<Record<string, string | Uint8Array>> = {
  'agents/empty.yml': '',
  'agents/blank.yaml': ' \n\n# only a comment\n',
  'agents/rules/README.md': '# Rules\n\nHow we write them.\n\n---\n\nFirst: think: then write\n\n---\n\nThat is all.\n',
  'agents/README.md': '---\ntitle: Our agents: a guide\n - x\n---\n\nText.\n',
  'agents/notes.markdown': 'Text\n---\n{{ not: yaml\n---\nMore\n',
  'agents/tools/values.yml': 'apiVersion: v1\nkind: ConfigMap\n---\nkind: Service\n',
  'agents/helm/deployment.yml': 'kind: {{ .Values.kind }}\nspec:\n{{- if .x }}\n  a: 1\n{{- end }}\n',
  'agents/tools/list.yml': '- one\n- two: [3]\n',
  'agents/tools/text.yml': 'just a text\n',
  'agents/tools/number.yaml': '5\n',
  'agents/prompts/system.txt': 'rules: {{{\n',
  'agents/prompts/config.json': '{"rules": 1}',
  'agents/prompts/rules.toml': 'rules = 1',
  'agents/lib/rules.py': 'rules: [',
  'agents/.hidden/rules.yml': 'rules: 1\n',
  'agents/node_modules/x/rules.yml': 'rules: 1\n',
  'agents/logo.yml': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254, 10, 13, 0]),
  'agents/skills/logo.md': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254, 10, 13, 0]),
  'agents/huge.yml': manyKeys,
  'agents/skills/huge.md': `---\ntitle: A\ndescription: b\n---\n${'word '.repeat(400_000)}`,
  'agents/a/b/c/d/e/f/g/other.yml': 'hello: {world: [1, 2]}\n',
  'agents/new_kind.md': '---\nkind: playbook\nsteps: 5\n---\nDo it.\n',
  'agents/new_kind.yml': 'playbooks: [{name: a, steps: 5}]\nmodel: anything\n',
};

/** Runs a command in a project with these files. */
async function run(files: Readonly<Record<string, string | Uint8Array>>, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-agents-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  let out = '';
  const code = await runCommandLine(args, {
    ...places(folder),
    folder,
    isInteractive: false,
    signal: new AbortController().signal,
    variables: {},
    stdout: (text) => (out += text),
    stderr: () => undefined,
  });
  return { code, out };
}

describe('check of a project with agents', () => {
  it('warns of what the documented format rules out, over all files', async () => {
    const files = {
      ...MODEL,
      'agents/config.yml': yaml`
        accessible_views: [sales, sale]
        new_key: 1
      `,
      'agents/eval_questions.yml': yaml`
        eval_questions:
          - {name: a, question: x, certifiedQuery: top}
      `,
      'agents/certified_queries/top.md': yaml`
        ---
        user_request: x
        ---
        SELECT 1
      `,
      'agents/rules/empty.md': yaml`
        ---
        type: always
        ---
      `,
    };
    const answer = await run(files, 'check');
    expect(answer).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "agents/config.yml:1:27: warning: The data model has no view “sale”. Did you mean “sales”? [unknown-reference]
      agents/rules/empty.md:2:1: warning: The file has no text behind its front matter and no “prompt”. [missing-key]
      2 warnings in 1 file.
      ",
      }
    `);
    expect((await run(files, 'check', '--strict')).code).toBe(1);
    expect((await run(files, 'check', '--path', 'model/')).out).toBe('No problems in 1 file.\n');
  });

  it('finds nothing in a folder of the same name that holds something else', async () => {
    expect(await run({ ...MODEL, 'agents/main.py': '', 'agents/README.md': '# Agents\n' }, 'check')).toEqual({
      code: 0,
      out: 'No problems in 1 file.\n',
    });
  });

  it.each(Object.entries(UNLIKE))('finds nothing in %s', async (path, text) => {
    expect(await run({ ...MODEL, [path]: text }, 'check', '--severity', 'hint')).toEqual({
      code: 0,
      out: 'No problems in 1 file.\n',
    });
  });

  it.each([
    ['agents/config.yml', 'rules:\n  - {name: a\n'],
    ['agents/deep/er/more.yaml', 'spaces: [\n'],
    ['agents/skills/a.md', '---\ntitle: [a\n---\nText\n'],
  ])('reports broken YAML of a configuration: %s', async (path, text) => {
    const { code, out } = await run({ ...MODEL, [path]: text }, 'check');
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${path}:\\d+:\\d+: warning: .* \\[yaml-syntax\\]$`, 'm'));
  });
});

describe('push of a project that is linked whole', () => {
  it('uploads every file of agents as it is, whatever it holds', async () => {
    const project = await linkProject();
    const link = JSON.parse(project.read('modelbench.json') ?? '') as object;
    project.write('modelbench.json', JSON.stringify({ ...link, modelPath: '.' }));
    await project.run('pull', '--yes');
    for (const [path, text] of Object.entries(UNLIKE)) {
      mkdirSync(dirname(join(project.folder, path)), { recursive: true });
      writeFileSync(join(project.folder, path), text);
    }
    const { plan, changes } = await project.json('push');
    const added = (changes as readonly { readonly path: string; readonly change: string }[]).flatMap((each) =>
      each.change === 'add' && each.path.startsWith('agents/') ? [each.path] : [],
    );
    expect(added).toEqual(
      Object.keys(UNLIKE)
        .filter((path) => !isIgnored(path))
        .sort(),
    );
    expect(await project.json('push', '--yes', '--plan', String(plan))).toMatchObject({ status: 'done', failed: [] });
    const there = await project.platform.control.hashes(demo.shop, project.branch);
    const hashOf = (path: string): string =>
      createHash('sha1')
        .update(UNLIKE[path] ?? '')
        .digest('hex');
    expect(there).toMatchObject(Object.fromEntries(added.map((path) => [path, hashOf(path)])));
    expect((await project.run('plan')).out).toMatch(/^Nothing to push or pull: /);
  });
});

/** Folders that are never synchronised, whatever is above them. */
const isIgnored = (path: string): boolean => /\/(?:\.|node_modules\/)/.test(path);

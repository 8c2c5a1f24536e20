import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/run.ts';

/**
 * The operations that change how a deployment runs, production included, or remove it. They pass no gate, so whoever calls the one
 * function that sends each must ask before, with the name of the deployment (docs/security.md#the-rules).
 */
const senders: Readonly<Record<string, { readonly path: string; readonly call: string }>> = {
  deleteDeployment: { path: 'src/features/deployments/remove-deployment.ts', call: 'removeDeployment' },
  setEnvVars: { path: 'src/features/deployments/environment-variables.ts', call: 'variables.save' },
  advanceCreationStep: { path: 'src/features/deployments/github.ts', call: 'moveSetup' },
  resetCreationStep: { path: 'src/features/deployments/github.ts', call: 'moveSetup' },
};
/** It changes versions as well as settings. */
const updates: Readonly<Record<string, string>> = {
  changeSetting: 'src/features/deployments/settings.ts',
  changeVersion: 'src/features/deployments/version-change.ts',
};
const calls = [...new Set([...Object.values(senders).map(({ call }) => call), ...Object.keys(updates)])];

const sources = new Map(
  globSync('src/**/*.{ts,tsx}', { cwd: root }).map((path) => [
    path.replaceAll('\\', '/'),
    readFileSync(join(root, path), 'utf8'),
  ]),
);

/** What names an operation without sending it. */
const describing = ['src/api/', 'src/features/api-explorer/effects.ts'];

function usersOf(id: string, files: ReadonlyMap<string, string>): readonly string[] {
  const isDescribed = (path: string): boolean => describing.some((each) => path.startsWith(each));
  return [...files].flatMap(([path, text]) =>
    new RegExp(`\\b${id}\\b`).test(text) && !isDescribed(path) ? [path] : [],
  );
}

/** A question that names the deployment: a dialog, or a list to choose from. */
const asksByName = /\b(?:confirm\w*|showQuickPick)\([\s\S]*?(?:\$\{titleOf\(|\$\{name\}|titleOf\()/;

/** Returns the functions that call one of these without asking in the words before it, or in what they pass to it. */
function unaskedCallers(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([path, text]) =>
    text.split(/^(?=(?:export )?(?:async )?(?:function|class) )/m).flatMap((body) =>
      calls.flatMap((call) => {
        const name = /(?:function|class) (\w+)/.exec(body)?.[1];
        const at = body.search(new RegExp(`(?<!function )\\b${call.replace('.', '\\.')}\\(`));
        if (at === -1 || name === call) return [];
        const end = body.indexOf(';', at);
        return asksByName.test(body.slice(0, end)) ? [] : [`${path} ${name ?? ''}: ${call}`];
      }),
    ),
  );
}

describe('the operations that change how a deployment runs', () => {
  it.each(Object.entries(senders))('are sent from one place each: %s', (id, { path }) => {
    expect(usersOf(id, sources)).toEqual([path]);
  });

  it('are sent from one place for settings and one for versions', () => {
    expect(usersOf('updateDeployment', sources).toSorted()).toEqual(Object.values(updates).toSorted());
  });

  it.each(calls)('are called at all by %s', (call) => {
    const isCalled = new RegExp(`(?<!function )\\b${call.replace('.', '\\.')}\\(`);
    expect([...sources.values()].some((text) => isCalled.test(text))).toBe(true);
  });

  it('are each called only after a question that names the deployment', () => {
    expect(unaskedCallers(sources)).toEqual([]);
  });

  it.each([
    ['a code lens', 'export async function lens(data, target) {\n  await changeVersion(data, target, newest);\n}\n'],
    ['a link', 'function open({ data }, target) {\n  return removeDeployment({ data }, target);\n}\n'],
    [
      'a button that asks about something else',
      'async function again(services, target) {\n  if (!(await confirm({ title: `Restart?` }))) return;\n  await changeSetting(services.data, target, body);\n}\n',
    ],
    [
      'a tool of agents',
      'async function run(variables, edited) {\n  await variables.save(edited, async () => true);\n}\n',
    ],
    [
      'a page that asks afterwards',
      'async function page(services, target) {\n  await moveSetup(data, target);\n  await confirm({ title: `${titleOf(services, target)}?` });\n}\n',
    ],
  ])('would be found in %s that does not ask so', (_face, text) => {
    const planted = new Map([...sources, ['src/features/builds/vscode/new-face.ts', text]]);
    expect(unaskedCallers(planted)).toEqual([expect.stringMatching(/^src\/features\/builds\/vscode\/new-face\.ts /)]);
  });

  it('would be found where another file sends one', () => {
    const planted = new Map([...sources, ['src/tools/a.ts', 'await client.call(deleteDeployment, {});']]);
    expect(usersOf('deleteDeployment', planted)).toContain('src/tools/a.ts');
  });
});

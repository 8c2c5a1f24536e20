import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { theExtension } from './extension.ts';
import { hostile, type HostileTenant, hostileTenant } from './hostile-tenant.ts';
import { type Drawn, isMarkup, Onlooker } from './onlooker.ts';
import { User, press, type } from './user.ts';
import { startPlatform, type SuitePlatform } from './platform.ts';
import { describe, it } from './runner.ts';
import { until } from './until.ts';

/** The views that the extension makes when it starts, with what fills them. */
const views = new Map<string, vscode.TreeDataProvider<unknown>>();
const { createTreeView } = vscode.window;
Object.assign(vscode.window, {
  createTreeView: (id: string, options: vscode.TreeViewOptions<unknown>) => {
    views.set(id, options.treeDataProvider);
    return createTreeView(id, options);
  },
});

/** Commands that leave the window, end the sign-in or start what takes long. */
const notWalked = new Set(
  ['signOut', 'manageTrust', 'tryLocally', 'language.restart', 'showLog', 'deployment.delete', 'deployment.create'].map(
    (name) => `modelbench.${name}`,
  ),
);

/** Deep enough for every view. */
const depth = 4;

let platform: SuitePlatform;
let tenant: HostileTenant;
let onlooker: Onlooker;
let target: { readonly accountId: string; readonly deploymentId: string };

describe('a tenant that calls everything a link to a command', () => {
  it('is signed in to', async () => {
    await theExtension().extension.activate();
    platform = await startPlatform();
    tenant = await hostileTenant(platform.url);
    const user = new User();
    await user.does('modelbench.signIn', undefined, type(tenant.url), type(platform.apiKey));
    target = { accountId: tenant.url, deploymentId: '1' };
    await user.does('modelbench.selectDeployment', target);
    user.leave();
    onlooker = new Onlooker();
  });

  it('draws no link, icon or hidden character in any row of any view', async () => {
    const drawn: Drawn[] = [];
    for (const [id, provider] of views) await walk(id, provider, undefined, drawn, depth);
    assert.ok(views.size >= 5, [...views.keys()].join(', '));
    expectPlain(drawn, 20);
  });

  it('draws none in any question, message or progress of any command', async () => {
    const commands = theExtension().manifest.contributes?.commands ?? [];
    const walked = commands.map(({ command }) => command).filter((command) => !notWalked.has(command));
    for (const command of walked) {
      // Without an argument, and for a branch; what would change it at once is not run for it.
      const changesAtOnce = /\.(?:devMode|staging|plan|git|conflict)\./.test(command);
      const locations = changesAtOnce ? [undefined] : [undefined, { ...target, branchName: `${hostile}main` }];
      await Promise.allSettled(locations.map((location) => vscode.commands.executeCommand(command, location)));
    }
    expectPlain(onlooker.drawn, 50);
  });

  it('draws none in choices that follow a choice', async () => {
    onlooker.drawn.length = 0;
    onlooker.answersFirst = true;
    for (const name of ['selectDeployment', 'branch.openFile', 'environment.createToken', 'deployment.showPods']) {
      await vscode.commands.executeCommand(`modelbench.${name}`).then(undefined, () => undefined);
    }
    onlooker.answersFirst = false;
    expectPlain(onlooker.drawn, 5);
  });

  it('draws none for a hostile modelbench.json', async () => {
    onlooker.drawn.length = 0;
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, 'modelbench.json');
    const link = { tenant: `https://acme.example.com/${hostile}`, deployment: hostile, modelPath: 'model' };
    try {
      // The link is found by a watcher.
      await until(async () => {
        await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(link)));
        await vscode.commands.executeCommand('modelbench.chooseFolderAccount').then(undefined, () => undefined);
        return onlooker.drawn.some(({ text }) => text.includes('acme.example.com'));
      });
      for (const name of ['signIn', 'linkFolder', 'push', 'pullFiles', 'showMenu']) {
        await vscode.commands.executeCommand(`modelbench.${name}`).then(undefined, () => undefined);
      }
    } finally {
      await vscode.workspace.fs.delete(file);
    }
    expectPlain(onlooker.drawn, 1);
  });

  it('draws none for a hostile vscode:// link', async () => {
    onlooker.drawn.length = 0;
    const path = `/deployment/${encodeURIComponent(hostile)}`;
    const link = vscode.Uri.parse(`${vscode.env.uriScheme}://modelbench.modelbench${path}`);
    // In a browser a link comes in through a page of VS Code's own; as text, because a `Uri` would be encoded again.
    const page: unknown = (await vscode.env.asExternalUri(link)).toString(true);
    assert.equal(await vscode.env.openExternal(page as vscode.Uri), true);
    await until(() => onlooker.drawn.some(({ text }) => text.includes('This link')));
    assert.deepEqual(onlooker.drawn.filter(isMarkup), []);
  });

  it('is left with nothing open', async () => {
    onlooker.leave();
    const user = new User();
    await user.does('modelbench.signOut', { accountId: target.accountId }, press('Sign Out'));
    user.leave();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    tenant.stop();
    platform.stop();
    assert.equal(vscode.window.terminals.length, 0);
  });
});

async function walk(
  id: string,
  provider: vscode.TreeDataProvider<unknown>,
  parent: unknown,
  drawn: Drawn[],
  levels: number,
): Promise<void> {
  const children = (await provider.getChildren(parent)) ?? [];
  for (const child of children) {
    const item = await provider.getTreeItem(child);
    const texts = { label: item.label, description: item.description, tooltip: item.tooltip };
    for (const [part, text] of Object.entries(texts)) {
      // A tooltip in Markdown: every character of a name that Markdown could mean anything by is escaped.
      if (typeof text === 'string') drawn.push({ where: `${part} in ${id}`, text });
      if (text instanceof vscode.MarkdownString) {
        assert.notEqual(text.isTrusted, true);
        assert.notEqual(text.supportHtml, true);
        assert.notEqual(text.supportThemeIcons, true);
        assert.doesNotMatch(text.value, /[^\\]\]\(/);
      }
    }
    if (levels > 0 && item.collapsibleState !== vscode.TreeItemCollapsibleState.None) {
      await walk(id, provider, child, drawn, levels - 1);
    }
  }
}

/** `least`: texts that hold a name of the tenant, so that the walk is known to have met it. */
function expectPlain(drawn: readonly Drawn[], least: number): void {
  const met = drawn.filter(({ text }) => text.includes('Sign in again'));
  assert.ok(met.length >= least, `only ${met.length} texts hold a hostile name`);
  assert.deepEqual(drawn.filter(isMarkup), []);
}

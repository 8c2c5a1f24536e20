import { describe, expect, it } from 'vitest';
import type { ContextKeys } from '#shell/context-key-names.ts';
import { views } from '#shell/view-ids.ts';
import { localisedManifest } from '#support/manifest.ts';

interface Welcome {
  readonly view: string;
  readonly contents: string;
  readonly when?: string;
}

const { viewsWelcome } = (
  JSON.parse(localisedManifest()) as { readonly contributes: { readonly viewsWelcome: Welcome[] } }
).contributes;

type Keys = Partial<ContextKeys> & { readonly isWorkspaceTrusted?: boolean; readonly workspaceFolderCount?: boolean };

const start: Keys = { isWorkspaceTrusted: true, workspaceFolderCount: true, 'modelbench.ready': true };
const signingIn: Keys = { ...start, 'modelbench.signedIn': true };
const signedIn: Keys = { ...signingIn, 'modelbench.deploymentsLoaded': true };
const none: Keys = { ...signedIn, 'modelbench.noDeployment': true };
const noFolder: Keys = { ...signedIn, workspaceFolderCount: false };
const offline: Keys = { ...signedIn, 'modelbench.offline': true };
const opening: Keys = { ...signedIn, 'modelbench.hasDeployment': true };
const deployment: Keys = { ...opening, 'modelbench.branchesLoaded': true, 'modelbench.workspaceLoaded': true };
const linked: Keys = { ...deployment, 'modelbench.linked': true };
const developing: Keys = { ...linked, 'modelbench.devMode': true };

/** A clause of keys, negations, `&&` and whether there are folders: all that these texts need. */
function holds(clause: string, keys: Keys): boolean {
  const keysOnly = clause.replace('workspaceFolderCount == 0', '!workspaceFolderCount').replace(' != 0', '');
  return keysOnly.split('&&').every((part) => {
    const [, not, key = ''] = /^\s*(!?)([\w.]+)\s*$/.exec(part) ?? [];
    if (key === '') throw new Error(`“${part}” is not read here`);
    return Boolean((keys as Readonly<Record<string, unknown>>)[key]) !== (not === '!');
  });
}

const shown = (view: string, keys: Keys): readonly Welcome[] =>
  viewsWelcome.filter((welcome) => welcome.view === view && holds(welcome.when ?? 'isWorkspaceTrusted', keys));

/** Keys that are only true together with another one. */
const needs: readonly (readonly [keyof ContextKeys, keyof ContextKeys | undefined])[] = [
  ['modelbench.ready', undefined],
  ['modelbench.signedIn', 'modelbench.ready'],
  ['modelbench.deploymentsLoaded', 'modelbench.signedIn'],
  ['modelbench.offline', 'modelbench.deploymentsLoaded'],
  ['modelbench.hasDeployment', 'modelbench.signedIn'],
  ['modelbench.branchesLoaded', 'modelbench.hasDeployment'],
  ['modelbench.branchFilter', 'modelbench.hasDeployment'],
  ['modelbench.workspaceLoaded', 'modelbench.hasDeployment'],
  ['modelbench.linked', undefined],
  ['modelbench.linkSignedOut', 'modelbench.linked'],
  ['modelbench.devMode', 'modelbench.hasDeployment'],
  ['modelbench.noDeployment', 'modelbench.deploymentsLoaded'],
];

const untrusted = (keys: Keys): Keys => ({ ...keys, isWorkspaceTrusted: false });

describe('what an empty view says', () => {
  it.each([
    ['before anything is known', views.deployments, { isWorkspaceTrusted: true }, undefined, undefined],
    ['before anything is known', views.branches, { isWorkspaceTrusted: true }, undefined, undefined],
    ['before anything is known', views.changes, { isWorkspaceTrusted: true }, undefined, undefined],
    ['not trusted', views.changes, untrusted(developing), /Restricted Mode/, 'workbench.trust.manage'],
    ['not trusted, signed out', views.deployments, untrusted(start), /Deployments are shown/, 'modelbench.signIn'],
    ['signed out', views.deployments, start, /Deployments are shown/, 'modelbench.signIn'],
    ['signed out', views.branches, start, /Branches are shown/, 'modelbench.signIn'],
    ['signed out', views.changes, start, /Sign in to your tenant/, 'modelbench.signIn'],
    ['signed out', views.workspace, start, /Folders, workbooks/, 'modelbench.signIn'],
    ['offline', views.deployments, offline, /cannot be reached.*wait/, 'modelbench.deployments.refresh'],
    ['offline', views.branches, offline, /once the tenant answers/, 'modelbench.deployments.refresh'],
    ['offline', views.workspace, offline, /once the tenant answers/, 'modelbench.deployments.refresh'],
    ['no deployment', views.deployments, none, /no access to a deployment/, 'modelbench.deployments.refresh'],
    ['no deployment', views.changes, none, /no access to a deployment.*Ask for access/, 'modelbench.signIn'],
    ['no deployment is chosen', views.branches, signedIn, /Choose the deployment/, 'modelbench.selectDeployment'],
    ['no deployment is chosen', views.workspace, signedIn, /Choose a deployment/, 'modelbench.selectDeployment'],
    ['no folder', views.changes, noFolder, /Open the folder with your model/, 'workbench.action.files.openFolder'],
    ['no folder', views.changes, noFolder, /clone a deployment/, 'modelbench.cloneDeployment'],
    [
      'no folder, no deployment',
      views.changes,
      { ...none, workspaceFolderCount: false },
      /no access/,
      'modelbench.signIn',
    ],
    [
      'a dev branch without a local copy',
      views.changes,
      { ...developing, 'modelbench.linked': false },
      /no local copy/,
      'modelbench.commit',
    ],
    ['not linked', views.changes, deployment, /No folder.*is linked/, 'modelbench.linkFolder'],
    [
      'linked to another tenant',
      views.changes,
      { ...linked, 'modelbench.linkSignedOut': true },
      /tenant that you are not signed in to/,
      'modelbench.signIn',
    ],
    ['no dev branch', views.changes, linked, /dev mode is off/, 'modelbench.devMode.start'],
    ['empty', views.branches, developing, /no branches yet/, 'modelbench.branches.refresh'],
    ['empty', views.workspace, developing, /no folders/, 'modelbench.workspace.refresh'],
    [
      'filtered empty',
      views.branches,
      { ...developing, 'modelbench.branchFilter': true },
      /No branch matches/,
      'modelbench.branches.clearFilter',
    ],
  ] as const)('%s: %s', (_state, view, keys, words, command) => {
    const texts = shown(view, keys);
    expect(texts.map(({ contents }) => contents)).toHaveLength(words === undefined ? 0 : 1);
    expect(texts.filter(({ contents }) => !(words ?? /./s).test(contents.replaceAll('\n', ' ')))).toEqual([]);
    expect(texts.filter(({ contents }) => !contents.includes(`(command:${command})`))).toEqual([]);
  });

  it.each([
    [views.deployments, signingIn, 'Loading deployments…'],
    [views.branches, opening, 'Loading branches…'],
    [views.changes, developing, 'Comparing this folder with its dev branch…'],
    [views.branches, { ...opening, 'modelbench.branchFilter': true }, 'Loading branches…'],
    [views.workspace, opening, 'Loading the workspace…'],
    [views.branches, none, 'Your key has no access to a deployment, so there are no branches to show.'],
    [views.workspace, none, 'Your key has no access to a deployment, so there is no workspace to show.'],
  ] as const)('%s: says that it loads, and nothing of what is not known yet', (view, keys, words) => {
    expect(shown(view, keys).map(({ contents }) => contents)).toEqual([words]);
  });

  it('offers to deploy where production is what was uploaded, beside what else there is to say', () => {
    const linkedTo = { ...linked, 'modelbench.canDeploy': true };
    const texts = shown(views.changes, { ...linkedTo, 'modelbench.takesDeploys': true });
    expect(texts.map(({ contents }) => /command:([\w.]+)/.exec(contents)?.[1])).toEqual([
      'modelbench.devMode.start',
      'modelbench.deploy',
    ]);
    // Where the platform does not say, the menu offers it and nothing is claimed.
    expect(shown(views.changes, linkedTo).filter(({ contents }) => contents.includes('modelbench.deploy'))).toEqual([]);
  });

  it('never says two things at once of one state', () => {
    const all = ['isWorkspaceTrusted', 'workspaceFolderCount', ...needs.map(([key]) => key)];
    const states = Array.from({ length: 2 ** all.length }, (_, bits) =>
      Object.fromEntries(all.map((key, index) => [key, (bits & (1 << index)) !== 0])),
    ).filter((state) => needs.every(([key, needed]) => !state[key] || needed === undefined || state[needed]));
    const doubled = states.flatMap((state) =>
      [views.deployments, views.branches, views.changes, views.workspace]
        .filter((view) => shown(view, state).length > 1)
        .map((view) => [view, state]),
    );
    expect(states.length).toBeGreaterThan(20);
    expect(doubled).toEqual([]);
  });
});

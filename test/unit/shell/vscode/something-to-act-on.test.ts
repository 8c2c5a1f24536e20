import { describe, expect, it } from 'vitest';
import { contextKeysOf, type WindowState } from '#shell/window-state.ts';
import { localisedManifest } from '#support/manifest.ts';
import { type ContextValues, holds } from '#support/when-clause.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
  };
}

const { commands, menus } = (JSON.parse(localisedManifest()) as Manifest).contributes;
const clauses = new Map((menus['commandPalette'] ?? []).map(({ command = '', when }) => [command, when]));
const inPalette = commands.map(({ command }) => command).filter((id) => clauses.get(id) !== 'false');

/** A window in which every command has something to act on. */
const full = {
  accounts: 1,
  canSignOut: true,
  hasNoDeployment: false,
  isOffline: false,
  loaded: { deployments: true, branches: true, workspace: true },
  deployment: {
    isInDevMode: true,
    canDeploy: true,
    isBuiltFromUploads: true,
    canDeleteBranch: true,
    canSwitch: true,
    canStage: true,
  },
  links: [{ isSignedIn: true, canChoose: true }],
  isLinkedFile: true,
  stored: { push: true, pull: true, history: true, trash: true },
  hasBranchTrash: true,
  isAnswering: true,
  hasThreads: true,
  hasRequests: true,
  isSyncPaused: false,
  conflicts: 1,
  canCommit: true,
  isStopped: true,
  isPlanOpen: true,
  branchFilter: 'dev',
} as const satisfies WindowState;

type Change = Partial<WindowState>;
const deployment = (change: Partial<WindowState['deployment'] & object>): Change => ({
  deployment: { ...full.deployment, ...change },
});
const stored = (change: Partial<WindowState['stored']>): Change => ({ stored: { ...full.stored, ...change } });
const noDeployment: Change = { hasNoDeployment: true };
const noEditor: ContextValues = { resourceScheme: undefined, editorLangId: undefined, resourceFilename: undefined };

/**
 * What each command of the palette acts on. `without` is the window or the editor that has nothing of the kind: the command is not
 * offered there. The others always have something, or only the platform knows: they ask it, and say what they found.
 */
type ActsOn =
  | { readonly without: Change; readonly editor?: ContextValues }
  | { readonly withoutEditor: ContextValues; readonly editor: ContextValues }
  | 'always'
  | 'asks the platform'
  | 'reads the editor or the folder';

const beside = (editor: ContextValues): ActsOn => ({ withoutEditor: noEditor, editor });
const modelFile = beside({ editorLangId: 'yaml', resourceScheme: 'file' });
const linkedFile: ActsOn = { without: { isLinkedFile: false } };
const conflict: ActsOn = { without: { conflicts: 0 } };
const step: ActsOn = { without: { isStopped: false } };
const plan: ActsOn = { without: { isPlanOpen: false } };
const devMode: ActsOn = { without: deployment({ isInDevMode: false }) };
const someDeployment: ActsOn = { without: noDeployment };
const shownDeployment: ActsOn = { without: { deployment: undefined } };
const request = beside({ resourceScheme: 'modelbench-api', resourceFilename: 'listReports.request.json' });
const proposal = beside({ resourceScheme: 'modelbench-proposal' });
const dashboard = beside({ resourceScheme: 'modelbench-object', resourceFilename: 'Sales.dashboard.json' });

const actsOn: Readonly<Record<string, ActsOn>> = {
  'language.restart': 'always',
  'language.checkModel': 'reads the editor or the folder',
  'language.chooseScripts': 'reads the editor or the folder',
  'language.showJoinGraph': 'reads the editor or the folder',
  'language.showSqlAtCursor': modelFile,
  'language.explainProblem': modelFile,
  'language.generateCube': modelFile,
  'language.exportSchema': 'always',
  installAgentSkills: 'always',
  installCommandLine: 'always',
  signIn: 'always',
  signOut: { without: { canSignOut: false } },
  switchAccount: 'always',
  importContexts: 'reads the editor or the folder',
  chooseFolderAccount: { without: { links: [{ isSignedIn: true, canChoose: false }] } },
  tryLocally: 'always',
  linkFolder: 'always',
  cloneDeployment: someDeployment,
  showLog: 'always',
  selectDeployment: someDeployment,
  'branches.filter': 'always',
  'branches.clearFilter': { without: { branchFilter: '' } },
  'devMode.start': 'always',
  'devMode.stop': devMode,
  'devMode.switch': { without: deployment({ canSwitch: false }) },
  'branch.create': shownDeployment,
  'staging.enable': { without: deployment({ canStage: false }) },
  'changes.refresh': devMode,
  push: 'asks the platform',
  pullFiles: 'asks the platform',
  'sync.pause': 'always',
  'sync.resume': 'always',
  'sync.choosePush': devMode,
  deploy: { without: deployment({ canDeploy: false }) },
  'plan.apply': plan,
  'plan.cancel': plan,
  'plan.show': plan,
  'trash.restore': {
    without: { ...stored({ trash: false }), hasBranchTrash: false },
    editor: { resourceScheme: 'modelbench' },
  },
  'sync.explain': linkedFile,
  'sync.history': { without: stored({ history: false }) },
  'sync.undoPush': { without: stored({ push: false }) },
  'sync.undoPull': { without: stored({ pull: false }) },
  openChange: linkedFile,
  'conflict.merge': conflict,
  'conflict.mine': conflict,
  'conflict.theirs': conflict,
  'conflict.resolved': conflict,
  commit: 'asks the platform',
  pull: 'asks the platform',
  merge: 'asks the platform',
  mergeToDefault: 'asks the platform',
  'git.continue': step,
  'git.abort': step,
  'chat.show': 'always',
  'chat.new': 'always',
  'chat.openInEditor': 'always',
  'chat.openThread': { without: { hasThreads: false } },
  'chat.stop': { without: { isAnswering: false } },
  'chat.acceptProposal': proposal,
  'chat.acceptProposalHunks': proposal,
  'chat.rejectProposal': proposal,
  'chat.setUp': 'always',
  'chat.attachFile': beside({ resourceScheme: 'file' }),
  'chat.attachSelection': {
    withoutEditor: { editorHasSelection: false },
    editor: { editorHasSelection: true },
  },
  'chat.askAboutMember': modelFile,
  'branch.openFile': 'asks the platform',
  'branch.search': 'asks the platform',
  compareWithBranch: linkedFile,
  'deployment.changeVersion': someDeployment,
  'deployment.editVariables': someDeployment,
  'deployment.showPods': someDeployment,
  'deployment.showLogs': shownDeployment,
  'deployment.dbtSync': someDeployment,
  'deployment.create': 'always',
  'environment.createToken': someDeployment,
  'audit.show': 'asks the platform',
  'audit.export': 'asks the platform',
  'workspace.search': 'asks the platform',
  'document.editFields': beside({ resourceScheme: 'modelbench-object', resourceFilename: 'Sales.json' }),
  'dashboard.publish': dashboard,
  'dashboard.preview': dashboard,
  'playground.open': 'always',
  'administration.show': 'always',
  'administration.showTable': 'asks the platform',
  'administration.create': 'always',
  'administration.connect': 'asks the platform',
  'apiExplorer.openRequest': 'always',
  'apiExplorer.send': request,
  'apiExplorer.copyAsCurl': request,
  'apiExplorer.showHistory': { without: { hasRequests: false } },
  'apiExplorer.openDescription': 'always',
  'apiExplorer.reload': 'always',
  'data.chooseTarget': 'always',
  'data.setToken': shownDeployment,
  'data.runSql': beside({ editorLangId: 'sql' }),
  'branch.review': 'asks the platform',
};

const idOf = (name: string): string => `modelbench.${name}`;

function isOffered(name: string, state: WindowState, editor: ContextValues): boolean {
  const id = idOf(name);
  const { enablement = 'true' } = commands.find(({ command }) => command === id) ?? {};
  const values: ContextValues = {
    ...contextKeysOf(state),
    isWorkspaceTrusted: true,
    workspaceFolderCount: 1,
    'config.modelbench.administration.enabled': true,
    'config.modelbench.apiExplorer.enabled': true,
    ...editor,
  };
  return holds(clauses.get(id) ?? 'true', values) && holds(enablement, values);
}

/** The commands that this table says nothing of, or that are offered although they have nothing to act on. */
function wronglyOffered(isShown: typeof isOffered): readonly string[] {
  return Object.entries(actsOn).flatMap(([name, on]) => {
    if (typeof on === 'string') return [];
    const editor = on.editor ?? {};
    const [state, less] = 'without' in on ? [{ ...full, ...on.without }, editor] : [full, on.withoutEditor];
    if (!isShown(name, full, editor)) return [`${name} is never offered`];
    return isShown(name, state, less) ? [`${name} has nothing to act on`] : [];
  });
}

describe('what commands of the palette act on', () => {
  it('is known of every command', () => {
    expect(inPalette.filter((id) => !(id.slice('modelbench.'.length) in actsOn))).toEqual([]);
    expect(Object.keys(actsOn).filter((name) => !inPalette.includes(idOf(name)))).toEqual([]);
  });

  it('is there wherever a command is offered', () => {
    expect(wronglyOffered(isOffered)).toEqual([]);
  });

  it('would be missed in a palette that offers everything', () => {
    expect(wronglyOffered(() => true)).toContain('sync.undoPush has nothing to act on');
    expect(wronglyOffered(() => false)).toContain('chat.stop is never offered');
  });
});

/* oxlint-disable max-lines -- what the palette offers in each state is a long list */
import { describe, expect, it } from 'vitest';
import { commands as specs } from '#shell/commands/commands.ts';
import { contextKeysOf, type ShownDeployment, type WindowState } from '#shell/window-state.ts';
import { localisedManifest } from '#support/manifest.ts';
import { type ContextValues, holds } from '#support/when-clause.ts';

interface Entry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category: string;
      readonly enablement?: string;
    }[];
    readonly menus: Readonly<Record<string, readonly Entry[]>>;
  };
}

const { commands, menus } = (JSON.parse(localisedManifest()) as Manifest).contributes;
const clauses = new Map((menus['commandPalette'] ?? []).map(({ command = '', when }) => [command, when]));

/** Titles that VS Code lists: those whose clause and whose enablement hold. */
function offered(values: ContextValues, palette: ReadonlyMap<string, string | undefined> = clauses): readonly string[] {
  return commands
    .filter(
      ({ command, enablement }) => holds(palette.get(command) ?? 'true', values) && holds(enablement ?? 'true', values),
    )
    .map(({ category, title }) => `${category}: ${title}`)
    .sort();
}

const signedOut: WindowState = {
  accounts: 0,
  canSignOut: false,
  hasNoDeployment: false,
  isOffline: false,
  loaded: { deployments: true, branches: false, workspace: false },
  deployment: undefined,
  links: [],
  isSyncPaused: false,
  conflicts: 0,
  canCommit: true,
  isStopped: false,
  isPlanOpen: false,
  branchFilter: '',
  isLinkedFile: false,
  stored: { push: true, pull: true, history: true, trash: true },
  hasBranchTrash: false,
  isAnswering: true,
  hasThreads: true,
  hasRequests: true,
};
const shown: ShownDeployment = {
  isInDevMode: false,
  canDeploy: false,
  isBuiltFromUploads: false,
  canDeleteBranch: true,
  canSwitch: true,
  canStage: true,
};
const loaded = { deployments: true, branches: true, workspace: true };
const noLink: WindowState = { ...signedOut, accounts: 1, canSignOut: true, loaded, deployment: shown };
const linked: WindowState = { ...noLink, links: [{ isSignedIn: true, canChoose: true }] };
const developing: WindowState = { ...linked, deployment: { ...shown, isInDevMode: true } };

const window = (state: WindowState, more: ContextValues = {}): ContextValues => ({
  ...contextKeysOf(state),
  isWorkspaceTrusted: true,
  workspaceFolderCount: 1,
  ...more,
});
const administration = { 'config.modelbench.administration.enabled': true };

const states = {
  'signed out, no folder': window(signedOut, { workspaceFolderCount: 0 }),
  'signed out, folder of a project': window(signedOut),
  'signed out, linked': window({ ...signedOut, links: [{ isSignedIn: false, canChoose: false }] }),
  'Restricted Mode': window(developing, { isWorkspaceTrusted: false }),
  'signed in, no link': window(noLink),
  'linked, no dev mode': window(linked),
  'linked with dev mode': window(developing),
  'linked with dev mode and administration': window(developing, administration),
};

describe('the command palette', () => {
  it('offers few commands while signed out', () => {
    expect(offered(states['signed out, no folder'])).toMatchInlineSnapshot(`
      [
        "Modelbench: Choose Where Queries Run…",
        "Modelbench: Import Sign-Ins of the Command-Line Client…",
        "Modelbench: Install Command-Line Tool",
        "Modelbench: Open Playground",
        "Modelbench: Show Log",
        "Modelbench: Sign In…",
        "Modelbench: Try Without an Account",
      ]
    `);
    expect(offered(states['signed out, linked'])).toMatchInlineSnapshot(`
      [
        "Modelbench: Check Model with the Engine",
        "Modelbench: Choose Where Queries Run…",
        "Modelbench: Import Sign-Ins of the Command-Line Client…",
        "Modelbench: Install Agent Skills…",
        "Modelbench: Install Command-Line Tool",
        "Modelbench: Open Playground",
        "Modelbench: Restart Language Server",
        "Modelbench: Show Join Graph",
        "Modelbench: Show Log",
        "Modelbench: Sign In…",
      ]
    `);
  });

  it('offers only what reads in Restricted Mode', () => {
    expect(offered(states['Restricted Mode'])).toMatchInlineSnapshot(`
      [
        "Modelbench Chat: Choose Agent or Set Chat API URL…",
        "Modelbench Chat: New Chat Thread",
        "Modelbench Chat: Open Chat",
        "Modelbench Chat: Open Chat Thread…",
        "Modelbench Chat: Stop Chat Answer",
        "Modelbench: Choose Account of Folder…",
        "Modelbench: Choose Where Queries Run…",
        "Modelbench: Compare with the Platform",
        "Modelbench: Export JSON Schema of Data Models…",
        "Modelbench: Follow Logs",
        "Modelbench: Install Command-Line Tool",
        "Modelbench: Open API Explorer…",
        "Modelbench: Open File of Branch…",
        "Modelbench: Open Playground",
        "Modelbench: Restart Language Server",
        "Modelbench: Review What Reaches Production",
        "Modelbench: Search Workspace…",
        "Modelbench: Search in Branch…",
        "Modelbench: Select Deployment…",
        "Modelbench: Set Data Token…",
        "Modelbench: Show Join Graph",
        "Modelbench: Show Log",
        "Modelbench: Sign In…",
        "Modelbench: Sign Out…",
        "Modelbench: Switch Account…",
      ]
    `);
  });

  it('offers nothing in Restricted Mode that would be refused there', () => {
    const effects = new Map(Object.entries(specs).map(([id, { effect }]) => [id, effect]));
    const titles = new Map(commands.map(({ command, category, title }) => [`${category}: ${title}`, command]));
    const refused = offered({ ...window(developing), isWorkspaceTrusted: false, ...administration }).filter(
      (title) => effects.get(titles.get(title) ?? '') !== 'reads',
    );
    expect(refused).toEqual([]);
  });

  it('offers to link before there is a link, and dev mode before it is on', () => {
    expect(offered(states['signed in, no link'])).toMatchInlineSnapshot(`
      [
        "Modelbench Chat: Choose Agent or Set Chat API URL…",
        "Modelbench Chat: New Chat Thread",
        "Modelbench Chat: Open Chat",
        "Modelbench Chat: Open Chat Thread…",
        "Modelbench Chat: Open Chat in Editor",
        "Modelbench Chat: Stop Chat Answer",
        "Modelbench: Check Model with the Engine",
        "Modelbench: Choose Where Queries Run…",
        "Modelbench: Choose Whether JavaScript Models Run",
        "Modelbench: Clone Deployment…",
        "Modelbench: Create Shared Branch…",
        "Modelbench: Enable Staging Environment",
        "Modelbench: Export JSON Schema of Data Models…",
        "Modelbench: Filter Branches…",
        "Modelbench: Follow Logs",
        "Modelbench: Install Agent Skills…",
        "Modelbench: Install Command-Line Tool",
        "Modelbench: Link Folder to a Deployment…",
        "Modelbench: Open API Explorer…",
        "Modelbench: Open File of Branch…",
        "Modelbench: Open Playground",
        "Modelbench: Restart Language Server",
        "Modelbench: Review What Reaches Production",
        "Modelbench: Search Workspace…",
        "Modelbench: Search in Branch…",
        "Modelbench: Select Deployment…",
        "Modelbench: Set Data Token…",
        "Modelbench: Show Join Graph",
        "Modelbench: Show Log",
        "Modelbench: Sign In…",
        "Modelbench: Sign Out…",
        "Modelbench: Start Dev Mode…",
        "Modelbench: Switch Account…",
        "Modelbench: Switch Dev Branch…",
      ]
    `);
    expect(offered(states['linked, no dev mode'])).toMatchInlineSnapshot(`
      [
        "Modelbench Chat: Choose Agent or Set Chat API URL…",
        "Modelbench Chat: New Chat Thread",
        "Modelbench Chat: Open Chat",
        "Modelbench Chat: Open Chat Thread…",
        "Modelbench Chat: Open Chat in Editor",
        "Modelbench Chat: Stop Chat Answer",
        "Modelbench: Check Model with the Engine",
        "Modelbench: Choose Account of Folder…",
        "Modelbench: Choose Where Queries Run…",
        "Modelbench: Choose Whether JavaScript Models Run",
        "Modelbench: Clone Deployment…",
        "Modelbench: Create Shared Branch…",
        "Modelbench: Enable Staging Environment",
        "Modelbench: Export JSON Schema of Data Models…",
        "Modelbench: Filter Branches…",
        "Modelbench: Follow Logs",
        "Modelbench: Install Agent Skills…",
        "Modelbench: Install Command-Line Tool",
        "Modelbench: Open API Explorer…",
        "Modelbench: Open File of Branch…",
        "Modelbench: Open Playground",
        "Modelbench: Restart Language Server",
        "Modelbench: Review What Reaches Production",
        "Modelbench: Search Workspace…",
        "Modelbench: Search in Branch…",
        "Modelbench: Select Deployment…",
        "Modelbench: Set Data Token…",
        "Modelbench: Show Join Graph",
        "Modelbench: Show Log",
        "Modelbench: Sign In…",
        "Modelbench: Sign Out…",
        "Modelbench: Start Dev Mode…",
        "Modelbench: Switch Account…",
        "Modelbench: Switch Dev Branch…",
      ]
    `);
  });

  it('offers the work on a dev branch in dev mode', () => {
    expect(offered(states['linked with dev mode'])).toMatchInlineSnapshot(`
      [
        "Modelbench Chat: Choose Agent or Set Chat API URL…",
        "Modelbench Chat: New Chat Thread",
        "Modelbench Chat: Open Chat",
        "Modelbench Chat: Open Chat Thread…",
        "Modelbench Chat: Stop Chat Answer",
        "Modelbench: Check Model with the Engine",
        "Modelbench: Choose Account of Folder…",
        "Modelbench: Choose Where Queries Run…",
        "Modelbench: Choose Whether JavaScript Models Run",
        "Modelbench: Clone Deployment…",
        "Modelbench: Commit…",
        "Modelbench: Compare with the Platform",
        "Modelbench: Create Shared Branch…",
        "Modelbench: Enable Staging Environment",
        "Modelbench: Export JSON Schema of Data Models…",
        "Modelbench: Follow Logs",
        "Modelbench: Install Agent Skills…",
        "Modelbench: Install Command-Line Tool",
        "Modelbench: Merge into Parent Branch…",
        "Modelbench: Merge to Default Branch…",
        "Modelbench: Open API Explorer…",
        "Modelbench: Open File of Branch…",
        "Modelbench: Open Playground",
        "Modelbench: Pause Sync",
        "Modelbench: Pull Files from Dev Branch…",
        "Modelbench: Pull from Parent Branch",
        "Modelbench: Push Files to Dev Branch…",
        "Modelbench: Restart Language Server",
        "Modelbench: Restore from Trash…",
        "Modelbench: Review What Reaches Production",
        "Modelbench: Search Workspace…",
        "Modelbench: Search in Branch…",
        "Modelbench: Select Deployment…",
        "Modelbench: Set Data Token…",
        "Modelbench: Set How Saved Files Are Pushed…",
        "Modelbench: Show Join Graph",
        "Modelbench: Show Log",
        "Modelbench: Show Sync History",
        "Modelbench: Sign In…",
        "Modelbench: Sign Out…",
        "Modelbench: Stop Dev Mode",
        "Modelbench: Switch Account…",
        "Modelbench: Switch Dev Branch…",
        "Modelbench: Undo Last Pull…",
        "Modelbench: Undo Last Push…",
      ]
    `);
  });

  it('adds one category for administration, only when it is switched on', () => {
    const without = offered(states['linked with dev mode']);
    const added = offered(states['linked with dev mode and administration']).filter(
      (title) => !without.includes(title),
    );
    expect(added).toMatchInlineSnapshot(`
      [
        "Modelbench Admin: Change Version or Settings…",
        "Modelbench Admin: Connect with OAuth Integration…",
        "Modelbench Admin: Copy Metadata Token…",
        "Modelbench Admin: Create Deployment…",
        "Modelbench Admin: Create User, Attribute or Integration…",
        "Modelbench Admin: Edit Environment Variables",
        "Modelbench Admin: Export Audit Log…",
        "Modelbench Admin: Show Administration",
        "Modelbench Admin: Show Audit Log",
        "Modelbench Admin: Show List as Table…",
        "Modelbench Admin: Show Pods…",
        "Modelbench Admin: Start dbt Sync…",
      ]
    `);
    expect(added.filter((title) => !title.startsWith('Modelbench Admin: '))).toEqual([]);
    expect(without.filter((title) => title.startsWith('Modelbench Admin: '))).toEqual([]);
  });

  it('adds what acts on the open editor only beside that editor', () => {
    const without = offered(states['linked with dev mode']);
    const beside = (editor: ContextValues): readonly string[] =>
      offered({ ...states['linked with dev mode'], ...editor }).filter((title) => !without.includes(title));
    const document = { resourceScheme: 'modelbench-object', resourceFilename: 'Sales.dashboard.json' };
    expect({
      'model file': beside({
        resourceScheme: 'file',
        editorLangId: 'yaml',
        editorHasSelection: true,
        'modelbench.linkedFile': true,
      }),
      'SQL file': beside({ resourceScheme: 'untitled', editorLangId: 'sql' }),
      dashboard: beside(document),
      'another object': beside({ resourceScheme: 'modelbench-admin', resourceFilename: 'ada@shop.example.json' }),
      request: beside({ resourceScheme: 'modelbench-api', resourceFilename: 'listReports.request.json' }),
      proposal: beside({ resourceScheme: 'modelbench-proposal' }),
    }).toMatchInlineSnapshot(`
      {
        "SQL file": [
          "Modelbench: Run SQL on the Active Branch",
        ],
        "another object": [
          "Modelbench: Edit as Form",
        ],
        "dashboard": [
          "Modelbench: Preview Dashboard Layout",
          "Modelbench: Publish Dashboard…",
        ],
        "model file": [
          "Modelbench Chat: Add File to Chat",
          "Modelbench Chat: Add Selection to Chat",
          "Modelbench Chat: Ask the Agent About This Cube or Member",
          "Modelbench: Compare File with Branch…",
          "Modelbench: Compare File with the Platform",
          "Modelbench: Explain Problem at Cursor",
          "Modelbench: Explain Sync of This File",
          "Modelbench: Generate Cube from Table…",
          "Modelbench: Show SQL at Cursor",
        ],
        "proposal": [
          "Modelbench Chat: Accept Proposed Change",
          "Modelbench Chat: Accept Proposed Change Hunk by Hunk…",
          "Modelbench Chat: Reject Proposed Change",
        ],
        "request": [
          "Modelbench: Copy API Request as curl",
          "Modelbench: Send API Request",
        ],
      }
    `);
  });

  it('adds beside a model file only what needs no account while signed out', () => {
    const file = { activeEditor: 'a file', resourceScheme: 'file', editorLangId: 'yaml', editorHasSelection: true };
    const without = offered(states['signed out, linked']);
    expect(offered({ ...states['signed out, linked'], ...file }).filter((title) => !without.includes(title)))
      .toMatchInlineSnapshot(`
        [
          "Modelbench: Explain Problem at Cursor",
          "Modelbench: Generate Cube from Table…",
          "Modelbench: Show SQL at Cursor",
        ]
      `);
    const noLink = offered(states['signed in, no link']);
    expect(offered({ ...states['signed in, no link'], ...file }).filter((title) => !noLink.includes(title)))
      .toMatchInlineSnapshot(`
        [
          "Modelbench Chat: Ask the Agent About This Cube or Member",
          "Modelbench: Explain Problem at Cursor",
          "Modelbench: Generate Cube from Table…",
          "Modelbench: Show SQL at Cursor",
        ]
      `);
  });

  it('adds what ends a conflict, a stopped step, a plan, a pause or a filter while there is one', () => {
    const without = offered(states['linked with dev mode']);
    const during = (state: Partial<WindowState>): readonly string[] =>
      offered(window({ ...developing, ...state })).filter((title) => !without.includes(title));
    expect({
      conflicts: during({ conflicts: 1 }),
      stopped: during({ isStopped: true }),
      plan: during({ isPlanOpen: true }),
      paused: during({ isSyncPaused: true }),
      filter: during({ branchFilter: 'dev' }),
      deployable: during({ deployment: { ...shown, isInDevMode: true, canDeploy: true } }),
    }).toMatchInlineSnapshot(`
      {
        "conflicts": [
          "Modelbench: Keep Local Version",
          "Modelbench: Mark Conflict as Resolved",
          "Modelbench: Resolve in Merge Editor",
          "Modelbench: Take Platform’s Version",
        ],
        "deployable": [
          "Modelbench: Deploy to Production…",
        ],
        "filter": [
          "Modelbench: Clear Branch Filter",
        ],
        "paused": [
          "Modelbench: Resume Sync",
        ],
        "plan": [
          "Modelbench: Apply Plan",
          "Modelbench: Cancel Plan",
          "Modelbench: Show Plan",
        ],
        "stopped": [
          "Modelbench: Abort Commit, Pull or Merge",
          "Modelbench: Continue Commit, Pull or Merge",
        ],
      }
    `);
  });

  it('leads to Cube Core, which needs no account, from every state', () => {
    for (const state of Object.values(states)) {
      const titles = ['Modelbench: Choose Where Queries Run…', 'Modelbench: Open Playground'];
      expect(offered(state)).toEqual(expect.arrayContaining(titles));
    }
    // Before activation there are no keys; the command itself activates.
    expect(offered({ workspaceFolderCount: 1 })).toContain('Modelbench: Open Playground');
  });

  it('stays within its limits', () => {
    expect(tooMany(clauses)).toEqual([]);
    const file = {
      activeEditor: 'a file',
      resourceScheme: 'file',
      editorLangId: 'javascript',
      editorHasSelection: true,
    };
    for (const name of ['signed out, linked', 'signed out, folder of a project'] as const)
      expect(offered({ ...states[name], ...file }).length).toBeLessThanOrEqual(12);
  });

  it('would notice commands that are offered everywhere', () => {
    expect(tooMany(new Map())).toEqual([
      'signed out, no folder',
      'signed out, folder of a project',
      'signed out, linked',
      'linked with dev mode',
    ]);
  });

  it('leaves out in dev mode only what has a menu, or what another state is needed for', () => {
    expect(withoutPlace(menus)).toEqual([
      'Explain Problem at Cursor',
      'Try Without an Account',
      'Clear Branch Filter',
      'Show Plan',
      // A quick fix of problems.
      'Ask the Agent',
    ]);
    const { 'view/item/context': _rows, ...withoutRows } = menus;
    expect(withoutPlace(withoutRows)).toContain('Duplicate…');
  });
});

/** Titles that neither the palette nor a menu has in dev mode. */
function withoutPlace(all: Manifest['contributes']['menus']): readonly string[] {
  const state = states['linked with dev mode and administration'];
  const placed = new Set([...inMenus(all, state), ...ofLinks]);
  const inPalette = new Set(offered(state));
  return commands
    .filter(({ command, category, title }) => !placed.has(command) && !inPalette.has(`${category}: ${title}`))
    .map(({ title }) => title);
}

/** Parts of a clause about the window; a row, an editor or a resource of the right kind is taken to be there. */
function aboutWindow(when = 'true'): string {
  const parts = when.split(' && ').filter((part) => /^!?(?:modelbench\.|config\.|isWorkspaceTrusted)/.test(part));
  return parts.length === 0 ? 'true' : parts.join(' && ');
}

/** Commands that some menu has in a window like that. */
function inMenus(all: Manifest['contributes']['menus'], values: ContextValues, place?: string): readonly string[] {
  const places = place === undefined ? Object.keys(all).filter(isPlace) : [place];
  return places
    .flatMap((name) => all[name] ?? [])
    .filter(({ when }) => holds(aboutWindow(when), values))
    .flatMap(({ command, submenu }) => (submenu === undefined ? [command ?? ''] : inMenus(all, values, submenu)));
}

/** Menus of VS Code, without the palette and without submenus, which stand in one of the others. */
const isPlace = (name: string): boolean => name.includes('/');

/** States in which the palette offers more than a user reads. */
function tooMany(palette: ReadonlyMap<string, string | undefined>): readonly string[] {
  const limits = {
    'signed out, no folder': 12,
    'signed out, folder of a project': 12,
    'signed out, linked': 12,
    'linked with dev mode': 45,
  };
  return Object.entries(limits)
    .filter(([name, limit]) => offered(states[name as keyof typeof limits], palette).length > limit)
    .map(([name]) => name);
}

/** Run only by what the sources draw: a row, a link, the status bar. */
const ofLinks = ['manageTrust', 'showMenu', 'workspace.loadMore', 'administration.loadMore'].map(
  (id) => `modelbench.${id}`,
);

/**
 * A folder of `src/` with one kind of code, and its allowed imports: the single source of the lint rules and of the test that
 * proves them.
 */
export interface Zone {
  /** Below `src/`. It is also the zone's name in imports: files of `sync/core` are `#sync/core/…`. */
  readonly folder: string;
  /** Other zones it may import. */
  readonly imports: readonly string[];
  /** Whether it may use `node:` modules. */
  readonly node?: true;
  /** Modules of `api` whose values it may import; from the others only types. Without this list it may import everything. */
  readonly apiValues?: readonly string[];
  /** Packages of `reserved` that it may import. */
  readonly packages?: readonly string[];
}

/** Packages that only the zones which list them may import, matched by the beginning of their names. */
export const reserved = ['vscode', 'ky', 'vscode-languageclient', 'vscode-languageserver', 'preact', 'yaml'] as const;

/** Code that runs anywhere: without VS Code, Node or a page. */
const rings: readonly Zone[] = [
  { folder: 'base', imports: [] },
  { folder: 'api', imports: ['base'], packages: ['ky'] },
  { folder: 'model', imports: ['base'], packages: ['yaml'] },
  { folder: 'sync/core', imports: ['base', 'api'] },
  { folder: 'chat-core', imports: ['base', 'api'] },
];
const everyRing = rings.map(({ folder }) => folder);

/** The features that each feature uses. The graph has no cycle: a feature comes after the ones that it uses. */
export const arrows = {
  accounts: [],
  platform: ['accounts'],
  data: ['accounts', 'platform'],
  administration: ['accounts', 'platform'],
  'api-explorer': ['accounts', 'platform'],
  review: [],
  folders: ['accounts', 'platform', 'review'],
  history: ['folders', 'platform', 'review'],
  changes: ['folders', 'history', 'platform', 'review'],
  branches: ['accounts', 'changes', 'folders', 'history', 'platform', 'review'],
  deployments: ['accounts', 'platform'],
  workspace: ['administration', 'deployments', 'platform'],
  'agent-tools': ['accounts', 'folders', 'history', 'platform'],
  audit: ['platform', 'workspace'],
  logs: ['platform', 'workspace'],
  dashboards: ['accounts', 'data', 'platform', 'workspace'],
  playground: ['accounts', 'dashboards', 'data', 'platform', 'review'],
  language: ['dashboards', 'data', 'folders', 'platform', 'review'],
  lineage: ['folders', 'language', 'platform', 'review', 'workspace'],
  builds: ['folders', 'language', 'platform', 'workspace'],
  chat: ['accounts', 'data', 'language', 'platform', 'review'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type FeatureName = keyof typeof arrows;
const featureNames = Object.keys(arrows) as readonly FeatureName[];

/** The files of a feature that others may import: its state and use-cases, its VS Code front, and its messages. */
const fronts = {
  state: (name: string): string => `features/${name}/index.ts`,
  messages: (name: string): string => `features/${name}/messages.ts`,
  host: (name: string): string => `features/${name}/vscode/index.ts`,
} as const;

/** Features with a web page. */
const pages: readonly FeatureName[] = [
  'administration',
  'chat',
  'dashboards',
  'data',
  'lineage',
  'logs',
  'playground',
  'review',
];

/**
 * Modules of `api` that views may use: errors, shapes and addresses, but no operation and no client. Requests to the platform
 * belong to use-cases, which tests call without VS Code.
 */
const shownOfApi = ['api/errors.ts', 'api/schema.ts', 'api/tenant-url.ts'];

/** VS Code's API, and its wrappers that every feature needs. */
const vsCode = ['shell/vscode', 'shell/vscode/guarded'];

const insideOf = (feature: string): string => `features/${feature}`;
const hostOf = (feature: string): string => `features/${feature}/vscode`;
const pageOf = (feature: string): string => `features/${feature}/page`;

/** Imports of single features beyond other features. */
const beyond: { readonly [Name in FeatureName]?: Readonly<Record<'state' | 'host', readonly string[]>> } = {
  'agent-tools': { state: ['tools'], host: ['tools', 'cli'] },
};

/** Returns the zones of a feature: its state and use-cases, its VS Code side, and its page. */
function featureZones(name: FeatureName): readonly Zone[] {
  const others: readonly FeatureName[] = arrows[name];
  const below = [...everyRing, 'shell', ...others.flatMap((other) => [fronts.state(other), fronts.messages(other)])];
  const more = beyond[name] ?? { state: [], host: [] };
  const host: Zone = {
    folder: hostOf(name),
    imports: [...below, insideOf(name), ...vsCode, 'sync/disk', ...others.map(fronts.host), ...more.host],
    node: true,
    apiValues: shownOfApi,
    ...(name === 'language' ? { packages: ['vscode-languageclient'] } : {}),
  };
  return [
    { folder: insideOf(name), imports: [...below, ...more.state] },
    host,
    ...(pages.includes(name) ? [pageZone(name)] : []),
  ];
}

/** Returns the zone of a page. It exchanges messages with its host; nothing else of the extension reaches it. */
function pageZone(name: FeatureName): Zone {
  return {
    folder: pageOf(name),
    imports: ['base', 'shared/page', `features/${name}/messages.ts`],
    packages: ['preact'],
  };
}

/** The meaning of changes to a model: pure functions, independent of a window. */
const modelChanges = [
  'features/lineage/model-impact.ts',
  'features/lineage/model-changes.ts',
  'features/folders/branch-compare.ts',
  'features/language/usage.ts',
  'features/lineage/join-graph.ts',
];

/** Requests to the platform and its data, shared by the editor and the tools. */
const platformReading = [
  'features/platform/validate-branch.ts',
  'features/data/ask-data.ts',
  'features/data/environments.ts',
  'features/data/issued-token.ts',
  'features/logs/log-choice.ts',
  'features/logs/log-tail.ts',
  'features/platform/build-state.ts',
  'features/platform/gateway.ts',
  'features/platform/sha1.ts',
];

/** The only way to production, and the steps that use it. */
const gatedSteps = [
  'features/platform/gated-branch.ts',
  'features/platform/platform-data.ts',
  'features/platform/late-files.ts',
  'features/platform/production-gate.ts',
  'features/platform/production-pass.ts',
  'features/history/confirmed-deploy.ts',
  'features/history/deploy.ts',
  'features/history/git-workflow.ts',
  'shell/targets.ts',
];

/** The platform's compiler in its sandbox. */
const compiler = ['language-server/engine/engine-process.ts', 'language-server/engine/template-process.ts'];

/** The contents of a linked folder's configuration, and the sign-ins of the platform's command line. */
const linkFiles = ['features/platform/link.ts', 'features/accounts/cli-contexts.ts'];

export const zones: readonly Zone[] = [
  ...rings,
  // Functions that VS Code and the front ends outside of it share.
  { folder: 'tools', imports: [...everyRing, ...modelChanges, ...platformReading, ...gatedSteps] },
  // The command line: everything that a tool needs from its environment, in Node.
  { folder: 'cli', imports: [...everyRing, 'tools', 'sync/disk', ...linkFiles, ...compiler], node: true },
  { folder: 'sync/disk', imports: everyRing, node: true },
  {
    folder: 'language-server',
    imports: ['base', 'model', 'features/language/messages.ts'],
    node: true,
    packages: ['vscode-languageserver'],
  },
  { folder: 'shared/page', imports: ['base'], packages: ['preact'] },
  { folder: 'shell', imports: everyRing },
  { folder: 'shell/vscode', imports: [...everyRing, 'shell', 'shell/vscode/guarded'], node: true },
  // The only importer of VS Code's API.
  { folder: 'shell/vscode/guarded', imports: [...everyRing, 'shell', 'shell/vscode'], packages: ['vscode'] },
  ...featureNames.flatMap(featureZones),
  {
    folder: 'compose',
    imports: [
      ...everyRing,
      'sync/disk',
      'shell',
      ...vsCode,
      ...featureNames.flatMap((name) => [insideOf(name), hostOf(name)]),
    ],
    node: true,
  },
  { folder: 'extension.ts', imports: ['base', 'compose', ...vsCode] },
];

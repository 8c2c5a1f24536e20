import { TinyPlatform } from './sync/tiny-platform.ts';

interface BranchRow {
  readonly name: string;
  readonly parentBranch: string | null;
}

interface DeploymentRow {
  readonly id: number;
  readonly name: string;
  readonly deployMode: string;
}

const usual: readonly BranchRow[] = [
  { name: 'main', parentBranch: null },
  { name: 'dev-a', parentBranch: 'main' },
  { name: 'dev-b', parentBranch: 'main' },
];

/** The branches when production is built from `dev-a`. */
export const movedProduction: readonly BranchRow[] = [
  { name: 'dev-a', parentBranch: null },
  { name: 'main', parentBranch: 'dev-a' },
  { name: 'dev-b', parentBranch: 'main' },
];

/**
 * A tenant in memory with deployments, branches and the files of `dev-a`, `dev-b` and `team`. It takes every write to a branch that exists,
 * so that only its client holds one back.
 */
export class TinyTenant {
  deployments: readonly DeploymentRow[] = [
    { id: 1, name: 'Shop', deployMode: 'git' },
    { id: 2, name: 'Bank', deployMode: 'git' },
  ];
  branches: readonly BranchRow[] = usual;
  /** The branch that the key is in dev mode on. */
  active = 'dev-a';
  isKeyRefused = false;
  /** The branch of the upload that was started last: its files name none. */
  #uploading = 'dev-a';
  /** The changes that arrived, each with its branch: `dev-a PUT files`. */
  readonly writes: string[] = [];
  readonly files: ReadonlyMap<string, TinyPlatform>;

  constructor(files: Readonly<Record<string, string>>, { honours }: { readonly honours: boolean }) {
    this.files = new Map(
      ['dev-a', 'dev-b', 'team', 'main'].map((name) => [name, new TinyPlatform(files, { honours })]),
    );
  }

  /** Returns what puts it back to how it is now, without the changes that arrived. */
  kept(): () => void {
    const { deployments, branches, active, isKeyRefused } = this;
    const files = [...this.files.keys()].map((name) => [this.of(name), new Map(this.of(name))] as const);
    return () => {
      Object.assign(this, { deployments, branches, active, isKeyRefused });
      for (const [now, before] of files) {
        now.clear();
        for (const [path, text] of before) now.set(path, text);
      }
      this.writes.length = 0;
    };
  }

  /** The files of a branch. */
  of(branch: string): Map<string, string> {
    return this.files.get(branch)?.files ?? new Map();
  }

  /** Another user changes or deletes a file of `dev-a`. */
  change(path: string, content: string | undefined): void {
    if (content === undefined) this.of('dev-a').delete(path);
    else this.of('dev-a').set(path, content);
  }

  deleteBranch(): void {
    this.branches = this.branches.filter(({ name }) => name !== 'dev-a');
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (this.isKeyRefused) return refusal(401, 'The key was withdrawn.');
    const [, deployment] = /\/deployments\/(\w+)\//.exec(pathname) ?? [];
    const isThere = deployment === '1' && this.deployments.some(({ id }) => id === 1);
    if (deployment !== undefined && !isThere) return refusal(404, 'There is no such deployment.');
    if (request.method === 'POST' && steps.has(pathname.split('/').at(-1) ?? '')) return this.#step(request);
    const [, kind] = pathname.split('/data-model/');
    return kind === undefined ? this.#list(pathname) : this.#answerOfBranch(request, kind);
  }

  #list(pathname: string): Response {
    switch (pathname.split('/').at(-1)) {
      case 'deployments': {
        const pagination = { offset: 0, limit: 100, total: this.deployments.length };
        return Response.json({ data: { deployments: this.deployments }, pagination });
      }
      case 'branches':
        return Response.json({ data: this.branches });
      case 'build-status':
        return Response.json({ status: 'live', branchName: this.active });
      default:
        return refusal(404, 'There is nothing here.');
    }
  }

  /** Commits or merges a branch, whatever its client has read before. */
  async #step(request: Request): Promise<Response> {
    const kind = new URL(request.url).pathname.split('/').at(-1) ?? '';
    const name = (await branchIn(request)) ?? '';
    const own = this.branches.find((branch) => branch.name === name);
    const production = this.branches.find(({ parentBranch }) => parentBranch === null)?.name;
    const to = kind === 'merge-to-default' ? production : own?.parentBranch;
    if (!own || to === undefined || to === null) return refusal(404, `There is no branch ${name}.`);
    this.writes.push(`${to} POST ${kind}`);
    for (const [path, text] of this.of(name)) this.of(to).set(path, text);
    return Response.json({});
  }

  async #answerOfBranch(request: Request, kind: string): Promise<Response> {
    const asked = new URL(request.url).searchParams.get('branchName');
    const branch = asked ?? (await branchIn(request.clone())) ?? this.#uploading;
    if (kind === 'upload/start') this.#uploading = branch;
    const files = this.branches.some(({ name }) => name === branch) ? this.files.get(branch) : undefined;
    if (!files) return refusal(404, `There is no branch ${branch}.`);
    if (request.method !== 'GET' && !unfinished.has(kind)) this.writes.push(`${branch} ${request.method} ${kind}`);
    return files.answer(request);
  }
}

function refusal(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

const steps = new Set(['commit', 'merge', 'merge-to-default']);

/** An upload changes nothing before it is finished. */
const unfinished = new Set(['upload/start', 'upload/file']);

/** The branch in the body of a request; `undefined` for the files of an upload. */
async function branchIn(request: Request): Promise<string | undefined> {
  if (request.headers.get('content-type')?.includes('json') !== true) return undefined;
  return ((await request.json()) as { readonly branchName?: string }).branchName;
}

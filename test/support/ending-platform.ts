import { PlatformError } from '#api/errors.ts';
import { BranchFiles } from '#features/folders/branch-files.ts';
import { ResolvedPulls } from '#features/history/resolved-pull.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { MemoryState } from '#support/memory-state.ts';
import { type MemoryTrash, memoryTrash } from '#support/memory-trash.ts';
import { sha1 } from '#support/sync/tiny-platform.ts';

interface End {
  readonly steps: number;
  /** The last request still has its effect, and its answer is lost. */
  readonly late: boolean;
}

interface Asked {
  readonly query?: { readonly branchName: string };
  readonly body?: {
    readonly files?: readonly { readonly path: string; readonly newPath?: string; readonly content?: string }[];
  };
}

/** A window that has just been opened on the platform. */
interface OpenedWindow {
  readonly pulls: ResolvedPulls;
  /** The files that its other views share. */
  readonly files: BranchFiles;
}

/**
 * A dev branch and its parent on a platform that answers so many requests and then no more, as if the window had ended. Honours
 * the precondition of a change.
 */
export class EndingPlatform {
  readonly dev = new Map<string, string>();
  readonly parent = new Map<string, string>();
  isPulled = false;
  /** Whether every pull found nothing to ask about. */
  isAlike = true;
  /** What happens elsewhere before a step of the window: a request, or something that it stores. */
  before: () => Promise<void> = async () => Promise.resolve();
  readonly #paths: readonly string[];
  #left = Infinity;
  #late = false;

  /** `paths`: the files that a pull must find alike on both branches. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  endAfter({ steps, late }: End): void {
    this.#left = steps;
    this.#late = late;
  }

  open(memory: MemoryState): ResolvedPulls {
    return this.openWindow(memory, memoryTrash()).pulls;
  }

  openWindow(memory: MemoryState, trash: MemoryTrash): OpenedWindow {
    const client = {
      call: async (operation: { readonly id: string }, asked: Asked) => {
        await this.before();
        return this.#step(() => this.#answer(operation.id, asked));
      },
      open: async (operation: { readonly id: string }, asked: Asked, options?: { readonly headers?: Headers }) => {
        await this.before();
        const answer = this.#step(() => {
          this.#requireMatch(operation.id, asked, options?.headers);
          return this.#answer(operation.id, asked);
        });
        return operation.id === 'listDataModelFiles' ? Response.json(answer) : new Response(null, { status: 204 });
      },
    };
    const data = {
      client: () => client,
      of: () => ({ branches: { invalidate: () => undefined, refresh: async () => undefined } }),
    } as never;
    const userState = {
      get: (key: string) => memory.get(key),
      set: async (key: string, value: unknown) => {
        await this.before();
        await this.#step(() => memory.set(key, value));
      },
    };
    const openTrash = async (target: BranchTarget): Promise<Awaited<ReturnType<MemoryTrash['open']>>> => {
      await this.before();
      return trash.open(target);
    };
    const files = new BranchFiles(data, () => 0, openTrash);
    return { files, pulls: new ResolvedPulls({ data, files, userState }) };
  }

  readonly #answers: Readonly<Record<string, (asked: Asked) => unknown>> = {
    listBranches: () => ({ data: [{ name: 'main' }, { name: 'dev-ada-1', parentBranch: 'main' }] }),
    getFileHashes: ({ query }) => ({
      files: Object.fromEntries([...this.#branch(query)].map(([path, content]) => [path, { hash: sha1(content) }])),
    }),
    listDataModelFiles: ({ query }) => ({
      path: '/',
      type: 'directory',
      children: [...this.#branch(query)].map(([path, content]) => ({ path, type: 'file', content })),
    }),
    writeDataModelFiles: ({ body }) => body?.files?.map(({ path, content = '' }) => this.dev.set(path, content)),
    deleteDataModelFiles: ({ body }) => body?.files?.map(({ path }) => this.dev.delete(path)),
    renameDataModelFiles: ({ body }) =>
      body?.files?.map(({ path, newPath = '' }) => {
        this.dev.set(newPath, this.dev.get(path) ?? '');
        this.dev.delete(path);
      }),
    pull: () => {
      this.isAlike &&= this.#paths.every((path) => this.dev.get(path) === this.parent.get(path));
      this.isPulled = true;
      return {};
    },
  };

  #answer(id: string, asked: Asked): unknown {
    return this.#answers[id]?.(asked) ?? {};
  }

  #requireMatch(operation: string, { body }: Asked, headers: Headers | Record<string, string> | undefined): void {
    const given = new Headers(headers);
    const [path] = body?.files?.map((file) => file.path) ?? [];
    const now = path === undefined ? undefined : this.dev.get(path);
    const isWanted =
      given.get('if-none-match') === '*'
        ? now === undefined
        : !given.has('if-match') || given.get('if-match') === `"${now === undefined ? '-' : sha1(now)}"`;
    if (isWanted) return;
    throw new PlatformError({ kind: 'conflict', status: 412, operation, message: 'The file has changed.' });
  }

  #step<T>(effect: () => T): T {
    this.#left -= 1;
    if (this.#left > 0) return effect();
    if (this.#left === 0 && this.#late) effect();
    throw new Error('the window has ended');
  }

  #branch(query: Asked['query']): ReadonlyMap<string, string> {
    return query?.branchName === 'main' ? this.parent : this.dev;
  }
}

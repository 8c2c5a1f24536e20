import { createHash } from 'node:crypto';

/** Returns the SHA-1 of a text, computed as the platform does. */
export function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

const MAIN = { name: 'main', parentBranch: null };

/** The file operations of the dev branch `dev-a` in memory, as documented; with conditions only if it `honours` them. */
export class TinyPlatform {
  readonly files = new Map<string, string>();
  /** Whether it responds with 503 to everything. */
  isAway = false;
  /** The number of requests received. */
  requests = 0;
  /** The requests that change something. */
  readonly writes: string[] = [];
  /** Performs a write, but its reply is lost, and it cannot be reached afterwards. */
  losesReplies = false;
  /** The end of an upload, and everything after it, does not reach the platform. */
  losesFinish = false;
  /** Whether it can be reached after a lost reply. */
  staysReachable = false;
  /** A colleague's action right before the next write, or before a file is uploaded. */
  beforeWrite: (() => void) | undefined;
  beforeUpload: (() => void) | undefined;
  branches: readonly object[] = [MAIN, { name: 'dev-a', parentBranch: MAIN.name }];
  /** A colleague's action while the next write fails with a 503. */
  failsOnce: (() => void) | undefined;
  /** Returns the text that it sends instead of a file’s text. */
  delivers: (text: string) => string = (text) => text;
  refusesKey = false;
  refusesWrites = false;
  /** Asks every writer to wait so many seconds. */
  asksForPause: number | undefined;
  /** Lists only so many files, and reports that there are more. */
  listsOnly: number | undefined;
  /** Confirms every write, and the end of every upload, without effect. */
  ignoresWrites = false;
  /** Stores this text instead of a written one. */
  stores: (text: string) => string = (text) => text;
  /** The number of lists after a write that show the files before it. */
  listsLate = 0;
  #late: { readonly files: ReadonlyMap<string, string>; lists: number } | undefined;
  readonly #honours: boolean;
  #uploaded = new Map<string, string>();

  constructor(files: Readonly<Record<string, string>>, { honours }: { readonly honours: boolean }) {
    for (const [path, text] of Object.entries(files)) this.files.set(path, text);
    this.#honours = honours;
  }

  async answer(request: Request): Promise<Response> {
    this.requests += 1;
    const what = `${request.method} ${whatOf(request)}`;
    const isRead = request.method === 'GET';
    if (!isRead) this.writes.push(what);
    const refusal = this.#refusal(request.method);
    if (refusal) return refusal;
    if (isRead) return this.#answer(request);
    const meanwhile = what === 'POST upload/file' ? this.beforeUpload : this.beforeWrite;
    if (meanwhile && what === 'POST upload/file') this.beforeUpload = undefined;
    else if (meanwhile) this.beforeWrite = undefined;
    meanwhile?.();
    if (this.failsOnce) return this.#fail(this.failsOnce);
    const isCut = this.losesFinish && what === 'POST upload/finish';
    const answer = isCut ? undefined : await this.#answer(request);
    if (answer && !this.losesReplies) return answer;
    this.isAway = !this.staysReachable;
    throw new TypeError('fetch failed');
  }

  #fail(meanwhile: () => void): Response {
    this.failsOnce = undefined;
    meanwhile();
    return Response.json({ error: 'away' }, { status: 503 });
  }

  #refusal(method: string): Response | undefined {
    if (this.isAway) return Response.json({ error: 'away' }, { status: 503 });
    if (this.refusesKey) return Response.json({ error: 'key' }, { status: 401 });
    if (method === 'GET') return undefined;
    if (this.refusesWrites) return Response.json({ error: 'The moon is not right.' }, { status: 400 });
    if (this.asksForPause === undefined) return undefined;
    const headers = { 'retry-after': String(this.asksForPause) };
    return Response.json({ error: 'slowly' }, { status: 429, headers });
  }

  async #answer(request: Request): Promise<Response> {
    switch (`${request.method} ${whatOf(request)}`) {
      case 'GET branches':
        return Response.json({ data: this.branches });
      case 'GET file-hashes': {
        const listed = [...this.#listed()]
          .slice(0, this.listsOnly)
          .map(([path, text]) => [path, { hash: sha1(text) }] as const);
        const more = this.listsOnly === undefined ? {} : { total: this.files.size };
        return Response.json({ files: Object.fromEntries<{ hash: string }>(listed), ...more });
      }
      case 'GET files':
        return Response.json({
          files: [...this.files].map(([path, content]) => ({ path, type: 'file', content: this.delivers(content) })),
        });
      case 'POST upload/start':
        this.#uploaded = new Map();
        return Response.json({ transaction: { id: 1 } });
      case 'POST upload/file': {
        const form = await request.formData();
        const [name, file] = [form.get('fileName'), form.get('file')];
        if (typeof name === 'string' && file instanceof Blob) this.#uploaded.set(name, await file.text());
        return Response.json({});
      }
      case 'POST upload/finish':
        return this.#finish((await request.json()) as Manifest);
      default:
        return this.#change(request, (await request.json()) as Change);
    }
  }

  /** Returns the files as they are listed, which may be those before the last write. */
  #listed(): ReadonlyMap<string, string> {
    if (!this.#late || this.#late.lists === 0) return this.files;
    this.#late.lists -= 1;
    return this.#late.files;
  }

  #change(request: Request, { files }: Change): Response {
    if (this.ignoresWrites) return new Response(null, { status: 204 });
    this.#late = { files: new Map(this.files), lists: this.listsLate };
    if (!this.#fits(request.headers, files)) return Response.json({ error: 'changed' }, { status: 412 });
    for (const { path, content, newPath } of files) {
      const before = this.files.get(path);
      if (content !== undefined) this.files.set(path, this.stores(content));
      else if (before === undefined) return Response.json({ error: `No file ${path}` }, { status: 404 });
      else this.files.delete(path);
      if (newPath !== undefined && before !== undefined) this.files.set(newPath, before);
    }
    const [only, ...more] = files.map(({ path, content }) =>
      content === undefined ? 'x' : sha1(this.files.get(path) ?? ''),
    );
    const tag = only !== undefined && more.length === 0 ? only : 'x';
    return new Response(null, { status: 204, headers: this.#honours ? { etag: `"${tag}"` } : {} });
  }

  #fits(headers: Headers, files: Change['files']): boolean {
    if (!this.#honours) return true;
    if (headers.get('if-none-match') === '*') return files.every(({ path }) => !this.files.has(path));
    const wanted = headers.get('if-match')?.split(', ');
    if (!wanted) return true;
    return files.every(({ path, newPath }, at) => {
      const now = this.files.get(path);
      const free = newPath === undefined || !this.files.has(newPath);
      return free && wanted[at] === `"${now === undefined ? '-' : sha1(now)}"`;
    });
  }

  #finish({ files, autoRemoveFiles }: Manifest): Response {
    if (this.ignoresWrites) return Response.json({ branchName: 'dev-a', lastHash: 'x' });
    this.#late = { files: new Map(this.files), lists: this.listsLate };
    const next = new Map<string, string>();
    for (const [path, { hash }] of Object.entries(files)) {
      const text = [this.#uploaded.get(path), this.files.get(path)].find(
        (each) => each !== undefined && sha1(each) === hash,
      );
      if (text === undefined) return Response.json({ error: `${path} was not uploaded` }, { status: 409 });
      next.set(path, text);
    }
    if (autoRemoveFiles) this.files.clear();
    for (const [path, text] of next) this.files.set(path, text);
    return Response.json({ branchName: 'dev-a', lastHash: 'x' });
  }
}

function whatOf(request: Request): string {
  return new URL(request.url).pathname.replace(/^.*\/(?:data-model\/|(?=branches$))/, '');
}

interface Change {
  readonly files: readonly { readonly path: string; readonly content?: string; readonly newPath?: string }[];
}

interface Manifest {
  readonly files: Readonly<Record<string, { readonly hash: string }>>;
  readonly autoRemoveFiles: boolean;
}

/** The subset of VS Code’s test API that the Test Explorer of queries needs, for `vi.mock('vscode')`. */
import { isInside } from '#base/path.ts';
import * as fake from './fake-vscode.ts';

type Handler = (request: object, token: object) => Promise<void> | void;

class Items {
  readonly #items = new Map<string, Item>();
  get size(): number {
    return this.#items.size;
  }
  get(id: string): Item | undefined {
    return this.#items.get(id);
  }
  add(item: Item): void {
    this.#items.set(item.id, item);
  }
  delete(id: string): void {
    this.#items.delete(id);
  }
  replace(items: readonly Item[]): void {
    this.#items.clear();
    for (const item of items) this.add(item);
  }
  forEach(callback: (item: Item) => unknown): void {
    for (const item of this.#items.values()) callback(item);
  }
}

/** A row of the Test Explorer. */
export class Item {
  readonly id: string;
  label: string;
  readonly uri: unknown;
  readonly children = new Items();
  description?: string;
  error?: string;
  range?: { readonly values: readonly number[] };

  constructor(id: string, label: string, uri: unknown) {
    this.id = id;
    this.label = label;
    this.uri = uri;
  }
}

class Message {
  readonly message: string;
  expectedOutput?: string;
  actualOutput?: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** The stand-in's state of the window: files by path, the controller's rows, and the reports of runs. */
export class TestWindow {
  readonly files = new Map<string, string>();
  /** The paths of the folders that are open in it. */
  folders = ['/shop'];
  readonly items = new Items();
  readonly reported: string[] = [];
  readonly saved = new Set<(document: object) => void>();
  readonly #edited = new Set<(change: object) => void>();
  #handler: Handler = () => undefined;
  /** The number of runs that ended. */
  ended = 0;
  readonly #created = new Set<Heard>();
  readonly #deleted = new Set<Heard>();
  readonly #foldersChanged = new Set<() => void>();

  /** The stand-in for the module `vscode`. */
  get module(): object {
    const opened = (): readonly object[] => this.folders.map((path) => ({ uri: fake.Uri.file(path) }));
    return {
      ...fake,
      RelativePattern: Relative,
      TestRunProfileKind: { Run: 1 },
      TestMessage: Message,
      Location: fake.Range,
      TestRunRequest: class {
        readonly include: unknown;
        readonly exclude: unknown;
        constructor(include: unknown, exclude: unknown) {
          this.include = include;
          this.exclude = exclude;
        }
      },
      tests: { createTestController: () => this.#controller() },
      workspace: {
        ...fake.workspace,
        asRelativePath: ({ path }: { path: string }) => path.slice(1),
        get workspaceFolders() {
          return opened();
        },
        getWorkspaceFolder: (uri: { readonly path: string }) => {
          const path = this.folders.find((folder) => isInside(uri.path, folder));
          return path && { uri: fake.Uri.file(path) };
        },
        findFiles: async (pattern: Pattern) =>
          [...this.files.keys()].filter((path) => this.#isIn(path, pattern)).map((path) => fake.Uri.file(path)),
        onDidChangeWorkspaceFolders: (listener: () => void) => added(this.#foldersChanged, listener),
        fs: {
          stat: async ({ path }: { path: string }) => {
            if (![...this.files.keys()].some((file) => isInside(file, path))) throw new Error('There is nothing.');
          },
          readFile: async ({ path }: { path: string }) => {
            const text = this.files.get(path);
            if (text === undefined) throw new Error('There is no such file.');
            return new TextEncoder().encode(text);
          },
        },
        createFileSystemWatcher: (pattern: Pattern) => {
          const heard: { readonly dispose: () => void }[] = [];
          const listen = (listeners: Set<Heard>) => (listener: Heard) => {
            const one = added(listeners, this.#heardIn(pattern, listener));
            heard.push(one);
            return one;
          };
          return {
            onDidCreate: listen(this.#created),
            onDidChange: () => released,
            onDidDelete: listen(this.#deleted),
            dispose: () => heard.forEach((one) => one.dispose()),
          };
        },
        onDidChangeTextDocument: (listener: (change: object) => void) => added(this.#edited, listener),
        onDidSaveTextDocument: (listener: (document: object) => void) => added(this.saved, listener),
      },
    };
  }

  /** The rows as a tree of labels. */
  get tree(): readonly string[] {
    const lines: string[] = [];
    this.items.forEach((file) => {
      lines.push([file.label, file.description, file.error].filter((each) => each !== undefined).join(' | '));
      file.children.forEach((test) => lines.push(`  ${test.label}`));
    });
    return lines;
  }

  create(path: string, text: string): void {
    this.files.set(path, text);
    for (const heard of [...this.#created]) heard(fake.Uri.file(path));
  }

  /** Creates a folder with its files: VS Code reports the folder only. */
  createFolder(path: string, files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) this.files.set(`${path}/${name}`, text);
    for (const heard of [...this.#created]) heard(fake.Uri.file(path));
  }

  removeFolder(path: string): void {
    for (const file of [...this.files.keys()]) if (file.startsWith(`${path}/`)) this.files.delete(file);
    for (const heard of [...this.#deleted]) heard(fake.Uri.file(path));
  }

  remove(path: string): void {
    this.files.delete(path);
    for (const heard of [...this.#deleted]) heard(fake.Uri.file(path));
  }

  /** Opens another folder in the window. */
  openFolder(path: string): void {
    this.folders.push(path);
    for (const heard of [...this.#foldersChanged]) heard();
  }

  edit(path: string, text: string): void {
    const document = { uri: fake.Uri.file(path), getText: () => text };
    for (const listener of this.#edited) listener({ document });
  }

  save(path: string): void {
    for (const listener of this.saved) listener({ uri: fake.Uri.file(path) });
  }

  /** Starts the user's selection in the explorer; `cancel` is its *Cancel*. */
  run(request: { readonly include?: readonly Item[]; readonly continuous?: boolean } = {}) {
    let cancel = (): void => undefined;
    const token = {
      isCancellationRequested: false,
      onCancellationRequested: (listener: () => void) => {
        const before = cancel;
        cancel = () => (before(), listener());
        return released;
      },
    };
    const done = Promise.resolve(this.#handler(request, token));
    return { done, cancel: () => cancel() };
  }

  /** Wraps a listener so that it gets only the events that its pattern matches: those of files, or those of a folder. */
  #heardIn(pattern: Pattern, listener: Heard): Heard {
    const glob = typeof pattern === 'string' ? pattern : pattern.pattern;
    return (uri) => {
      if (!this.#isIn(uri.path, pattern)) return;
      if (glob.includes('.') ? uri.path.endsWith('.yml') : uri.path.endsWith(`/${glob.replace('**/', '')}`))
        listener(uri);
    };
  }

  #isIn(path: string, pattern: Pattern): boolean {
    const bases = typeof pattern === 'string' ? this.folders : [pattern.base.path];
    return bases.some((base) => isInside(path, base));
  }

  #controller(): object {
    return {
      items: this.items,
      createTestItem: (id: string, label: string, uri: unknown) => new Item(id, label, uri),
      createRunProfile: (_label: string, _kind: number, handler: Handler) => {
        this.#handler = handler;
        return {};
      },
      createTestRun: () => this.#testRun(),
      dispose: () => undefined,
    };
  }

  #testRun(): object {
    const say = (state: string) => (item: Item, given?: unknown) => {
      const { message, expectedOutput, actualOutput } = given instanceof Message ? given : new Message('');
      const compared = expectedOutput === undefined ? '' : ` (${expectedOutput} ≠ ${actualOutput ?? ''})`;
      this.reported.push(`${state}: ${item.label}${message === '' ? '' : `: ${message}`}${compared}`);
    };
    return {
      enqueued: () => undefined,
      started: () => undefined,
      skipped: say('skipped'),
      passed: say('passed'),
      failed: say('failed'),
      errored: say('errored'),
      appendOutput: (line: string) => void this.reported.push(line.trim()),
      end: () => void this.ended++,
    };
  }
}

/** A glob below a folder. */
class Relative {
  readonly base: { readonly path: string };
  readonly pattern: string;
  constructor(base: { readonly path: string }, pattern: string) {
    this.base = base;
    this.pattern = pattern;
  }
}

type Pattern = string | Relative;

/** A listener of a watcher. */
type Heard = (uri: { readonly path: string }) => void;

const released = { dispose: (): void => undefined };

function added<T>(listeners: Set<T>, listener: T): { readonly dispose: () => void } {
  listeners.add(listener);
  return { dispose: () => void listeners.delete(listener) };
}

import {
  type CancellationToken,
  type CompletionList,
  CompletionItemKind,
  type CompletionParams,
  type Connection,
} from 'vscode-languageserver';
import { LineIndex } from '#base/line-index.ts';
import type { Activity } from '#language-server/activity.ts';
import { DiagnosticsPublisher } from '#language-server/diagnostics/publisher.ts';
import { agentCompletion } from '#model/agents/agent-completion.ts';
import { type AgentFile, agentPath, parseAgentFile } from '#model/agents/agent-file.ts';
import { agentNames, agentProblems } from '#model/agents/check-agent-files.ts';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { configured, type DiagnosticOptions } from '#language-server/ide/diagnostics.ts';
import { placedInYaml } from '#language-server/ide/completion/placed-in-yaml.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import type { ModelRoot, Workspace } from './workspace.ts';

interface Needs {
  readonly connection: Pick<Connection, 'sendDiagnostics'>;
  readonly documents: OpenDocuments;
  readonly workspace: Workspace;
  readonly host: LanguageHost;
  readonly activity: Activity;
  readonly options: () => DiagnosticOptions;
  readonly warn: (message: string) => void;
}

/** A project whose model lies beside the folder `agents`. */
interface Project {
  readonly folder: string;
  readonly root: ModelRoot;
  /** The texts of the folder's files on disk, by their URIs; `undefined` until they have been read. */
  texts: ReadonlyMap<string, string> | undefined;
  /** The views of the last check, as text. */
  checked: string | undefined;
}

/** How long one slice of reading may block incoming messages, in milliseconds. */
const SLICE_MS = 8;
/** Most files of one folder, and most characters of one file, that are read: others are not configurations of agents. */
const MOST_FILES = 500;
const LONGEST = 1_000_000;

/**
 * Checks the files of `agents/` beside a model and completes those that are open (docs/agents.md). They are read after the model, and
 * checked again, between requests, when one of them or a view changes.
 */
export class AgentFiles {
  readonly #needs: Needs;
  readonly #publisher: DiagnosticsPublisher;
  readonly #projects = new Map<string, Project>();
  /** What was parsed last, by its path. */
  readonly #parsed = new Map<string, { readonly text: string; readonly file: AgentFile }>();
  readonly #structures = new WeakMap<ModelRoot, number>();
  /** Identifies the last reading: earlier ones stop. */
  #reading = {};
  #isDue = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    const { documents, connection, workspace } = needs;
    this.#publisher = new DiagnosticsPublisher(connection, documents);
    const changed = (uri: string): void => {
      const project = this.#projectOf(uri);
      if (project) this.#checkAgain(project);
    };
    documents.onDidOpen(({ uri }) => changed(uri));
    documents.onDidChange(({ document: { uri } }) => changed(uri));
    documents.onDidClose((uri) => void this.refresh(uri));
    const followModel = ({ root }: { readonly root: ModelRoot }): void => {
      if (root.isStandalone || this.#structures.get(root) === root.index.structure) return;
      this.#structures.set(root, root.index.structure);
      this.#checkSoon();
    };
    workspace.onDidChangeFile(followModel);
    workspace.onDidRemoveFile(followModel);
  }

  /** Reads the files of all projects, after their models were read. */
  async readAll(): Promise<void> {
    const turn = {};
    this.#reading = turn;
    this.#findProjects();
    for (const project of [...this.#projects.values()]) {
      const texts = await this.#textsIn(`${project.folder}/agents`);
      if (this.#reading !== turn) return;
      this.#clear(project, texts);
      project.texts = texts;
      this.#checkAgain(project);
    }
  }

  #findProjects(): void {
    const before = new Map(this.#projects);
    this.#projects.clear();
    this.#parsed.clear();
    for (const root of this.#needs.workspace.roots) {
      const folder = root.uri.replace(/\/(?:model|schema)$/, '');
      if (this.#projects.has(folder)) continue;
      const texts = before.get(folder)?.texts;
      this.#projects.set(folder, { folder, root, texts, checked: undefined });
    }
    for (const [folder, project] of before) if (!this.#projects.has(folder)) this.#clear(project);
  }

  /** Takes back the problems of files that a project does not have any more. */
  #clear({ texts }: Project, now: ReadonlyMap<string, string> = new Map()): void {
    for (const uri of texts?.keys() ?? []) if (!now.has(uri)) this.#publisher.clear(uri);
  }

  /** Reads a file that may have changed on disk. */
  async refresh(given: string): Promise<void> {
    const uri = normalizeUri(given);
    const project = this.#projectOf(uri);
    if (!project) return;
    const text = await this.#needs.host.readFile(uri);
    const texts = new Map(project.texts);
    if (text === undefined) texts.delete(uri);
    else texts.set(uri, text);
    project.texts = texts;
    if (text === undefined && !this.#needs.documents.get(uri)) this.#publisher.clear(uri);
    this.#checkAgain(project);
  }

  /** Completes files of `agents/`, and leaves all others to `rest`. */
  orElse<T>(rest: (params: CompletionParams, token: CancellationToken) => T) {
    return (params: CompletionParams, token: CancellationToken): CompletionList | T =>
      this.#completion(normalizeUri(params.textDocument.uri), params.position) ?? rest(params, token);
  }

  /** Returns the completions at a position; `undefined` if the document is not a YAML file of `agents/`. */
  #completion(
    uri: string,
    position: { readonly line: number; readonly character: number },
  ): CompletionList | undefined {
    const document = this.#needs.documents.get(uri);
    const project = this.#projectOf(uri);
    if (!document || !project || !uri.endsWith('ml')) return undefined;
    const files = [...this.#textsOf(project)].map(([other, text]) => this.#read(pathIn(project, other), text));
    const offset = document.offsetAt(position);
    const known = { names: agentNames(files), views: viewsOf(project) };
    const text = document.getText();
    const { wordStart, items } = agentCompletion(text, offset, known);
    const place = { text, positions: document, wordStart, offset };
    return {
      isIncomplete: false,
      items: items.map(({ label, kind, doc, insert }, at) =>
        placedInYaml(
          {
            label,
            kind: kind === 'key' ? CompletionItemKind.Property : CompletionItemKind.EnumMember,
            sortText: String(at).padStart(3, '0'),
            insertText: insert,
            ...(doc === undefined ? {} : { documentation: doc }),
          },
          place,
        ),
      ),
    };
  }

  async #textsIn(folder: string): Promise<ReadonlyMap<string, string>> {
    const { host, warn } = this.#needs;
    const texts = new Map<string, string>();
    try {
      const uris = (await host.listFiles(folder, 'agents')).map(normalizeUri);
      let since = host.now();
      for (const uri of uris.slice(0, MOST_FILES)) {
        if (host.now() - since > SLICE_MS) {
          await host.yield();
          since = host.now();
        }
        if (((await host.fileSize?.(uri)) ?? 0) > LONGEST) continue;
        const text = await host.readFile(uri);
        if (text !== undefined) texts.set(uri, text);
      }
    } catch (error) {
      warn(`The files of agents could not be read: ${String(error)}`);
    }
    return texts;
  }

  #read(path: string, text: string): AgentFile {
    const before = this.#parsed.get(path);
    if (before?.text === text) return before.file;
    const file = parseAgentFile(path, text);
    this.#parsed.set(path, { text, file });
    return file;
  }

  #checkAgain(project: Project): void {
    project.checked = undefined;
    this.#checkSoon();
  }

  /** Checks what has changed once no request is running, and once for all changes until then. */
  #checkSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void this.#checkDue();
  }

  async #checkDue(): Promise<void> {
    const { host, activity, warn } = this.#needs;
    await host.yield();
    await activity.calm();
    this.#isDue = false;
    try {
      for (const project of this.#projects.values()) this.#check(project);
    } catch (error) {
      warn(`Checking the files of agents failed: ${String(error)}`);
    }
  }

  /** Checks all files of a project, because a change in one file can make or fix a problem in another. */
  #check(project: Project): void {
    const views = viewsOf(project);
    const known = [...(views ?? [])].join(' ');
    if (project.checked === known) return;
    project.checked = known;
    const { documents, options } = this.#needs;
    const all = this.#textsOf(project);
    const texts = new Map([...all].map(([uri, text]) => [pathIn(project, uri), text]));
    const found = agentProblems(texts, { views, isWhole: (project.texts?.size ?? 0) > 0 }, (path, text) =>
      this.#read(path, text),
    );
    for (const [uri, text] of all) {
      const positions = documents.get(uri) ?? new LineIndex(text);
      const located = found.get(pathIn(project, uri)) ?? [];
      this.#publisher.publish(
        uri,
        located.flatMap((each) => configured(each, { positions }, options()) ?? []),
      );
    }
  }

  /** Returns the texts of a project's files by their URIs; those of open documents take precedence. */
  #textsOf(project: Project): ReadonlyMap<string, string> {
    const { documents, workspace } = this.#needs;
    const texts = new Map(project.texts);
    for (const { uri } of documents.all()) {
      const document = documents.get(uri);
      if (document && this.#projectOf(uri) === project) texts.set(uri, document.getText());
    }
    // A model can lie anywhere, and has its own checks.
    for (const uri of texts.keys()) if (workspace.get(uri)) texts.delete(uri);
    return texts;
  }

  /** Returns the project whose model lies beside the file's `agents` folder. */
  #projectOf(uri: string): Project | undefined {
    for (const project of this.#projects.values())
      if (uri.startsWith(`${project.folder}/`) && agentPath(uri.slice(project.folder.length + 1)) !== undefined)
        return project;
    return undefined;
  }
}

/** Returns the path of a file relative to `agents`. */
function pathIn({ folder }: Project, uri: string): string {
  const path = uri.slice(`${folder}/agents/`.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the views of a model; `undefined` while they are incomplete, which they always are if code generates some of them. */
function viewsOf({ root: { index } }: Project): ReadonlySet<string> | undefined {
  const views = index.entities().filter(({ kind }) => kind === 'view');
  return index.dynamic || views.length === 0 ? undefined : new Set(views.map(({ name }) => name));
}

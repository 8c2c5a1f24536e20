import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { contentHash } from '#base/content-hash.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { text } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import { CompileConsent, decodedUri } from '#features/language/compile-consent.ts';
import type { ScriptChoice, SeenFiles } from '#features/language/seen-files.ts';
import type { CompileAnswer, CompileQuestion } from '#features/language/messages.ts';
import { listFiles, readFileText } from './client-files.ts';
import type { LanguageDependencies } from './dependencies.ts';

type Asking = Pick<LanguageDependencies, 'seen' | 'questions'>;

/** Tracks what the user sees, and decides whether a model may be compiled. */
export class ConsentDesk implements vscode.Disposable {
  readonly #seen: SeenFiles;
  readonly #roots: ReadonlyStore<readonly string[]>;
  readonly #consent: CompileConsent;
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Models that the server asked about; those of folders that are not linked are known only from these requests. */
  readonly #questioned = new Set<string>();
  #visible: readonly vscode.TextDocument[] = [];
  #baselines: Promise<void> = Promise.resolve();

  constructor({ seen, questions }: Asking, roots: ReadonlyStore<readonly string[]>) {
    this.#seen = seen;
    this.#roots = roots;
    this.#consent = new CompileConsent({
      seen,
      isTrusted: () => vscode.workspace.isTrusted,
      noteShown: () => this.#note(this.#visible),
      askScripts: async (root, byCommand) =>
        // While this question waited for its turn, a command may already have asked it.
        byCommand ? askScripts(root) : questions.ask(async () => seen.scripts(root) ?? askScripts(root)),
      askUnseen,
    });
    const follow = (): void => {
      // Documents that leave the screen were seen in their current state.
      const before = this.#visible;
      this.#visible = vscode.window.visibleTextEditors.map(({ document }) => document);
      void this.#note([...before, ...this.#visible]);
    };
    this.#subscriptions = [
      vscode.window.onDidChangeVisibleTextEditors(follow),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (this.#visible.includes(document)) void this.#note([document]);
      }),
      roots.onDidChange(() => this.#rememberRoots()),
    ];
    follow();
    this.#rememberRoots();
  }

  async answer(question: CompileQuestion): Promise<CompileAnswer> {
    await this.#baselines;
    this.#questioned.add(question.root);
    return this.#consent.answer(question);
  }

  /** Asks again whether JavaScript models may run, for the model of the active editor or else for all. */
  async chooseScripts(given?: ScriptChoice): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri.toString();
    const all = [...new Set([...this.#roots.value, ...this.#questioned])];
    const own = all.filter((root) => active?.startsWith(`${root}/`));
    if (all.length === 0) {
      void vscode.window.showInformationMessage(
        'No model is open here yet. Link a folder to a deployment, or run Check Model with the Engine on a file of the model first.',
      );
    }
    for (const root of own.length > 0 ? own : all) {
      const choice = given ?? (await askScripts(root));
      if (choice !== undefined) await this.#seen.chooseScripts(root, choice);
    }
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  async #note(documents: readonly vscode.TextDocument[]): Promise<void> {
    await this.#seen.shown(await Promise.all(documents.map((document) => contentHash(document.getText()))));
  }

  /** Marks the files of new folders as seen: they existed before anything was pulled into the folder. */
  #rememberRoots(): void {
    const fresh = this.#roots.value.filter((root) => root.startsWith('file:') && !this.#seen.knows(root));
    this.#baselines = this.#baselines.then(async () => {
      for (const root of fresh) await this.#seen.accept(root, await versionsIn(root));
    });
  }
}

async function versionsIn(root: string): Promise<readonly { readonly uri: string; readonly hash: string }[]> {
  const uris = await listFiles(root).catch(() => []);
  return Promise.all(uris.map(async (uri) => ({ uri, hash: await contentHash((await readFileText(uri)) ?? '') })));
}

async function askScripts(root: string): Promise<ScriptChoice | undefined> {
  const run = 'Run in the Sandbox';
  const skip = 'Do Not Run';
  const name = decodedUri(root.split('/').slice(-2).join('/'));
  const chosen = await vscode.window.showInformationMessage(
    text`The model in ${name} has JavaScript files. To check the model, Modelbench runs them on this machine, in a sandbox without access to your files or the network.`,
    run,
    skip,
  );
  return chosen === run ? 'run' : chosen === skip ? 'skip' : undefined;
}

async function askUnseen(count: number): Promise<boolean> {
  const check = count === 1 ? 'Check 1 File' : `Check ${count} Files`;
  const chosen = await vscode.window.showInformationMessage(
    text`${plural(count, 'file')} of this model came from a pull, a merge or another program, and you have not opened ${count === 1 ? 'it' : 'them'} yet.`,
    text`${check}`,
  );
  return chosen !== undefined;
}

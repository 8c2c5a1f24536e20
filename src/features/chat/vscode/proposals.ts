import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { filesOnBranch } from '#chat-core/branch-files.ts';
import type { ChatFiles } from '#chat-core/ports.ts';
import type { AskEngine, EngineVerdict, ProposalFiles, RequireLanding } from '#chat-core/proposal-ports.ts';
import type { ProposalRecords } from '#chat-core/proposal-records.ts';
import { landing } from '#chat-core/proposal-landing.ts';
import { type ProposedChange, ProposalReview } from '#chat-core/proposal-review.ts';
import { proposedBlocks } from '#chat-core/proposed-files.ts';
import { type ChatTurn, type TurnBranch, finalAnswer } from '#chat-core/thread.ts';
import type { DocumentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import type { ModelFolder, ModelFolders } from '#features/chat/model-folders.ts';
import type { ProposalEffects } from '#features/chat/proposal-page.ts';
import type { ModelTexts } from '#features/review/index.ts';
import { classifyCode, writeCode } from '#features/chat/code-change.ts';
import { chooseFile } from './choose-file.ts';
import type { ChatFolderDeps, ChatModelDeps, ChatStoreDeps, ChatWindowDeps } from './deps.ts';
import { modelIn } from './folder-model.ts';
import type { ProposalEngine, ProposalFolders, ProposalHost } from '#features/chat/host.ts';
import { type DecideHere, ProposalDocuments } from './proposal-documents.ts';
import { takeSnapshot } from './model-snapshot.ts';
import { acceptsRefused, engineCheck, mayBeWritten, whileChecking } from './proposal-engine.ts';
import { editorFiles } from './proposal-files.ts';
import { modelClassifier } from './proposal-classifier.ts';
import { ProposalViews } from './proposal-views.ts';
import { ProposalMerges } from './proposal-merges.ts';
import type { ProposalOrigins } from './proposal-origins.ts';
import { execute, executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { confirmed } from '#shell/vscode/questions.ts';

const TELL_AFTER_MS = 200;

interface ProposalDeps
  extends Pick<ChatWindowDeps, 'account' | 'context' | 'isTrusted'>, Pick<ChatStoreDeps, 'report'> {
  readonly folders: ModelFolders;
  readonly model: ChatFolderDeps;
}

/** The access to the files of one folder. */
type Place = Pick<ChatModelDeps, 'modelFolder' | 'branchSide' | 'setAside'>;

/**
 * Model files that the agent proposes: shown as changes first, written only when accepted, and only while a dev branch takes
 * writes. Files are edited and saved as if by hand, so that they reach only the dev branch, in the usual way, and can be undone.
 */
export class Proposals implements Disposable, ProposalHost {
  readonly #deps: ProposalDeps;
  readonly #origins: Pick<ProposalOrigins, 'of'>;
  readonly #store = new DisposableStore();
  readonly #documents: ProposalDocuments;
  readonly #merges: ProposalMerges;
  readonly #reviews = new Map<string, ProposalReview>();
  /** The folder of each review's files. It stays the same while another one is chosen. */
  readonly #places = new WeakMap<ProposalReview, Place>();
  readonly #proposed = new Set<string>();
  readonly #changed = this.#store.add(new Emitter<void>());
  #reporting: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: ProposalDeps, origins: Pick<ProposalOrigins, 'of'>, files: ChatFiles) {
    this.#deps = deps;
    this.#origins = origins;
    this.#documents = this.#store.add(new ProposalDocuments(() => deps.account.value));
    this.editors = new ProposalViews({
      documents: this.#documents,
      folder: (review) => folderOf(this.#placeOf(review)),
      files: (review) => this.#files(this.#placeOf(review)),
      openPage: deps.model.proposals.open,
      report: deps.report,
    });
    this.#merges = new ProposalMerges(this.#documents, files);
    const onFile = ({ uri }: { readonly uri: vscode.Uri }): void => {
      if (this.#proposed.has(uri.toString())) this.#reportSoon();
    };
    const onFiles = (uris: readonly vscode.Uri[]): void => uris.forEach((uri) => onFile({ uri }));
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => onFile(document)));
    this.#store.add(vscode.workspace.onDidSaveTextDocument(onFile));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(onFile));
    this.#store.add(vscode.workspace.onDidDeleteFiles((deleted) => onFiles(deleted.files)));
    this.#store.add(vscode.languages.onDidChangeDiagnostics(({ uris }) => onFiles(uris)));
    this.#store.add(deps.folders.onDidChoose(() => this.#changed.fire()));
    this.#merges.recover().catch((error: unknown) => void deps.report('chat', error));
  }

  readonly engine: ProposalEngine = {
    whileChecking,
    acceptsRefused,
    mark: (review, verdict) => this.#mark(review, verdict),
  };
  readonly editors: ProposalViews;
  readonly folders: ProposalFolders = {
    of: async (threadKey, turn) => {
      const { folders } = this.#deps;
      if (folders.all().length < 2) return undefined;
      const accepted = await (await this.#origins.of(threadKey, turn.id)).folder(turn.id);
      const folder = folders.ofAnswer(accepted);
      return folder && { name: folder.name, isFixed: folder.id === accepted };
    },
    choose: async () => {
      const { folders } = this.#deps;
      const items = folders.all().map(({ id, name, modelPath }) => ({
        label: textOf(name),
        description: textOf(modelPath),
        id,
      }));
      const picked = await vscode.window.showQuickPick(items, { title: text`Which Folder Gets Proposed Changes?` });
      if (picked) await folders.choose(picked.id);
    },
  };

  readonly onDidChangeFiles: Event<void> = this.#changed.event;

  effectsOf(review: ProposalReview): ProposalEffects {
    const { modelFolder } = this.#placeOf(review);
    const branchTexts = async (): Promise<ModelTexts> => Promise.resolve(new Map());
    const models = async (): Promise<ModelTexts> =>
      (await takeSnapshot({ modelFolder, branchTexts }))?.local ?? new Map();
    return { ...this.#deps.model.proposals, models };
  }

  async reviewOf(threadKey: string, turn: ChatTurn): Promise<ProposalReview> {
    const records = await this.#origins.of(threadKey, turn.id);
    const folder = this.#deps.folders.ofAnswer(await records.folder(turn.id));
    const key = JSON.stringify([threadKey, turn.id, folder?.id, folder?.modelPath]);
    const known = this.#reviews.get(key) ?? this.#review(records, turn, folder);
    this.#reviews.set(key, known);
    return known;
  }

  async mayWrite(): Promise<boolean> {
    if (this.#deps.isTrusted.value) return true;
    const message = text`Files are not changed in Restricted Mode. Trust this folder first.`;
    const chosen = await vscode.window.showInformationMessage(message, text`Manage Trust`);
    if (chosen) await executeBuiltIn('workbench.trust.manage');
    return false;
  }

  async mayAccept(branch: TurnBranch | undefined): Promise<RequireLanding | undefined> {
    const shown = this.#landing();
    if (!(await this.#isAccepting(branch))) return undefined;
    return () => {
      if (this.#landing() !== shown)
        throw new Hint('Another branch or folder was chosen meanwhile, so nothing was written. Accept it again.');
    };
  }

  /** Describes where saved files go now. */
  #landing(): string {
    const { context, folders } = this.#deps;
    const now = context.value.kind === 'ready' ? context.value : undefined;
    const linked = folders.all().map(({ id, modelPath }) => [id, modelPath]);
    return JSON.stringify([now?.accountId, now?.deploymentId, now?.branch, linked]);
  }

  async #isAccepting(branch: TurnBranch | undefined): Promise<boolean> {
    const { context, folders } = this.#deps;
    if (!(await this.mayWrite())) return false;
    if (!folders.current()) {
      const message = text`Link a folder of this window to the deployment first: accepted files go to its dev branch.`;
      const chosen = await vscode.window.showInformationMessage(message, text`Link Folder…`);
      if (chosen) await execute('modelbench.linkFolder');
      return false;
    }
    const destination = landing(branch, context.value.kind === 'ready' ? context.value.branch : undefined);
    switch (destination.kind) {
      case 'ok':
        return true;
      case 'noDevBranch': {
        const message = text`Accepted files go to a dev branch, and dev mode is off.`;
        const chosen = await vscode.window.showInformationMessage(message, text`Start Dev Mode…`);
        if (chosen) await execute('modelbench.devMode.start');
        return false;
      }
      default: {
        const question = text`This answer is about ${destination.from}; the active branch is ${destination.to}.`;
        return confirmed(question, text`Accept on ${destination.to}`);
      }
    }
  }

  /** Proposes a block without a path: the user chooses the file and sees the resulting change. */
  async propose(content: string, language: string): Promise<void> {
    const place = this.#placeOf();
    const [folder, files, classifier] = [folderOf(place), this.#files(place), modelClassifier(place)];
    const target = await chooseFile(folder?.uri);
    if (!target || !folder || !files) return;
    const path = target.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
    const classified = await classifyCode({ files, classifier }, path, { content, language });
    if (classified.kind === 'refused') {
      void vscode.window.showErrorMessage(textOf(classified.reason));
      return;
    }
    if (classified.kind === 'draft') {
      const draft = text`Open as Draft`;
      const said = text`The code was not inserted into ${path}. ${classified.reason}`;
      const answer = await vscode.window.showInformationMessage(said, draft);
      if (answer === draft) await this.editors.openDraft(undefined, path, classified.code);
      return;
    }
    const { change } = classified;
    const ports = {
      files,
      classifier,
      mayAccept: async () => this.mayAccept(undefined),
      mayBeWritten: async (file: string, after: string) => mayBeWritten(this.#engineOf(place), file, after),
    };
    const apply = async (hunks?: ProposedChange['hunks']): Promise<void> => {
      if (await writeCode(ports, change, hunks)) await vscode.window.showTextDocument(target);
    };
    const shown = this.#documents.add(target, change.after, async (action) => {
      if (action === 'accept') await apply();
      if (action !== 'acceptHunks') return;
      const picked = await this.editors.pickHunks(change);
      if (picked) await apply(picked);
    });
    await this.#documents.show([{ target, isNew: change.before === undefined, after: shown }]);
    const [yes, no] = [text`Apply`, text`Discard`];
    const answer = await vscode.window.showInformationMessage(text`Apply the agent's proposal to ${path}?`, yes, no);
    if (answer === yes) await apply();
    if (answer !== undefined) await this.#documents.close(shown);
  }

  /** Decides on a proposal where it is shown; without one, on that of the active editor. */
  decide(action: Parameters<DecideHere>[0], proposal: DocumentTarget | undefined): Promise<void> {
    return this.#documents.decide(action, proposal);
  }

  dispose(): void {
    clearTimeout(this.#reporting);
    this.#store.dispose();
  }

  #review(records: ProposalRecords, turn: ChatTurn, folder: ModelFolder | undefined): ProposalReview {
    const place = modelIn(this.#deps.model, () => folder);
    const root = folderOf(place);
    const blocks = root ? proposedBlocks(finalAnswer(turn)) : [];
    const files = this.#files(place) ?? noFiles;
    const write: ProposalFiles['write'] = async (changes, requireLanding) => {
      requireLanding?.();
      if (folder) await records.accept(turn.id, folder.id);
      await files.write(changes, requireLanding);
    };
    const review = new ProposalReview(
      { files: { ...files, write }, records, classifier: modelClassifier(place), engine: this.#engineOf(place) },
      { turn: turn.id, blocks, modelPath: root?.modelPath ?? '' },
    );
    this.#places.set(review, place);
    for (const path of review.paths) if (root) this.#proposed.add(vscode.Uri.joinPath(root.uri, path).toString());
    return review;
  }

  /** Returns the folder of a review; without one, that in which the chat now works. */
  #placeOf(review?: ProposalReview): Place {
    const { folders, model } = this.#deps;
    return (review && this.#places.get(review)) ?? modelIn(model, () => folders.current());
  }

  #engineOf(place: Place): AskEngine {
    return engineCheck(this.#deps.model, () => folderOf(place)?.uri);
  }

  #files(place: Place): ProposalFiles | undefined {
    const folder = folderOf(place);
    if (!folder) return undefined;
    const files = editorFiles(folder.uri, place.setAside);
    const merge: ProposalFiles['merge'] = (conflict) =>
      this.#merges.merge(vscode.Uri.joinPath(folder.uri, conflict.path), conflict);
    return filesOnBranch({ ...files, merge }, place.branchSide);
  }

  #mark(review: ProposalReview, verdict: EngineVerdict): void {
    const folder = folderOf(this.#placeOf(review));
    if (!folder) return;
    const at = (path: string): vscode.Uri => vscode.Uri.joinPath(folder.uri, path);
    const errors = verdict.state === 'refused' ? verdict.errors : [];
    const marks = errors.flatMap(({ message, location }) =>
      location ? [{ target: at(location.path), line: location.line, message }] : [],
    );
    this.#documents.mark(
      [...this.#proposed].map((uri) => vscode.Uri.parse(uri, true)),
      marks,
    );
  }

  /** Fires after a delay, not at each keystroke, because every view reads its files again. */
  #reportSoon(): void {
    this.#reporting ??= setTimeout(() => {
      this.#reporting = undefined;
      this.#changed.fire();
    }, TELL_AFTER_MS);
  }
}

/** Returns the linked folder; without one, the first folder of the window, for reading only. */
function folderOf({ modelFolder }: Place): ReturnType<ChatModelDeps['modelFolder']> {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  return modelFolder() ?? (first && { uri: first.uri, modelPath: '' });
}

const noFiles: ProposalFiles = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };

import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { AnsweringThreads } from '#chat-core/answering.ts';
import { ChatService } from '#chat-core/service.ts';
import type { EndedTurn } from '#chat-core/thread.ts';
import { AddressBook } from '#features/chat/address-book.ts';
import { ChatViews } from './chat-views.ts';
import type { ChatDeps, ChatModelDeps, ChatWindowDeps } from './deps.ts';
import { diskFiles } from './disk-files.ts';
import { KeyOrigins } from '#shell/key-origins.ts';
import { editorHost } from './editor-host.ts';
import type { ChatHost } from '#features/chat/host.ts';
import { noticeOf } from '#features/chat/notices.ts';
import { modelIn } from './folder-model.ts';
import { ModelFolders } from '#features/chat/model-folders.ts';
import { EditorContext } from './editor-context.ts';
import { Mentions } from './mentions.ts';
import { takeSnapshot } from './model-snapshot.ts';
import { ProposalOrigins } from './proposal-origins.ts';
import { Proposals } from './proposals.ts';
import { Results } from './results.ts';
import type { SavedAnswers } from './saved-answers.ts';
import { ChatSetUp } from './set-up.ts';
import { ChatTargets } from '#features/chat/targets.ts';

/** The chat of a window: its threads, its views, and their connection to the editor. */
export class Chat implements Disposable {
  readonly service: ChatService;
  readonly answering: AnsweringThreads;
  readonly views: ChatViews;
  readonly host: ChatHost;
  readonly results: Results;
  /** The model of the folder that the chat reads. */
  readonly model: ChatModelDeps;
  readonly proposals: Proposals;
  /** Loaded at first use, because reading query files needs the whole model language. */
  readonly answers: () => Promise<SavedAnswers>;
  /** Threads whose answers other assistants wait for. */
  readonly awaited = new Set<string>();
  readonly #settings: ChatWindowDeps['settings'];
  readonly #store = new DisposableStore();

  constructor(deps: ChatDeps) {
    const { store, window, platform, model: folderDeps, around } = deps;
    const { state, logger } = store;
    this.#settings = window.settings;
    const book = this.#store.add(new AddressBook(state, store.secrets));
    const origins = this.#store.add(new KeyOrigins(state));
    const keys = { book, origins, apiKey: platform.apiKey, state };
    const targets = this.#store.add(new ChatTargets(window, keys, store));
    const files = diskFiles(store.storageUri.fsPath);
    this.service = this.#store.add(
      new ChatService({
        target: targets.state,
        files,
        clock: systemClock,
        random: Math.random,
        newKey: () => crypto.randomUUID(),
        logger,
      }),
    );
    const { service } = this;
    this.answering = this.#store.add(new AnsweringThreads(service));
    const folders = new ModelFolders(folderDeps.modelFolders, state);
    const model = modelIn(folderDeps, () => folders.current());
    this.model = model;
    const snapshot = () => takeSnapshot(model);
    const proposalOrigins = this.#store.add(new ProposalOrigins({ service, files, logger, snapshot }));
    this.proposals = this.#store.add(
      new Proposals({ ...window, ...store, folders, model: folderDeps }, proposalOrigins, files),
    );
    this.results = this.#store.add(new Results({ ...window, ...model, ...platform, ...store }, platform.accounts));
    let opened: Promise<SavedAnswers> | undefined;
    this.answers = async () => {
      opened ??= import('#features/chat/vscode/saved-answers.ts').then(
        (module) => new module.SavedAnswers({ ...window, ...model, ...platform, ...store }),
      );
      return opened;
    };
    const { proposals, results, answers } = this;
    this.host = editorHost({
      setUp: new ChatSetUp(window, { book, origins, targets }),
      proposals,
      results,
      answers,
      mentions: this.#store.add(new Mentions({ ...window, around })),
      context: this.#store.add(new EditorContext({ ...window, around })),
      linkTo: platform.linkTo,
      tenantUrl: () => (window.context.value.kind === 'ready' ? window.context.value.tenantUrl : undefined),
    });
    this.views = this.#store.add(new ChatViews({ ...window, ...store }, this.service, this.host));
    this.#store.add(this.service.onDidEnd((ended) => void this.#notify(ended)));
  }

  dispose(): void {
    void this.service.flush();
    this.#store.dispose();
  }

  /** Notifies a user who does not see the thread that its answer is ready. */
  async #notify(ended: EndedTurn): Promise<void> {
    const { thread } = ended;
    const isSeen = this.awaited.delete(thread.key) || this.views.shows(thread.key);
    const notice = noticeOf(ended, isSeen, this.#settings().notifyWhenReady);
    if (notice === undefined) return;
    this.views.mark('Unread answers');
    const chosen = await vscode.window.showInformationMessage(textOf(notice), 'Show');
    if (chosen === 'Show') await this.views.reveal((surface) => void surface.openThread(thread.key));
  }
}

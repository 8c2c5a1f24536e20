import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Logger } from '#base/log.ts';
import { type DisposableStore, toDisposable } from '#base/disposable.ts';
import { asError } from '#base/async.ts';
import { Emitter } from '#base/event.ts';
import type { PlatformChange } from '#features/language/messages.ts';
import type { LanguageCommands } from '#shell/commands/language-commands.ts';
import type { PlatformPort } from '#features/language/vscode/dependencies.ts';
import type { LanguagePlatform } from '#features/language/vscode/platform.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Reviews } from '#features/review/index.ts';
import { SeenFiles } from '#features/language/seen-files.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import type { LanguageDeps, PlatformPortDeps } from './model-deps.ts';
import type { LazyLanguage, OpenedLanguage, ShowJoinGraph } from '#features/language/opened-language.ts';

/** Starts the language features after the rest of the extension, so that activation does not wait for them. */
export function languageContribution({
  language,
  logger,
}: {
  readonly language: LazyLanguage;
  readonly logger: Logger;
}): Contribution {
  return {
    id: 'language',
    register: (store) => {
      // The client's library is large, so it is not loaded during activation.
      const timer = setTimeout(() => {
        language().catch((error: unknown) =>
          logger.error('The language features could not start', { stack: asError(error).stack }),
        );
      }, 0);
      store.add(toDisposable(() => clearTimeout(timer)));
    },
  };
}

/** Passes each command to the language features. */
export function languageHandlers(
  language: LazyLanguage,
  reviews: Pick<Reviews, 'open'>,
  showJoinGraph: ShowJoinGraph,
): Handlers<LanguageCommands> {
  return {
    'modelbench.language.restart': async () => (await language()).restart(),
    'modelbench.language.checkModel': async () => (await language()).checkModel(),
    'modelbench.language.chooseScripts': async (choice) => (await language()).chooseScripts(choice),
    'modelbench.language.showJoinGraph': () => showJoinGraph(async () => (await language()).joinGraph()),
    'modelbench.language.generateCube': async (target) => (await language()).generateCube(target?.uri, reviews),
    'modelbench.language.exportSchema': async () => (await language()).exportSchema(),
    'modelbench.language.query': async () => (await language()).queryAtCursor(),
    'modelbench.language.showSqlAtCursor': async () => (await language()).showSqlAtCursor(),
    'modelbench.language.explainProblem': async () => (await language()).explainProblem(),
  };
}

/** Creates the language features on first use, with what they need from the other services. */
export function lazyLanguage(services: LanguageDeps, store: DisposableStore): LazyLanguage {
  let opened: Promise<OpenedLanguage> | undefined;
  return () => {
    opened ??= open(services, store);
    return opened;
  };
}

async function open(services: LanguageDeps, store: DisposableStore): Promise<OpenedLanguage> {
  const { context, logger } = services;
  const { session } = services.platform.models;
  const serverModule = vscode.Uri.joinPath(context.extensionUri, 'dist', 'language-server.js').fsPath;
  const media = vscode.Uri.joinPath(context.extensionUri, 'media');
  const { version } = context.extension.packageJSON as { readonly version: string };
  const compiled = vscode.Uri.joinPath(context.globalStorageUri, 'language-server', version);
  const { openLanguage } = await import('#features/language/vscode/client.ts');
  const platform = platformPort(services.platform, store);
  const seen = new SeenFiles(stateStore(context.workspaceState));
  return openLanguage(
    {
      serverModule,
      links: session.links,
      whenLinksFound: session.whenLinksFound,
      logger,
      media,
      compiled,
      seen,
      notes: stateStore(context.workspaceState),
      platform,
      onDidChangeFiles: services.changedFiles.event,
      questions: services.questions,
      edits: services.edits,
      boundary: services.platform.boundary,
    },
    store,
  );
}

/** Provides the platform's data about a model; its code is loaded with the first request. */
function platformPort(services: PlatformPortDeps, store: DisposableStore): PlatformPort {
  const { accounts, models, builds, boundary, isTrusted } = services;
  const { session } = models;
  let opened: Promise<LanguagePlatform> | undefined;
  const changed = store.add(new Emitter<PlatformChange>());
  const open = (): Promise<LanguagePlatform> => {
    const onCanValidate = (validate: string): void => changed.fire({ validate });
    opened ??= import('#features/language/vscode/platform.ts').then((module) =>
      store.add(module.createLanguagePlatform(models, { refusedKeys: accounts.refused, onCanValidate })),
    );
    return opened;
  };
  // In a folder that the user does not trust, nothing is requested from the platform.
  const mayAsk = (): boolean => accounts.all.value.length > 0 && isTrusted.value;
  const tell = (change: PlatformChange): void => {
    void opened?.then((platform) => platform.forget());
    changed.fire(change);
  };
  store.add(
    builds.onDidFinish(({ isNews }) => {
      if (isNews) tell({});
    }),
  );
  const other = (): void => tell({ isOtherBranch: true });
  store.add(session.onDidChangeDevMode(other));
  store.add(accounts.all.onDidChange(other));
  store.add(isTrusted.onDidChange(other));
  const guarded = async (what: string, act: (platform: LanguagePlatform) => Promise<void>): Promise<void> => {
    try {
      await act(await open());
    } catch (error) {
      await boundary(what, error);
    }
  };
  return {
    preview: async (target) => guarded('Preview Data', (platform) => platform.preview(target)),
    query: async (target) => guarded('Query This', (platform) => platform.query(target)),
    runQuery: async (target) => guarded('Run query', (platform) => platform.runQuery(target)),
    compiledSql: async (target) => guarded('Compiled SQL', (platform) => platform.compiledSql(target)),
    model: async (root) => (mayAsk() ? (await open()).model(root) : null),
    deployBranch: async (root, render) => (mayAsk() ? (await open()).deployBranch(root, render) : null),
    workspaceUses: async (params) => (mayAsk() ? (await open()).workspaceUses(params) : []),
    validate: async (root, signal) => (mayAsk() ? (await open()).validate(root, signal) : null),
    engineVersion: async (uri) => (mayAsk() ? (await open()).engineVersion(uri) : undefined),
    databaseType: async (uri) => (mayAsk() ? (await open()).databaseType(uri) : undefined),
    onDidChange: changed.event,
  };
}

import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { isEqual } from '#base/equal.ts';
import { Store } from '#base/store.ts';
import type { LateFacts } from '#shell/window-state.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { lazyAdmin } from '#features/administration/vscode/lazy.ts';
import { lazyQueries } from '#features/data/vscode/lazy.ts';
import { lazyChat } from '#features/chat/vscode/lazy.ts';
import { chatDeps } from './chat-deps.ts';
import { lazyReviews } from '#features/review/vscode/lazy.ts';
import { explorerConnection } from './explorer-connection.ts';
import { lazyDeploymentWork } from './lazy-deployment-work.ts';
import type { LazyDeploymentWork } from './opened-deployment-work.ts';
import type { ShowPlayground } from '#features/data/show-playground.ts';
import { engineAdvice } from './engine-advice.ts';
import type { ShowResults } from '#shell/shown-query.ts';
import { lazyExplorer } from '#features/api-explorer/vscode/lazy.ts';
import type { LanguageDeps } from '#features/language/vscode/model-deps.ts';
import { lazyLanguage } from '#features/language/vscode/lazy.ts';
import { Redactor } from '#shell/vscode/redactor.ts';
import { modelComparison } from './model-comparison.ts';
import { renderingBy } from './template-rendering.ts';
import type { EditReviewDeps } from '#features/review/vscode/index.ts';
import type { LazyLanguage } from '#features/language/opened-language.ts';
import type { LateServices, MadeServices, Services } from './composed.ts';
import { listServices, windowServices } from './compose-window.ts';
import { capabilityServices, platformServices } from './compose-platform.ts';
import { begunWork, branchServices, stepServices, syncServices } from './compose-folders.ts';

/** Creates all services by hand, in order; `store` disposes them in reverse order. */
export function compose(context: vscode.ExtensionContext, store: DisposableStore): Services {
  const redactor = new Redactor();
  const userAgent = `modelbench/${String((context.extension.packageJSON as { version?: unknown }).version)}`;
  const window = windowServices(context, redactor, store);
  const lists = listServices(context, store);
  const platform = platformServices(window, lists, { redactor, userAgent }, store);
  const capabilities = capabilityServices(platform, store);
  const begun = begunWork(context);
  const sync = syncServices(window, platform, begun, store);
  const branches = branchServices(window, platform, sync, store);
  const steps = stepServices(window, platform, branches, begun, store);
  const made = { window, lists, platform, capabilities, sync, branches, steps };
  return { ...made, late: lateServices(made, userAgent, store) };
}

/** Creates the services that are loaded at first use. */
function lateServices(made: MadeServices, userAgent: string, store: DisposableStore): LateServices {
  const { window, platform, capabilities, sync, branches, steps } = made;
  const { boundary, context, isTrusted, logger, operations, secrets } = window;
  const { accounts, connectWith, data, owners, session } = platform;
  const { capabilitiesOf } = capabilities;
  const facts = store.add(new Store<LateFacts>({}, isEqual));
  const reportFacts = (some: LateFacts): void => facts.update((all) => ({ ...all, ...some }));
  const reviews = lazyReviews({ accounts, boundary, context }, store);
  const admin = lazyAdmin({ accounts, boundary, capabilitiesOf, context, data, isTrusted, operations, owners }, store);
  const queries = lazyQueries({ accounts, capabilitiesOf, context, data, logger, secrets, session }, store);
  // The chat uses the language features, which in turn depend on the chat.
  const checks: LazyLanguage = () => language();
  const work: LazyDeploymentWork = () => deploymentWork();
  const { deltas } = steps;
  const chatServices = {
    window,
    platform,
    sync,
    branchFiles: branches.branchFiles,
    deltas,
    reviews,
    queries,
    reportFacts,
  };
  const chat = lazyChat(chatDeps(chatServices, { userAgent, language: checks, deploymentWork: work }, store), store);
  const showResults: ShowResults = async (query) => (await chat()).showResults(query);
  const connection = explorerConnection(window, platform, userAgent, store);
  const explorer = lazyExplorer(
    { accounts, connectWith, context, data, isTrusted, reportFacts, secrets, session },
    { connection, operations },
    store,
  );
  const showPlayground: ShowPlayground = async (opening) => (await deploymentWork()).showPlayground(opening);
  const edits: EditReviewDeps = { reviews, model: modelComparison(renderingBy(checks)) };
  const language = lazyLanguage(
    { ...languageDeps(made, { queries, editors: { showResults, showPlayground } }), edits },
    store,
  );
  const deploymentWork = lazyDeploymentWork(
    {
      window,
      platform,
      capabilities,
      sync,
      branches,
      favourites: made.lists.favourites,
      dataWork: { queries, showResults, advice: engineAdvice(checks), render: renderingBy(checks), edits },
    },
    store,
  );
  return { facts, reviews, queries, language, chat, deploymentWork, explorer, admin };
}

function languageDeps(
  { window, platform, capabilities, sync, branches }: MadeServices,
  asking: Pick<LanguageDeps['platform']['models'], 'queries' | 'editors'>,
): Omit<LanguageDeps, 'edits'> {
  const { boundary, context, isTrusted, logger, questions } = window;
  const { accounts, builds, data, session } = platform;
  const { offers, learnOffers } = capabilities;
  const { branchFiles, remote } = branches;
  const files = { branchFiles, syncs: sync.syncs };
  const models = { files, data, learnOffers, offers, remote, session, ...asking };
  return {
    changedFiles: sync.changed.files,
    context,
    logger,
    platform: { accounts, boundary, builds, isTrusted, models },
    questions,
  };
}

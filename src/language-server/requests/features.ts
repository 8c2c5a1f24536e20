import {
  CodeActionKind,
  type CompletionParams,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
  type ServerCapabilities,
} from 'vscode-languageserver';
import { asError } from '#base/async.ts';
import {
  alive,
  joinGraph,
  type JoinGraphParams,
  type LanguageSettings,
  type PlacedError,
  placeEngineErrors,
  type PlaceEngineErrorsParams,
} from '#features/language/messages.ts';
import { positionOfEngineError } from '#model/engine/engine-errors.ts';
import { textIn } from '#model/locate.ts';
import type { Activity } from '#language-server/activity.ts';
import type { AgentFiles } from '#language-server/workspace/agent-files.ts';
import { completionIn, hoverIn, symbolsIn } from '#language-server/client/answers-in-terms.ts';
import type { ClientTerms } from '#language-server/client/client-terms.ts';
import { completion } from '#language-server/ide/completion/completion.ts';
import { registerFormatting } from './formatting.ts';
import { joinGraphOf } from '#language-server/ide/navigation/graph.ts';
import { inlayHints, signatureHelp } from '#language-server/ide/hints.ts';
import { hover } from '#language-server/ide/hover.ts';
import {
  asLocations,
  definition,
  highlights,
  references,
  workspaceSymbols,
} from '#language-server/ide/navigation/navigation.ts';
import { codeLenses, type LensData, resolveLens } from '#language-server/ide/lenses.ts';
import { locationOf } from '#language-server/ide/locations.ts';
import { queryCompletion } from '#language-server/ide/queries/query-completion.ts';
import { queryLenses } from '#language-server/ide/queries/query-lenses.ts';
import { queryDefinition, queryHover } from '#language-server/ide/queries/query-names.ts';
import { legend } from '#language-server/ide/tokens/semantic-tokens.ts';
import { documentLinks, foldingRanges, selectionRange } from '#language-server/ide/structure.ts';
import type { Preview } from '#language-server/ide/actions/previewed.ts';
import { documentSymbols } from '#language-server/ide/navigation/symbols.ts';
import type { OpenedQuery } from '#language-server/workspace/query-files.ts';
import type { Cancellation, Document, Guard, InFile } from './request-guards.ts';
import { withoutTrees } from '#language-server/documents/large-files.ts';
import { registerActions, registerRename } from './register-edits.ts';
import { registerTokens, type TokenNeeds } from './register-tokens.ts';
import { registerTrees } from './trees.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import { answerMemberRequests } from './member-requests.ts';
import type { Opened, Workspace } from '#language-server/workspace/workspace.ts';

export interface FeatureContext extends TokenNeeds {
  readonly activity: Activity;
  /** Resolves when the template at a URI has been rendered, or cannot be. */
  readonly rendered: (uri: string) => Promise<void>;
  readonly agents: AgentFiles;
  readonly options: () => {
    readonly settings: LanguageSettings;
    readonly preview: Preview;
    readonly terms: ClientTerms;
    /** Whether the client has the commands of lenses, as this extension does. */
    readonly hasOwnCommands: boolean;
  };
}

/** When a folder is deleted or moved, editors send no event for each file in it. */
const FOLDERS = [{ pattern: { glob: '**/*', matches: 'folder' as const } }];
/** A client that watches no files reports at least what the user does in it. */
const FILES = [{ pattern: { glob: '**/*.{yml,yaml,jinja,js,py}', matches: 'file' as const } }];

/** Returns the capabilities that the server announces. */
export function capabilities(settings: LanguageSettings, watchesFiles: boolean): ServerCapabilities {
  const filters = watchesFiles ? FOLDERS : [...FOLDERS, ...FILES];
  return {
    hoverProvider: true,
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    completionProvider: { triggerCharacters: ['{', '.', ':', ' ', '-', '[', '"', "'", '`'] },
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    callHierarchyProvider: true,
    typeHierarchyProvider: true,
    renameProvider: { prepareProvider: true },
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    documentLinkProvider: {},
    semanticTokensProvider: { legend, range: true, full: { delta: true } },
    signatureHelpProvider: { triggerCharacters: ['(', ','] },
    inlayHintProvider: true,
    codeLensProvider: { resolveProvider: true },
    codeActionProvider: {
      codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorExtract, CodeActionKind.SourceFixAll],
    },
    ...(settings.yieldToYaml.formatting ? {} : { documentFormattingProvider: true }),
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: true },
      fileOperations: { didDelete: { filters }, didRename: { filters }, didCreate: { filters } },
    },
    documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n' },
  };
}

/**
 * Registers the handlers of all requests. If a feature throws, the error is logged and the answer is empty: the server and the
 * other features continue. An error meant for the user is thrown as a `ResponseError` and reaches the client.
 */
export function registerFeatures(connection: Connection, context: FeatureContext): void {
  const { workspace, host, activity } = context;
  answerMemberRequests(connection, workspace);
  const guard: Guard = <P, R>(name: string, empty: R, run: (params: P, token: Cancellation) => R | Promise<R>) => {
    return (params: P, token: Cancellation): Promise<R | ResponseError> =>
      activity.during(async () => {
        // Lets a cancellation that is queued behind this request take effect first.
        await host.yield();
        if (token.isCancellationRequested) return new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled');
        try {
          return await run(params, token);
        } catch (error) {
          if (error instanceof ResponseError) return error;
          connection.console.error(`${name} failed: ${asError(error).stack ?? ''}`);
          return empty;
        }
      });
  };
  const inFile: InFile = <P extends Document, R>(
    name: string,
    empty: R,
    run: (opened: Opened, params: P) => R,
    inQuery?: (opened: OpenedQuery, params: P) => R,
  ) =>
    guard<P, R>(name, empty, (params) => {
      const uri = normalizeUri(params.textDocument.uri);
      const query = inQuery && workspace.queries.get(uri);
      if (query) return inQuery(query, params);
      const opened = workspace.get(uri);
      return opened ? workspace.during(opened, () => withoutTrees(opened.file, () => run(opened, params))) : empty;
    });
  registerReading(connection, context, inFile);
  registerWriting(connection, context, inFile);
  registerTokens(connection, context, inFile, guard);
  connection.onWorkspaceSymbol(
    guard('workspaceSymbol', null, ({ query }) => workspaceSymbols(workspace.allRoots(), query, workspace)),
  );
  registerTrees(connection, workspace, inFile, guard);
  registerOwn(connection, workspace);
}

/** Registers requests beyond the protocol. */
function registerOwn(connection: Connection, workspace: Workspace): void {
  connection.onRequest(alive, () => null);
  connection.onRequest(
    placeEngineErrors,
    ({ uri, messages }: PlaceEngineErrorsParams): readonly (PlacedError | null)[] => {
      const index = workspace.modelOf(normalizeUri(uri))?.index;
      return messages.map((message) => {
        const position = index && positionOfEngineError(message, index);
        return (position && locationOf(workspace, index, position.chunk, position.start, position.end)) ?? null;
      });
    },
  );
  connection.onRequest(joinGraph, (params: JoinGraphParams) => {
    const root = workspace.modelOf(normalizeUri(params.uri));
    return root
      ? joinGraphOf(root, workspace)
      : new ResponseError(ErrorCodes.InvalidParams, 'This is not part of a data model.');
  });
}

function registerReading(
  connection: Connection,
  { workspace, options, rendered }: FeatureContext,
  inFile: InFile,
): void {
  connection.onHover(
    inFile(
      'hover',
      null,
      (opened, { position }) =>
        hoverIn(
          options().terms,
          hover(opened, opened.positions.offsetAt(position), options().settings.yieldToYaml.hover),
        ),
      (query, { position }) => hoverIn(options().terms, queryHover(query, query.positions.offsetAt(position))),
    ),
  );
  const outline = inFile('documentSymbol', null, (opened: Opened) =>
    symbolsIn(options().terms, opened.uri, documentSymbols(opened)),
  );
  connection.onDocumentSymbol(async (params, token) => {
    // Editors ask once after an edit. Waiting here is not counted as a request, because background work waits for requests.
    await rendered(normalizeUri(params.textDocument.uri));
    return outline(params, token);
  });
  connection.onDefinition(
    inFile(
      'definition',
      null,
      (opened, { position }) =>
        asLocations(definition(opened, opened.positions.offsetAt(position), workspace), options().terms.hasLinks),
      (query, { position }) =>
        asLocations(queryDefinition(query, query.positions.offsetAt(position), workspace), options().terms.hasLinks),
    ),
  );
  connection.onReferences(
    inFile('references', null, (opened, { position, context }) =>
      references(opened, opened.positions.offsetAt(position), workspace, context.includeDeclaration),
    ),
  );
  connection.onDocumentHighlight(
    inFile('documentHighlight', null, (opened, { position }) =>
      highlights(opened, opened.positions.offsetAt(position), workspace),
    ),
  );
  connection.onFoldingRanges(inFile('foldingRange', null, (opened) => foldingRanges(opened)));
  connection.onSelectionRanges(
    inFile('selectionRange', null, (opened, { positions }) =>
      positions.map((position) => selectionRange(opened, position)),
    ),
  );
  connection.onDocumentLinks(inFile('documentLink', null, (opened) => documentLinks(opened)));
  connection.onSignatureHelp(
    inFile('signatureHelp', null, (opened, { position }) => signatureHelp(opened, opened.positions.offsetAt(position))),
  );
}

function registerWriting(connection: Connection, context: FeatureContext, inFile: InFile): void {
  const { workspace, agents, options } = context;
  const complete = inFile(
    'completion',
    null,
    (opened, { position }: CompletionParams) =>
      completionIn(
        options().terms,
        completion(opened, opened.positions.offsetAt(position), options().settings.yieldToYaml.completion),
        { read: (start, end) => textIn(opened.file, start, end), positions: opened.positions, line: position.line },
      ),
    (query, { position }) =>
      completionIn(options().terms, queryCompletion(query, query.positions.offsetAt(position)), {
        read: (start, end) => query.file.text.slice(start, end),
        positions: query.positions,
        line: position.line,
      }),
  );
  connection.onCompletion(agents.orElse(complete));
  registerRename(connection, context, inFile);
  connection.languages.inlayHint.on(
    inFile('inlayHint', null, (opened, { range }) => (options().settings.inlayHints ? inlayHints(opened, range) : [])),
  );
  connection.onCodeLens(
    inFile(
      'codeLens',
      null,
      (opened) => (options().settings.codeLens ? codeLenses(opened, options().settings) : []),
      (query) => (options().settings.codeLens ? queryLenses(query, options().settings) : []),
    ),
  );
  connection.onCodeLensResolve((lens) => {
    const root = workspace.rootOf(normalizeUri((lens.data as LensData).uri));
    return root ? resolveLens(lens, root.index, options().hasOwnCommands) : lens;
  });
  registerActions(connection, context, inFile);
  registerFormatting(connection, inFile);
}

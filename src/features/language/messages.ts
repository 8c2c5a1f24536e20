import type { QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import type { TemplateAnswer, TemplateQuestion } from '#model/templates/model-templates.ts';
import type { SeveritySetting } from '#shell/settings.ts';

/** What the extension and the language server say to each other beyond the language server protocol. */

/** Where models are: each root is one namespace. Sent as `initializationOptions` and again when it changes. */
export interface LanguageOptions {
  /** Folders (URIs without a trailing slash) that hold a data model each: linked folders, their model path included. */
  readonly roots: readonly string[];
  /** Those of the roots that are not linked: only files that look like a model belong to them. */
  readonly found?: readonly string[] | undefined;
  readonly settings: LanguageSettings;
  /** Folders (URIs) of projects: files in them that say which tables there are may be read. */
  readonly tableFolders?: readonly string[] | undefined;
  /** Folder (URI) with a page for each diagnostic code. */
  readonly docs?: string | undefined;
}

export interface LanguageSettings {
  /** Diagnostic code → severity, or `off`. */
  readonly severity: Readonly<Record<string, SeveritySetting>>;
  readonly codeLens: boolean;
  /** Whether “0 uses” is worth a lens, too. */
  readonly lensForUnused: boolean;
  readonly inlayHints: boolean;
  /** What another YAML server that is active and knows the schema does: that is left to it. */
  readonly yieldToYaml: YieldToYaml;
  /** The client shows data of a cube or member: the lens is offered. */
  readonly preview: boolean;
  /** The client shows the SQL of a cube or member: the lens is offered. */
  readonly compiledSql: boolean;
  /** When the engine compiles the model: it runs the model's scripts, so `off` where the folder is not trusted. */
  readonly engineCheck: 'onSave' | 'onCommand' | 'off';
  /** Whether templates are rendered, in a sandbox without access to anything: not where the folder is not trusted. */
  readonly renderTemplates: boolean;
  /** The client knows what the user has seen, and is asked before a model is compiled. */
  readonly asksBeforeCompiling: boolean;
  /** Larger models (KB) are compiled by command only. */
  readonly engineCheckLimit: number;
}
export interface YieldToYaml {
  /** Keys and fixed values in `model` folders. */
  readonly completion: boolean;
  /** What a key means, in `model` folders. */
  readonly hover: boolean;
  readonly formatting: boolean;
}
export const defaultLanguageSettings: LanguageSettings = {
  severity: {},
  codeLens: true,
  lensForUnused: false,
  inlayHints: true,
  yieldToYaml: { completion: false, hover: false, formatting: false },
  preview: false,
  compiledSql: false,
  engineCheck: 'off',
  renderTemplates: true,
  asksBeforeCompiling: false,
  engineCheckLimit: 1024,
};

/** Server → client notification: what the server is doing, for the status item. */
export const languageStatus = 'modelbench/status';

/** A request without parameters that is answered with nothing, so that a client notices a server that hangs. */
export const alive = 'modelbench/alive';
export interface LanguageStatus {
  readonly state: 'indexing' | 'ready' | 'problem';
  /** How many files, cubes and views are known. */
  readonly files: number;
  readonly cubes: number;
  readonly views: number;
  /** With `problem`: what is wrong and what to do. */
  readonly reason?: string | undefined;
  /** What the engine said when it compiled the model last. */
  readonly engine?: EngineReport | undefined;
  /** The root of the model that it said this of. */
  readonly engineRoot?: string | undefined;
  /** What the platform said of the branch of a model after the last save. */
  readonly platform?: PlatformReport | undefined;
}

/** Client → server request: have the engine compile the model of a document, whatever its size. */
export const checkWithEngine = 'modelbench/engineCheck';
export interface CheckWithEngineParams {
  readonly uri: string;
}
export type EngineReport =
  | ({ readonly state: 'accepted' } & Omitted)
  | ({ readonly state: 'refused'; readonly errors: number } & Omitted)
  | { readonly state: 'skipped'; readonly reason: string };
interface Omitted {
  /** Templates that only the platform can render, so that they were not judged. */
  readonly omitted?: number | undefined;
}

/**
 * Server → client request after a save: what the platform says of the branch of a root, once the branch has what was saved. A
 * later save cancels it. `null`: there is nothing to ask, because the root has no branch or the user does not want it.
 */
export const validateOnPlatform = 'modelbench/validateOnPlatform';
export interface ValidateOnPlatformParams {
  readonly root: string;
}
export type PlatformVerdict = {
  readonly branch: string;
  /** Of the deployment’s engine, where that is known. */
  readonly version?: string | undefined;
} & (
  | {
      readonly state: 'judged';
      /** The files are relative to the root. */
      readonly errors: readonly { readonly message: string; readonly fileName?: string | undefined }[];
    }
  | { readonly state: 'skipped'; readonly reason: string }
);
export interface PlatformReport {
  readonly branch: string;
  readonly version?: string | undefined;
  readonly verdict: EngineReport;
}

/**
 * Client → server request: the engine's verdict on a model with some of its files as they are proposed. Nothing is written
 * and nothing is marked. The user must have been shown these texts. Cancelling it ends the engine's work.
 */
export const checkProposal = 'modelbench/engineCheckProposal';
export interface CheckProposalParams {
  /** Model files, with the texts that they would have. */
  readonly files: readonly { readonly uri: string; readonly text: string }[];
}
/** `refused` lists only what the engine does not refuse already as the model is now. */
export type ProposalVerdict =
  | { readonly state: 'accepted' }
  | { readonly state: 'refused'; readonly errors: readonly ProposalError[] }
  | { readonly state: 'skipped'; readonly reason: string };
export interface ProposalError {
  readonly message: string;
  /** Where it belongs in one of the proposed texts; a line from 0. */
  readonly place?: { readonly uri: string; readonly line: number } | undefined;
}

/** Client → server request: what the engine makes of a query. Cancelling it ends the engine's work. */
export const explainQuery = 'modelbench/explainQuery';
export interface ExplainQueryParams {
  /** A document or a folder of the model. */
  readonly uri: string;
  /** As the data API takes it. */
  readonly query: Readonly<Record<string, unknown>>;
  /** A database that the engine has a dialect for. */
  readonly dialect: string;
  /** What words for dates are relative to, as `2026-01-31`. */
  readonly today: string;
}
/**
 * Client → server request: a pre-aggregation for a query, written into the file of its cube. It is answered only where the
 * engine accepts the model with it and serves the query with it. Nothing is written.
 */
export const proposePreAggregation = 'modelbench/proposePreAggregation';
/** Client → server request: the SQL of the cube, view or member at a position, or of the query of a query file. */
export const sqlAtPosition = 'modelbench/sqlAtPosition';
export interface SqlAtPositionParams extends Pick<ExplainQueryParams, 'uri' | 'dialect' | 'today'> {
  readonly position: { readonly line: number; readonly character: number };
}
/** `null`: there is nothing at the position that has SQL. */
export type SqlAtPosition = { readonly name: string; readonly explanation: QueryExplanation } | null;

/** Server → client request: whether a model may be compiled as it is now. */
export const mayCompile = 'modelbench/mayCompile';
export interface CompileQuestion {
  readonly root: string;
  readonly files: readonly { readonly uri: string; readonly hash: string }[];
  /** Some of them are JavaScript. */
  readonly hasScripts: boolean;
  /** The user asked for it and may be asked in turn. */
  readonly byCommand: boolean;
}
export type CompileAnswer = { readonly may: true } | { readonly may: false; readonly reason: string };

/** Client → server request: what templates that are not in the workspace render to; null where templates are not rendered. */
export const renderTemplates = 'modelbench/renderTemplates';
export interface RenderTemplatesParams {
  readonly questions: readonly TemplateQuestion[];
}
/** Has the template engine render the templates of one model. */
export type RenderTemplates = (questions: readonly TemplateQuestion[]) => Promise<TemplateAnswer | null>;

/** Client → server request: the tables that are known for the model of a document or folder. */
export const knownTables = 'modelbench/knownTables';
export interface KnownTablesParams {
  readonly uri: string;
}
export interface KnownTablesResult {
  /** The document or folder belongs to a model. */
  readonly hasModel: boolean;
  readonly tables: readonly KnownTable[];
  /** Sentences about files that could not be read. */
  readonly problems: readonly string[];
}
interface KnownTable {
  /** How SQL names it. */
  readonly relation: string;
  readonly description?: string | undefined;
  /** How many are known. */
  readonly columns: number;
}

/** Client → server request: a cube on one of these tables, with a name and a file that the model does not have; `null` without it. */
export const cubeOfTable = 'modelbench/cubeOfTable';
export interface CubeOfTableParams extends KnownTablesParams {
  readonly relation: string;
}
export interface CubeOfTable {
  /** Of the file to create. */
  readonly uri: string;
  readonly name: string;
  readonly text: string;
}

/** Client → server notification: roots or settings changed. */
export const languageOptionsChanged = 'modelbench/options';

/** Server → client requests: files that the server cannot read itself (`modelbench:`, web). */
export const listModelFiles = 'modelbench/files/list';
export interface ListModelFiles {
  readonly root: string;
}
export const readModelFile = 'modelbench/files/read';
export interface ReadModelFile {
  readonly uri: string;
}

/** Client → server request: the joins of a root, for the graph. */
export const joinGraph = 'modelbench/joinGraph';
export interface JoinGraphParams {
  /** A document of the model. */
  readonly uri: string;
}
export interface JoinGraphNode {
  readonly name: string;
  readonly kind: 'cube' | 'view';
  readonly uri: string;
  readonly line: number;
  readonly measures: number;
  readonly dimensions: number;
}
export interface JoinGraphEdge {
  readonly from: string;
  readonly to: string;
  readonly relationship: string;
  readonly uri: string;
  readonly line: number;
}
export interface JoinGraphResult {
  readonly nodes: readonly JoinGraphNode[];
  readonly edges: readonly JoinGraphEdge[];
}

/** Client → server request: where errors that the engine reported belong; `null` for one that names nothing of the model. */
export const placeEngineErrors = 'modelbench/placeEngineErrors';
export interface PlaceEngineErrorsParams {
  /** A root or a document of the model. */
  readonly uri: string;
  readonly messages: readonly string[];
}
export interface PlacedError {
  readonly uri: string;
  readonly range: { readonly start: TextPosition; readonly end: TextPosition };
}
interface TextPosition {
  /** From 0. */
  readonly line: number;
  /** UTF-16 code units, from 0. */
  readonly character: number;
}

/** Server → client request: what the environment of a root's active branch runs; `null` where that is not known. */
export const platformModel = 'modelbench/platformModel';
export interface PlatformModelParams {
  readonly root: string;
}
export interface PlatformModel {
  /** The environment, for example `dev-ann`. */
  readonly environment: string;
  readonly cubes: readonly PlatformCube[];
}
export interface PlatformCube {
  readonly name: string;
  readonly kind: 'cube' | 'view';
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly members: readonly PlatformMember[];
}
export interface PlatformMember {
  /** Without the cube's name. */
  readonly name: string;
  readonly kind: 'measure' | 'dimension' | 'segment';
  readonly type: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** Server → client request: the vocabulary of the deploy branch of a root's deployment; `null` where it is not to be compared. */
export const deployBranch = 'modelbench/deployBranch';
export interface DeployBranchParams {
  readonly root: string;
}
export interface DeployBranchModel {
  /** The branch's name, for example `main`. */
  readonly branch: string;
  readonly cubes: readonly DeployBranchCube[];
}
export interface DeployBranchCube {
  readonly name: string;
  readonly kind: 'cube' | 'view';
  /** The same for the same text. */
  readonly fingerprint: string;
  readonly members: readonly {
    readonly name: string;
    readonly type: string;
    readonly definition: string;
  }[];
}

/** Server → client request: what of the workspace names members (`orders.total`) that are gone. */
export const workspaceUses = 'modelbench/workspaceUses';
export interface WorkspaceUsesParams {
  readonly root: string;
  readonly names: readonly string[];
}
export interface WorkspaceUse {
  readonly type: 'report' | 'workbook' | 'dashboard';
  readonly name: string;
  /** Those of the names that it names. */
  readonly names: readonly string[];
}

/** Client → server notification: what the platform runs, or what the deploy branch holds, may have changed. */
export const platformChanged = 'modelbench/platformChanged';

/** Commands that code lenses and pages name; the extension answers them. */
export const lensCommands = {
  previewMember: 'modelbench.language.previewMember',
  queryMember: 'modelbench.language.queryMember',
  runQuery: 'modelbench.language.runQuery',
  showCompiledSql: 'modelbench.language.showCompiledSql',
  showReferences: 'modelbench.language.showReferences',
  openLocation: 'modelbench.language.openLocation',
} as const;

/** What a preview, query or compiled-SQL command is about: `orders` or `orders.count`. */
export interface MemberTarget {
  readonly uri: string;
  readonly kind: 'cube' | 'view' | 'measure' | 'dimension' | 'segment' | 'preAggregation' | 'hierarchy';
  readonly name: string;
}

/** What *Run* of a query file is about: its query, as the data API takes it. */
export interface QueryTarget {
  readonly uri: string;
  readonly query: Readonly<Record<string, unknown>>;
}

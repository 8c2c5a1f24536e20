import type { QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import type { TemplateQuestion } from '#model/templates/model-templates.ts';
import type { SeveritySetting } from '#shell/settings.ts';

/** Messages between the extension and the language server beyond the language server protocol. */

/** The locations of models: each root is one namespace. Sent as `initializationOptions` and again when they change. */
export interface LanguageOptions {
  /** Folders (URIs without a trailing slash) that each contain a data model: linked folders, including their model path. */
  readonly roots: readonly string[];
  /** The roots that are not linked: only files that look like a model belong to them. */
  readonly found?: readonly string[] | undefined;
  /** The roots that lie below their linked folder: queries about them lie beside them, whatever they are called. */
  readonly nested?: readonly string[] | undefined;
  readonly settings: LanguageSettings;
  /** Folders (URIs) of projects whose files about tables may be read. */
  readonly tableFolders?: readonly string[] | undefined;
  /** The folder (URI) with a page for each diagnostic code. */
  readonly docs?: string | undefined;
}

export interface LanguageSettings {
  /** Diagnostic code → severity, or `off`. */
  readonly severity: Readonly<Record<string, SeveritySetting>>;
  readonly codeLens: boolean;
  /** Whether “0 uses” gets a lens, too. */
  readonly lensForUnused: boolean;
  readonly inlayHints: boolean;
  /** What to leave to another active YAML server that knows the schema. */
  readonly yieldToYaml: YieldToYaml;
  /** Whether the client can show data of a cube or member, so that the lens is offered. */
  readonly preview: boolean;
  /** Whether the client can show the SQL of a cube or member, so that the lens is offered. */
  readonly compiledSql: boolean;
  /** Whether the client shows an edit that removes or moves text on a page of its own, before it is applied. */
  readonly reviewEdits: boolean;
  /**
   * When the engine compiles the model. It runs the model's scripts, so this is `off` in a folder that the user does not trust.
   */
  readonly engineCheck: 'onSave' | 'onCommand' | 'off';
  /** Whether templates are rendered, in a sandbox without access to anything; not in a folder that the user does not trust. */
  readonly renderTemplates: boolean;
  /** Whether the server has to ask the client before it compiles a model: the client knows what the user has seen. */
  readonly asksBeforeCompiling: boolean;
  /** Models larger than this, in KB, are compiled by command only. */
  readonly engineCheckLimit: number;
}
export interface YieldToYaml {
  /** Whether it offers keys and fixed values in `model` folders. */
  readonly completion: boolean;
  /** Whether it explains keys in `model` folders. */
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
  reviewEdits: false,
  engineCheck: 'off',
  renderTemplates: true,
  asksBeforeCompiling: false,
  engineCheckLimit: 1024,
};

/** Server → client notification: the state of the server, for the status item. */
export const languageStatus = 'modelbench/status';

/** A request without parameters and with an empty answer, so that the client notices a server that hangs. */
export const alive = 'modelbench/alive';
export interface LanguageStatus {
  readonly state: 'indexing' | 'ready' | 'problem';
  /** How many files, cubes and views are known. */
  readonly files: number;
  readonly cubes: number;
  readonly views: number;
  /** With `problem`: the cause and what to do. */
  readonly reason?: string | undefined;
  /** The engine's last report. */
  readonly engine?: EngineReport | undefined;
  /** The root of the model that the engine's report is about. */
  readonly engineRoot?: string | undefined;
  /** The platform's reports on the branches of models after their last save, one for each model. */
  readonly platform?: readonly PlatformReport[] | undefined;
}

/** Client → server request: have the engine compile the model of a document, regardless of its size. */
export const checkWithEngine = 'modelbench/engineCheck';
export interface CheckWithEngineParams {
  readonly uri: string;
}
export type EngineReport =
  | ({ readonly state: 'accepted' } & Omitted)
  | ({ readonly state: 'refused'; readonly errors: number } & Omitted)
  | { readonly state: 'skipped'; readonly reason: string };
interface Omitted {
  /** The number of templates that were not checked because only the platform can render them. */
  readonly omitted?: number | undefined;
}

/**
 * Server → client request after a save: have the platform validate the branch of a root, once the branch has the saved text. A
 * later save cancels it. `null`: there is nothing to validate, because the root has no branch or the user has turned this off.
 */
export const validateOnPlatform = 'modelbench/validateOnPlatform';
export interface ValidateOnPlatformParams {
  readonly root: string;
}
export type PlatformVerdict = {
  readonly branch: string;
  /** The version of the deployment’s engine, if it is known. */
  readonly version?: string | undefined;
} & (
  | {
      readonly state: 'compiled';
      /** File names are relative to the root. */
      readonly errors: readonly {
        readonly message: string;
        readonly fileName?: string | undefined;
        readonly line?: number | undefined;
      }[];
    }
  | { readonly state: 'skipped'; readonly reason: string }
);
export interface PlatformReport {
  readonly branch: string;
  readonly version?: string | undefined;
  readonly verdict: EngineReport;
}

/**
 * Client → server request: have the engine check a model with the proposed texts of some files. No file is written and no problem
 * is shown. The user must have seen these texts. Cancelling it ends the engine's work.
 */
export const checkProposal = 'modelbench/engineCheckProposal';
export interface CheckProposalParams {
  /** Model files with their proposed texts. */
  readonly files: readonly { readonly uri: string; readonly text: string }[];
}
/** `refused` lists only errors that the current model does not have already. */
export type ProposalVerdict =
  | { readonly state: 'accepted' }
  | { readonly state: 'refused'; readonly errors: readonly ProposalError[] }
  | { readonly state: 'skipped'; readonly reason: string };
export interface ProposalError {
  readonly message: string;
  /** The location in one of the proposed texts; lines count from 0. */
  readonly location?: { readonly uri: string; readonly line: number } | undefined;
}

/** Client → server request: have the engine compile a query. Cancelling it ends the engine's work. */
export const explainQuery = 'modelbench/explainQuery';
export interface ExplainQueryParams {
  /** A document or folder of the model. */
  readonly uri: string;
  /** A query of the data API. */
  readonly query: Readonly<Record<string, unknown>>;
  /** A database that the engine has a dialect for. */
  readonly dialect: string;
  /** The day that relative dates refer to, for example `2026-01-31`. */
  readonly today: string;
}
/**
 * Client → server request: a pre-aggregation for a query, in the text of its cube's file. The server proposes one only if the
 * engine accepts the model with it and serves the query with it. No file is written.
 */
export const proposePreAggregation = 'modelbench/proposePreAggregation';
/** Client → server request: the public members of a model as it is written (`WrittenMember[]`). */
export const membersAsWritten = 'modelbench/membersAsWritten';
export interface MembersAsWrittenParams {
  /** A document or folder of the model. */
  readonly uri: string;
}
/** Client → server request: the SQL of the cube, view or member at a position, or of the query of a query file. */
export const sqlAtPosition = 'modelbench/sqlAtPosition';
export interface SqlAtPositionParams extends Pick<ExplainQueryParams, 'uri' | 'dialect' | 'today'> {
  readonly position: { readonly line: number; readonly character: number };
}
/** `null`: nothing at the position has SQL. */
export type SqlAtPosition = { readonly name: string; readonly explanation: QueryExplanation } | null;

/** Server → client request: whether a model may be compiled in its current state. */
export const mayCompile = 'modelbench/mayCompile';
export interface CompileQuestion {
  readonly root: string;
  readonly files: readonly { readonly uri: string; readonly hash: string }[];
  /** Whether some of the files are JavaScript. */
  readonly hasScripts: boolean;
  /** Whether the user ran a command for this, and so may be asked. */
  readonly byCommand: boolean;
}
export type CompileAnswer = { readonly may: true } | { readonly may: false; readonly reason: string };

/** Client → server request: render templates that are not in the workspace; `null` where templates are not rendered. */
export const renderTemplates = 'modelbench/renderTemplates';
export interface RenderTemplatesParams {
  readonly questions: readonly TemplateQuestion[];
}

/** Client → server request: the tables that are known for the model of a document or folder. */
export const knownTables = 'modelbench/knownTables';
export interface KnownTablesParams {
  readonly uri: string;
}
export interface KnownTablesResult {
  /** Whether the document or folder belongs to a model. */
  readonly hasModel: boolean;
  readonly tables: readonly KnownTable[];
  /** Sentences about files that could not be read. */
  readonly problems: readonly string[];
}
interface KnownTable {
  /** The name of the table in SQL. */
  readonly relation: string;
  readonly description?: string | undefined;
  /** The number of known columns. */
  readonly columns: number;
}

/**
 * Client → server request: a cube on one of these tables, with a name and a file that do not exist in the model yet; `null` if
 * the table or model is unknown.
 */
export const cubeOfTable = 'modelbench/cubeOfTable';
export interface CubeOfTableParams extends KnownTablesParams {
  readonly relation: string;
}
export interface CubeOfTable {
  /** The URI of the file to create. */
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
  readonly kind?: ListedFiles | undefined;
}
/** Which files of a folder are wanted: those that can belong to a model, or those that can configure agents. */
export type ListedFiles = 'model' | 'agents';
export const readModelFile = 'modelbench/files/read';
export interface ReadModelFile {
  readonly uri: string;
}

/** Client → server request: the joins of a root, for the graph. */
export const joinGraph = 'modelbench/joinGraph';
export interface JoinGraphParams {
  /** A document or folder of the model. */
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

/**
 * Client → server request: the locations of errors that the engine reported; `null` for an error that names nothing in the model.
 */
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

/** Server → client request: the model that the environment of a root's active branch runs; `null` if it is unknown. */
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

/** Server → client request: the names on the deploy branch of a root's deployment; `null` if they are not to be compared. */
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
  /** Equal for equal texts. */
  readonly fingerprint: string;
  readonly members: readonly {
    readonly name: string;
    readonly type: string;
    readonly definition: string;
  }[];
}

/** Server → client request: the uses of deleted members (`orders.total`) in the workspace. */
export const workspaceUses = 'modelbench/workspaceUses';
export interface WorkspaceUsesParams {
  readonly root: string;
  readonly names: readonly string[];
}
/** An item of the workspace that uses a member. */
export interface WorkspaceUse {
  readonly type: 'report' | 'workbook' | 'dashboard';
  readonly name: string;
  /** The names that it uses. */
  readonly names: readonly string[];
}

/**
 * Client → server notification: the model that the platform runs, or the deploy branch, may have changed; or the platform can be asked
 * again.
 */
export const platformChanged = 'modelbench/platformChanged';
export interface PlatformChange {
  /** The user is in dev mode on another branch, or with another account. */
  readonly isOtherBranch?: boolean;
  /** Nothing has changed but that a root (a URI) can be validated, which it could not when it was saved. */
  readonly validate?: string;
}

/** Commands in code lenses, quick fixes and pages; the extension implements them. */
export const lensCommands = {
  previewMember: 'modelbench.language.previewMember',
  queryMember: 'modelbench.language.queryMember',
  runQuery: 'modelbench.language.runQuery',
  showCompiledSql: 'modelbench.language.showCompiledSql',
  showReferences: 'modelbench.language.showReferences',
  openLocation: 'modelbench.language.openLocation',
  reviewEdit: 'modelbench.language.reviewEdit',
  reviewMove: 'modelbench.language.reviewMove',
} as const;

/** A quick fix that removes or moves text, for the page on which the user reviews it. */
export interface ReviewedEdit {
  readonly title: string;
  readonly uri: string;
  /** The text that `text` replaces, and its range at the time of the request. */
  readonly range: TextRange;
  readonly removed: string;
  readonly text: string;
}

/** A range of a document, as the language server protocol counts lines and characters. */
export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}
interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** A quick fix that moves a file, for the page on which the user reviews it. */
export interface ReviewedMove {
  readonly title: string;
  readonly uri: string;
  readonly to: string;
}

/** The target of a preview, query or compiled-SQL command: `orders` or `orders.count`. */
export interface MemberTarget {
  readonly uri: string;
  readonly kind: 'cube' | 'view' | 'measure' | 'dimension' | 'segment' | 'preAggregation' | 'hierarchy';
  readonly name: string;
}

/** The target of *Run* in a query file: its query in the form of the data API. */
export interface QueryToRun {
  readonly uri: string;
  readonly query: Readonly<Record<string, unknown>>;
}

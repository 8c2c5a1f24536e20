import type { WrittenMember } from '#model/written-member.ts';
import type { RenderTemplates } from '#model/templates/render-model.ts';
import type { PreAggregationProposal, QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import type { Reviews } from '#features/review/index.ts';
import type {
  CheckProposalParams,
  ExplainQueryParams,
  JoinGraphResult,
  PlacedError,
  PlaceEngineErrorsParams,
  ProposalVerdict,
} from '#features/language/messages.ts';

/** The running language features, as other features use them. */
export interface OpenedLanguage {
  restart(): Promise<void>;
  exportSchema(): Promise<void>;
  /** Generates a cube on a table that the user chooses, in the model of a document or folder, after the user has reviewed it. */
  generateCube(uri: string | undefined, reviews: Pick<Reviews, 'open'>): Promise<void>;
  /** Shows the page of the problem at the cursor. */
  explainProblem(): Promise<void>;
  /** Opens the playground with the cube, view or member at the cursor. */
  queryAtCursor(): Promise<void>;
  /** Resolves to the joins of the active editor's model, or of the one that the user chooses; to `undefined` if the user chooses none. */
  joinGraph(): Promise<JoinGraphResult | undefined>;
  /** Has the engine compile the active editor's model, or the one that the user chooses, and shows the result. */
  checkModel(): Promise<void>;
  /** Has the engine check a model with the proposed texts of some files; the user has seen these texts. */
  checkProposal(files: CheckProposalParams['files'], signal: AbortSignal): Promise<ProposalVerdict>;
  /** Opens a pane that shows the SQL of what is at the cursor and follows it. */
  showSqlAtCursor(): Promise<void>;
  /** Resolves to the public members of the model of a document or folder, as it is written. */
  membersAsWritten(uri: string): Promise<readonly WrittenMember[]>;
  /** Has the engine compile a query of the data API against the model of a document or folder. */
  explainQuery(uri: string, query: ExplainQueryParams['query'], signal: AbortSignal): Promise<QueryExplanation>;
  /** Resolves to a pre-aggregation with which the engine serves such a query. No file is written. */
  proposePreAggregation(
    uri: string,
    query: ExplainQueryParams['query'],
    signal: AbortSignal,
  ): Promise<PreAggregationProposal>;
  /** Renders templates of another branch; resolves to `null` where templates are not rendered. */
  readonly renderTemplates: RenderTemplates;
  /** Chooses whether JavaScript models run in the sandbox. */
  chooseScripts(choice?: 'run' | 'skip'): Promise<void>;
  /** Resolves to the locations of the engine's errors, one item for each; to `undefined` if the server does not run. */
  locateErrors(errors: PlaceEngineErrorsParams): Promise<readonly (PlacedError | null)[] | undefined>;
}

/** Shows the joins of a model, which it gets from `ask`. */
export type ShowJoinGraph = (ask: OpenedLanguage['joinGraph']) => Promise<void>;

/** Starts the language features on first use. */
export type LazyLanguage = () => Promise<OpenedLanguage>;

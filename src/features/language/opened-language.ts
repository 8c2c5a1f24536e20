import type { PreAggregationProposal, QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import type { Reviews } from '#features/review/index.ts';
import type {
  CheckProposalParams,
  ExplainQueryParams,
  JoinGraphResult,
  PlacedError,
  PlaceEngineErrorsParams,
  ProposalVerdict,
  RenderTemplates,
} from '#features/language/messages.ts';

/** The running language features, for what the rest of the extension wants of them. */
export interface OpenedLanguage {
  restart(): Promise<void>;
  exportSchema(): Promise<void>;
  /** Makes a cube on a table that the user chooses, in the model of a document or folder, once they have reviewed it. */
  generateCube(uri: string | undefined, reviews: Pick<Reviews, 'open'>): Promise<void>;
  /** Shows the page of the problem at the cursor. */
  explainProblem(): Promise<void>;
  /** Opens the playground with the cube, view or member at the cursor. */
  queryAtCursor(): Promise<void>;
  /** The joins of the model that a document belongs to; nothing for another document. */
  joinGraph(uri: string): Promise<JoinGraphResult | undefined>;
  /** Has the engine compile the model of the active editor, and says what came of it. */
  checkModel(): Promise<void>;
  /** Has the engine judge a model with some texts in the place of its files; the user was shown these texts. */
  checkProposal(files: CheckProposalParams['files'], signal: AbortSignal): Promise<ProposalVerdict>;
  /** Opens a pane with the SQL of what the cursor is in, which follows it. */
  showSqlAtCursor(): Promise<void>;
  /** What the engine makes of a query of the data API to the model of a document or folder. */
  explainQuery(uri: string, query: ExplainQueryParams['query'], signal: AbortSignal): Promise<QueryExplanation>;
  /** A pre-aggregation that the engine serves such a query with. Nothing is written. */
  proposePreAggregation(
    uri: string,
    query: ExplainQueryParams['query'],
    signal: AbortSignal,
  ): Promise<PreAggregationProposal>;
  /** What templates of another branch render to; null where templates are not rendered. */
  readonly renderTemplates: RenderTemplates;
  /** Chooses whether JavaScript models run in the sandbox. */
  chooseScripts(choice?: 'run' | 'skip'): Promise<void>;
  /** Where errors of the engine belong, one answer for each; `undefined` while the server does not run. */
  placeErrors(errors: PlaceEngineErrorsParams): Promise<readonly (PlacedError | null)[] | undefined>;
}

/** Shows the joins of the model of the active editor, for which it asks. */
export type ShowJoinGraph = (ask: OpenedLanguage['joinGraph']) => Promise<void>;

/** Starts the language features with their first use. */
export type LazyLanguage = () => Promise<OpenedLanguage>;

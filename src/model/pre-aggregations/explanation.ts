import type { PreAggregationReport } from './rules.ts';

/** The engine's result for a query. */
export type QueryExplanation =
  /** The engine was not run. */
  | { readonly state: 'skipped'; readonly reason: string }
  /** The model does not compile. */
  | { readonly state: 'refused'; readonly errors: readonly string[] }
  /** The query does not fit the model. */
  | { readonly state: 'wrong'; readonly message: string }
  | ({
      readonly state: 'compiled';
      /** As sent to the database if no pre-aggregation serves the query. */
      readonly sql: string;
      /** Its parameters as JSON texts. */
      readonly values: readonly string[];
    } & PreAggregationReport);

/** A pre-aggregation for a query, with which the engine accepts the model and serves the query. */
export type PreAggregationProposal =
  | {
      readonly state: 'proposed';
      /** URI of its cube's file. */
      readonly uri: string;
      /** The whole file after the change. */
      readonly text: string;
      /** `cube.name`. */
      readonly id: string;
    }
  | { readonly state: 'none'; readonly reason: string };

/** Explains to the user why there is neither SQL nor a report. */
export function notCompiled(explanation: Exclude<QueryExplanation, { readonly state: 'compiled' }>): string {
  switch (explanation.state) {
    case 'skipped':
      return explanation.reason;
    case 'wrong':
      return explanation.message;
    default:
      return ['The model does not compile.', ...explanation.errors].join('\n');
  }
}

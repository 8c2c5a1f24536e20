import type { PreAggregationReport } from './rules.ts';

/** What the engine makes of a query. */
export type QueryExplanation =
  /** It was not asked. */
  | { readonly state: 'skipped'; readonly reason: string }
  /** The model does not compile. */
  | { readonly state: 'refused'; readonly errors: readonly string[] }
  /** The query does not fit the model. */
  | { readonly state: 'wrong'; readonly message: string }
  | ({
      readonly state: 'compiled';
      /** As the database gets it when no pre-aggregation serves the query. */
      readonly sql: string;
      /** Its parameters as JSON texts. */
      readonly values: readonly string[];
    } & PreAggregationReport);

/** A pre-aggregation for a query; only one with which the engine accepts the model and serves the query. */
export type PreAggregationProposal =
  | {
      readonly state: 'proposed';
      /** Of the file of its cube. */
      readonly uri: string;
      /** The whole file as it would be. */
      readonly text: string;
      /** `cube.name`. */
      readonly id: string;
    }
  | { readonly state: 'none'; readonly reason: string };

/** Why there is neither SQL nor a report, as a user reads it. */
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

import { isCancelled } from '#base/async.ts';
import { unreachable } from '#base/result.ts';
import type { QueryOrSql, JsonMap } from '#model/query-files/query-file.ts';
import { runQueryTest, type TestAnswer, type TestOutcome } from '#model/query-files/query-test.ts';
import { sharedAnswers } from '#model/query-files/shared-answers.ts';
import type { QueryOutcome, QueryTarget } from './query-service.ts';
import { type AskedQueries, runAsked } from './run-asked.ts';

/**
 * The outcome of a test in the window; `notRun`: its query could not be sent or answered, which proves nothing about the model.
 */
export type TestEnd =
  | TestOutcome
  | { readonly state: 'cancelled' }
  | { readonly state: 'notRun'; readonly message: string };

export interface TestRunOptions {
  /** Stops the running query; later tests do not start. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch, for freshness. */
  readonly now: () => number;
  /** Whether the user may be asked for a token. */
  readonly mayAsk: boolean;
}

/** A test that ends for a reason that is not in its answer. */
class NoAnswer extends Error {
  readonly end: TestEnd;
  constructor(end: TestEnd) {
    super('The query of a test has no answer.');
    this.end = end;
  }
}

/**
 * Runs tests of query files on one target (docs/query-files.md#tests). Tests with the same query and identity share one answer.
 * Does not throw for errors that a server reports.
 */
export class QueryTestRun {
  readonly #options: TestRunOptions;
  readonly #answers: ReturnType<typeof sharedAnswers>;

  constructor(queries: AskedQueries, target: QueryTarget, options: TestRunOptions) {
    this.#options = options;
    const { signal, mayAsk } = options;
    this.#answers = sharedAnswers(async (query, securityContext) =>
      answerOf(await runAsked(queries, target, query, { signal, mayAsk, securityContext })),
    );
  }

  /** Runs one test: the query of its file, and its expectations. */
  async run(query: QueryOrSql, definition: JsonMap): Promise<TestEnd> {
    const { signal, now } = this.#options;
    if (signal.aborted) return { state: 'cancelled' };
    try {
      return await runQueryTest(query, definition, { run: this.#answers, now });
    } catch (error) {
      if (error instanceof NoAnswer) return error.end;
      if (isCancelled(error)) return { state: 'cancelled' };
      throw error;
    }
  }
}

function answerOf(outcome: QueryOutcome): TestAnswer {
  switch (outcome.kind) {
    case 'rows':
      return { rows: outcome.rows, lastRefreshTime: outcome.facts.lastRefreshTime };
    case 'cancelled':
      throw new NoAnswer({ state: 'cancelled' });
    case 'wrongQuery':
      throw new NoAnswer({ state: 'failed', message: outcome.message });
    case 'unavailable':
    case 'failed':
      throw new NoAnswer({ state: 'notRun', message: outcome.message });
    default:
      return unreachable(outcome);
  }
}

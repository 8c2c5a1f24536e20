import type { DataQuery } from '#api/data/data.ts';
import { asError, CancelledError } from '#base/async.ts';
import type { Disposable } from '#base/disposable.ts';
import {
  notCompiled,
  type PreAggregationProposal,
  type QueryExplanation,
} from '#model/pre-aggregations/explanation.ts';
import { candidateTexts, ruleText } from '#model/pre-aggregations/rule-text.ts';
import type { PlaygroundPreAggregations } from './messages.ts';
import type { PlaygroundPorts } from './ports.ts';

/** Explains why no pre-aggregation serves the query of a page; drops answers for earlier queries. */
export class PreAggregationAdvice implements Disposable {
  readonly #ports: Pick<PlaygroundPorts, 'advice' | 'post'>;
  #asking = new AbortController();

  constructor(ports: Pick<PlaygroundPorts, 'advice' | 'post'>) {
    this.#ports = ports;
  }

  /** Shows which pre-aggregation serves a query, and for every other one why it does not. */
  async explain(query: DataQuery, note = ''): Promise<void> {
    const { advice, post } = this.#ports;
    await this.#run(async (signal) => {
      const explanation = await advice.explain(query, signal);
      if (!signal.aborted) post({ ...messageOf(explanation), note });
    });
  }

  /** Lets the user review a new pre-aggregation that serves a query, and explains the query again. */
  async propose(query: DataQuery): Promise<void> {
    const { advice, post } = this.#ports;
    await this.#run(async (signal) => {
      const proposal = await advice.propose(query, signal);
      if (signal.aborted) return;
      if (proposal.state === 'proposed') post({ ...nothing, phase: 'loading', text: reviewing });
      const note = proposal.state === 'none' ? proposal.reason : await this.#review(proposal);
      if (!signal.aborted) await this.explain(query, note);
    });
  }

  /** Replaces the work on an earlier query, and shows that this one is compiled or why that failed. */
  async #run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.dispose();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const { post } = this.#ports;
    post({ ...nothing, phase: 'loading', text: compiling });
    await work(signal).catch((error: unknown) => {
      if (!signal.aborted) post({ ...nothing, phase: 'failed', text: asError(error).message });
    });
  }

  /** Resolves to a text about the outcome of a proposal. */
  async #review({ uri, text, id }: Proposed): Promise<string> {
    const isAdded = await this.#ports.advice.review(uri, text, `Add the pre-aggregation ${id}`);
    return isAdded
      ? `“${id}” was added. Save and push the file: the platform builds the pre-aggregation after its next build of the model.`
      : 'The pre-aggregation was not added.';
  }

  /** Clears the explanation, because the query has changed. */
  forget(): void {
    this.dispose();
    this.#ports.post(nothing);
  }

  dispose(): void {
    this.#asking.abort(new CancelledError());
  }
}

type Proposed = Extract<PreAggregationProposal, { readonly state: 'proposed' }>;

const compiling = 'The engine on this machine compiles the model…';
const reviewing = 'Waiting for your review of the proposed change…';

const nothing: PlaygroundPreAggregations = {
  type: 'preAggregations',
  phase: 'none',
  text: '',
  candidates: [],
  canPropose: false,
  obstacles: [],
  note: '',
};

function messageOf(explanation: QueryExplanation): PlaygroundPreAggregations {
  if (explanation.state !== 'compiled') return { ...nothing, phase: 'failed', text: notCompiled(explanation) };
  const { candidates, proposed, obstacles } = explanation;
  const used = candidates.find(({ isUsed }) => isUsed);
  return {
    ...nothing,
    phase: 'ready',
    text: summary(candidates.length, used?.id),
    candidates: candidates.map((candidate) => ({
      id: candidate.id,
      kind: candidate.type,
      isUsed: candidate.isUsed,
      reasons: [...candidateTexts(candidate)],
    })),
    canPropose: proposed.length > 0,
    obstacles: obstacles.map(ruleText),
  };
}

function summary(count: number, used: string | undefined): string {
  if (used !== undefined) return `“${used}” serves this query.`;
  return count === 0
    ? 'The cubes of this query have no pre-aggregations.'
    : 'None of the pre-aggregations of its cubes serves this query.';
}

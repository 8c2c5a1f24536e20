import { asError, CancelledError } from '#base/async.ts';
import { comparedName } from '#base/compare-rows.ts';
import type { Disposable } from '#base/disposable.ts';
import { cellAttachment, cellQuestion } from '#chat-core/asked-cell.ts';
import type { QueryService, QueryTarget, ResultOutputs } from '#features/data/index.ts';
import { type ComparedQuery, type ComparedRows, compareRuns, compareSides, failure, type Side } from './comparison.ts';
import type { Identity } from './identities.ts';
import type { AnswerRequest, PlaygroundComparison } from './messages.ts';

/** The choices of another identity or target for a comparison. */
export interface ComparisonChoices {
  /** Asks which identity the other side runs as; resolves to `undefined` if the user cancels. */
  readonly identity: (target: QueryTarget) => Promise<Identity | 'yourself' | undefined>;
  /** Asks for another environment or server. */
  readonly target: () => Promise<{ readonly target: QueryTarget; readonly name: string } | undefined>;
}

export interface ComparisonPorts {
  readonly queries: Pick<QueryService, 'run' | 'meta'>;
  readonly post: (message: PlaygroundComparison) => void;
  readonly choices: ComparisonChoices;
}

type ComparisonRequest = Extract<AnswerRequest, { readonly type: 'askDifference' | 'cancelComparison' }>;

/**
 * The comparisons of one page: at most one runs at a time, and the answers of the last two runs can be compared without running a
 * query.
 */
export class Comparisons implements Disposable {
  readonly #ports: ComparisonPorts;
  /** The answers of the last runs, newest first. */
  #answers: readonly ComparedRows[] = [];
  #running: AbortController | undefined;
  #isClosed = false;
  #shown: PlaygroundComparison = nothing;

  constructor(ports: ComparisonPorts) {
    this.#ports = ports;
  }

  /** Cancels the comparison, or adds a question about one of its values to the chat. */
  async handle(request: ComparisonRequest, { ask }: Pick<ResultOutputs, 'ask'>): Promise<void> {
    if (request.type === 'cancelComparison') {
      this.stop();
      return;
    }
    const { columns, text: title } = this.#shown;
    const { column, cells } = request;
    const { name } = columns[column] ?? {};
    if (name === undefined) return;
    const cell = { result: { title, sql: '', columns }, column, cells };
    await ask({ ask: cellQuestion(cell), attached: [cellAttachment(cell)], names: [comparedName(name)] });
  }

  /** Remembers the answer of a run. */
  keep(answer: Omit<ComparedRows, 'name'>): void {
    this.#answers = [{ ...answer, name: 'last run' }, ...this.#answers].slice(0, 2);
  }

  /** Compares the answers of the last two runs. */
  runs(): void {
    const [newest, before] = this.#answers;
    const once = 'Run a query twice to compare its last two answers.';
    this.#post(
      newest && before
        ? compareRuns({ ...before, name: 'earlier run' }, newest)
        : { ...nothing, phase: 'failed', text: once },
    );
  }

  /**
   * Runs a query here and on the target, or as the identity, that the user chooses. `here.name` is the name of its environment.
   */
  async with(what: 'target' | 'identity', asked: ComparedQuery, here: Side): Promise<void> {
    const sides = await (what === 'target' ? this.#byTarget(here) : this.#byIdentity(here));
    // The user may have closed the page while choosing.
    if (!sides || this.#isClosed) return;
    this.stop();
    const running = new AbortController();
    this.#running = running;
    const { queries } = this.#ports;
    this.#post({ ...nothing, phase: 'running', text: `Comparing ${sides[0].name} with ${sides[1].name}…` });
    const compared = await compareSides(queries, asked, sides, running.signal).catch((error: unknown) =>
      failure(asError(error).message),
    );
    if (running !== this.#running) return;
    this.#running = undefined;
    this.#post(compared ?? nothing);
  }

  stop(): void {
    if (!this.#running) return;
    this.#abort();
    this.#post(nothing);
  }

  dispose(): void {
    this.#isClosed = true;
    this.#abort();
  }

  #abort(): void {
    this.#running?.abort(new CancelledError());
    this.#running = undefined;
  }

  #post(comparison: PlaygroundComparison): void {
    this.#shown = comparison;
    this.#ports.post(comparison);
  }

  async #byTarget(here: Side): Promise<readonly [Side, Side] | undefined> {
    const other = await this.#ports.choices.target();
    return other && [here, { ...here, ...other }];
  }

  async #byIdentity({ target, identity }: Side): Promise<readonly [Side, Side] | undefined> {
    const other = await this.#ports.choices.identity(target);
    if (other === undefined) return undefined;
    const sideOf = (whom: Identity | undefined): Side => ({
      target,
      identity: whom,
      name: whom ? `${whom.name}’s view` : 'your own view',
    });
    return [sideOf(identity), sideOf(other === 'yourself' ? undefined : other)];
  }
}

const nothing: PlaygroundComparison = {
  type: 'comparison',
  phase: 'none',
  text: '',
  notes: [],
  columns: [],
  rows: [],
};

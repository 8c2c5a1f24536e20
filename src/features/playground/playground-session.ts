import type { DataClient, DataQuery, SqlBatch } from '#api/data.ts';
import { asError, CancelledError } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import { unreachable } from '#base/result.ts';
import { QueryRun } from '#chat-core/query-run.ts';
import type { HostToResults } from '#features/data/messages.ts';
import {
  type QueryOutcome,
  type QueryService,
  type QueryTarget,
  ResultSurface,
  type RunOptions,
} from '#features/data/index.ts';
import { buildQuery } from './build-query.ts';
import { type ChartKind, chartOf } from './chart.ts';
import { checkDraft } from './check-draft.ts';
import { type ComparedRows, compareRuns, compareSides, type Side } from './comparison.ts';
import { columnsOf, type Draft, emptyDraft, keysOf } from './draft.ts';
import { draftFor } from './draft-for.ts';
import { draftOf } from './draft-of.ts';
import { pastRun } from './history.ts';
import type { Identity } from './identities.ts';
import { playgroundMembers } from './members.ts';
import {
  parsePlaygroundRequest,
  type PlaygroundComparison,
  type PlaygroundMember,
  type PlaygroundMessage,
  type PlaygroundRequest,
} from './messages.ts';
import type { PlaygroundPlace } from './place.ts';
import { queryForms } from './query-forms.ts';
import { UserError } from '#shell/user-error.ts';

/** What copied queries name until the address is known. */
const unknownUrl = 'https://HOST/cubejs-api/v1';

/** What a page of the playground works with. */
export interface PlaygroundPorts {
  /** Where its queries run at first. */
  readonly place: PlaygroundPlace;
  readonly queries: Pick<QueryService, 'run' | 'meta' | 'nameOf'> & {
    client(target: QueryTarget, options?: Pick<RunOptions, 'securityContext'>): Pick<DataClient, 'sql'>;
  };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly post: (message: PlaygroundMessage | HostToResults) => void;
  readonly copy: (text: string) => Promise<void>;
  readonly saveCsv: (text: string) => Promise<void>;
  /** `data`: base64 of a PNG, or the text of an SVG. */
  readonly saveImage: (format: 'png' | 'svg', data: string) => Promise<void>;
  /** Asks as whom queries run there; nothing where the user changed their mind. */
  readonly chooseIdentity: (target: QueryTarget) => Promise<Identity | 'yourself' | undefined>;
  /** Asks for another environment or server. */
  readonly chooseTarget: () => Promise<{ readonly target: QueryTarget; readonly name: string } | undefined>;
}

/** The host's side of a playground: knows the model, checks the draft of its page, runs it, and remembers what was run. */
export class PlaygroundSession implements Disposable {
  readonly #ports: PlaygroundPorts;
  readonly #store = new DisposableStore();
  readonly #run: QueryRun;
  readonly #rows: ResultSurface;
  #at: PlaygroundPlace;
  #draft: Draft = emptyDraft;
  /** `new` until the page is there. */
  #phase: 'new' | 'loading' | 'ready' | 'failed' = 'new';
  /** A member, cube or view that a query is to be made of once the model is known. */
  #wanted: string | undefined;
  /** A query that is to be run once the model is known. */
  #toRun: Draft | undefined;
  #members: readonly PlaygroundMember[] = [];
  #place = '';
  #restUrl = unknownUrl;
  #hasRun = false;
  /** Of the rows that are there. */
  #answered: Draft = emptyDraft;
  #identity: Identity | undefined;
  /** The answers of the last two runs, the newest one first. */
  #answers: readonly ComparedRows[] = [];
  #comparing: AbortController | undefined;
  /** Of the newest compilation; an older one that ends later says nothing. */
  #compiling: AbortController | undefined;

  constructor(ports: PlaygroundPorts) {
    this.#ports = ports;
    this.#at = ports.place;
    this.#run = new QueryRun((signal, onWait) => this.#batches(signal, onWait), ports.clock);
    this.#rows = new ResultSurface({
      title: '',
      place: '',
      sql: '',
      run: this.#run,
      logger: ports.logger,
      // Before the first run there is nothing to show.
      post: (message) => {
        if (this.#hasRun) ports.post(message);
      },
      copy: ports.copy,
      saveCsv: ports.saveCsv,
      openSql: async () => this.#compile(),
    });
    this.#store.add(this.#rows);
  }

  /** A message of the page, unchecked. */
  async receive(value: unknown): Promise<void> {
    const request = parsePlaygroundRequest(value);
    // What is about the rows is theirs; so is what nobody understands.
    await (request ? this.#handle(request) : this.#rows.receive(value));
  }

  /** Continues elsewhere: what runs is cancelled, and the members are those of the model there. */
  async move(place: PlaygroundPlace): Promise<void> {
    this.#at = place;
    this.#run.cancel();
    this.#forgetSql();
    this.#stopComparing();
    this.#identity = undefined;
    this.#members = [];
    this.#place = '';
    this.#restUrl = unknownUrl;
    if (this.#phase === 'new') return;
    this.#postHistory();
    await this.#load();
  }

  /** Makes a query of a cube, view or member (`orders`, `orders.count`), as soon as the page and the model are there. */
  async query(name: string): Promise<void> {
    this.#wanted = name;
    if (this.#phase === 'new' || this.#phase === 'loading') return;
    const isKnown = draftFor(name, this.#members) !== undefined;
    // What is not known may have been built since.
    if (isKnown) this.#useWanted();
    else await this.#load();
  }

  /** Shows a query and runs it, as soon as the page and the model are there. Throws `UserError` where it has no form here. */
  async runQuery(query: DataQuery): Promise<void> {
    const draft = draftOf(query);
    if (!draft.ok) throw new UserError(draft.error);
    this.#toRun = draft.value;
    if (this.#phase !== 'new' && this.#phase !== 'loading') await this.#runWanted();
  }

  async #runWanted(): Promise<void> {
    const draft = this.#toRun;
    this.#toRun = undefined;
    if (!draft) return;
    this.#ports.post({ type: 'draft', draft });
    this.#change(draft);
    await this.#start();
  }

  dispose(): void {
    this.#compiling?.abort(new CancelledError());
    this.#comparing?.abort(new CancelledError());
    this.#store.dispose();
  }

  async #handle(request: PlaygroundRequest): Promise<void> {
    const { copy } = this.#ports;
    const { history } = this.#at;
    switch (request.type) {
      case 'opened':
        this.#draft = request.draft ?? this.#draft;
        this.#ports.post({ type: 'draft', draft: this.#draft });
        this.#postHistory();
        await this.#rows.receive({ type: 'ready' });
        await this.#load();
        break;
      case 'reload':
        await this.#load();
        break;
      case 'change':
        this.#change(request.draft);
        break;
      case 'run':
        await this.#start();
        break;
      case 'rerun': {
        const past = history.all().find(({ id }) => id === request.id);
        if (!past) break;
        this.#ports.post({ type: 'draft', draft: past.draft });
        this.#change(past.draft);
        await this.#start();
        break;
      }
      case 'clearHistory':
        await history.clear();
        this.#postHistory();
        break;
      case 'compile':
        await this.#compile();
        break;
      case 'copyText':
        await copy(request.text);
        break;
      case 'chart':
        this.#postChart(request.kind);
        break;
      case 'viewAs':
        await this.#viewAs();
        break;
      case 'compare':
        await this.#compare(request.with);
        break;
      case 'cancelComparison':
        this.#stopComparing();
        break;
      case 'saveImage':
        await this.#ports.saveImage(request.format, request.data);
        break;
      default:
        unreachable(request);
    }
  }

  /** Asks as whom queries run from now on, and shows what they see of the model. */
  async #viewAs(): Promise<void> {
    const at = this.#at;
    const chosen = await this.#ports.chooseIdentity(at.target);
    if (chosen === undefined || at !== this.#at) return;
    this.#identity = chosen === 'yourself' ? undefined : chosen;
    this.#run.cancel();
    this.#forgetSql();
    await this.#load();
  }

  async #compare(what: 'run' | 'place' | 'identity'): Promise<void> {
    if (what === 'run') {
      const [newest, before] = this.#answers;
      this.#postComparison(
        newest && before ? compareRuns({ ...before, name: 'earlier run' }, { ...newest, name: 'last run' }) : undefined,
      );
      return;
    }
    if (!this.#check()) return;
    const sides = await (what === 'place' ? this.#sidesByPlace() : this.#sidesByIdentity());
    if (!sides) return;
    this.#stopComparing();
    const comparing = new AbortController();
    this.#comparing = comparing;
    this.#postComparison({
      ...noComparison,
      phase: 'running',
      text: `Comparing ${sides[0].name} with ${sides[1].name}…`,
    });
    const names = columnsOf(this.#draft);
    const columns = names.map((name) => ({ name, type: this.#typeOf(name) }));
    const asked = { query: buildQuery(this.#draft), columns, keys: keysOf(this.#draft) };
    const compared = await compareSides(this.#ports.queries, asked, sides, comparing.signal);
    if (compared && comparing === this.#comparing) this.#postComparison(compared);
  }

  async #sidesByPlace(): Promise<readonly [Side, Side] | undefined> {
    const other = await this.#ports.chooseTarget();
    const here = { target: this.#at.target, identity: this.#identity, name: this.#place };
    return other && [here, { ...here, ...other }];
  }

  async #sidesByIdentity(): Promise<readonly [Side, Side] | undefined> {
    const { target } = this.#at;
    const other = await this.#ports.chooseIdentity(target);
    if (other === undefined) return undefined;
    const sideOf = (identity: Identity | undefined): Side => ({ target, identity, name: identity?.name ?? 'yourself' });
    return [sideOf(this.#identity), sideOf(other === 'yourself' ? undefined : other)];
  }

  #stopComparing(): void {
    if (!this.#comparing) return;
    this.#comparing.abort(new CancelledError());
    this.#comparing = undefined;
    this.#postComparison(noComparison);
  }

  #postComparison(comparison: PlaygroundComparison | undefined): void {
    const once = 'Run a query twice to compare its last two answers.';
    this.#ports.post(comparison ?? { ...noComparison, phase: 'failed', text: once });
  }

  /** The rows that the filter leaves, drawn. */
  #postChart(kind: ChartKind | undefined): void {
    const { columns } = this.#run.state.value;
    const titles = new Map(this.#members.map(({ name, title }) => [name, title]));
    const titleOf = (name: string): string => titles.get(name) || name;
    this.#ports.post(chartOf({ draft: this.#answered, columns, rows: this.#run.all(), titleOf }, kind));
  }

  #change(draft: Draft): void {
    this.#draft = draft;
    this.#forgetSql();
    this.#check();
  }

  #forgetSql(): void {
    this.#compiling?.abort(new CancelledError());
    this.#ports.post({ type: 'sql', phase: 'none', text: '' });
  }

  async #load(): Promise<void> {
    const { queries } = this.#ports;
    const at = this.#at;
    this.#postModel('loading', '');
    try {
      const place = await queries.nameOf(at.target);
      const restUrl = await at.restUrl();
      if (at === this.#at) [this.#place, this.#restUrl] = [place, restUrl];
      const identity = this.#identity;
      const securityContext = identity?.securityContext;
      const members = playgroundMembers(await queries.meta(at.target, { mayAsk: true, securityContext }));
      const all = identity ? playgroundMembers(await queries.meta(at.target, { mayAsk: true })) : members;
      // It runs elsewhere by now, and the members of that model are on their way.
      if (at !== this.#at || identity !== this.#identity) return;
      this.#members = members;
      this.#postIdentity(all);
      const missing = this.#useWanted();
      this.#postModel('ready', missing ?? (members.length === 0 ? 'The model has no public members.' : ''));
    } catch (error) {
      if (at !== this.#at) return;
      this.#postModel('failed', asError(error).message);
    }
    this.#check();
    await this.#runWanted();
  }

  /** Says as whom queries run, and which of all members that hides. */
  #postIdentity(all: readonly PlaygroundMember[]): void {
    const seen = new Set(this.#members.map(({ name }) => name));
    const hidden = all.flatMap(({ name }) => (seen.has(name) ? [] : [name]));
    this.#ports.post({ type: 'identity', name: this.#identity?.name ?? '', hidden });
  }

  /** Puts what is wanted into the query; answers why it cannot. */
  #useWanted(): string | undefined {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted === undefined) return undefined;
    const draft = draftFor(wanted, this.#members);
    if (!draft) {
      return `“${wanted}” is not in the model that ${this.#place} runs, or it is not public there. Save or push your changes, wait for the build, and reload the members.`;
    }
    this.#ports.post({ type: 'draft', draft });
    this.#change(draft);
    return undefined;
  }

  #postModel(phase: 'loading' | 'ready' | 'failed', message: string): void {
    this.#phase = phase;
    this.#ports.post({ type: 'model', place: this.#place, members: [...this.#members], phase, message });
  }

  /** Answers whether the draft makes a query. */
  #check(): boolean {
    const problems = checkDraft(this.#draft, this.#members);
    const names = new Set(this.#members.filter(({ kind }) => kind === 'measure').map(({ name }) => name));
    const context = { restUrl: this.#restUrl, isMeasure: (member: string) => names.has(member) };
    const forms = problems.length > 0 ? [] : queryForms(buildQuery(this.#draft), this.#draft, context);
    this.#ports.post({ type: 'checked', problems: [...problems], forms: [...forms] });
    return problems.length === 0;
  }

  async #start(): Promise<void> {
    if (!this.#check()) return;
    this.#hasRun = true;
    this.#ports.post({ type: 'facts', lines: [] });
    const draft = this.#draft;
    const at = this.#at;
    await this.#run.start();
    const { phase, count, startedAt, endedAt } = this.#run.state.value;
    // Another run may have begun meanwhile: it will be the one to remember.
    if (phase !== 'done' || draft !== this.#draft || at !== this.#at) return;
    await at.history.add({ at: startedAt, rows: count, milliseconds: (endedAt ?? startedAt) - startedAt, draft });
    this.#postHistory();
  }

  async *#batches(signal: AbortSignal, onWait: (what: string) => void): AsyncGenerator<SqlBatch> {
    const { queries } = this.#ports;
    const draft = this.#draft;
    const outcome = await queries.run(this.#at.target, buildQuery(draft), {
      signal,
      securityContext: this.#identity?.securityContext,
      onProgress: ({ stage, elapsedMs }) =>
        onWait(`${stage ?? 'The platform is working on the query'} (${Math.round(elapsedMs / 1000)} s)`),
    });
    const { rows, annotation, facts } = rowsIn(outcome);
    if (!signal.aborted) {
      this.#ports.post({ type: 'facts', lines: [...factLines(facts)] });
      // Another branch is active by now: its environment answered, and it may have another model.
      if (facts.place !== this.#place) void this.#load();
    }
    this.#answered = draft;
    const names = columnsOf(draft);
    const types = { ...annotation.measures, ...annotation.dimensions, ...annotation.timeDimensions };
    const columns = names.map((name) => ({ name, type: types[name]?.type ?? this.#typeOf(name) }));
    const cells = rows.map((row) => names.map((name) => row[name] ?? null));
    const answered: ComparedRows = { name: '', columns, keys: keysOf(draft), rows: cells };
    this.#answers = [answered, ...this.#answers].slice(0, 2);
    yield { kind: 'schema', columns };
    yield { kind: 'rows', rows: cells };
  }

  #typeOf(name: string): string {
    return this.#members.find((member) => member.name === name)?.valueKind ?? 'string';
  }

  /** Shows the SQL that the query becomes in the database. */
  async #compile(): Promise<void> {
    if (!this.#check()) return;
    const { queries, post } = this.#ports;
    this.#compiling?.abort(new CancelledError());
    const compiling = new AbortController();
    this.#compiling = compiling;
    post({ type: 'sql', phase: 'loading', text: '' });
    const query: DataQuery = buildQuery(this.#draft);
    const securityContext = this.#identity?.securityContext;
    try {
      const { sql, values } = await queries
        .client(this.#at.target, { securityContext })
        .sql(query, { signal: compiling.signal });
      const parameters = values.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value) ?? ''}`);
      if (!compiling.signal.aborted) post({ type: 'sql', phase: 'ready', text: [...parameters, sql].join('\n') });
    } catch (error) {
      if (!compiling.signal.aborted) post({ type: 'sql', phase: 'failed', text: asError(error).message });
    }
  }

  #postHistory(): void {
    this.#ports.post({ type: 'history', runs: this.#at.history.all().map((entry) => pastRun(entry)) });
  }
}

const noComparison: PlaygroundComparison = {
  type: 'comparison',
  phase: 'none',
  text: '',
  notes: [],
  columns: [],
  rows: [],
};

type Rows = Extract<QueryOutcome, { readonly kind: 'rows' }>;

/** The rows of a run; every other end is thrown as `QueryRun` takes it. */
function rowsIn(outcome: QueryOutcome): Rows {
  switch (outcome.kind) {
    case 'rows':
      return outcome;
    case 'cancelled':
      throw new CancelledError();
    default:
      throw new Error(outcome.message);
  }
}

function factLines({ place, preAggregations, lastRefreshTime, total }: Rows['facts']): readonly string[] {
  return [
    place,
    preAggregations.length > 0
      ? `Served by the pre-aggregation ${preAggregations.join(', ')}`
      : 'No pre-aggregation was used, or the server does not name it',
    ...(lastRefreshTime === undefined ? [] : [`Data of ${lastRefreshTime}`]),
    ...(total === undefined ? [] : [`${total.toLocaleString('en')} rows without the limit`]),
  ];
}

import type { DataClient, DataQuery } from '#api/data/data.ts';
import { asError } from '#base/async.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { unreachable } from '#base/result.ts';
import { QueryRun } from '#chat-core/query-run.ts';
import { ResultSurface } from '#features/data/index.ts';
import { answeredTable, factLines, rowsIn } from './answered.ts';
import { buildQuery, savedQuery } from './build-query.ts';
import { type ChartKind, chartOf } from './chart.ts';
import { checkDraft } from './check-draft.ts';
import { comparedQuery } from './comparison.ts';
import { Comparisons } from './comparisons.ts';
import { columnsOf, type Draft, emptyDraft, keysOf } from './draft.ts';
import { draftFor, missingText } from './draft-for.ts';
import { draftOf } from './draft-of.ts';
import { pastRun } from './history.ts';
import type { Identity } from './identities.ts';
import { KeptMessages } from './kept-messages.ts';
import { hiddenMembers, type PlaygroundMember, playgroundMembers, titlesIn } from './members.ts';
import { showUnbuilt } from './unbuilt-members.ts';
import { QueryAdvisor } from './query-advisor.ts';
import { type AnswerRequest, parsePlaygroundRequest, type PlaygroundRequest } from './messages.ts';
import type { PlaygroundLocation } from './location.ts';
import type { PlaygroundPorts } from './ports.ts';
import { formsOf } from './query-forms.ts';
import { UserError } from '#shell/user-error.ts';

/** The address in copied queries until the target's address is known. */
const unknownUrl = 'https://HOST/cubejs-api/v1';

/** The host side of a playground: reads the model, checks the draft of its page, runs it, and remembers past runs. */
export class PlaygroundSession implements Disposable {
  readonly #ports: PlaygroundPorts;
  readonly #store = new DisposableStore();
  readonly #run: QueryRun;
  readonly #rows: ResultSurface;
  #at: PlaygroundLocation;
  #draft: Draft = emptyDraft;
  /** `new` until the page has opened. */
  #phase: 'new' | 'loading' | 'ready' | 'failed' = 'new';
  /** A member, cube or view to make a query for once the model has it, unless the user changes the query before. */
  #wanted: string | undefined;
  /** A query to run once the model is known. */
  #toRun: Draft | undefined;
  #members: readonly PlaygroundMember[] = [];
  #source = '';
  #restUrl = unknownUrl;
  #hasRun = false;
  /** The draft of the current rows. */
  #answered: Draft = emptyDraft;
  #identity: Identity | undefined;
  /** The number of times that the model was read. */
  #loads = 0;
  readonly #comparisons: Comparisons;
  readonly #advisor: QueryAdvisor;
  readonly #kept = new KeptMessages();

  constructor(given: PlaygroundPorts) {
    const ports = { ...given, post: this.#kept.keeping(given.post) };
    this.#ports = ports;
    this.#at = ports.location;
    this.#run = new QueryRun((signal, onWait) => this.#batches(signal, onWait), ports.clock);
    this.#rows = new ResultSurface({
      query: { title: '', source: '', sql: '' },
      run: this.#run,
      logger: ports.logger,
      // Before the first run there is nothing to show.
      post: (message) => {
        if (this.#hasRun) ports.post(message);
      },
      outputs: { ...ports.outputs, openSql: async () => this.#kept.withSql(ports.outputs.openSql) },
    });
    this.#store.add(this.#rows);
    this.#advisor = this.#store.add(new QueryAdvisor(ports));
    this.#comparisons = this.#store.add(new Comparisons(ports));
  }

  /** Handles a message of the page, which is not validated yet. */
  async receive(value: unknown): Promise<void> {
    const request = parsePlaygroundRequest(value);
    // Messages about rows go to their surface, which also logs unknown ones.
    await (request ? this.#handle(request) : this.#rows.receive(value));
  }

  /** Moves to another target: cancels the run and loads the members of the model there. */
  async move(location: PlaygroundLocation): Promise<void> {
    this.#at = location;
    this.#run.cancel();
    this.#advisor.forget();
    this.#comparisons.stop();
    this.#identity = undefined;
    this.#members = [];
    [this.#source, this.#restUrl] = ['', unknownUrl];
    if (this.#phase === 'new') return;
    this.#postHistory();
    await this.#load();
  }

  /** Makes a query for a cube, view or member (`orders`, `orders.count`) as soon as the page and the model are ready. */
  async query(name: string): Promise<void> {
    this.#wanted = name;
    if (this.#phase === 'new' || this.#phase === 'loading') return;
    const isKnown = draftFor(name, this.#members) !== undefined;
    // An unknown name may have been built since.
    if (isKnown) this.#useWanted();
    else await this.reload();
  }

  /** Reads the model again, at the user's request or after a build. */
  async reload(): Promise<void> {
    this.#ports.queries.forgetMeta();
    if (this.#phase !== 'new') await this.#load();
  }

  /**
   * Shows a query and runs it as soon as the page and the model are ready. Throws `UserError` if the playground cannot show it.
   */
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
    this.#store.dispose();
  }

  async #handle(request: PlaygroundRequest): Promise<void> {
    switch (request.type) {
      case 'opened':
        // Later, VS Code may have rebuilt the page with a draft that is older than a query that was opened meanwhile.
        if (this.#phase === 'new') this.#draft = request.draft ?? this.#draft;
        this.#ports.post({ type: 'draft', draft: this.#draft });
        this.#postHistory();
        for (const message of this.#kept.all()) this.#ports.post(message);
        await this.#rows.receive({ type: 'ready' });
        await this.#load();
        break;
      case 'reload':
        await this.reload();
        break;
      case 'change':
        this.#change(request.draft);
        break;
      case 'run':
        await this.#start();
        break;
      case 'save':
        if (this.#check(true))
          await this.#ports.outputs.saveQuery(savedQuery(this.#draft), columnsOf(this.#draft).join(', '));
        break;
      case 'rerun':
        this.#toRun = this.#at.history.all().find(({ id }) => id === request.id)?.draft;
        await this.#runWanted();
        break;
      case 'clearHistory':
        await this.#at.history.clear();
        this.#postHistory();
        break;
      default:
        await this.#answer(request);
    }
  }

  async #answer(request: AnswerRequest): Promise<void> {
    const { copy, saveImage } = this.#ports.outputs;
    switch (request.type) {
      case 'compile':
      case 'cancelCompile':
        await this.#compile(request.type === 'cancelCompile');
        break;
      case 'explain':
      case 'propose':
        if (this.#check()) await this.#advisor[request.type](buildQuery(this.#draft));
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
      case 'askDifference':
      case 'cancelComparison':
        await this.#comparisons.handle(request, this.#ports.outputs);
        break;
      case 'saveImage':
        await saveImage(request.format, request.data);
        break;
      default:
        unreachable(request);
    }
  }

  /** Asks which identity queries run as from now on, and shows the members that it sees. */
  async #viewAs(): Promise<void> {
    const at = this.#at;
    const chosen = await this.#ports.choices.identity(at.target);
    if (chosen === undefined || at !== this.#at) return;
    this.#identity = chosen === 'yourself' ? undefined : chosen;
    this.#run.cancel();
    this.#advisor.forget();
    await this.#load();
  }

  async #compare(what: 'run' | 'target' | 'identity'): Promise<void> {
    if (what === 'run') this.#comparisons.runs();
    else if (this.#check()) {
      const asked = comparedQuery(this.#draft, (name) => this.#typeOf(name));
      const here = { target: this.#at.target, identity: this.#identity, name: this.#source };
      await this.#comparisons.with(what, asked, here);
    }
  }

  /** Draws the rows that match the filter. */
  #postChart(kind: ChartKind | undefined): void {
    const { columns } = this.#run.state.value;
    const input = { draft: this.#answered, columns, rows: this.#run.all(), titleOf: titlesIn(this.#members) };
    this.#ports.post(chartOf(input, kind));
  }

  #change(draft: Draft): void {
    this.#wanted = undefined;
    this.#draft = draft;
    this.#advisor.forget();
    this.#check();
  }

  async #load(): Promise<void> {
    const { queries } = this.#ports;
    const [at, identity, load] = [this.#at, this.#identity, (this.#loads += 1)];
    // A later reading may end first: of another target, as another identity, or after a build.
    const isLatest = (): boolean => load === this.#loads;
    this.#postModel('loading', '');
    try {
      const where = [await queries.nameOf(at.target), await at.restUrl()] as const;
      if (isLatest()) [this.#source, this.#restUrl] = where;
      const securityContext = identity?.securityContext;
      const members = playgroundMembers(await queries.meta(at.target, { mayAsk: true, securityContext }));
      const own = identity ? playgroundMembers(await queries.meta(at.target, { mayAsk: true })) : members;
      if (!isLatest()) return;
      this.#members = members;
      this.#postIdentity(own);
      void showUnbuilt(this.#ports, own, isLatest);
      const missing = this.#useWanted();
      this.#postModel('ready', missing ?? (members.length === 0 ? 'The model has no public members.' : ''));
    } catch (error) {
      if (!isLatest()) return;
      this.#postModel('failed', asError(error).message);
    }
    this.#check();
    await this.#runWanted();
  }

  /** Shows the identity that queries run as, and how its members differ from the user's own. */
  #postIdentity(own: readonly PlaygroundMember[]): void {
    const hidden = [...hiddenMembers(own, this.#members)];
    const additional = [...hiddenMembers(this.#members, own)];
    this.#ports.post({ type: 'identity', name: this.#identity?.name ?? '', hidden, additional });
  }

  /** Makes the query for the wanted name; returns why that is impossible. */
  #useWanted(): string | undefined {
    const wanted = this.#wanted;
    if (wanted === undefined) return undefined;
    const draft = draftFor(wanted, this.#members);
    if (!draft) return missingText(wanted, this.#source);
    this.#ports.post({ type: 'draft', draft });
    this.#change(draft);
    return undefined;
  }

  #postModel(phase: 'loading' | 'ready' | 'failed', message: string): void {
    this.#phase = phase;
    this.#ports.post({ type: 'model', source: this.#source, members: [...this.#members], phase, message });
  }

  /** Returns whether the draft is a valid query. */
  #check(wasRun = false): boolean {
    const problems = checkDraft(this.#draft, this.#members);
    const forms = problems.length > 0 ? [] : formsOf(this.#draft, this.#restUrl, this.#members);
    this.#ports.post({ type: 'checked', problems: [...problems], wasRun, forms: [...forms] });
    return problems.length === 0;
  }

  async #start(): Promise<void> {
    if (!this.#check(true)) return;
    this.#hasRun = true;
    this.#ports.post({ type: 'facts', lines: [] });
    this.#advisor.began();
    const [draft, at] = [this.#draft, this.#at];
    await this.#run.start();
    const { phase, message, count, startedAt, endedAt } = this.#run.state.value;
    // The query has changed meanwhile; if another run has begun, that one will be remembered.
    if (draft !== this.#draft || at !== this.#at) return;
    if (phase === 'failed') await this.#advisor.failed(draft, message);
    if (phase !== 'done') return;
    await at.history.add({ at: startedAt, rows: count, milliseconds: (endedAt ?? startedAt) - startedAt, draft });
    this.#postHistory();
  }

  async *#batches(signal: AbortSignal, onWait: (what: string) => void): ReturnType<DataClient['cubeSql']> {
    const { queries } = this.#ports;
    const [draft, identity] = [this.#draft, this.#identity];
    const outcome = await queries.run(this.#at.target, buildQuery(draft), {
      signal,
      securityContext: identity?.securityContext,
      onProgress: ({ stage, elapsedMs }) =>
        onWait(`${stage ?? 'The platform is working on the query'} (${Math.round(elapsedMs / 1000)} s)`),
    });
    const { rows, annotation, facts } = rowsIn(outcome);
    // The answer was on its way when the run was cancelled, or another one began.
    if (signal.aborted) return;
    this.#ports.post({ type: 'facts', lines: [...factLines(facts, identity?.name)] });
    // Another branch is active now: its environment answered, and may have another model.
    if (facts.source !== this.#source) void this.#load();
    this.#answered = draft;
    const { columns, cells } = answeredTable(draft, { rows, annotation }, (name) => this.#typeOf(name));
    this.#comparisons.keep({ columns, keys: keysOf(draft), rows: cells });
    yield { kind: 'schema', columns };
    yield { kind: 'rows', rows: cells };
  }

  #typeOf(name: string): string {
    return this.#members.find((member) => member.name === name)?.valueKind ?? 'string';
  }

  /** Shows the SQL that the query is compiled to, or ends that. */
  async #compile(isCancelled: boolean): Promise<void> {
    this.#advisor.cancelCompile();
    if (isCancelled || !this.#check()) return;
    const client = this.#ports.queries.client(this.#at.target, { securityContext: this.#identity?.securityContext });
    await this.#advisor.compile(client, this.#draft);
  }

  #postHistory(): void {
    this.#ports.post({ type: 'history', runs: this.#at.history.all().map((entry) => pastRun(entry)) });
  }
}

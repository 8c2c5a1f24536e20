import { signal } from '@preact/signals';
import {
  type Draft,
  emptyDraft,
  parseKeptDraft,
  parseKeptTab,
  parsePlaygroundMessage,
  parseRowsMessage,
  type PlaygroundMessage,
  type PlaygroundToHost,
  type ResultState,
  type Tab,
} from '#features/playground/messages.ts';
import { ArrangedRows } from '#shared/page/grid/arranged-rows.ts';
import { receiving } from '#shared/page/host-messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

type Message<Type extends PlaygroundMessage['type']> = Extract<PlaygroundMessage, { readonly type: Type }>;

/** The state of a playground page: the page owns the draft, everything else is the host's last message. */
export class PlaygroundModel extends ArrangedRows {
  readonly post: (message: PlaygroundToHost) => void;
  readonly draft = signal<Draft>(emptyDraft);
  readonly model = signal<Message<'model'>>({ type: 'model', source: '', members: [], phase: 'loading', message: '' });
  readonly unbuilt = signal<Message<'unbuilt'>['members']>([]);
  readonly checked = signal<Message<'checked'>>({ type: 'checked', problems: [], wasRun: false, forms: [] });
  readonly facts = signal<readonly string[]>([]);
  readonly sql = signal<Message<'sql'>>({ type: 'sql', phase: 'none', text: '' });
  readonly failure = signal<Message<'failure'>>({ type: 'failure', field: '', text: '' });
  readonly preAggregations = signal<Message<'preAggregations'> | undefined>(undefined);
  readonly history = signal<Message<'history'>['runs']>([]);
  /** The state of the run; `undefined` before the first one. */
  readonly result = signal<ResultState | undefined>(undefined);
  readonly chart = signal<Message<'chart'> | undefined>(undefined);
  /** The kind of chart that the user chose; the host uses another one if that does not suit the query. */
  readonly chartKind = signal<Message<'chart'>['kind'] | undefined>(undefined);
  readonly comparison = signal<Message<'comparison'> | undefined>(undefined);
  readonly identity = signal<Message<'identity'>>({ type: 'identity', name: '', hidden: [], additional: [] });
  readonly tab = signal<Tab>('rows');
  /** Problems are shown only after the first attempt to run, also that of a query file: an untouched query is not wrong. */
  readonly showsProblems = signal(false);
  readonly #api: VsCodeApi;
  /** Whether the query differs from the last one that was run. */
  #isChanged = false;

  constructor(api: VsCodeApi, window: Window) {
    super();
    this.#api = api;
    this.post = posting(api);
    const state = api.getState();
    const kept = parseKeptDraft(state);
    if (kept) this.draft.value = kept;
    this.tab.value = parseKeptTab(state) ?? 'rows';
    receiving({
      api,
      window,
      opening: () => ({ type: 'opened', draft: parseKeptDraft(api.getState()) }),
      take: (data) => this.#receive(data),
    });
  }

  change(change: Partial<Draft>): void {
    this.draft.value = { ...this.draft.value, ...change };
    this.#isChanged = true;
    this.#keep();
    this.post({ type: 'change', draft: this.draft.value });
  }

  /** Runs the query; the host refuses a wrong query and reports its problems. */
  run(): void {
    this.showsProblems.value = true;
    if (this.tab.value !== 'chart') this.show('rows');
    this.post({ type: 'run' });
  }

  show(tab: Tab): void {
    this.tab.value = tab;
    this.#keep();
    // The chart must show the current query; an incomplete query has no forms.
    const isDrawn = this.result.value !== undefined && !this.#isChanged;
    if (tab === 'chart' && !isDrawn && this.checked.value.forms.length > 0) this.run();
    if (tab === 'sql' && this.sql.value.phase === 'none') this.post({ type: 'compile' });
    const { phase = 'none' } = this.preAggregations.value ?? {};
    if (tab === 'preAggregations' && phase === 'none') this.post({ type: 'explain' });
  }

  /** Returns the problems at a field. */
  problemsAt(field: string): readonly string[] {
    const failure = this.failure.value;
    const failed = failure.field === field ? [failure.text] : [];
    if (!this.showsProblems.value) return failed;
    const problems = this.checked.value.problems.filter((problem) => problem.field === field);
    return [...problems.map(({ message }) => message), ...failed];
  }

  /** Stores the state, because VS Code discards the page of a hidden editor and rebuilds it later. */
  #keep(): void {
    this.#api.setState({ ...this.draft.value, tab: this.tab.value });
  }

  #receive(data: unknown): void {
    const message = parsePlaygroundMessage(data);
    if (message) {
      this.#take(message);
      return;
    }
    const rows = parseRowsMessage(data);
    if (rows?.type === 'state') {
      this.result.value = rows;
      if (rows.phase === 'running') this.#isChanged = false;
      this.adopt(rows);
      this.rows.follow(rows);
    } else if (rows) this.rows.take(rows);
  }

  #take(message: PlaygroundMessage): void {
    switch (message.type) {
      case 'model':
        this.model.value = message;
        break;
      case 'unbuilt':
        this.unbuilt.value = message.members;
        break;
      case 'draft':
        if (JSON.stringify(message.draft) !== JSON.stringify(this.draft.value)) this.#isChanged = true;
        this.draft.value = message.draft;
        this.#keep();
        break;
      case 'checked':
        this.checked.value = message;
        if (message.wasRun) this.showsProblems.value = true;
        break;
      case 'facts':
        this.facts.value = message.lines;
        break;
      case 'sql':
        this.sql.value = message;
        break;
      case 'failure':
        this.failure.value = message;
        break;
      case 'preAggregations':
        this.preAggregations.value = message;
        break;
      case 'chart':
        this.chart.value = message;
        break;
      case 'comparison':
        this.comparison.value = message;
        break;
      case 'identity':
        this.identity.value = message;
        break;
      default:
        this.history.value = message.runs;
    }
  }
}

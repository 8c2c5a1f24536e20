import { batch, computed, signal } from '@preact/signals';
import {
  parseHostToReview,
  type ReviewDetail,
  type ReviewGroup,
  type ReviewInput,
  type ReviewState,
  type ReviewToHost,
} from '#features/review/messages.ts';
import { receiving } from '#shared/page/host-messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';
import { type Entry, entriesOf, idsOf, tickOf } from './entries.ts';
import { nextUnticked } from './unticked.ts';

/** How long the cursor must rest on a row before its difference is requested, in milliseconds. */
const rest = 80;

/** The state of a review page: the host's data, and the user's position in it. */
export class ReviewModel {
  readonly post: (message: ReviewToHost) => void;
  readonly state = signal<ReviewState | undefined>(undefined);
  readonly groups = signal<readonly ReviewGroup[]>([]);
  readonly version = signal(0);
  readonly detail = signal<ReviewDetail | undefined>(undefined);
  /** What the host answered to the last press of the button; it stays until the user does something about it. */
  readonly #answer = signal('');
  /** Whether the button was pressed while it could not be used. */
  readonly #isRefused = signal(false);
  readonly filter = signal('');
  /** The line that the keyboard acts on. */
  readonly cursor = signal<string | undefined>(undefined);
  readonly message = signal('');
  readonly typed = signal('');
  readonly options = signal<ReadonlySet<string>>(new Set());
  readonly #closed = signal<ReadonlySet<string>>(new Set());
  #knownGroups = new Set<string>();
  #knownOptions = new Set<string>();
  #given = '';
  #resting: ReturnType<typeof setTimeout> | undefined;

  readonly ticked = computed<ReadonlySet<string>>(() => new Set(this.state.value?.ticked));
  readonly entries = computed(() =>
    entriesOf(this.groups.value, { filter: this.filter.value, closed: this.#closed.value }),
  );
  /** The index of the cursor's line; -1 if the list is empty. */
  readonly index = computed(() => this.entries.value.findIndex(({ id }) => id === this.cursor.value));

  constructor(api: VsCodeApi, window: Window) {
    this.post = posting(api);
    receiving({ api, window, opening: () => ({ type: 'ready' }), take: (data) => this.#receive(data) });
  }

  /** The line under the cursor. */
  get current(): Entry | undefined {
    return this.entries.value[this.index.value];
  }

  moveTo(index: number): void {
    const last = this.entries.value.length - 1;
    const entry = this.entries.value[Math.max(0, Math.min(last, index))];
    if (entry) this.#setCursor(entry.id);
  }

  /** Ticks an unticked line, and unticks any other. */
  toggle(entry: Entry): void {
    this.#tick(idsOf(entry), tickOf(entry, this.ticked.value) !== true);
  }

  /** Ticks or unticks every row that matches the filter. */
  tickAll(isTicked: boolean): void {
    this.#tick(
      this.entries.value.flatMap((entry) => (entry.type === 'group' ? entry.ids : [])),
      isTicked,
    );
  }

  /**
   * Moves the cursor to the next row without a tick, after the last one to the first. It opens the row's group, and ends a filter
   * that hides the row.
   */
  moveToUnticked(): void {
    const next = nextUnticked(this.groups.value, this.ticked.value, this.cursor.value);
    if (!next) return;
    batch(() => {
      this.#closed.value = new Set([...this.#closed.value].filter((id) => id !== next.group));
      if (this.entries.value.every(({ id }) => id !== next.row)) this.filter.value = '';
      this.#setCursor(next.row);
    });
  }

  /** Opens or closes a group. */
  fold(entry: Entry, isOpen: boolean): void {
    if (entry.type !== 'group') return;
    const closed = new Set(this.#closed.value);
    const id = entry.id.slice('group '.length);
    if (isOpen) closed.delete(id);
    else closed.add(id);
    this.#closed.value = closed;
  }

  filterBy(filter: string): void {
    batch(() => {
      this.filter.value = filter;
      this.#keepCursor(0);
    });
  }

  setOption(id: string, isOn: boolean): void {
    const options = new Set(this.options.value);
    if (isOn) options.add(id);
    else options.delete(id);
    this.options.value = options;
    this.#sendInput();
  }

  setMessage(message: string): void {
    this.message.value = message;
    this.#sendInput();
  }

  /** Sets the text that confirms the step; it stays in the page until the step is applied. */
  setTyped(typed: string): void {
    this.typed.value = typed;
    // The text may be what the notice asked for.
    this.#forgetNotice();
  }

  /**
   * Why the last press of the button did nothing, for as long as that is so; empty otherwise. It stays when the host sends
   * another state: a branch that is built meanwhile must not take away what the user is about to read.
   */
  get notice(): string {
    return this.#isRefused.value ? this.whyNot : this.#answer.value;
  }

  /** The reason why the primary button cannot be used; empty if it can. */
  get whyNot(): string {
    const state = this.state.value;
    if (!state) return 'Loading';
    if (state.busy !== '') return state.busy;
    if (state.action.whyNot !== '') return state.action.whyNot;
    const expected = state.confirmation?.expected;
    if (expected !== undefined && this.typed.value.trim() !== expected) return `Type “${expected}” to confirm.`;
    return '';
  }

  /** Runs the primary button. */
  apply(): void {
    batch(() => {
      this.#answer.value = '';
      this.#isRefused.value = this.whyNot !== '';
    });
    if (!this.#isRefused.value) this.post({ type: 'apply', version: this.version.value, input: this.#input() });
  }

  #forgetNotice(): void {
    batch(() => {
      this.#answer.value = '';
      this.#isRefused.value = false;
    });
  }

  #input(): ReviewInput {
    return { message: this.message.value, options: [...this.options.value], typed: this.typed.value };
  }

  #sendInput(): void {
    this.post({ type: 'input', input: this.#input() });
  }

  #tick(ids: readonly string[], isTicked: boolean): void {
    this.#forgetNotice();
    if (ids.length > 0) this.post({ type: 'tick', ids, isTicked });
  }

  #receive(data: unknown): void {
    const message = parseHostToReview(data);
    switch (message?.type) {
      case 'state':
        this.#takeState(message);
        break;
      case 'rows':
        this.#takeRows(message.version, message.groups);
        break;
      case 'detail':
        // The previous text stays until the new one arrives, to avoid flicker.
        if (message.id !== this.cursor.value) return;
        if (message.state === 'loading' && this.detail.value?.id === message.id) return;
        this.detail.value = message;
        break;
      case 'notice':
        this.#answer.value = message.text;
        break;
      default:
    }
  }

  #takeState(state: ReviewState): void {
    const given = state.message?.value ?? '';
    // The user's text stays; an untouched text is updated.
    if (this.message.value === this.#given) this.message.value = given;
    this.#given = given;
    const options = new Set(this.options.value);
    for (const { id, isOn } of state.options) {
      if (isOn && !this.#knownOptions.has(id)) options.add(id);
      this.#knownOptions.add(id);
    }
    this.options.value = options;
    this.state.value = state;
    // Asked for once: what has been mended is not asked for again.
    if (this.whyNot === '') this.#isRefused.value = false;
  }

  #takeRows(version: number, groups: readonly ReviewGroup[]): void {
    const before = this.index.value;
    const closed = new Set(this.#closed.value);
    for (const { id, startsClosed } of groups) {
      if (startsClosed && !this.#knownGroups.has(id)) closed.add(id);
      this.#knownGroups.add(id);
    }
    this.#closed.value = closed;
    this.version.value = version;
    this.groups.value = groups;
    this.#keepCursor(before);
    this.#askDetail();
  }

  /** Keeps the cursor on its line, or moves it to the line that is now in its position. */
  #keepCursor(index: number): void {
    const { value: entries } = this.entries;
    if (entries.some(({ id }) => id === this.cursor.value)) return;
    const firstRow = entries.findIndex(({ type }) => type === 'row');
    const entry = entries[Math.min(entries.length - 1, index > 0 ? index : Math.max(0, firstRow))];
    if (entry) this.#setCursor(entry.id);
    else this.cursor.value = undefined;
  }

  #setCursor(id: string): void {
    if (id === this.cursor.value) return;
    this.cursor.value = id;
    this.#askDetail();
  }

  #askDetail(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      const entry = this.current;
      if (entry?.type === 'row') this.post({ type: 'select', id: entry.id });
    }, rest);
  }
}

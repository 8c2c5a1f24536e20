import { computed, signal } from '@preact/signals';
import {
  type FieldControl,
  type FieldPath,
  type FormField,
  type FormState,
  type FormToHost,
  parseHostToForm,
} from '#features/administration/messages.ts';
import { receiving } from '#shared/page/host-messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

/** The text typed into a field, and the number of the edit that sent it. */
interface Typed {
  readonly number: number;
  readonly text: string;
}

/** Converts a path to a key. */
export const keyOf = (path: FieldPath): string => JSON.stringify(path);

/** The state of a form: what the host sent, and what the user typed that the host has not confirmed yet. */
export class FormModel {
  readonly post: (message: FormToHost) => void;
  readonly state = signal<FormState | undefined>(undefined);
  /** Fields that the user has left or changed. Before the first save, only their problems are shown. */
  readonly touched = signal<ReadonlySet<string>>(new Set());
  readonly hasTriedToSave = signal(false);
  readonly #typed = signal<ReadonlyMap<string, Typed>>(new Map());
  #focused: string | undefined;
  #number = 0;

  /** The fields whose errors prevent saving. */
  readonly wrong = computed(() => flat(this.state.value?.fields ?? []).filter(isWrong));

  constructor(api: VsCodeApi, window: Window) {
    this.post = posting(api);
    receiving({ api, window, opening: () => ({ type: 'ready' }), take: (data) => this.#receive(data) });
  }

  /** Returns the text to show in a field: the text being typed, or else the document's value. */
  textOf(path: FieldPath, control: Extract<FieldControl, { readonly value: string }>): string {
    return this.#typed.value.get(keyOf(path))?.text ?? control.value;
  }

  /** Returns the text typed over a secret. */
  typedSecret(path: FieldPath): string {
    return this.#typed.value.get(keyOf(path))?.text ?? '';
  }

  type(path: FieldPath, text: string): void {
    const number = this.#next();
    this.#typed.value = new Map(this.#typed.value).set(keyOf(path), { number, text });
    this.post({ type: 'set', number, path, value: text });
  }

  choose(path: FieldPath, value: number | boolean): void {
    this.post({ type: 'set', number: this.#next(), path, value });
    this.touch(path);
  }

  add(path: FieldPath): void {
    this.post({ type: 'add', number: this.#next(), path });
  }

  addLines(path: FieldPath, lines: string): void {
    this.post({ type: 'addLines', number: this.#next(), path, lines });
  }

  /** Removes an entry. Text typed into the others is dropped, because their paths change; the host's next state shows it. */
  remove(path: FieldPath): void {
    this.#typed.value = new Map();
    this.touched.value = new Set();
    this.post({ type: 'remove', number: this.#next(), path });
  }

  focus(path: FieldPath): void {
    this.#focused = keyOf(path);
  }

  /** Marks a field as left, so that it shows the document's value. */
  leave(path: FieldPath): void {
    this.#focused = undefined;
    this.touch(path);
    this.#forget(this.state.value?.applied ?? 0);
  }

  touch(path: FieldPath): void {
    this.touched.value = new Set(this.touched.value).add(keyOf(path));
  }

  /** Whether a field's problem is shown: not before the user had a chance to fill it in. */
  showsProblem({ path, problem, severity }: FormField): boolean {
    if (problem === '') return false;
    return severity === 'warning' || this.hasTriedToSave.value || this.touched.value.has(keyOf(path));
  }

  /** Saves; returns the first field with an error instead if there is one. */
  save(): FormField | undefined {
    this.hasTriedToSave.value = true;
    const [first] = this.wrong.value;
    if (!first) this.post({ type: 'save' });
    return first;
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }

  #receive(data: unknown): void {
    const state = parseHostToForm(data);
    if (!state) return;
    this.state.value = state;
    this.#number = Math.max(this.#number, state.applied);
    this.#forget(state.applied);
  }

  /** Drops typed text that the document already contains, except in the focused field. */
  #forget(applied: number): void {
    const kept = [...this.#typed.value].filter(([key, { number }]) => number > applied || key === this.#focused);
    if (kept.length < this.#typed.value.size) this.#typed.value = new Map(kept);
  }
}

/** Returns the id of a field's control: unique, and without spaces, which would make several ids of it. */
export const idOf = (path: FieldPath): string =>
  `field-${path.map((step) => encodeURIComponent(step).replaceAll('.', '%2E')).join('.')}`;

function isWrong({ problem, severity }: FormField): boolean {
  return problem !== '' && severity === 'error';
}

/** Returns all fields, including nested ones. */
function flat(fields: readonly FormField[]): readonly FormField[] {
  return fields.flatMap((field) => {
    const { control } = field;
    if (control.is === 'group') return [field, ...flat(control.fields)];
    return control.is === 'table' ? [field, ...flat(control.rows.flat())] : [field];
  });
}

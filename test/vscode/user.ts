import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Answer } from './answers.ts';
import { reviewPages } from './review-pages.ts';

export { type Answer, approve, escape, pick, press, type } from './answers.ts';

/** What a finished build reports, and an engine that is about to run scripts, in the middle of whatever the user does. */
const comesInItsOwnTime = /^The build of “[^”]*” failed|^The model in .* has JavaScript files\./;

/** Stands for the user at the window: VS Code's questions are answered from a list, its messages are kept. */
export class User {
  readonly #answers: Answer[] = [];
  #said: string[] = [];
  #asked: string[] = [];
  #offered: string[] = [];
  readonly #restore: () => void;

  constructor() {
    const window = vscode.window as unknown as Record<string, unknown>;
    const own: Readonly<Record<string, unknown>> = {
      showQuickPick: async (items: unknown, options?: vscode.QuickPickOptions) => this.#pickOne(items, options),
      createQuickPick: () => this.#pickBox(),
      showInputBox: async (options?: vscode.InputBoxOptions) => this.#typeText(options),
      createInputBox: () => this.#inputBox(),
      showInformationMessage: this.#message,
      showWarningMessage: this.#message,
      showErrorMessage: this.#message,
      showSaveDialog: async () => {
        const path = await this.#typeText({ prompt: 'Where to?' });
        return path === undefined ? undefined : vscode.Uri.file(path);
      },
    };
    const before = Object.fromEntries(Object.keys(own).map((name) => [name, window[name]]));
    Object.assign(window, own);
    this.#restore = () => void Object.assign(window, before);
  }

  /** Runs a command with these answers; every one must be asked for. Resolves to the messages that were shown. */
  async does(command: string, argument: unknown, ...answers: readonly Answer[]): Promise<string> {
    return this.answering(async () => vscode.commands.executeCommand(command, argument), ...answers);
  }

  /** As `does`, for work that is started otherwise and asks questions. */
  async answering(work: () => Thenable<unknown>, ...answers: readonly Answer[]): Promise<string> {
    this.#said = [];
    this.#asked = [];
    this.#offered = [];
    this.#answers.splice(0, this.#answers.length, ...answers);
    const restore = reviewPages({
      next: () => this.#answers[0],
      take: () => void this.#answers.shift(),
      say: (text) => void this.#said.push(text),
    });
    try {
      await work();
    } finally {
      restore();
    }
    const left = this.#answers.splice(0);
    assert.deepEqual(left, [], `not asked for; said: ${this.said}`);
    return this.said;
  }

  /** The questions of the last work that were answered by choosing or typing, a line each. */
  get asked(): string {
    return this.#asked.join('\n');
  }

  /** The texts that input boxes of the last work began with. */
  get offered(): readonly string[] {
    return this.#offered;
  }

  /** The messages since the last command, one a line. Those that come in their own time are left out. */
  get said(): string {
    return this.#said.join('\n');
  }

  leave(): void {
    this.#restore();
  }

  readonly #message = async (text: string, ...rest: readonly unknown[]): Promise<unknown> => {
    const [options] = rest;
    const detail = typeof options === 'object' && options !== null && 'detail' in options ? options.detail : undefined;
    const upload = acceptedRisk(text, rest);
    if (upload !== undefined) return upload;
    if (!comesInItsOwnTime.test(text)) this.#said.push(typeof detail === 'string' ? `${text}\n${detail}` : text);
    const [next] = this.#answers;
    if (next === undefined || !('press' in next)) return undefined;
    const isIt = (item: unknown): boolean => titleOf(item) === next.press;
    const button = rest.find(isIt);
    if (button === undefined) return undefined;
    this.#answers.shift();
    await next.first?.();
    return button;
  };

  async #pickOne(items: unknown, options?: vscode.QuickPickOptions): Promise<unknown> {
    const list = await (items as Thenable<readonly unknown[]>);
    const chosen = this.#chosen(list, options?.placeHolder ?? options?.title ?? '');
    return options?.canPickMany === true && chosen !== undefined ? [chosen] : chosen;
  }

  #chosen(list: readonly unknown[], question: string): unknown {
    const answer = this.#next(question);
    if ('escape' in answer) return undefined;
    assert.ok('pick' in answer, `“${question}” is answered by choosing, not by ${JSON.stringify(answer)}`);
    const found = list.find((item) => titleOf(item) === answer.pick);
    assert.ok(found !== undefined, `“${question}” has no “${answer.pick}”: ${list.map(titleOf).join(', ')}`);
    return found;
  }

  async #typeText(options: vscode.InputBoxOptions = {}): Promise<string | undefined> {
    this.#offered.push(options.value ?? '');
    const question = options.prompt ?? options.title ?? '';
    const answer = this.#next(question);
    if ('escape' in answer) return undefined;
    assert.ok('type' in answer, `“${question}” is answered by typing, not by ${JSON.stringify(answer)}`);
    const problem = await options.validateInput?.(answer.type);
    if (problem === undefined || problem === null || problem === '') return answer.type;
    this.#said.push(typeof problem === 'string' ? problem : problem.message);
    return this.#typeText(options);
  }

  #inputBox(): vscode.InputBox {
    const listeners: { accept?: () => void; change?: (value: string) => void; hide?: () => void } = {};
    let isAsked = false;
    let isShown = false;
    const enter = (): void => {
      const answer = this.#next(box.prompt ?? box.title ?? '');
      if ('escape' in answer) return listeners.hide?.();
      assert.ok('type' in answer, `“${box.prompt}” is answered by typing, not by ${JSON.stringify(answer)}`);
      box.value = answer.type;
      listeners.change?.(box.value);
      isAsked = true;
      listeners.accept?.();
    };
    const said = (problem: string): void => {
      // What came up elsewhere and belongs to this input is there from the start.
      if (!isShown) this.#said.push(problem);
      if (!isAsked) return;
      isAsked = false;
      this.#said.push(problem);
      enter();
    };
    const box = {
      value: '',
      prompt: undefined as string | undefined,
      title: undefined as string | undefined,
      set validationMessage(problem: unknown) {
        if (typeof problem === 'string' && problem !== '') said(problem);
      },
      onDidChangeValue: (listen: (value: string) => void) => heard(() => (listeners.change = listen)),
      onDidAccept: (listen: () => void) => heard(() => (listeners.accept = listen)),
      onDidHide: (listen: () => void) => heard(() => (listeners.hide = listen)),
      onDidTriggerButton: () => heard(() => undefined),
      show: () => {
        isShown = true;
        this.#offered.push(box.value);
        enter();
      },
      hide: () => listeners.hide?.(),
      dispose: () => undefined,
    };
    return box as unknown as vscode.InputBox;
  }

  #pickBox(): vscode.QuickPick<vscode.QuickPickItem> {
    let accept = (): void => undefined;
    const box = {
      placeholder: '',
      selectedItems: [] as readonly unknown[],
      set items(items: readonly unknown[]) {
        this.selectedItems = [choose(items, this.placeholder)];
        accept();
      },
      onDidChangeValue: () => heard(() => undefined),
      onDidHide: () => heard(() => undefined),
      onDidAccept: (listen: () => void) => heard(() => (accept = listen)),
      show: () => undefined,
      hide: () => undefined,
      dispose: () => undefined,
    };
    const choose = (items: readonly unknown[], question: string): unknown => this.#chosen(items, question);
    return box as unknown as vscode.QuickPick<vscode.QuickPickItem>;
  }

  #next(question: string): Answer {
    this.#asked.push(question);
    const answer = this.#answers.shift();
    assert.ok(answer, `nobody answers “${question}”`);
    return answer;
  }
}

function heard(listen: () => unknown): vscode.Disposable {
  listen();
  return { dispose: () => undefined };
}

/** On a platform that names no creation method, uploads are asked about first: suites in another mode are not about that. */
function acceptedRisk(text: string, buttons: readonly unknown[]): unknown {
  if (process.env['MODELBENCH_SUITES_MODE'] === undefined || !text.includes('Git repository')) return undefined;
  return buttons.find((each) => each === 'Upload Anyway' || each === 'Push Automatically');
}

/** The text of a row or a button, without its icons. */
function titleOf(item: unknown): string {
  const text =
    typeof item === 'string'
      ? item
      : String((item as { label?: unknown; title?: unknown }).label ?? (item as { title?: unknown }).title);
  return text.replaceAll(/\$\([\w-]+\) ?/g, '');
}

import * as vscode from 'vscode';

/** A text that VS Code was given to draw, and where. */
export interface Drawn {
  readonly where: string;
  readonly text: string;
}

/** How VS Code finds links and icons in texts (`linkedText.ts`, `iconLabels.ts`), and what turns a text around. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /\$\([a-z0-9-]+(?:~[a-z0-9-]+)?\)/i;
const hidden = /[\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/;

/** Whether VS Code would draw anything but text; an icon of our own may lead. */
export function isMarkup({ text }: Drawn): boolean {
  const own = text.replace(/^(?:\$\([a-z-]+(?:~spin)?\) )?/, '');
  return (
    link.test(text) ||
    hidden.test(text) ||
    own.split(' · ').some((part) => icon.test(part.replace(/^\$\([a-z~-]+\) /, '')))
  );
}

/**
 * Keeps every text that the extension gives VS Code to draw. Questions are answered with their first choice or not at all;
 * dialogs are not shown.
 */
export class Onlooker {
  readonly drawn: Drawn[] = [];
  answersFirst = false;
  readonly #restore: () => void;

  constructor() {
    const window = vscode.window as unknown as Record<string, unknown>;
    const { withProgress } = vscode.window;
    const own: Readonly<Record<string, unknown>> = {
      showInformationMessage: this.#message,
      showWarningMessage: this.#message,
      showErrorMessage: this.#message,
      showQuickPick: this.#pick,
      createQuickPick: () => this.#box('pick'),
      showInputBox: this.#input,
      createInputBox: () => this.#box('input'),
      showOpenDialog: () => Promise.resolve(undefined),
      showSaveDialog: () => Promise.resolve(undefined),
      showWorkspaceFolderPick: () => Promise.resolve(undefined),
      setStatusBarMessage: (text: string) => {
        this.#see('status bar message', text);
        return { dispose: () => undefined };
      },
      withProgress: <R>(
        options: vscode.ProgressOptions,
        work: (progress: vscode.Progress<{ message?: string }>, token: vscode.CancellationToken) => Thenable<R>,
      ) => {
        this.#see('progress', options.title);
        return withProgress(options, (progress, token) =>
          work(
            {
              report: (step) => {
                this.#see('progress', step.message);
                progress.report(step);
              },
            },
            token,
          ),
        );
      },
    };
    const before = Object.fromEntries(Object.keys(own).map((name) => [name, window[name]]));
    Object.assign(window, own);
    this.#restore = () => void Object.assign(window, before);
  }

  leave(): void {
    this.#restore();
  }

  #see(where: string, text: unknown): void {
    if (typeof text === 'string' && text !== '') this.drawn.push({ where, text });
  }

  readonly #message = (text: string, ...rest: readonly unknown[]): Promise<unknown> => {
    this.#see('message', text);
    const buttons = rest.filter((item) => typeof item === 'string');
    const [options] = rest;
    if (typeof options === 'object' && options !== null) this.#see('detail', (options as { detail?: unknown }).detail);
    for (const button of buttons) this.#see('button', button);
    return Promise.resolve(undefined);
  };

  readonly #pick = async (items: unknown, options: vscode.QuickPickOptions = {}): Promise<unknown> => {
    this.#see('title of a pick', options.title);
    this.#see('placeholder of a pick', options.placeHolder);
    const rows = await (items as Thenable<readonly unknown[]>);
    this.#rows(rows);
    if (!this.answersFirst) return undefined;
    return options.canPickMany === true ? rows.slice(0, 1) : rows[0];
  };

  #rows(rows: readonly unknown[]): void {
    for (const row of rows) {
      const item = typeof row === 'string' ? { label: row } : (row as vscode.QuickPickItem);
      for (const part of ['label', 'description', 'detail'] as const) this.#see(`${part} of a row`, item[part]);
    }
  }

  readonly #input = async (options: vscode.InputBoxOptions = {}): Promise<undefined> => {
    for (const part of ['title', 'prompt', 'placeHolder'] as const) this.#see(`${part} of an input`, options[part]);
    const problem = await options.validateInput?.('');
    this.#see('problem of an input', typeof problem === 'string' ? problem : problem?.message);
    return undefined;
  };

  /** A pick or an input that stays: given up as soon as it is shown. */
  #box(where: string): unknown {
    let hide = (): void => undefined;
    const see = (part: string, value: unknown): void => this.#see(`${part} of ${where}`, value);
    const heard = { dispose: () => undefined };
    const rows = (items: readonly unknown[]): void => this.#rows(items);
    const values: Record<string, unknown> = { value: '', items: [], selectedItems: [], activeItems: [] };
    const methods: Readonly<Record<string, unknown>> = {
      onDidHide: (listen: () => void) => {
        hide = listen;
        return heard;
      },
      show: () => queueMicrotask(() => hide()),
      hide: () => hide(),
      dispose: () => undefined,
    };
    return new Proxy(values, {
      get: (target, name) => {
        const key = String(name);
        return methods[key] ?? (key.startsWith('onDid') ? () => heard : target[key]);
      },
      set: (target, name, value) => {
        target[String(name)] = value;
        if (name === 'items') rows(value as readonly unknown[]);
        else see(String(name), value);
        return true;
      },
    });
  }
}

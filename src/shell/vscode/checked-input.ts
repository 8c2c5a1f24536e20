import { asError } from '#base/async.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { DisposableStore } from '#base/disposable.ts';

export interface CheckedInput {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string | undefined;
  readonly password?: boolean;
  readonly step?: number;
  readonly totalSteps?: number;
  /** A problem that was found elsewhere and concerns this input; shown until the text changes. */
  readonly problem?: string | undefined;
  /** Another way to continue, as a button of the input; the input then resolves to `undefined`. */
  readonly alternative?: { readonly icon: string; readonly tooltip: string; readonly choose: () => void };
  /** Runs on every change: returns a sentence that describes the problem, or nothing. */
  readonly validate?: (value: string) => string | undefined;
  /** Runs when the user accepts, for example to ask the platform: a sentence keeps the input open. */
  readonly check?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** Shows an input box that stays open, with the problem below it, until the text is valid or the user cancels (`undefined`). */
export function askChecked(options: CheckedInput): Promise<string | undefined> {
  const owned = new DisposableStore();
  const box = owned.add(vscode.window.createInputBox());
  const controller = new AbortController();
  configure(box, options);
  return new Promise<string | undefined>((resolve) => {
    const finish = (value: string | undefined): void => {
      resolve(value);
      controller.abort();
      owned.dispose();
    };
    owned.add(
      box.onDidChangeValue((value) => {
        box.validationMessage = textOf(value === '' ? undefined : options.validate?.(value));
      }),
    );
    owned.add(box.onDidHide(() => finish(undefined)));
    owned.add(
      box.onDidTriggerButton(() => {
        options.alternative?.choose();
        finish(undefined);
      }),
    );
    owned.add(
      box.onDidAccept(async () => {
        const { value } = box;
        const problem = options.validate?.(value) ?? (await checking(box, options, value, controller.signal));
        if (owned.isDisposed) return;
        if (problem === undefined) finish(value);
        else box.validationMessage = textOf(problem);
      }),
    );
    box.show();
  });
}

function configure(box: vscode.InputBox, options: CheckedInput): void {
  box.title = textOf(options.title);
  box.prompt = textOf(options.prompt);
  box.placeholder = textOf(options.placeholder);
  box.value = options.value ?? '';
  box.password = options.password ?? false;
  box.step = options.step;
  box.totalSteps = options.totalSteps;
  // The input must stay open while the user looks up a key in the browser.
  box.ignoreFocusOut = true;
  box.validationMessage = textOf(options.problem);
  const { alternative } = options;
  if (alternative)
    box.buttons = [{ iconPath: new vscode.ThemeIcon(alternative.icon), tooltip: textOf(alternative.tooltip) }];
}

async function checking(
  box: vscode.InputBox,
  { check }: CheckedInput,
  value: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!check) return undefined;
  box.busy = true;
  box.enabled = false;
  try {
    return await check(value, signal);
  } catch (error) {
    return asError(error).message;
  } finally {
    box.busy = false;
    box.enabled = true;
  }
}

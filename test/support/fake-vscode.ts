import { posix } from 'node:path';

/**
 * The subset of VS Code’s API that command handlers need. Unit tests get it wherever `vscode` is imported, unless they mock that:
 * `User` answers questions, and `shown` records what is shown. What a test file puts into it is gone after the file.
 */
export const shown = { statusBar: [] as string[], commands: [] as unknown[], clipboard: '' };

class Uri {
  readonly scheme: string;
  readonly path: string;

  private constructor(scheme: string, path: string) {
    this.scheme = scheme;
    this.path = path;
  }

  static parse(value: string): Uri {
    const [scheme = 'file', path = ''] = value.split(/:(?:\/\/)?(.*)/s);
    return new Uri(scheme, path);
  }

  static file(path: string): Uri {
    return new Uri('file', path);
  }

  static joinPath(base: Uri, ...parts: readonly string[]): Uri {
    return new Uri(base.scheme, posix.join(base.path, ...parts));
  }

  with({ path }: { readonly path: string }): Uri {
    return new Uri(this.scheme, path);
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}://${this.path}`;
  }
}

class EventEmitter {
  readonly event = (): object => disposable;
  readonly fire = (): void => undefined;
  readonly dispose = (): void => undefined;
}

class CancellationTokenSource {
  readonly token = {};
  readonly cancel = (): void => undefined;
  readonly dispose = (): void => undefined;
}

class Plain {
  readonly values: readonly unknown[];
  constructor(...values: readonly unknown[]) {
    this.values = values;
  }
}

const disposable = { dispose: (): void => undefined };
const silent = (): object => disposable;

export {
  Uri,
  EventEmitter,
  CancellationTokenSource,
  Plain as CodeLens,
  Plain as CompletionItem,
  Plain as Diagnostic,
  Plain as FileDecoration,
  Plain as FileSystemError,
  Plain as Position,
  Plain as Range,
  Plain as Selection,
  Plain as TabInputCustom,
  Plain as TabInputText,
  Plain as TabInputTextDiff,
  Plain as TestMessage,
  Plain as TestRunRequest,
  Plain as ThemeColor,
  Plain as ThemeIcon,
  Plain as TreeItem,
};
export const ViewColumn = { Active: -1, Beside: -2 };
export const ProgressLocation = { Notification: 15, Window: 10 };
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };
export const FileType = { File: 1, Directory: 2 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const QuickInputButtons = { Back: {} };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };

export const window = {
  setStatusBarMessage: (message: string): object => {
    shown.statusBar.push(message);
    return { dispose: () => void shown.statusBar.splice(shown.statusBar.lastIndexOf(message), 1) };
  },
  withProgress: async (_options: unknown, task: () => Promise<unknown>): Promise<unknown> => task(),
  createStatusBarItem: silent,
  onDidChangeActiveTextEditor: silent,
  tabGroups: { all: [], onDidChangeTabs: silent },
};
export const workspace = {
  isTrusted: true,
  workspaceFolders: undefined,
  textDocuments: [] as readonly object[],
  getConfiguration: () => ({ inspect: (name: string) => ({ key: name, defaultValue: [] }) }),
  onDidChangeConfiguration: silent,
};
export const commands = {
  executeCommand: (...call: readonly unknown[]): Promise<undefined> => {
    shown.commands.push(call);
    return Promise.resolve(undefined);
  },
};
export const env = {
  clipboard: {
    writeText: (text: string): Promise<void> => {
      shown.clipboard = text;
      return Promise.resolve();
    },
  },
};
export const languages = {};
export const lm = {};
export const scm = {};
export const tests = {};
export const authentication = {};

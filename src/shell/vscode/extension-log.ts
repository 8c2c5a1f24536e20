import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { LogFields, Logger } from '#base/log.ts';
import { logLine } from '#base/log-line.ts';
import { sortableTime } from '#base/timestamps.ts';
import type { Redactor } from './redactor.ts';

type Level = keyof Logger;

const scheme = 'modelbench-log';
const name = 'Modelbench';
/** How many lines are kept for hosts that write no log file. */
const longest = 2000;

/**
 * The log of the extension: a VS Code log channel and its most recent lines. Secrets are removed from everything that is written.
 */
export class ExtensionLog implements Logger, vscode.Disposable {
  readonly #redactor: Redactor;
  readonly #folder: vscode.Uri;
  readonly #channel = vscode.window.createOutputChannel(name, { log: true });
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #documents: vscode.Disposable;
  readonly #lines: string[] = [];

  /** `folder`: where VS Code stores the extension's log files. */
  constructor(redactor: Redactor, folder: vscode.Uri) {
    this.#redactor = redactor;
    this.#folder = folder;
    this.#documents = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: () => `${this.#lines.join('\n')}\n`,
    });
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  /** Shows the channel. If the host wrote no file, the channel is empty, so the most recent lines open in an editor. */
  async show(): Promise<void> {
    const file = vscode.Uri.joinPath(this.#folder, `${name}.log`);
    const size = await Promise.resolve(vscode.workspace.fs.stat(file)).then(
      (found) => found.size,
      () => 0,
    );
    if (size > 0) {
      this.#channel.show(true);
      return;
    }
    const uri = vscode.Uri.from({ scheme, path: `/${name}.log` });
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    for (const item of [this.#channel, this.#changed, this.#documents]) item.dispose();
  }

  #write(level: Level, message: string, fields: LogFields | undefined): void {
    const line = logLine(this.#redactor.redact(`${message}${formatFields(fields)}`));
    this.#channel[level](line);
    this.#lines.push(`${sortableTime(Date.now(), 23)} [${level}] ${line}`);
    if (this.#lines.length > longest) this.#lines.shift();
  }
}

function formatFields(fields: LogFields | undefined): string {
  if (!fields) return '';
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return known.map(([key, value]) => ` ${key}=${String(value)}`).join('');
}

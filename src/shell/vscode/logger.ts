import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { LogFields, Logger } from '#base/log.ts';
import type { Redactor } from './redactor.ts';

/** Writes log lines to a VS Code log channel; whatever the caller passes, no secret reaches it. */
export function channelLogger(channel: vscode.LogOutputChannel, redactor: Redactor): Logger {
  const line = (message: string, fields?: LogFields): string => redactor.redact(`${message}${formatFields(fields)}`);
  return {
    debug: (message, fields) => channel.debug(line(message, fields)),
    info: (message, fields) => channel.info(line(message, fields)),
    warn: (message, fields) => channel.warn(line(message, fields)),
    error: (message, fields) => channel.error(line(message, fields)),
  };
}

function formatFields(fields: LogFields | undefined): string {
  if (!fields) return '';
  const parts = Object.entries(fields).filter(([, value]) => value !== undefined);
  return parts.map(([name, value]) => ` ${name}=${String(value)}`).join('');
}

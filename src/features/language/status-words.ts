import { plural } from '#base/words.ts';
import type { EngineReport, LanguageStatus } from './messages.ts';

/** What the status item of the language server shows. */
export interface StatusWords {
  readonly text: string;
  readonly detail: string;
  readonly busy: boolean;
  readonly severity: 'information' | 'warning' | 'error';
  /** A problem is mended by starting anew. */
  readonly restarts: boolean;
}

/** The state of the language server in a user’s words. */
export function statusWords(status: LanguageStatus): StatusWords {
  const { state, reason, files, engine } = status;
  if (state === 'problem') {
    const detail = reason ?? 'The language server stopped. See the log for the reason.';
    return { text: 'Model: not available', detail, busy: false, severity: 'error', restarts: true };
  }
  if (state === 'indexing')
    return { text: 'Model: indexing', detail: 'Reading files', busy: true, severity: 'information', restarts: false };
  const detail = [plural(files, 'file'), engine && engineWords(engine)]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    text: `Model: ${plural(status.cubes, 'cube')}, ${plural(status.views, 'view')}`,
    detail,
    busy: false,
    severity: engine?.state === 'refused' ? 'warning' : 'information',
    restarts: false,
  };
}

function engineWords(report: EngineReport): string {
  switch (report.state) {
    case 'accepted':
      return 'accepted by the engine';
    case 'refused':
      return `refused by the engine in ${plural(report.errors, 'place')}`;
    default:
      return `not compiled: ${report.reason}`;
  }
}

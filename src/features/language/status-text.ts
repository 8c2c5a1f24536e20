import { plural } from '#base/words.ts';
import { engineVersion } from '#model/engine/engine-version.ts';
import { versionNote } from './engine-version.ts';
import type { EngineReport, LanguageStatus, PlatformReport } from './messages.ts';

/** The content of the language server's status item. */
export interface StatusText {
  readonly text: string;
  readonly detail: string;
  readonly busy: boolean;
  readonly severity: 'information' | 'warning' | 'error';
  /** Whether restarting fixes the problem. */
  readonly restarts: boolean;
}

/**
 * Returns the state of the language server as text for the user. `deployed` is the version that the deployment of the checked
 * model runs.
 */
export function statusText(status: LanguageStatus, deployed?: string): StatusText {
  const { state, reason, files, engine } = status;
  if (state === 'problem') {
    const detail = reason ?? 'The language server stopped. See the log for the reason.';
    return { text: 'Model: not available', detail, busy: false, severity: 'error', restarts: true };
  }
  if (state === 'indexing')
    return { text: 'Model: indexing', detail: 'Reading files', busy: true, severity: 'information', restarts: false };
  const detail = [
    plural(files, 'file'),
    engine && engineText(engine, deployed),
    ...(status.platform ?? []).map(platformText),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
  return {
    text: `Model: ${plural(status.cubes, 'cube')}, ${plural(status.views, 'view')}`,
    detail,
    busy: false,
    severity: [engine, ...(status.platform ?? []).map(({ verdict }) => verdict)].some(isRefusal)
      ? 'warning'
      : 'information',
    restarts: false,
  };
}

function isRefusal(report: EngineReport | undefined): boolean {
  return report?.state === 'refused';
}

function engineText(report: EngineReport, deployed: string | undefined): string {
  const note = versionNote(deployed);
  const by = `engine ${engineVersion}${omittedText(report)}${note === undefined ? '' : `. ${note}`}`;
  switch (report.state) {
    case 'accepted':
      return `accepted by ${by}`;
    case 'refused':
      return `refused in ${plural(report.errors, 'place')} by ${by}`;
    default:
      return `not compiled: ${report.reason}`;
  }
}

/** Returns what was left out of a compiled model, as an addition to the result. */
export function omittedText(report: EngineReport): string {
  if (report.state === 'skipped' || report.omitted === undefined) return '';
  return `, without ${plural(report.omitted, 'template')} that only the platform can render`;
}

function platformText({ branch, version, verdict }: PlatformReport): string {
  const judge = `the platform on ${branch}${version === undefined ? '' : ` (engine ${version})`}`;
  switch (verdict.state) {
    case 'accepted':
      return `accepted by ${judge}`;
    case 'refused':
      return `refused in ${plural(verdict.errors, 'place')} by ${judge}`;
    default:
      return `not validated by ${judge}: ${verdict.reason}`;
  }
}

import { type Code, codes } from '#model/codes.ts';
import { unreachable } from '#base/result.ts';
import type { ReportedProblem } from '#tools/model/problems.ts';

/** Formats problems as SARIF 2.1.0, which code scanning services read. */
export function toSarif(problems: readonly ReportedProblem[]): string {
  const used = [...new Set(problems.map(({ code }) => code))].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Modelbench', rules: used.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          [BASE]: { description: { text: 'The folder in which the command was started: the root of the repository.' } },
        },
        results: problems.map((problem) => ({
          ruleId: problem.code,
          ruleIndex: used.indexOf(problem.code),
          level: levelOf(problem.severity),
          message: { text: problem.message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: artifactOf(problem.path),
                region: {
                  startLine: problem.line,
                  startColumn: problem.column,
                  endLine: problem.endLine,
                  endColumn: problem.endColumn,
                },
              },
            },
          ],
        })),
      },
    ],
  };
  return JSON.stringify(log, undefined, 2);
}

/** The name that readers of SARIF know for the root of the sources. */
const BASE = '%SRCROOT%';

/** Names a file: below the folder of the command by a relative URI, elsewhere by one with the scheme `file`. */
function artifactOf(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  const isDrive = /^[a-z]:\//i.test(path);
  const segments = path.toWellFormed().split('/');
  const uri = segments.map((name, at) => (isDrive && at === 0 ? name : encodeURIComponent(name))).join('/');
  if (isDrive) return { uri: `file:///${uri}` };
  if (uri.startsWith('//')) return { uri: `file:${uri}` };
  return uri.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: BASE };
}

/** Formats problems as a code quality report, which GitLab shows in merge requests. */
export function toGitlab(problems: readonly ReportedProblem[]): string {
  const seen = new Map<string, number>();
  const report = problems.map(({ path, line, code, severity, message }) => {
    // Lines move with every change, so the fingerprint of a finding does not include them; equal findings are numbered.
    const name = `${path} ${code} ${message}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return {
      description: message,
      check_name: code,
      fingerprint: `${name} ${count}`,
      severity: GITLAB_SEVERITIES[severity],
      location: { path, lines: { begin: line } },
    };
  });
  return JSON.stringify(report, undefined, 2);
}

const GITLAB_SEVERITIES = {
  error: 'critical',
  warning: 'minor',
  information: 'info',
  hint: 'info',
} as const satisfies Record<ReportedProblem['severity'], string>;

/** Formats problems as workflow commands, which GitHub shows at the lines of a pull request, with a last line for the log. */
export function toGithub(problems: readonly ReportedProblem[], summary: string): string {
  const lines = problems.map(({ path, line, column, endLine, endColumn, severity, code, message }) => {
    // GitHub accepts a range of columns only within one line.
    const columns = line === endLine ? `,col=${column},endColumn=${Math.max(column, endColumn)}` : '';
    const position = `file=${property(path)},line=${line},endLine=${endLine}${columns}`;
    return `::${commandOf(severity)} ${position},title=${property(code)}::${data(message)}`;
  });
  // Any line that starts with two colons is a command, regardless of its origin.
  return [...lines, data(summary)].join('\n');
}

function ruleOf(id: string): object {
  const info = Object.hasOwn(codes, id) ? codes[id as Code] : undefined;
  return info ? { id, shortDescription: { text: info.title } } : { id };
}

function levelOf(severity: ReportedProblem['severity']): 'error' | 'warning' | 'note' {
  switch (severity) {
    case 'error':
    case 'warning':
      return severity;
    case 'information':
    case 'hint':
      return 'note';
    default:
      return unreachable(severity);
  }
}

function commandOf(severity: ReportedProblem['severity']): 'error' | 'warning' | 'notice' {
  const level = levelOf(severity);
  return level === 'note' ? 'notice' : level;
}

/**
 * Escapes the text of a workflow command: a line break would end it, and the model's author could write a command on the next
 * line.
 */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

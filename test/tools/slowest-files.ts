import { relative } from 'node:path';

/** The duration of one test file. */
export interface FileTime {
  /** Relative to the repository's root, separated by `/`. */
  readonly path: string;
  readonly seconds: number;
}

/** Returns a line for each of the slowest files, slowest first, with their share of the total; nothing if no tests ran. */
export function slowestFiles(files: readonly FileTime[], count = 10): readonly string[] {
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0);
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
  if (slowest.length === 0) return [];
  const width = slowest[0]?.seconds.toFixed(1).length ?? 0;
  const lines = slowest.map(({ path, seconds }) => {
    const share = all === 0 ? 0 : Math.round((100 * seconds) / all);
    return `${seconds.toFixed(1).padStart(width)} s ${String(share).padStart(3)} % ${path}`;
  });
  return [`Slowest of ${files.length} test files, which took ${all.toFixed(1)} s together:`, ...lines];
}

/** The fields of a file in vitest's JSON report that are read; times in milliseconds. */
export interface ReportedFile {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  /** Why it did not load. */
  readonly message?: string;
  readonly assertionResults?: readonly ReportedTest[];
}

interface ReportedTest {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages?: readonly string[] | null;
  readonly tags?: readonly string[];
}

/** The tag of tests that need what not every machine has, such as the right to mount a disk. They check that themselves. */
export const machineTag = 'machine';

const isLeftOut = ({ status, tags }: ReportedTest): boolean =>
  status === 'skipped' && tags?.includes(machineTag) === true;

/**
 * Returns each test that did not pass, with its file and the first line of its error; a file that did not load is one entry. Tests
 * that this machine cannot run are not among them.
 */
export function failedTests(files: readonly ReportedFile[], root: string): readonly string[] {
  return files.flatMap(({ name, message, assertionResults = [] }) => {
    const path = relative(root, name).replaceAll('\\', '/');
    if (assertionResults.length === 0 && message) return [line(path, message)];
    return assertionResults
      .filter((test) => test.status !== 'passed' && !isLeftOut(test))
      .map((test) => line(`${path}: ${test.fullName}`, test.failureMessages?.[0] ?? test.status));
  });
}

/** Returns the tests that this machine cannot run, with their files. */
export function leftOutTests(files: readonly ReportedFile[], root: string): readonly string[] {
  return files.flatMap(({ name, assertionResults = [] }) => {
    const path = relative(root, name).replaceAll('\\', '/');
    return assertionResults.filter(isLeftOut).map(({ fullName }) => `${path}: ${fullName}`);
  });
}

const line = (what: string, said: string): string => `${what}: ${said.split('\n', 1)[0] ?? ''}`;

/** Returns the durations in vitest's report; that of a file that did not load is zero. */
export function fileTimes(files: readonly ReportedFile[], root: string): readonly FileTime[] {
  return files.map(({ name, startTime, endTime }) => ({
    path: relative(root, name).replaceAll('\\', '/'),
    seconds: Math.max(0, endTime - startTime) / 1000,
  }));
}

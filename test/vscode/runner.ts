// A runner small enough to be bundled with the suites: what prints here is read by test/tools/suites.ts.
import { longestWait } from '../tools/limits.ts';

type Body = () => void | Promise<void>;

interface Test {
  readonly name: string;
  readonly body: Body;
}

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

const tests: Test[] = [];
let group = '';

/** Names the tests inside `define`. */
export function describe(name: string, define: () => void): void {
  const outer = group;
  group = group === '' ? name : `${group} › ${name}`;
  define();
  group = outer;
}

export function it(name: string, body: Body): void {
  tests.push({ name: `${group} › ${name}`, body });
}

/**
 * Runs every test in order; prints a line per test in TAP (`ok 1 - name`) and the plan `1..N` at the end. `shown`: what the
 * window shows, for a test that waited for something else.
 */
export async function runTests(
  print: (line: string) => void,
  list: readonly Test[] = tests,
  limit = longestWait,
  shown = (): string => '',
): Promise<Outcome> {
  let failed = 0;
  for (const [index, test] of list.entries()) {
    const started = Date.now();
    const error = await failure(test.body, limit, shown);
    const line = `${index + 1} - ${test.name} (${Date.now() - started} ms)`;
    if (error === undefined) {
      print(`ok ${line}`);
    } else {
      failed += 1;
      print(`not ok ${line}`);
      for (const text of error.split('\n')) print(`# ${text}`);
    }
  }
  print(`1..${list.length}`);
  return { passed: list.length - failed, failed };
}

async function failure(body: Body, limit: number, shown: () => string): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result after ${limit} ms\n${shown()}`)), limit);
  });
  try {
    await Promise.race([Promise.resolve().then(body), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(timer);
  }
}

// A runner small enough to be bundled with the suites: what prints here is read by test/tools/suites.ts.
import { longestWait } from '../tools/limits.ts';

type Body = () => void | Promise<void>;

/** What several tests play on, whichever of them comes first. */
export interface Fixture {
  /** Called before each test that uses it: does nothing where it is open. */
  open(): Promise<void>;
  /** Called when the next test does not use it; does nothing where it is closed. */
  close(): Promise<void>;
}

interface Test {
  readonly name: string;
  readonly body: Body;
  readonly uses?: Fixture | undefined;
}

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

const tests: Test[] = [];
let group = '';
let used: Fixture | undefined;

/** Names the tests inside `define`; they find `uses` open. */
export function describe(name: string, define: () => void, uses?: Fixture): void {
  const [outer, outerUse] = [group, used];
  group = group === '' ? name : `${group} › ${name}`;
  used = uses ?? used;
  define();
  group = outer;
  used = outerUse;
}

export function it(name: string, body: Body): void {
  tests.push({ name: `${group} › ${name}`, body, uses: used });
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
    const error = await failure(async () => play(test, list[index + 1]), limit, shown);
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

/** One test, with what it uses; that is closed where the next one uses something else, whatever became of this one. */
async function play({ body, uses }: Test, next: Test | undefined): Promise<void> {
  try {
    await uses?.open();
    await body();
  } finally {
    if (uses !== next?.uses) await uses?.close();
  }
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

import type { QueryOrSql, JsonMap } from './query-file.ts';
import type { TestAnswer, TestPorts } from './query-test.ts';

/** Returns a version of `run` that runs a query once per identity, however many tests judge its answer. */
export function sharedAnswers(run: TestPorts['run']): TestPorts['run'] {
  const answers = new Map<string, Promise<TestAnswer>>();
  return (query: QueryOrSql, identity: JsonMap | undefined) => {
    const key = JSON.stringify([query, identity]);
    const known = answers.get(key);
    if (known) return known;
    const answer = run(query, identity);
    answers.set(key, answer);
    return answer;
  };
}

import { stringify } from 'yaml';
import { baseName } from '#base/path.ts';
import { findExactPair } from '../syntax/tree.ts';
import { parseYaml } from '../syntax/parse.ts';
import { parseQueryFile } from './query-file.ts';

/** Evaluation questions as a file for the platform, and the saved questions that could not be converted. */
export interface EvaluationQuestions {
  readonly text: string;
  readonly count: number;
  /** Paths of saved questions without SQL, which is the only right answer that the platform accepts. */
  readonly withoutSql: readonly string[];
}

const comment =
  '# Written by Modelbench from the questions that are saved in query files. Change those, and export them again.\n';

/**
 * Converts saved questions to the format in which the platform evaluates agents (docs/query-files.md#evaluation-questions).
 * `taken`: names that other files of evaluation questions already use.
 */
export function evaluationQuestions(
  files: ReadonlyMap<string, string>,
  taken: ReadonlySet<string>,
): EvaluationQuestions {
  const names = new Set(taken);
  const withoutSql: string[] = [];
  const questions = [...files]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, content]) => {
      const { question, queryOrSql } = parseQueryFile(content);
      if (question === undefined) return [];
      if (typeof queryOrSql !== 'string') {
        withoutSql.push(path);
        return [];
      }
      return [{ name: uniqueName(path, names), question, sql: queryOrSql }];
    });
  // The platform may follow the older YAML, in which a text such as `yes` or `2026-11-29` is none without quotes.
  const text =
    comment + stringify({ eval_questions: questions }, { lineWidth: 0, blockQuote: 'literal', compat: 'yaml-1.1' });
  return { text, count: questions.length, withoutSql };
}

/** Returns the names of the questions in a file for the platform; none if it cannot be read. */
export function namesOfQuestions(text: string): readonly string[] {
  const { node } = parseYaml(text);
  const list = node?.kind === 'map' ? findExactPair(node, 'eval_questions')?.value : undefined;
  if (list?.kind !== 'seq') return [];
  return list.items.flatMap((item) => {
    const name = item?.kind === 'map' ? findExactPair(item, 'name')?.value : undefined;
    return name?.kind === 'scalar' ? [name.value] : [];
  });
}

/** Returns a unique name: `how-many-orders.query.yml` gives `how_many_orders`. */
function uniqueName(path: string, names: Set<string>): string {
  const plain = baseName(path)
    .replace(/\.query\.ya?ml$/, '')
    .replaceAll(/\W+/g, '_');
  let name = plain;
  for (let at = 2; names.has(name); at += 1) name = `${plain}_${at}`;
  names.add(name);
  return name;
}

import { checkName, nameProblemText } from '#base/file-names.ts';
import { err, ok, type Result } from '#base/result.ts';

/**
 * Normalizes a `modelPath`, relative to the linked folder and with `/` as separator; empty for the linked folder itself (`.`,
 * `./` or nothing). The error is one sentence for the user that contains the value. A path that leads out of the linked folder,
 * or whose files would never be synchronised (docs/sync.md), is refused rather than reinterpreted.
 */
export function readModelPath(given: string): Result<string, string> {
  const path = given.replaceAll('\\', '/');
  const refused = (reason: string): Result<string, string> => err(`"modelPath" is ${JSON.stringify(given)}, ${reason}`);
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) {
    return refused('an absolute path. Give a folder inside the linked one, such as "model".');
  }
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  if (steps.includes('..')) return refused('which may lead out of the linked folder. Leave out the step "..".');
  const folder = steps.join('/');
  const problem = folder === '' ? undefined : checkName(folder);
  return problem === undefined ? ok(folder) : refused(`a name that ${nameProblemText(problem)}.`);
}

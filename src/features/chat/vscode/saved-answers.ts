import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { baseName, dirName, joinPath } from '#base/path.ts';
import { text } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import type { QueryResult } from '#chat-core/tool-result.ts';
import {
  type AnswerSide,
  answersReport,
  answersSummary,
  compareAnswers,
  savedQuestions,
} from '#features/chat/compare-answers.ts';
import { queryGlob, runAsked } from '#features/data/index.ts';
import type { Impact } from '#features/review/index.ts';
import { MODEL_FOLDERS } from '#model/model-folders.ts';
import { evaluationQuestions, namesOfQuestions } from '#model/query-files/evaluation-questions.ts';
import { answerFileName, answerFileText } from '#model/query-files/write-answer.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { ChatModelDeps, ChatPlatformDeps, ChatStoreDeps } from './deps.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';

interface AnswerDeps
  extends Pick<ChatModelDeps, 'modelFolder'>, Pick<ChatPlatformDeps, 'environmentOf'>, Pick<ChatStoreDeps, 'queries'> {}

const EXPORTED = 'agents/eval_questions/saved_answers.yml';

/** Answers that are saved as query files of the project (docs/query-files.md#saved-answers). */
export class SavedAnswers {
  readonly #deps: AnswerDeps;

  constructor(deps: AnswerDeps) {
    this.#deps = deps;
  }

  /** Writes an answer into a new query file and opens it. */
  async save(question: string, result: QueryResult): Promise<void> {
    const queries = await this.#queries();
    const day = new Date().toISOString().slice(0, 10);
    const content = answerFileText({ ...result, question: question.trim(), day });
    const uri = await unusedUri(queries, answerFileName(question));
    await write(uri, content);
  }

  /** Writes the saved questions as evaluation questions for the platform and opens the file. */
  async exportQuestions(): Promise<void> {
    const { uri: folder } = this.#folder();
    const target = vscode.Uri.joinPath(folder, EXPORTED);
    const taken = await takenNames(folder, target);
    const { text: content, count, withoutSql } = evaluationQuestions(await queryFiles(), taken);
    if (count === 0)
      throw new Hint('There are no saved questions with SQL. Save an answer of the chat as a test first.');
    await write(target, content);
    const left = withoutSql.length === 0 ? '' : ` Without SQL and left out: ${withoutSql.slice(0, 5).join(', ')}.`;
    void vscode.window.showInformationMessage(text`Exported ${plural(count, 'question')}.${left}`);
  }

  /** Resolves to the number of questions that are saved in this window. */
  async count(): Promise<number> {
    return savedQuestions(await queryFiles()).length;
  }

  /** Compares the saved answers of a merge's target with those of its source, to show what the merge changes. */
  async compare(from: BranchTarget, to: BranchTarget): Promise<Impact> {
    const sides = [await this.#side(to), await this.#side(from)] as const;
    const compared = await compareAnswers(savedQuestions(await queryFiles()), sides);
    const report = answersReport(compared, [sides[0].name, sides[1].name]);
    return {
      summary: answersSummary(compared),
      lines: compared.flatMap(({ question, state, text: what }) =>
        state === 'same' ? [] : [{ severity: 'warning' as const, text: `${question.question} ${what}` }],
      ),
      show: async () => {
        const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: report });
        await vscode.window.showTextDocument(document, { preview: true });
      },
    };
  }

  async #side(branch: BranchTarget): Promise<AnswerSide> {
    const environment = await this.#deps.environmentOf(branch);
    if (!environment.ok) throw new UserError(environment.error);
    const queries = await this.#deps.queries();
    const { accountId, deploymentId, branchName } = branch;
    const target = { kind: 'environment', accountId, deploymentId, environmentId: environment.value } as const;
    return { name: branchName, run: async (asked) => runAsked(queries, target, asked) };
  }

  /** Resolves to the folder for query files. It is never in the model, where the platform would read them as model files. */
  async #queries(): Promise<vscode.Uri> {
    const { uri: folder, modelPath } = this.#folder();
    const isProject = modelPath !== '' || (await hasModelFolder(folder));
    if (isProject) return vscode.Uri.joinPath(folder, joinPath(dirName(modelPath), 'queries'));
    const reason = `“${baseName(folder.path)}” is the folder of the model, and the platform would read a query in it as a part of the model.`;
    throw new UserError(`${reason} Open the folder above it, or move the model into a folder “model”.`);
  }

  #folder(): { readonly uri: vscode.Uri; readonly modelPath: string } {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    const folder = this.#deps.modelFolder() ?? (first && { uri: first.uri, modelPath: modelPathIn(first.uri) });
    if (!folder) throw new Hint('Open the folder of the model first: saved answers are files of the project.');
    return folder;
  }
}

/** Guesses the model path in a folder that is not linked: the folder may be the model itself. */
function modelPathIn({ path }: vscode.Uri): string {
  return MODEL_FOLDERS.some((name) => name === baseName(path)) ? '' : 'model';
}

async function hasModelFolder(folder: vscode.Uri): Promise<boolean> {
  const found = await Promise.all(MODEL_FOLDERS.map(async (name) => exists(vscode.Uri.joinPath(folder, name))));
  return found.includes(true);
}

async function write(uri: vscode.Uri, content: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(content));
  await vscode.window.showTextDocument(uri, { preview: false });
}

/** Resolves to the texts of all query files of the window, by path. */
async function queryFiles(): Promise<ReadonlyMap<string, string>> {
  const found = await vscode.workspace.findFiles(queryGlob, '**/node_modules/**');
  const read = found.map(async (uri) => [vscode.workspace.asRelativePath(uri), await textIn(uri)] as const);
  return new Map(await Promise.all(read));
}

/** Resolves to an unused file name, so that each of several answers to one question gets its own file. */
async function unusedUri(folder: vscode.Uri, name: string): Promise<vscode.Uri> {
  for (let at = 1; ; at += 1) {
    const uri = vscode.Uri.joinPath(folder, at === 1 ? name : name.replace(/\.query\.yml$/, `-${at}$&`));
    if (!(await exists(uri))) return uri;
  }
}

/** Resolves to the names of evaluation questions in other files. */
async function takenNames(folder: vscode.Uri, target: vscode.Uri): Promise<ReadonlySet<string>> {
  const pattern = new vscode.RelativePattern(folder, 'agents/{eval_questions.yml,eval_questions/**/*.yml}');
  const others = (await vscode.workspace.findFiles(pattern)).filter((uri) => uri.toString() !== target.toString());
  const names = await Promise.all(others.map(async (uri) => namesOfQuestions(await textIn(uri))));
  return new Set(names.flat());
}

async function textIn(uri: vscode.Uri): Promise<string> {
  return decodedText(await vscode.workspace.fs.readFile(uri));
}

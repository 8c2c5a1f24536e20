import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
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
import { runAsked } from '#features/data/index.ts';
import { findQueryFiles, modelFolderOf, openQuerySaving, writeAndShow } from '#features/data/vscode/index.ts';
import type { Impact } from '#features/review/index.ts';
import { evaluationQuestions, namesOfQuestions } from '#model/query-files/evaluation-questions.ts';
import { queryFileName } from '#model/query-files/query-file-name.ts';
import { answerFileText } from '#model/query-files/write-answer.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import type { ChatModelDeps, ChatPlatformDeps, ChatStoreDeps, ChatWindowDeps } from './deps.ts';

interface AnswerDeps
  extends
    Pick<ChatModelDeps, 'modelFolder'>,
    Pick<ChatPlatformDeps, 'environmentOf'>,
    Pick<ChatStoreDeps, 'queries'>,
    Pick<ChatWindowDeps, 'isTrusted'> {}

const EXPORTED = 'agents/eval_questions/saved_answers.yml';

/** Answers that are saved as query files of the project (docs/query-files.md#saved-answers). */
export class SavedAnswers {
  readonly #deps: AnswerDeps;

  constructor(deps: AnswerDeps) {
    this.#deps = deps;
  }

  /** Writes an answer into a new query file and opens it. */
  async save(question: string, result: QueryResult): Promise<void> {
    const saving = await openQuerySaving(this.#deps, this.#deps.modelFolder());
    const day = new Date().toISOString().slice(0, 10);
    const content = answerFileText({ ...result, question: question.trim(), day });
    await saving.saveFile(queryFileName(question, 'answer'), content);
  }

  /** Writes the saved questions as evaluation questions for the platform and opens the file. */
  async exportQuestions(): Promise<void> {
    const { uri: folder } = modelFolderOf(this.#deps.modelFolder());
    const target = vscode.Uri.joinPath(folder, EXPORTED);
    const taken = await takenNames(folder, target);
    const { text: content, count, withoutSql } = evaluationQuestions(await queryFiles(), taken);
    if (count === 0)
      throw new Hint('There are no saved questions with SQL. Save an answer of the chat as a test first.');
    await writeAndShow(folder, EXPORTED, content);
    const left =
      withoutSql.length === 0 ? '' : ` Left out because they have no SQL: ${withoutSql.slice(0, 5).join(', ')}.`;
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
    if (!environment.ok) throw new Hint(environment.error);
    const queries = await this.#deps.queries();
    const { accountId, deploymentId, branchName } = branch;
    const target = { kind: 'environment', accountId, deploymentId, environmentId: environment.value } as const;
    return { name: branchName, run: async (asked) => runAsked(queries, target, asked) };
  }
}

/** Resolves to the texts of all query files of the window, by path. */
async function queryFiles(): Promise<ReadonlyMap<string, string>> {
  const found = await findQueryFiles();
  const read = found.map(async (uri) => [vscode.workspace.asRelativePath(uri), await textIn(uri)] as const);
  return new Map(await Promise.all(read));
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

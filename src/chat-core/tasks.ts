import type { Attachment } from './attachments.ts';

/** The tasks that the user can start with a command at the beginning of a question. */
export const TASK_NAMES = ['explain', 'fix', 'measure', 'test', 'review'] as const;
export type TaskName = (typeof TASK_NAMES)[number];

/** Returns the task that a question begins with. */
export function taskOf(question: string): TaskName | undefined {
  const word = /^\s*\/([a-z]+)(?:\s|$)/.exec(question)?.[1];
  return TASK_NAMES.find((name) => name === word);
}

/** Returns the instructions for the task that a question begins with, as an attachment so that the user sees them. */
export function taskInstructions(question: string): Attachment | undefined {
  const name = taskOf(question);
  return name && { id: `task:${name}`, label: `/${name}`, detail: 'Modelbench', text: INSTRUCTIONS[name] };
}

const INSTRUCTIONS: Readonly<Record<TaskName, string>> = {
  explain: `Explain what the question names, or without a name what is attached: what it means for someone who reads a report, how it is
computed, which cubes and members it depends on, and what to watch out for (filters, joins that multiply rows, time zones).
Name each cube, view and member in backquotes. Change nothing.`,
  fix: `Find the cause of the attached problem or failed build, say it in one sentence, and propose the smallest change of the model that
resolves it. Give the whole changed file, or the cube or view that changes, in a fenced block with the file's path behind the
language. Rename and remove nothing that the problem is not about.`,
  measure: `Turn what is asked, or the attached SQL, into a measure of the cube that it belongs to: find the cube in the model, use its
existing members where they fit, and give the measure a name, a title, a description and a format. Give the cube with the
measure in a fenced block with the file's path behind the language, and a query that shows the same number.`,
  test: `Write tests for what is asked or attached, as a query file of the folder (*.query.yml) with the keys query and tests: an
expectation that holds whatever the data (unique, notNull, noFanOut, a range) before exact numbers. Give it in a fenced block with the
file's path behind the language, and say what each test would notice.`,
  review: `Review the attached changes of the model as a careful colleague: what they mean for people who use these members, what breaks
or changes its numbers, joins that multiply rows, names and descriptions. Begin with what must be changed, name file and line,
and say so if nothing needs to be changed. Change nothing yourself.`,
};

import { append } from '#base/long-lists.ts';
import { splitAttachments } from './attachments.ts';
import { harmlessMarkdown } from './harmless-markdown.ts';
import { markdown } from '#base/row-text.ts';
import { readableTime } from '#base/timestamps.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, finalAnswer, isFinal } from './thread.ts';
import { readTool } from './tool-result.ts';

const MOST_ROWS = 100;

/** Exports a thread as Markdown: questions, queries with their rows, answers. A preview of it loads nothing from elsewhere. */
export function exportMarkdown(thread: ChatThread): string {
  const sections = [`# ${thread.title || 'Thread'}`, ...thread.turns.flatMap(turnSections)];
  return harmlessMarkdown(sections.join('\n\n').concat('\n'));
}

function turnSections(turn: ChatTurn): string[] {
  const { question, names } = splitAttachments(turn.prompt);
  const about = [readableTime(turn.startedAt), turn.branch ? `branch \`${turn.branch.name}\`` : ''];
  const parts = [`## ${question.split('\n', 1)[0] ?? ''}`, `_${about.filter((part) => part !== '').join(' · ')}_`];
  if (question.includes('\n')) parts.push(quoted(question));
  if (names.length > 0) parts.push(`Attached: ${names.join(', ')}`);
  append(parts, turn.messages.toArray().flatMap(querySections));
  const answer = finalAnswer(turn);
  if (answer !== '') parts.push(withClosedFence(answer));
  if (turn.phase === 'stopped') parts.push('_Stopped._');
  if (turn.problem && !turn.messages.toArray().some((message) => isFinal(message)))
    parts.push(`_${turn.problem.message}_`);
  return parts;
}

function querySections({ toolCall }: ChatMessage): string[] {
  const reading = toolCall && readTool(toolCall);
  if (reading?.kind !== 'sql') return [];
  const { title, sql, columns, rows } = reading.result;
  const parts = sql === '' ? [] : [`${title === '' ? 'Query' : title}:`, fenced(sql, 'sql')];
  if (reading.error !== undefined) parts.push(`Error: ${reading.error}`);
  if (rows.length > 0) parts.push(markdown({ columns, rows: rows.slice(0, MOST_ROWS) }));
  return parts;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function fenced(text: string, language: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Closes a code block that the text leaves open, because what follows would belong to it. */
function withClosedFence(text: string): string {
  let open = '';
  for (const line of text.split(/\r\n?|\n/)) {
    const [, mark = '', info = ''] = /^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]*)?(`{3,}|~{3,})([\s\S]*)/.exec(line) ?? [];
    if (open === '') open = mark !== '' && !(mark.startsWith('`') && info.includes('`')) ? mark : '';
    else if (mark.startsWith(open) && info.trim() === '') open = '';
  }
  return open === '' ? text : `${text.replace(/\n$/, '')}\n${open}`;
}

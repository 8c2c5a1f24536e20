import type { TargetState } from '#chat-core/ports.ts';
import { plural } from '#base/words.ts';
import { splitAttachments } from '#chat-core/attachments.ts';
import { type ToolReading, readTool } from '#chat-core/tool-result.ts';
import { proposedPaths } from '#chat-core/proposed-files.ts';
import {
  type ChatMessage,
  type ChatThread,
  type ChatTurn,
  finalAnswer,
  isFinal,
  isRunning,
} from '#chat-core/thread.ts';
import { queryOfSql } from '#model/query-files/sql-query.ts';
import type {
  ViewHeader,
  ViewMessage,
  ViewQueued,
  ViewThread,
  ViewTool,
  ViewToolDetail,
  ViewTurn,
  ViewTurnHead,
} from '#features/chat/messages.ts';

/** The longest result of an unknown tool that is shown, in characters. */
const LONGEST_RESULT = 20_000;

const EXAMPLES = [
  'What can I ask about in this data model?',
  'Which measures are there, and what can I group them by?',
  'How did the most important metrics change from month to month?',
] as const;

/** Returns the agent that the user talks to, or what is missing, with the settings that affect the view. */
export function headerView(state: TargetState, settings: Pick<ViewHeader, 'sendWith' | 'fontSize'>): ViewHeader {
  const { sendWith, fontSize } = settings;
  if (state.kind === 'missing') {
    return { missing: { what: state.what, message: state.message }, examples: [], sendWith, fontSize };
  }
  const { label, agent, branch } = state.target;
  return { target: { label, agent, branch }, examples: [...EXAMPLES], sendWith, fontSize };
}

/** Returns the last `shown` turns of a thread as a view shows them. */
export function threadView(thread: ChatThread, shown: number, elsewhere: boolean): ViewThread {
  const turns = thread.turns.slice(-shown);
  return {
    key: thread.key,
    title: thread.title,
    elsewhere,
    turns: turns.map(turnView),
    earlier: thread.turns.length - turns.length,
    queued: queuedView(thread),
  };
}

/** Returns the waiting questions without the texts of their attachments. */
export function queuedView({ queued = [] }: Pick<ChatThread, 'queued'>): ViewQueued[] {
  return queued.map(({ id, prompt, isHeld }) => {
    const { question, names } = splitAttachments(prompt);
    return { id, text: question, attached: [...names], held: isHeld };
  });
}

function turnView(turn: ChatTurn): ViewTurn {
  return {
    head: headView(turn),
    messages: turn.messages.toArray().map((message) => messageView(message, isRunning(turn))),
  };
}

/** Returns a turn as shown, without its messages. */
export function headView(turn: ChatTurn): ViewTurnHead {
  const { id, branch, phase, note, problem, quiet, usage, startedAt, endedAt } = turn;
  const { question, names } = splitAttachments(turn.prompt);
  const asked = { id, prompt: question, attached: [...names], branch, proposes: proposes(turn) };
  return {
    ...asked,
    phase,
    note,
    problem,
    quiet: quiet ?? false,
    tokens: wholeCount(usage?.totalTokens),
    startedAt,
    endedAt,
  };
}

/** Returns a number that a server has counted; `undefined` if it is none, such as a negative one: a view would refuse it. */
function wholeCount(number: number | undefined): number | undefined {
  return number !== undefined && Number.isFinite(number) && number >= 0 ? Math.floor(number) : undefined;
}

/** Counts proposed files once the answer is complete: until then the kind of a block may still change. */
function proposes(turn: ChatTurn): number | undefined {
  return isRunning(turn) ? undefined : proposedPaths(finalAnswer(turn)).length || undefined;
}

/** Returns a message as shown. `running`: the turn still continues, so a tool call without a result is in progress. */
export function messageView(message: ChatMessage, running: boolean): ViewMessage {
  const { id, text, thinking, toolCall, isInProcess } = message;
  const tool = toolCall && toolView(toolCall.name, readTool(toolCall), toolCall.result !== undefined, running);
  return { id, text, thinking, tool, isFinal: isFinal(message), isInProcess: isInProcess && running };
}

function toolView(name: string, reading: ToolReading, isDone: boolean, running: boolean): ViewTool {
  const { error } = reading;
  return {
    name,
    state: stateOf(error, isDone, running),
    summary: summaryOf(name, reading, isDone),
    error,
    detail: detailOf(reading),
  };
}

function stateOf(error: string | undefined, isDone: boolean, running: boolean): ViewTool['state'] {
  if (error !== undefined) return 'failed';
  if (isDone) return 'done';
  return running ? 'running' : 'cut';
}

function detailOf(reading: ToolReading): ViewToolDetail {
  switch (reading.kind) {
    case 'meta':
      return {
        kind: 'meta',
        query: reading.query,
        cubes: reading.cubes.map((cube) => ({ ...cube, members: [...cube.members] })),
      };
    case 'sql': {
      const { title, description, sql, columns, rows, total, vegaSpec } = reading.result;
      const chart = vegaSpec !== undefined && rows.length > 0;
      const query = reading.error === undefined && queryOfSql(sql) !== undefined;
      return { kind: 'sql', title, description, sql, columns: [...columns], rows: rows.length, total, chart, query };
    }
    default:
      return { kind: 'other', input: clipped(reading.input), result: clipped(reading.result) };
  }
}

function summaryOf(name: string, reading: ToolReading, isDone: boolean): string {
  if (reading.error !== undefined) return `${label(name, reading)} failed`;
  switch (reading.kind) {
    case 'meta': {
      const query = reading.query === '' ? 'Search the data model' : `Search “${reading.query}”`;
      if (!isDone) return query;
      const members = reading.cubes.reduce((sum, cube) => sum + cube.members.length, 0);
      return `${query} · ${plural(reading.cubes.length, 'cube')}, ${plural(members, 'member')}`;
    }
    case 'sql': {
      const title = label(name, reading);
      return isDone ? `${title} · ${plural(reading.result.total, 'row')}` : title;
    }
    default:
      return label(name, reading);
  }
}

function label(name: string, reading: ToolReading): string {
  if (reading.kind === 'meta') return 'Data model search';
  return reading.kind === 'sql' ? reading.result.title || 'Query' : name;
}

function clipped(text: string): string {
  return text.length > LONGEST_RESULT ? `${text.slice(0, LONGEST_RESULT)}\n… (${text.length} characters in all)` : text;
}

import { setImmediate as nextTick } from 'node:timers/promises';
import { abortReason } from '#base/async.ts';
import type { PlatformDeps } from '../deps.ts';
import type { DataService, Target } from '../data/service.ts';
import type { ThreadMessage, Usage } from '../chat/messages.ts';
import type { TurnWriter } from '../chat/turn.ts';
import { writeAnswer, type Rows } from './answer-text.ts';
import type { Source } from './catalogue.ts';
import { describeModel, writeHelp } from './describe.ts';
import { continued } from './follow-up.ts';
import { askModel, type Fetch } from './model.ts';
import { isRelative } from './period.ts';
import { planQuestion, type Plan, type PlanOptions } from './plan.ts';
import { asksForView, proposeView } from './proposal.ts';
import { createSpeech, ToolError, type Speech } from './speech.ts';
import { planStory, tellStory } from './story.ts';
import { runPlan, searchMeta, type Model } from './tools.ts';
import { createValues, lastDayOf } from './values.ts';

interface AgentDeps extends Pick<PlatformDeps, 'clock' | 'options'> {
  readonly data: DataService;
  /** How a model behind `AGENT_URL` is reached; default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

interface AgentTurn {
  readonly question: string;
  readonly history: readonly ThreadMessage[];
  /** The branch that is asked, and what the caller may see of it. */
  readonly target: Target;
  readonly writer: TurnWriter;
}

export interface Agent {
  /** Answers one question; rejects with the signal's reason when the turn is aborted. */
  answer(turn: AgentTurn): Promise<Usage>;
}

/** Milliseconds between two words: slow enough to be read, and stopped, while it comes. */
const readingPace = 18;

/**
 * The local platform's agent. It follows rules, says so, and never makes up a number: words are looked up in the metadata
 * of the active branch, the query it plans is really run, and the answer is written from its rows. `AGENT_URL` lets a
 * real model write the text instead.
 */
export function createAgent(deps: AgentDeps): Agent {
  return {
    answer: async (turn) => {
      const { signal } = turn.writer;
      const pause = async (): Promise<void> => {
        if (signal.aborted) throw abortReason(signal);
        const pace = deps.options.chatDelayMs ?? readingPace;
        await (pace > 0 ? deps.clock.sleep(pace, signal) : nextTick());
        if (signal.aborted) throw abortReason(signal);
      };
      const speech = createSpeech(turn.writer, pause);
      try {
        await respond({ ...deps, turn, speech });
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        await speech.answer([`I could not answer that: ${error.message}\n`]);
      }
      return usageOf(turn.question, speech.said, deps.options.agentUrl !== undefined);
    },
  };
}

interface Scene extends AgentDeps {
  readonly turn: AgentTurn;
  readonly speech: Speech;
}

async function respond(scene: Scene): Promise<void> {
  const { speech, turn, data } = scene;
  const question = withoutAttachments(turn.question);
  await speech.think(
    'I follow rules, I am not a language model: I look for the words of the question in the data model.',
  );
  const model = await searchMeta(speech, data, turn.target, question);
  const { catalogue, session } = model;
  if (isGreeting(question)) return speech.answer([writeHelp(catalogue, 'Hello!')]);
  if (/\bstory\b/i.test(question)) return tellLongStory(scene, model);
  const proposal = asksForView(question) ? proposeView(question, catalogue) : undefined;
  if (proposal !== undefined) {
    await speech.think('A view is wanted: I write one from the members that the question names.');
    return speech.answer([proposal]);
  }
  if (asksForModel(question, catalogue)) {
    await speech.think('The question is about the data model itself, so the metadata answers it.');
    return speech.answer([describeModel(question, catalogue)]);
  }
  const plan = await makePlan(scene, model);
  if (!plan) return speech.answer([writeHelp(catalogue, 'I found none of your words in the data model.')]);
  await explain(speech, plan);
  const ask = { plan, title: titleOf(plan), question, signal: turn.writer.signal };
  const rows = await runPlan(speech, session, ask);
  await speech.answer(textOf(scene, plan, rows));
}

/** What the user wrote: the rules look for words, and a whole file that goes along has too many of them. */
function withoutAttachments(question: string): string {
  return question.replaceAll(/\n\n<attached [^>]*>\n[\s\S]*?\n<\/attached>/g, '');
}

async function makePlan(scene: Scene, { catalogue, session }: Model): Promise<Plan | undefined> {
  const { turn, speech } = scene;
  const { history } = turn;
  const question = withoutAttachments(turn.question);
  let today = scene.clock.now();
  if (isRelative(question)) {
    const last = await lastDayOf(session, catalogue, question);
    if (last !== undefined && last < today) {
      today = last;
      await speech.think(`The data ends on ${new Date(last).toISOString().slice(0, 10)}: I count from there.`);
    }
  }
  const options: PlanOptions = { today, valuesOf: createValues(session) };
  return continued(question, history, (text) => planQuestion(text, catalogue, options));
}

async function explain(speech: Speech, plan: Plan): Promise<void> {
  const names = (entries: Plan['measures']): string =>
    entries.map((entry) => `${entry.title} (${entry.cube}.${entry.name})`).join(', ');
  await speech.think(`Measure: ${names(plan.measures)}.`);
  if (plan.dimensions.length > 0) await speech.think(`Cut by: ${names(plan.dimensions)}.`);
  if (plan.time?.granularity) await speech.think(`Over time: ${plan.time.entry.title} by ${plan.time.granularity}.`);
  for (const { entry, values } of plan.filters)
    await speech.think(`Only where ${entry.title} is ${values.join(' or ')}.`);
  if (plan.label !== undefined) await speech.think(`Only ${plan.label}.`);
}

/** The rule-based text, or a model's where there is one; the rules step in when the model cannot be reached. */
async function* textOf({ options, turn, fetch }: Scene, plan: Plan, rows: Rows): AsyncGenerator<string> {
  const text = writeAnswer(plan, rows);
  if (options.agentUrl === undefined) {
    yield text;
    return;
  }
  try {
    yield* askModel(fetch ?? globalThis.fetch, {
      url: options.agentUrl,
      system: 'You are a data analyst. Answer in Markdown, from the rows given and nothing else.',
      user: `Question: ${turn.question}\n\nRows:\n${text}`,
      signal: turn.writer.signal,
    });
  } catch (error) {
    if (turn.writer.signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    yield `_The model could not be asked (${reason}); the rules answer._\n\n${text}`;
  }
}

async function tellLongStory({ speech, turn }: Scene, { catalogue, session }: Model): Promise<void> {
  const chapters = planStory(catalogue);
  if (chapters.length === 0) {
    return speech.answer(['There is no story to tell: the model has no measure that can be added up over time.\n']);
  }
  await speech.think(`I take ${String(chapters.length)} looks at the data and tell what I see.`);
  const told: ((typeof chapters)[number] & { readonly rows: Rows })[] = [];
  for (const chapter of chapters) {
    const ask = { plan: chapter.plan, title: chapter.title, question: turn.question, signal: turn.writer.signal };
    told.push({ ...chapter, rows: await runPlan(speech, session, ask) });
  }
  return speech.answer(tellStory(told));
}

function titleOf(plan: Plan): string {
  const cuts = [
    ...(plan.time?.granularity ? [plan.time.granularity] : []),
    ...plan.dimensions.map((entry) => entry.title.toLowerCase()),
  ];
  const measures = plan.measures.map((entry) => entry.title).join(' and ');
  return cuts.length === 0 ? measures : `${measures} by ${cuts.join(' and ')}`;
}

function isGreeting(question: string): boolean {
  return /^\W*(?:hi|hello|hey|help|good (?:morning|day|evening)|what can you do|who are you|thanks?|thank you)\b[^?]{0,40}\??\s*$/i.test(
    question,
  );
}

function asksForModel(question: string, catalogue: readonly Source[]): boolean {
  const described =
    /\b(?:describe|explain|what is in|what's in|tell me about)\s+(?:the\s+)?(\w+)\W*(?:cube|view)?\W*$/i.exec(
      question,
    )?.[1];
  if (catalogue.some((source) => source.name === described?.toLowerCase())) return true;
  if (/\b(?:data model|semantic layer|metadata)\b/i.test(question)) return true;
  const things = /\b(?:cubes?|views?|measures?|dimensions?|members?|metrics?|tables?)\b/i.test(question);
  return things && /\b(?:what|which|list|show|describe|explain|how many|are there|available)\b/i.test(question);
}

/** There is no model to count tokens for: four characters make one, as a rule of thumb. */
function usageOf(question: string, said: number, model: boolean): Usage {
  const inputTokens = Math.ceil(question.length / 4);
  const outputTokens = Math.ceil(said / 4);
  return {
    models: [model ? 'AGENT_URL' : 'rules'],
    llmCalls: model ? 1 : 0,
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
  };
}

import { readableTime } from '#base/timestamps.ts';
import { Fragment } from 'preact';
import { memo } from 'preact/compat';
import { useContext } from 'preact/hooks';
import {
  isRunningPhase,
  type TurnPhase,
  type ViewMessage,
  type ViewTurn,
  type ViewTurnHead,
} from '#features/chat/messages.ts';
import { followUps } from '../follow-ups.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { visible } from '#shared/page/visible.ts';
import { useActions } from './actions.ts';
import { isoOf, shortTime } from './dates.ts';
import { Icon, IconButton } from './icons.tsx';
import { ModelContext } from './model-context.ts';
import { Proposals } from './proposals.tsx';
import { ResultCard } from './result-card.tsx';
import { Steps } from './steps.tsx';
import { TurnState } from './turn-state.tsx';

interface TurnProps {
  readonly turn: ViewTurn;
  /** Whether the answer is drawn; otherwise only the question is. */
  readonly isDrawn: boolean;
  readonly isLast: boolean;
  readonly stopping: boolean;
}

/** A question with its steps, its answer and its outcome. */
export const Turn = memo(
  ({ turn, isDrawn, isLast, stopping }: TurnProps) => {
    const { head } = turn;
    const phase = stopping ? 'stopping' : head.phase;
    return (
      <article
        class={isRunningPhase(phase) ? 'turn turn-running' : 'turn'}
        aria-label={`Question: ${visible(head.prompt.slice(0, 120))}`}
        aria-busy={!isDrawn || undefined}
      >
        <Prompt head={head} />
        {isDrawn && <Answer turn={turn} phase={phase} isLast={isLast} />}
      </article>
    );
  },
  (before, now) =>
    before.turn === now.turn &&
    before.isDrawn === now.isDrawn &&
    before.isLast === now.isLast &&
    before.stopping === now.stopping,
);

interface AnswerProps extends Pick<TurnProps, 'turn' | 'isLast'> {
  readonly phase: TurnPhase;
}

function Answer({ turn, phase, isLast }: AnswerProps) {
  const { head } = turn;
  const answer = finalMessages(turn);
  const steps = turn.messages.filter((message) => !answer.includes(message));
  const running = isRunningPhase(phase);
  const result = running ? undefined : lastResult(steps);
  return (
    <div class="answer">
      {steps.length > 0 && <Steps turn={head.id} steps={steps} running={running} answered={answer.length > 0} />}
      {answer.map((message) => (
        <Markdown key={message.id} text={message.text} complete={!message.isInProcess || !running} />
      ))}
      {result && <ResultCard turn={head.id} id={result.id} detail={result.detail} />}
      {!running && head.proposes !== undefined && <Proposals turn={head.id} />}
      <TurnState head={head} phase={phase} isLast={isLast} hasText={turn.messages.length > 0} />
      {!running && answer.length > 0 && <AnswerActions turn={turn} answer={answer} />}
      {isLast && <FollowUps turn={turn} />}
    </div>
  );
}

function Prompt({ head }: { readonly head: ViewTurnHead }) {
  const { compose, copy } = useActions();
  const { prompt, attached, branch } = head;
  return (
    <div class="prompt">
      <div class="prompt-text" dir="auto" role="heading" aria-level={2}>
        {visible(prompt)}
      </div>
      {attached.length > 0 && (
        <div class="hint">
          Attached: <Names names={attached} />
        </div>
      )}
      {branch && <OtherBranch name={branch.name} />}
      <time class="hint prompt-time" dateTime={isoOf(head.startedAt)} title={readableTime(head.startedAt)}>
        {shortTime(head.startedAt)}
      </time>
      <div class="prompt-actions">
        <IconButton icon="edit" label="Edit and Ask Again" onClick={() => compose(prompt)} />
        <IconButton icon="copy" label="Copy Question" onClick={() => copy(prompt)} />
      </div>
    </div>
  );
}

/** Each name has its own direction. */
function Names({ names }: { readonly names: readonly string[] }) {
  return names.map((name, at) => (
    <Fragment key={name}>
      {at > 0 && ', '}
      <bdi>{visible(name)}</bdi>
    </Fragment>
  ));
}

/** Names the branch on which the question ran, if the next one would run elsewhere. */
function OtherBranch({ name }: { readonly name: string }) {
  const active = useContext(ModelContext)?.header.value.target?.branch?.name;
  if (active === undefined || active === name) return null;
  return (
    <div class="hint">
      <Icon name="branch" /> Asked on <bdi>{visible(name)}</bdi>
    </div>
  );
}

function AnswerActions({ turn, answer }: { readonly turn: ViewTurn; readonly answer: readonly ViewMessage[] }) {
  const { copy, post } = useActions();
  const { head } = turn;
  const text = answer.map((message) => message.text).join('\n\n');
  return (
    <div class="answer-actions">
      <IconButton icon="copy" label="Copy Answer" onClick={() => copy(text)} />
      <IconButton icon="retry" label="Ask Again" onClick={() => post({ type: 'retry', turn: head.id })} />
      <span class="hint">{measures(turn)}</span>
    </div>
  );
}

/** Questions that continue the last answer; a click puts one into the composer, where the user can change it. */
function FollowUps({ turn }: { readonly turn: ViewTurn }) {
  const { compose } = useActions();
  const questions = followUps(turn);
  if (questions.length === 0) return null;
  return (
    <ul class="follow-ups" aria-label="Follow-up questions">
      {questions.map((question) => (
        <li key={question}>
          <button type="button" class="secondary" dir="auto" onClick={() => compose(question)}>
            {visible(question)}
          </button>
        </li>
      ))}
    </ul>
  );
}

function measures({ head }: ViewTurn): string {
  const seconds = head.endedAt === undefined ? 0 : Math.round((head.endedAt - head.startedAt) / 1000);
  const parts = [
    seconds > 0 ? `${seconds} s` : '',
    // A thread that was fetched again may have no token count.
    head.tokens === undefined || head.tokens === 0 ? '' : `${head.tokens.toLocaleString('en')} tokens`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Returns the consolidated answer; a turn that ended without one shows its last text instead. */
function finalMessages({ head, messages }: ViewTurn): readonly ViewMessage[] {
  const final = messages.filter(({ isFinal, text }) => isFinal && text !== '');
  if (final.length > 0 || isRunningPhase(head.phase)) return final.slice(-1);
  return messages.filter(({ text }) => text !== '').slice(-1);
}

function lastResult(steps: readonly ViewMessage[]) {
  for (const { id, tool } of steps.toReversed()) {
    if (tool?.state === 'done' && tool.detail.kind === 'sql' && tool.detail.rows > 0)
      return { id, detail: tool.detail };
  }
  return undefined;
}

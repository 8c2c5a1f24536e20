import { plural } from '#base/words.ts';
import type { ViewMessage } from '#features/chat/messages.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { stepText } from '../folded-text.ts';
import { visible } from '#shared/page/visible.ts';
import { Disclosure } from './disclosure.tsx';
import { ToolCard } from './tool-card.tsx';

/** The agent's steps before its answer: open while it works, folded once the answer comes. */
export function Steps(props: {
  readonly turn: string;
  readonly steps: readonly ViewMessage[];
  readonly running: boolean;
  readonly answered: boolean;
}) {
  const { turn, steps, running, answered } = props;
  return (
    <Disclosure
      class="steps"
      open={!answered}
      textInside={() => steps.map(stepText).join('\n')}
      summary={
        <span class="steps-summary" dir="auto">
          {stepsTitle(steps, running && !answered)}
        </span>
      }
    >
      {() => (
        <ol class="step-list">
          {steps.map((step) => (
            <li key={step.id}>
              <Step turn={turn} step={step} running={running} />
            </li>
          ))}
        </ol>
      )}
    </Disclosure>
  );
}

function Step({
  turn,
  step,
  running,
}: {
  readonly turn: string;
  readonly step: ViewMessage;
  readonly running: boolean;
}) {
  const thinks = running && step.isInProcess && step.text === '' && !step.tool;
  return (
    <>
      {step.thinking !== '' && (
        <Disclosure
          class="thinking"
          textInside={() => step.thinking}
          summary={<span class={thinks ? 'thinking-live' : undefined}>{thinks ? 'Thinking…' : 'Thought'}</span>}
        >
          {() => (
            <div class="thinking-text" dir="auto">
              {visible(step.thinking)}
            </div>
          )}
        </Disclosure>
      )}
      {step.text !== '' && <Markdown text={step.text} complete={!step.isInProcess || !running} />}
      {step.tool && <ToolCard turn={turn} id={step.id} tool={step.tool} />}
    </>
  );
}

function stepsTitle(steps: readonly ViewMessage[], live: boolean): string {
  const last = steps.at(-1);
  if (live && last?.tool?.state === 'running') return visible(last.tool.summary);
  if (live) return 'Working…';
  const tools = steps.filter(({ tool }) => tool).length;
  const failed = steps.filter(({ tool }) => tool?.state === 'failed').length;
  if (tools === 0) return 'Thought about it';
  // Visible without unfolding: the answer may rest on less than it seems.
  return failed === 0 ? plural(tools, 'step') : `${plural(tools, 'step')}, ${failed} failed`;
}

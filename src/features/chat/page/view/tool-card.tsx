import type { ViewCube, ViewTool } from '#features/chat/messages.ts';
import { toolText } from '../folded-text.ts';
import { visible } from '#shared/page/visible.ts';
import { useActions } from './actions.ts';
import { CodeBlock } from './code-block.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Disclosure } from './disclosure.tsx';
import { ResultActions } from './result-actions.tsx';
import { ResultTable } from './result-table.tsx';

/** A tool call as one line that unfolds into its input and result. */
export function ToolCard({ turn, id, tool }: { readonly turn: string; readonly id: string; readonly tool: ViewTool }) {
  return (
    <Disclosure
      class={`tool tool-${tool.state}`}
      textInside={() => toolText(tool)}
      summary={
        <>
          <Icon name={iconOf(tool)} />
          <span class="tool-summary" dir="auto">
            {visible(tool.summary)}
          </span>
          {tool.state === 'running' && <span class="spinner" aria-label="running" role="img" />}
          {tool.state === 'cut' && <span class="badge">not finished</span>}
        </>
      }
    >
      {() => (
        <div class="tool-body">
          {tool.error !== undefined && (
            <p class="problem">
              <Icon name="error" /> <bdi>{visible(tool.error)}</bdi>
            </p>
          )}
          <Detail turn={turn} id={id} tool={tool} />
        </div>
      )}
    </Disclosure>
  );
}

function Detail({ turn, id, tool }: { readonly turn: string; readonly id: string; readonly tool: ViewTool }) {
  const { detail } = tool;
  if (detail.kind === 'meta') return <Cubes cubes={detail.cubes} isDone={tool.state === 'done'} />;
  if (detail.kind === 'sql') {
    return (
      <>
        {detail.description !== '' && (
          <p class="hint" dir="auto">
            {visible(detail.description)}
          </p>
        )}
        {detail.sql !== '' && <CodeBlock code={detail.sql} language="sql" open={false} />}
        {detail.rows > 0 && <ResultTable turn={turn} id={id} detail={detail} />}
        <ResultActions turn={turn} id={id} detail={detail} />
      </>
    );
  }
  return (
    <>
      {detail.input !== '' && <CodeBlock code={detail.input} language="json" open={false} />}
      {detail.result !== '' && <CodeBlock code={detail.result} language="json" open={false} />}
    </>
  );
}

function Cubes({ cubes, isDone }: { readonly cubes: readonly ViewCube[]; readonly isDone: boolean }) {
  const { post } = useActions();
  if (cubes.length === 0) return isDone ? <p class="hint">Nothing was found.</p> : null;
  return (
    <ul class="cubes">
      {cubes.map((cube) => (
        <li key={cube.name}>
          <button type="button" class="link" onClick={() => post({ type: 'openMember', name: cube.name })}>
            <bdi>{visible(cube.title)}</bdi>
          </button>{' '}
          <span class="badge">{visible(cube.kind)}</span>
          <ul class="members">
            {cube.members.map((member) => (
              <li key={member.name} title={visible(member.description ?? member.name)}>
                <button type="button" class="link" onClick={() => post({ type: 'openMember', name: member.name })}>
                  <bdi>{visible(member.title)}</bdi>
                </button>{' '}
                <span class="hint">{visible(member.kind)}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function iconOf({ state, detail }: ViewTool): IconName {
  if (state === 'failed') return 'error';
  if (detail.kind === 'meta') return 'search';
  return detail.kind === 'sql' ? 'database' : 'tool';
}

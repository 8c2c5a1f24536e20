import { useContext } from 'preact/hooks';
import { CopyAs } from '#shared/page/grid/copy-as.tsx';
import { useActions } from './actions.ts';
import { Icon, type IconName } from './icons.tsx';
import { ModelContext } from './model-context.ts';
import type { ResultProps } from './result-table.tsx';

/** What one does with a query and its rows: rows are taken as the table shows them. */
export function ResultActions({ turn, id, detail }: ResultProps) {
  const { post, tool } = useActions();
  const model = useContext(ModelContext);
  const arrangement = () => model?.resultOf({ turn, id }, detail.rows).arrangement;
  return (
    <div class="actions">
      {detail.sql !== '' && (
        <>
          <Button icon="play" onClick={() => tool(turn, id, 'runSql')}>
            {detail.rows < detail.total ? 'Run for All Rows' : 'Run'}
          </Button>
          <Button icon="file" onClick={() => tool(turn, id, 'openSql')}>
            Open SQL
          </Button>
          <Button icon="chart" onClick={() => post({ type: 'makeMeasure', turn, id })}>
            Make This a Measure
          </Button>
        </>
      )}
      {detail.rows > 0 && (
        <>
          <Button icon="database" onClick={() => tool(turn, id, 'openRows', arrangement())}>
            Open in Editor
          </Button>
          <CopyAs disabled={false} onCopy={(format) => tool(turn, id, 'copyTable', { ...arrangement(), format })} />
          {detail.sql !== '' && (
            <Button icon="check" onClick={() => post({ type: 'saveAnswer', turn, id })}>
              Save as Test
            </Button>
          )}
          <Button icon="save" onClick={() => tool(turn, id, 'saveCsv', arrangement())}>
            Save as CSV…
          </Button>
          <Button icon="save" onClick={() => tool(turn, id, 'saveMarkdown', arrangement())}>
            Save as Markdown…
          </Button>
        </>
      )}
    </div>
  );
}

function Button(props: { readonly icon: IconName; readonly onClick: () => void; readonly children: string }) {
  return (
    <button type="button" class="secondary" onClick={props.onClick}>
      <Icon name={props.icon} /> {props.children}
    </button>
  );
}

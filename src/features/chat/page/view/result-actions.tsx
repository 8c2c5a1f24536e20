import { useContext } from 'preact/hooks';
import type { RowFormat } from '#base/row-text.ts';
import { useActions } from './actions.ts';
import { Icon, type IconName } from './icons.tsx';
import { Menu, type MenuItem } from './menu.tsx';
import { ModelContext } from './model-context.ts';
import type { ResultProps } from './result-table.tsx';

/**
 * The actions on a query and its rows: the common ones as buttons, the rest in a menu. They use the rows as the table shows them.
 */
export function ResultActions({ turn, id, detail }: ResultProps) {
  const { tool } = useActions();
  const more = useMore({ turn, id, detail });
  const copy = useCopy({ turn, id, detail });
  return (
    <div class="actions">
      {detail.sql !== '' && (
        <Button icon="play" onClick={() => tool(turn, id, 'runSql')}>
          {detail.rows < detail.total ? 'Run for All Rows' : 'Run'}
        </Button>
      )}
      {detail.rows > 0 && (
        <Button icon="copy" onClick={() => copy('tsv')}>
          Copy
        </Button>
      )}
      {more.length > 0 && <Menu label="More Actions" items={more} />}
    </div>
  );
}

function useMore({ turn, id, detail }: ResultProps): readonly MenuItem[] {
  const { post, tool } = useActions();
  const arrangement = useArrangement({ turn, id, detail });
  const copy = useCopy({ turn, id, detail });
  const hasSql = detail.sql !== '';
  const inPlayground: MenuItem = {
    icon: 'play',
    label: 'Open in Playground',
    onClick: () => tool(turn, id, 'openPlayground'),
  };
  const ofSql: readonly MenuItem[] = [
    { icon: 'file', label: 'Open SQL', onClick: () => tool(turn, id, 'openSql') },
    ...(detail.query ? [inPlayground] : []),
    { icon: 'chart', label: 'Make This a Measure', onClick: () => post({ type: 'makeMeasure', turn, id }) },
  ];
  const asTest: MenuItem = {
    icon: 'check',
    label: 'Save as Test',
    onClick: () => post({ type: 'saveAnswer', turn, id }),
  };
  const ofRows: readonly MenuItem[] = [
    ...(hasSql ? [asTest] : []),
    { icon: 'database', label: 'Open in Editor', onClick: () => tool(turn, id, 'openRows', arrangement()) },
    { icon: 'copy', label: 'Copy as Markdown', onClick: () => copy('markdown') },
    { icon: 'copy', label: 'Copy as CSV', onClick: () => copy('csv') },
    { icon: 'copy', label: 'Copy as JSON', onClick: () => copy('json') },
    { icon: 'save', label: 'Save as CSV…', onClick: () => tool(turn, id, 'saveCsv', arrangement()) },
    { icon: 'save', label: 'Save as Markdown…', onClick: () => tool(turn, id, 'saveMarkdown', arrangement()) },
  ];
  return [...(hasSql ? ofSql : []), ...(detail.rows > 0 ? ofRows : [])];
}

function useCopy({ turn, id, detail }: ResultProps): (format: RowFormat) => void {
  const { tool } = useActions();
  const arrangement = useArrangement({ turn, id, detail });
  return (format) => tool(turn, id, 'copyTable', { ...arrangement(), format });
}

/** Returns a function that reads the current order and filter of the table. */
function useArrangement({ turn, id, detail }: ResultProps) {
  const model = useContext(ModelContext);
  return () => model?.resultOf({ turn, id }, detail.rows).arrangement;
}

function Button(props: { readonly icon: IconName; readonly onClick: () => void; readonly children: string }) {
  return (
    <button type="button" class="secondary" onClick={props.onClick}>
      <Icon name={props.icon} /> {props.children}
    </button>
  );
}

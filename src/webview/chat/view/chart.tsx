import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { DrawnChart } from '../chart/draw.ts';
import { partKey } from '../model.ts';
import { useActions } from './actions.ts';
import { IconButton } from './icons.tsx';
import { ModelContext } from './model-context.ts';

/** A chart of a query's rows. Its code is loaded when the first one is shown. */
export function Chart({ turn, id, title }: { readonly turn: string; readonly id: string; readonly title: string }) {
  const model = useContext(ModelContext);
  const { post } = useActions();
  const data = model?.charts.value.get(partKey(turn, id));
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (!data) post({ type: 'chart', turn, id });
  }, [turn, id]);
  useEffect(() => {
    if (!data || !place.current) return undefined;
    const element = place.current;
    let left = false;
    const draw = async (): Promise<void> => {
      try {
        const { drawChart } = await import('../chart/draw.ts');
        if (left) return;
        drawn.current?.dispose();
        drawn.current = await drawChart(element, data.spec, data.rows);
        setProblem('');
      } catch {
        setProblem('The chart could not be drawn. The table has the same rows.');
      }
    };
    void draw();
    const theme = new MutationObserver(() => void draw());
    theme.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    return () => {
      left = true;
      theme.disconnect();
      drawn.current?.dispose();
    };
  }, [data]);
  const save = (format: 'png' | 'svg'): void => {
    void drawn.current?.[format]().then((image) =>
      post({ type: 'saveImage', format, data: image, name: title || 'chart' }),
    );
  };
  return (
    <div class="chart">
      <div ref={place} class="chart-place" role="img" aria-label={`Chart: ${title || 'query result'}`} />
      {problem !== '' && <p class="hint">{problem}</p>}
      {data && problem === '' && (
        <div class="chart-actions">
          <IconButton icon="save" label="Save chart as PNG…" onClick={() => save('png')} />
          <IconButton icon="file" label="Save chart as SVG…" onClick={() => save('svg')} />
        </div>
      )}
    </div>
  );
}

import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ChartSource } from '#shared/page/chart/messages.ts';
import { useDrawnChart } from '#shared/page/chart/use-drawn-chart.ts';
import { visible } from '#shared/page/visible.ts';
import { IconButton } from './icons.tsx';

/** In pixels. The minimum width of a large chart is in the style sheet; in a narrow view the dialog scrolls. */
const HEIGHT = 480;

interface LargeChartProps {
  readonly source: ChartSource;
  readonly title: string;
  readonly close: () => void;
}

/** Shows a chart over the whole view, with more space for its marks and names than beside the text. */
export function LargeChart({ source, title, close }: LargeChartProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const large = useMemo(() => ({ ...source, height: HEIGHT }), [source]);
  const { problem } = useDrawnChart(place, large, () => undefined);
  useEffect(() => dialog.current?.showModal(), []);
  // The dialog itself gives the focus back.
  const end = (): void => dialog.current?.close();
  // Escape closes the dialog, and does not stop an answer as well.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    end();
  };
  const name = visible(title) || 'Chart';
  return (
    <dialog ref={dialog} class="large-chart" aria-label={name} onKeyDown={onKeyDown} onClose={close}>
      <div class="large-chart-head">
        <strong dir="auto">{name}</strong>
        <IconButton icon="close" label="Close" onClick={end} />
      </div>
      {problem !== '' && (
        <p class="hint" dir="auto">
          The chart was not drawn: {visible(problem)}
        </p>
      )}
      <div class="large-chart-scroll" tabIndex={0} role="group" aria-label="Chart">
        <div ref={place} class="chart-place" role="img" aria-label={`Chart: ${visible(title) || 'query result'}`} />
      </div>
    </dialog>
  );
}

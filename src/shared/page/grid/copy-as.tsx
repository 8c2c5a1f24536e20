import { useState } from 'preact/hooks';
import type { RowFormat } from '#base/row-text.ts';

interface CopyProps {
  readonly disabled: boolean;
  readonly onCopy: (format: RowFormat) => void;
}

/** Copies the shown rows in a format that the user chooses. */
export function CopyAs({ disabled, onCopy }: CopyProps) {
  const [format, setFormat] = useState<RowFormat>('tsv');
  return (
    <span class="copy-as">
      <button type="button" class="secondary" disabled={disabled} onClick={() => onCopy(format)}>
        Copy
      </button>
      <select
        aria-label="Format to copy in"
        value={format}
        onChange={({ currentTarget: { value } }) => setFormat(formats.find(([each]) => each === value)?.[0] ?? 'tsv')}
      >
        {formats.map(([each, label]) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </select>
    </span>
  );
}

const formats: readonly (readonly [RowFormat, string])[] = [
  ['tsv', 'for a spreadsheet'],
  ['csv', 'as CSV'],
  ['markdown', 'as Markdown'],
  ['json', 'as JSON'],
];

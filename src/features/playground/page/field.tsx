import type { ComponentChildren } from 'preact';
import { visible } from '#shared/page/visible.ts';
import { Problems } from './problems.tsx';

interface FieldProps {
  readonly label: string;
  readonly problems: readonly string[];
  readonly children: ComponentChildren;
}

/** Shows a group of inputs with its name and problems. */
export function Field({ label, problems, children }: FieldProps) {
  return (
    <div class="field" role="group" aria-label={label}>
      <span class="field-label">{label}</span>
      <div class="field-inputs">{children}</div>
      <Problems messages={problems} />
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  /** Values and their labels. */
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}

/** Shows a choice of one value. A value that is no longer offered stays until another one is chosen. */
export function Choice<Value extends string>({ label, value, choices, onChange }: ChoiceProps<Value>) {
  const isOffered = choices.some(([each]) => each === value);
  const all = isOffered ? choices : [[value, value] as const, ...choices];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = all.find(([each]) => each === currentTarget.value);
        if (chosen) onChange(chosen[0]);
      }}
    >
      {all.map(([each, name]) => (
        <option key={each} value={each}>
          {visible(name)}
        </option>
      ))}
    </select>
  );
}

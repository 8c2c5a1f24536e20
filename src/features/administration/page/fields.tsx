import type { FieldControl, FormField } from '#features/administration/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { type FormModel, idOf, keyOf } from './model.ts';
import { Table } from './table.tsx';

interface FieldProps {
  readonly model: FormModel;
  readonly field: FormField;
}

/** Fields below one another, each with its label, help and problem. */
export function Fields({ model, fields }: { readonly model: FormModel; readonly fields: readonly FormField[] }) {
  return (
    <>
      {fields.map((field) => (
        <Labelled key={keyOf(field.path)} model={model} field={field} />
      ))}
    </>
  );
}

function Labelled({ model, field }: FieldProps) {
  const { control, label, path } = field;
  switch (control.is) {
    case 'table':
      return (
        <section class="field" aria-label={visible(label)}>
          <h2>{visible(label)}</h2>
          <Notes model={model} field={field} />
          <Table model={model} field={field} control={control} Control={Control} />
        </section>
      );
    case 'group':
      return (
        <fieldset class="field">
          <legend>{visible(label)}</legend>
          <Notes model={model} field={field} />
          <Fields model={model} fields={control.fields} />
        </fieldset>
      );
    case 'check':
      return (
        <div class="field">
          <div class="check">
            <Control model={model} field={field} />
            <label for={idOf(path)}>{visible(label)}</label>
          </div>
          <Notes model={model} field={field} />
        </div>
      );
    default:
      return (
        <div class="field">
          <label for={idOf(path)}>
            {visible(label)}
            {field.isRequired && <span class="required"> (required)</span>}
          </label>
          <Control model={model} field={field} />
          <Notes model={model} field={field} />
        </div>
      );
  }
}

/** The help and the problem of a field. */
function Notes({ model, field }: FieldProps) {
  const { path, help, problem, severity, control } = field;
  const shownHelp = control.is === 'lines' ? `${help} One value per line.`.trim() : help;
  return (
    <>
      {shownHelp !== '' && (
        <p class="hint" id={`${idOf(path)}-help`}>
          {visible(shownHelp)}
        </p>
      )}
      {model.showsProblem(field) && (
        <p class={severity === 'error' ? 'problem' : 'warning'} id={`${idOf(path)}-problem`}>
          {visible(problem)}
        </p>
      )}
    </>
  );
}

/** The control for the value of a field. `label`: its accessible name if no visible label is next to it. */
function Control({ model, field, label }: FieldProps & { readonly label?: string }) {
  const { path, control } = field;
  const common = commonProps(model, field, label);
  switch (control.is) {
    case 'check':
      return (
        <input
          {...common}
          type="checkbox"
          checked={control.isOn}
          onChange={({ currentTarget }) => model.choose(path, currentTarget.checked)}
        />
      );
    case 'choice':
      return <Choice model={model} field={field} control={control} common={common} />;
    case 'group':
    case 'table':
    case 'json':
      return (
        <div class="json" id={idOf(path)} tabIndex={-1}>
          {control.is === 'json' && <code>{visible(control.value)}</code>}
          <button type="button" class="link" onClick={() => model.post({ type: 'showJson' })}>
            Edit as JSON
          </button>
        </div>
      );
    default:
      return <TextControl model={model} field={field} control={control} common={common} />;
  }
}

/** Returns the attributes of every control: its name, problem, help and focus handlers. */
function commonProps(model: FormModel, field: FormField, label: string | undefined) {
  const { path } = field;
  const isWrong = model.showsProblem(field);
  return {
    id: idOf(path),
    'aria-label': label === undefined ? undefined : visible(label),
    'aria-invalid': isWrong,
    'aria-required': field.isRequired,
    'aria-describedby': describedBy(field, isWrong),
    onFocus: () => model.focus(path),
    onBlur: () => model.leave(path),
  };
}

interface OwnControl<Is extends FieldControl['is']> extends FieldProps {
  readonly control: Extract<FieldControl, { readonly is: Is }>;
  readonly common: ReturnType<typeof commonProps>;
}

/** A control for typed text. */
function TextControl({
  model,
  field: { path },
  control,
  common,
}: OwnControl<'text' | 'number' | 'longText' | 'lines' | 'secret'>) {
  const typed = {
    ...common,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      model.type(path, currentTarget.value),
  };
  if (control.is === 'secret') {
    return (
      <input
        {...typed}
        type="password"
        autocomplete="new-password"
        placeholder={control.isSet ? 'Hidden' : 'Not set'}
        value={model.typedSecret(path)}
      />
    );
  }
  const value = model.textOf(path, control);
  if (control.is === 'text' || control.is === 'number') {
    const inputMode = control.is === 'number' ? 'decimal' : 'text';
    return <input {...typed} type="text" inputMode={inputMode} spellcheck={false} value={value} />;
  }
  const rows = Math.min(8, Math.max(2, value.split('\n').length + 1));
  return <textarea {...typed} rows={rows} spellcheck={control.is === 'longText'} value={value} />;
}

function Choice({ model, field: { path }, control, common }: OwnControl<'choice'>) {
  return (
    <select
      {...common}
      value={String(control.chosen)}
      onChange={({ currentTarget }) => model.choose(path, Number(currentTarget.value))}
    >
      {control.chosen < 0 && (
        <option value="-1" disabled>
          Choose…
        </option>
      )}
      {control.choices.map((choice, at) => (
        <option key={at} value={String(at)}>
          {visible(choice)}
        </option>
      ))}
    </select>
  );
}

function describedBy({ path, help, control }: FormField, isWrong: boolean): string | undefined {
  const ids = [
    ...(help === '' && control.is !== 'lines' ? [] : [`${idOf(path)}-help`]),
    ...(isWrong ? [`${idOf(path)}-problem`] : []),
  ];
  return ids.length === 0 ? undefined : ids.join(' ');
}

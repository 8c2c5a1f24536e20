import { useRef } from 'preact/hooks';
import { visible } from '#shared/page/visible.ts';
import type { ChatModel } from '../model.ts';
import { useActions } from './actions.ts';
import { Icon, IconButton } from './icons.tsx';

/** What goes along with the next question: what was attached, and what the user has open where it is on. */
export function ContextChips({ model }: { readonly model: ChatModel }) {
  const attached = model.attachments.value;
  const context = model.context.value;
  if (attached.length + context.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Sent with the question">
      {attached.map(({ id, label, detail, size, sent }) => (
        <Chip
          key={id}
          model={model}
          label={label}
          detail={detail}
          note={sent < size ? `first ${sent.toLocaleString('en')} of ${size.toLocaleString('en')} characters` : ''}
          show={{ type: 'showAttachment', id }}
        />
      ))}
      {context.map((offer) => (
        <ContextChip key={offer.kind} model={model} offer={offer} />
      ))}
    </ul>
  );
}

/** The button that takes a chip away; that of a context switches it instead. */
const removing = '.icon-button:not([aria-pressed])';

/** Something that was attached; its name shows the text that is sent. */
function Chip(props: {
  readonly model: ChatModel;
  readonly label: string;
  readonly detail: string;
  readonly note: string;
  readonly show: { readonly type: 'showAttachment'; readonly id: string };
}) {
  const { model, label, detail, note, show } = props;
  const { post } = useActions();
  const chip = useRef<HTMLLIElement>(null);
  const remove = (): void => {
    post({ type: 'detach', id: show.id });
    // The button goes with its chip: the focus goes to that of another one, or to the question.
    const next = chip.current?.nextElementSibling?.querySelector<HTMLElement>(removing);
    const other = next ?? chip.current?.previousElementSibling?.querySelector<HTMLElement>(removing);
    if (other) other.focus();
    else model.asked.value = 'focus';
  };
  return (
    <li class="chip" ref={chip}>
      <button type="button" class="link" title={`Show what is sent: ${visible(detail)}`} onClick={() => post(show)}>
        {visible(label)}
      </button>
      {note !== '' && <span class="hint">{note}</span>}
      <IconButton icon="close" label={`Remove ${label}`} onClick={remove} />
    </li>
  );
}

/** Something that the user has open: switched on, it goes along, and its name shows the text that is sent. */
function ContextChip({
  model,
  offer,
}: {
  readonly model: ChatModel;
  readonly offer: ChatModel['context']['value'][number];
}) {
  const { post } = useActions();
  const { kind, label, detail } = offer;
  const isOn = model.contextOn.value.includes(kind);
  const name = visible(label);
  return (
    <li class={isOn ? 'chip' : 'chip chip-off'}>
      <button
        type="button"
        class="icon-button"
        aria-pressed={isOn}
        aria-label={`Include ${name}`}
        title={isOn ? `Sent with the question: ${visible(detail)}` : `Not sent. Add ${visible(detail)}`}
        onClick={() => model.switchContext(kind, !isOn)}
      >
        <Icon name={isOn ? 'check' : 'add'} />
      </button>
      {isOn ? (
        <button
          type="button"
          class="link"
          title={`Show what is sent: ${visible(detail)}`}
          onClick={() => post({ type: 'showContext', kind })}
        >
          {name}
        </button>
      ) : (
        <span title={visible(detail)}>{name}</span>
      )}
    </li>
  );
}

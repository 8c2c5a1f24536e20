import { useRef } from 'preact/hooks';
import { visible } from '#shared/page/visible.ts';
import type { ChatModel } from '../model.ts';
import { useActions } from './actions.ts';
import { Icon, IconButton } from './icons.tsx';

/** The context of the next question: the attachments, and the items that the user has open. */
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

/** Selects the button that removes a chip; that of a context chip is a switch. */
const removing = '.icon-button:not([aria-pressed])';

/** An attachment; its name shows the text that is sent. */
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
    // The button disappears with its chip, so the focus moves to that of another chip, or to the question.
    const next = chip.current?.nextElementSibling?.querySelector<HTMLElement>(removing);
    const other = next ?? chip.current?.previousElementSibling?.querySelector<HTMLElement>(removing);
    if (other) other.focus();
    else model.hostRequest.value = 'focus';
  };
  return (
    <li class="chip" ref={chip}>
      <button
        type="button"
        class="link"
        dir="auto"
        title={`Show what is sent: ${visible(detail)}`}
        onClick={() => post(show)}
      >
        {visible(label)}
      </button>
      {note !== '' && <span class="hint">{note}</span>}
      <IconButton icon="close" label={`Remove ${label}`} onClick={remove} />
    </li>
  );
}

/** An item that the user has open: when on, it is attached, and its name shows the text that is sent. */
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
          dir="auto"
          title={`Show what is sent: ${visible(detail)}`}
          onClick={() => post({ type: 'showContext', kind })}
        >
          {name}
        </button>
      ) : (
        <span dir="auto" title={visible(detail)}>
          {name}
        </span>
      )}
    </li>
  );
}

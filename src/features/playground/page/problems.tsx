import { visible } from '#shared/page/visible.ts';

/** Shows the problems at a field. */
export function Problems({ messages }: { readonly messages: readonly string[] }) {
  return messages.length === 0 ? null : (
    <ul class="problems">
      {messages.map((message) => (
        <li key={message}>{visible(message)}</li>
      ))}
    </ul>
  );
}

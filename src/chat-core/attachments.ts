/** Something that the user attaches to a question: the agent receives it as text after the question. */
export interface Attachment {
  readonly id: string;
  /** Such as a file name, or `orders.count`. */
  readonly label: string;
  /** The source of the attachment. */
  readonly detail: string;
  readonly text: string;
}

/** The maximum text length of an attachment, in characters. */
const LONGEST_ATTACHMENT = 60_000;

/** Returns how many characters of an attachment are sent. */
export function sentLength({ text }: Pick<Attachment, 'text'>): number {
  if (text.length <= LONGEST_ATTACHMENT) return text.length;
  // A character of two units is sent whole or not at all.
  return text.slice(0, LONGEST_ATTACHMENT).isWellFormed() ? LONGEST_ATTACHMENT : LONGEST_ATTACHMENT - 1;
}

/** Builds the prompt: the question, followed by each attachment in its own tags. */
export function withAttachments(question: string, attachments: readonly Attachment[]): string {
  const parts = attachments.map((attachment) => {
    const { label, detail } = attachment;
    const shown = sentText(attachment);
    return `<attached name="${attribute(label)}" from="${attribute(detail)}">\n${shown.replaceAll('</attached>', '< /attached>')}\n</attached>`;
  });
  return [question, ...parts].join('\n\n');
}

/** Returns the text of an attachment that is sent, with a remark for the agent if it is truncated. */
export function sentText({ text }: Pick<Attachment, 'text'>): string {
  const sent = sentLength({ text });
  if (sent === text.length) return text;
  return `${text.slice(0, sent)}\n… (only the first ${sent} of ${text.length} characters are attached)`;
}

/** A sent prompt, split into the user's question and the attachments. */
export interface SplitQuestion {
  readonly question: string;
  readonly names: readonly string[];
  /** The attachments as the agent received them. */
  readonly attached: readonly { readonly name: string; readonly from: string; readonly text: string }[];
}

const CLOSING = '\n</attached>';

/** Splits a prompt that `withAttachments` built. */
export function splitAttachments(prompt: string): SplitQuestion {
  const attached: { readonly name: string; readonly from: string; readonly text: string }[] = [];
  const rest: string[] = [];
  const opening = /\n\n<attached name="([^"\n]*)" from="([^"\n]*)">\n/g;
  let at = 0;
  for (let tag = opening.exec(prompt); tag; tag = opening.exec(prompt)) {
    const close = prompt.indexOf(CLOSING, opening.lastIndex);
    // What is open here and in all later tags is never closed: each would be searched to the end of the prompt.
    if (close === -1) break;
    const [, name = '', from = ''] = tag;
    attached.push({ name, from, text: prompt.slice(opening.lastIndex, close) });
    rest.push(prompt.slice(at, tag.index));
    at = close + CLOSING.length;
    opening.lastIndex = at;
  }
  const question = [...rest, prompt.slice(at)].join('');
  return { question, names: attached.map(({ name }) => name), attached };
}

function attribute(text: string): string {
  return text.replaceAll(/["\n\r<>]/g, ' ');
}

import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../chat/messages.ts';
import type { TurnWriter } from '../chat/turn.ts';

/** Where in the agent a message comes from (docs/chat.md#messages). */
const agentPath = ['service_data_analyst_agent'];
const toolPath = [...agentPath, 'tools'];
const finalPath = ['final'];

/** Speaks an agent's turn: thinking, tool calls and the final answer, in small increments at a user's reading pace. */
export interface Speech {
  /** One line of reasoning. */
  think(line: string): Promise<void>;
  /** Announces a tool call, runs it, shows its result and answers its value; a failure becomes the result's `error` (docs/chat.md#tools). */
  tool<T>(
    name: string,
    input: unknown,
    run: () => Promise<{ readonly result: unknown; readonly value: T }>,
  ): Promise<T>;
  /** Streams the final answer; text may come in parts. */
  answer(parts: AsyncIterable<string> | Iterable<string>): Promise<void>;
  /** Characters said so far: thinking and text. */
  readonly said: number;
}

/** A tool's failure that belongs in its result rather than ending the turn. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** @param pause waits between two increments; rejects when the turn is aborted */
export function createSpeech(writer: TurnWriter, pause: () => Promise<void>): Speech {
  let step: string | undefined;
  let said = 0;

  const openStep = async (): Promise<string> => {
    if (step !== undefined) return step;
    step = randomUUID();
    writer.write({ ...blank(step, agentPath), thinking: '', isDelta: true, isInProcess: true });
    await pause();
    return step;
  };
  const closeStep = (): void => {
    if (step === undefined) return;
    writer.write({ ...blank(step, agentPath), isDelta: true, isInProcess: false });
    step = undefined;
  };
  const increments = async (text: string, write: (part: string) => void): Promise<void> => {
    for (const part of partsOf(text)) {
      write(part);
      said += part.length;
      await pause();
    }
  };

  return {
    get said() {
      return said;
    },
    think: async (line) => {
      const id = await openStep();
      await increments(`${line}\n`, (part) => {
        writer.write({ ...blank(id, agentPath), thinking: part, isDelta: true, isInProcess: true });
      });
    },
    tool: async (name, input, run) => {
      closeStep();
      const id = randomUUID();
      const call: ToolCall = { name, input: JSON.stringify(input) };
      const message = { ...blank(id, toolPath), isDelta: false };
      writer.write({ ...message, toolCall: call, isInProcess: true });
      await pause();
      try {
        const { result, value } = await run();
        writer.write({ ...message, toolCall: { ...call, result: JSON.stringify(result) }, isInProcess: false });
        return value;
      } catch (error) {
        if (error instanceof ToolError) {
          const result = JSON.stringify({ ...asObject(input), error: error.message });
          writer.write({ ...message, toolCall: { ...call, result }, isInProcess: false });
        }
        throw error;
      }
    },
    answer: async (parts) => {
      closeStep();
      const id = randomUUID();
      writer.write({ ...blank(id, finalPath), thinking: '', isDelta: true, isInProcess: true });
      let whole = '';
      for await (const text of parts) {
        whole += text;
        await increments(text, (part) => {
          writer.write({ ...blank(id, finalPath), content: part, isDelta: true, isInProcess: true });
        });
      }
      writer.write({ ...blank(id, finalPath), content: whole, isDelta: false, isInProcess: false });
    },
  };
}

function blank(id: string, graphPath: readonly string[]) {
  return { id, role: 'assistant' as const, content: '', graphPath, isStructuredResponse: false };
}

/** A word or two at a time, as models stream. */
function partsOf(text: string): readonly string[] {
  return text.match(/\S*\s*/g)?.filter((part) => part !== '') ?? [];
}

function asObject(input: unknown): object {
  return typeof input === 'object' && input !== null ? input : {};
}

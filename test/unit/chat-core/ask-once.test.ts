import { describe, expect, it } from 'vitest';
import { CancelledError } from '#base/async.ts';
import { askOnce } from '#chat-core/ask-once.ts';
import { chatService } from '#support/chat/platform-chat.ts';
import { RecordedTransport, recordedLines } from '#support/chat/recorded-transport.ts';

describe('askOnce', () => {
  it('resolves to the answer with its queries and rows', async () => {
    const transport = new RecordedTransport();
    transport.answer(recordedLines('by-status'));
    const service = chatService(transport);
    const threads: string[] = [];
    const text = await askOnce(service, 'Orders by status?', new AbortController().signal, (key) => threads.push(key));
    expect(threads).toEqual(service.threads.value.map(({ key }) => key));
    expect(text).toContain('by status');
    expect(text).toMatch(/Query:\nSELECT/);
    expect(text).toMatch(/Rows \(4 of 4\):\nstatus\t/);
    service.dispose();
  });

  it('stops the answer on the platform when it is aborted', async () => {
    const transport = new RecordedTransport();
    transport.answer(recordedLines('by-status'), 10);
    const service = chatService(transport);
    const controller = new AbortController();
    const asked = askOnce(service, 'Orders by status?', controller.signal);
    const listening = service.onDidChangeThread((thread) => {
      if (thread.turns[0]?.phase === 'streaming') controller.abort(new CancelledError());
    });
    await expect(asked).rejects.toThrow(CancelledError);
    listening.dispose();
    await service.stop(service.threads.value[0]?.key ?? '');
    expect(transport.aborts).toHaveLength(1);
    service.dispose();
  });

  it('says why there is no answer', async () => {
    const transport = new RecordedTransport();
    transport.answer([{ jsonrpc: '2.0', error: { code: -32_001, message: 'Invalid API key' } }]);
    const service = chatService(transport);
    await expect(askOnce(service, 'Hello', new AbortController().signal)).rejects.toThrow('Invalid API key.');
    await expect(askOnce(service, ' ', new AbortController().signal)).rejects.toThrow('could not be sent');
    service.dispose();
  });
});

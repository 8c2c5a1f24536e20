import { describe, expect, it } from 'vitest';
import { parseRecord } from '#chat-core/records.ts';
import { TURN_PHASES } from '#chat-core/turn-phase.ts';
import { parseHostToView } from '#features/chat/messages.ts';

const head = { id: '1700000000000-message', prompt: 'Q', startedAt: 1 };

describe('the phase of a turn', () => {
  it.each(TURN_PHASES)('is understood in files and by the view: %s', (phase) => {
    expect(parseRecord(JSON.stringify({ kind: 'turn', ...head, phase }))).toMatchObject({ phase });
    expect(patchOf(phase)).toMatchObject({ ops: [{ head: { phase } }] });
  });

  it('is refused where it is another word', () => {
    expect(parseRecord(JSON.stringify({ kind: 'turn', ...head, phase: 'paused' }))).toBeUndefined();
    expect(patchOf('paused')).toBeUndefined();
  });
});

function patchOf(phase: string): unknown {
  const op = { op: 'turn', head: { ...head, attached: [], quiet: false, phase } };
  return parseHostToView({ type: 'patch', epoch: 1, seq: 1, ops: [op] });
}

import { describe, expect, expectTypeOf, it } from 'vitest';
import { parseRecord } from '#chat-core/records.ts';
import { TURN_PHASES, type TurnPhase, isRunning } from '#chat-core/thread.ts';
import { VIEW_PHASES, type ViewPhase, parseHostToView } from '#features/chat/messages.ts';
import { isRunning as isRunningInView } from '#features/chat/page/model.ts';

const head = { id: '1700000000000-message', prompt: 'Q', startedAt: 1 };

describe('the phases of a turn', () => {
  it('are the same words in the state, in the files and on the way to the view', () => {
    expectTypeOf<ViewPhase>().toEqualTypeOf<TurnPhase>();
    expect(VIEW_PHASES).toEqual(TURN_PHASES);
    for (const phase of TURN_PHASES) {
      expect(parseRecord(JSON.stringify({ kind: 'turn', ...head, phase }))).toMatchObject({ phase });
      expect(patchOf(phase)).toMatchObject({ ops: [{ head: { phase } }] });
      expect(isRunningInView(phase)).toBe(isRunning({ phase }));
    }
  });

  it('are the only phases', () => {
    expect(parseRecord(JSON.stringify({ kind: 'turn', ...head, phase: 'paused' }))).toBeUndefined();
    expect(patchOf('paused')).toBeUndefined();
  });
});

function patchOf(phase: string): unknown {
  const op = { op: 'turn', head: { ...head, attached: [], quiet: false, phase } };
  return parseHostToView({ type: 'patch', epoch: 1, seq: 1, ops: [op] });
}

import { afterEach, describe, expect, it, vi } from 'vitest';
import { readableTime, sortableTime } from '#base/timestamps.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('readable time', () => {
  it('is local time in the locale of the user', () => {
    const at = (locale: string, timeZone: string): string =>
      // Locales separate the time by spaces of different widths.
      readableTime('2026-11-28T23:12:23.972Z', { locale, timeZone }).replaceAll(/\s/g, ' ');
    expect(at('en-US', 'America/New_York')).toBe('Nov 28, 2026, 6:12 PM');
    expect(at('de', 'Europe/Berlin')).toBe('29.11.2026, 00:12');
  });

  it('uses the time zone of the machine', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    expect(readableTime(Date.UTC(2026, 10, 28, 23, 12), { locale: 'sv' })).toBe('29 nov. 2026 04:42');
  });

  it('shows seconds where moments of one minute are told apart', () => {
    const at = { locale: 'sv', timeZone: 'UTC', seconds: true };
    expect(readableTime('2026-11-28T23:12:23.972Z', at)).toBe('28 nov. 2026 23:12:23');
  });

  it('returns other text unchanged, also a day', () => {
    const texts = ['yesterday', '', '1', '2026-11-28', '2026-99-99T00:00:00Z'];
    expect(texts.map((each) => readableTime(each))).toEqual(texts);
  });
});

describe('sortable time', () => {
  it('is local time, also when summer time ends', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((each) => sortableTime(each))).toEqual([
      '2026-10-25 02:30',
      '2026-10-25 02:30',
    ]);
    expect(sortableTime('2026-07-01T22:15:01.250Z', 23)).toBe('2026-07-02 00:15:01.250');
  });

  it('returns other text unchanged', () => {
    expect(['soon', '1'].map((each) => sortableTime(each))).toEqual(['soon', '1']);
  });
});

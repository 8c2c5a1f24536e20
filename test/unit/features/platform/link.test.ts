import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkText, parseLink } from '#features/platform/link.ts';

describe('modelbench.json', () => {
  it('reads what it writes', () => {
    const link = { tenantUrl: 'https://acme.example.com', deploymentId: '12', modelPath: 'model' };
    expect(parseLink(linkText(link))).toEqual({ ok: true, value: link });
  });

  it('takes a number as deployment, drops slashes, and knows the usual model path', () => {
    const parsed = parseLink('{"tenant":"https://acme.example.com/","deployment":12}');
    expect(parsed).toEqual({
      ok: true,
      value: { tenantUrl: 'https://acme.example.com', deploymentId: '12', modelPath: 'model' },
    });
  });

  it.each([
    ['{', 'modelbench.json is not valid JSON.'],
    ['{"deployment":"1"}', 'modelbench.json: "tenant" is missing.'],
    ['{"tenant":"https://a.example.com"}', 'modelbench.json: "deployment" is missing.'],
    [
      '{"tenant":"https://a.example.com","deployment":true}',
      'modelbench.json: "deployment" must be the deployment id.',
    ],
    ['{"tenant":"nowhere","deployment":1}', 'modelbench.json: "tenant" is not a URL.'],
    [
      '{"tenant":"https://a.example.com","deployment":1,"modelPath":"../x"}',
      'modelbench.json: "modelPath" is "../x", which may lead out of the linked folder. Leave out the step "..".',
    ],
  ])('says what is wrong with %s', (text, message) => {
    expect(parseLink(text)).toEqual({ ok: false, error: message });
  });

  it('never throws', () => {
    const anything = fc.oneof(fc.string(), fc.json());
    expect(() => fc.assert(fc.property(anything, (text) => typeof parseLink(text).ok === 'boolean'))).not.toThrow();
  });
});

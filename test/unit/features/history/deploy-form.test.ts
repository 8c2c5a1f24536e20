import { describe, expect, it } from 'vitest';
import { gateQuestion, type GatedSituation, type GateQuestion } from '#features/platform/index.ts';
import { DeployForm } from '#features/history/deploy-form.ts';

const situation: GatedSituation = {
  step: 'deploy',
  from: 'shop-model',
  to: 'master',
  isDeploy: true,
  isProtected: false,
  deployment: 'Retail forecasts',
  build: 'unknown',
  content: '[]',
};

function question(more: Partial<GatedSituation> = {}): GateQuestion {
  const made = gateQuestion({ ...situation, ...more });
  if (!made) throw new Error('There is nothing to ask.');
  return made;
}

describe('the form of a deploy', () => {
  it('asks for the name of the deployment, and accepts no other', () => {
    const form = new DeployForm(question(), 'Areas and targets');
    expect(form.fields.value).toMatchInlineSnapshot(`
      {
        "confirmation": {
          "expected": "Retail forecasts",
          "label": "Type “Retail forecasts” to confirm",
        },
        "message": {
          "label": "Message",
          "placeholder": "Leave empty for the platform’s default",
          "value": "Areas and targets",
        },
        "warnings": [],
      }
    `);
    expect([' Retail forecasts ', 'Retail', ''].map((typed) => form.answers(question(), { typed }))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is to be answered again where something speaks against it that it did not show', () => {
    const form = new DeployForm(question(), 'Areas');
    const typed = 'Retail forecasts';
    const later = question({ isProtected: true });
    expect(form.answers(later, { typed })).toBe(false);
    expect(form.fields.value).toMatchInlineSnapshot(`
      {
        "confirmation": {
          "expected": "Retail forecasts",
          "label": "Type “Retail forecasts” to confirm",
        },
        "message": {
          "label": "Message",
          "placeholder": "Leave empty for the platform’s default",
          "value": "Areas",
        },
        "warnings": [
          {
            "id": "changed",
            "severity": "info",
            "text": "This has changed since you confirmed it.",
          },
          {
            "id": "protected",
            "severity": "warning",
            "text": "“master” is protected.",
          },
        ],
      }
    `);
    expect(form.answers(later, { typed })).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { pictureProblems, pictureProblemsHere, picturesMade, picturesShown } from '../../tools/readme-pictures.ts';

describe('the pictures of the README', () => {
  it('are each made by one journey, stored, and shown', () => {
    expect(pictureProblemsHere()).toEqual([]);
  });

  it('are refused when no journey makes them, when two do, and when they are not there', () => {
    const pictures = { shown: ['a', 'b', 'c'], made: ['a', 'c', 'c', 'd'], stored: ['a', 'b', 'c', 'e'] };
    expect(pictureProblems(pictures)).toEqual([
      'not exactly one journey makes b.png',
      'not exactly one journey makes c.png',
      'README.md does not show d.png',
      'media/readme has no d.png: node test/tools/readme-pictures.ts',
      'README.md does not show e.png',
      'not exactly one journey makes e.png',
    ]);
  });

  it('are found in the README and in journeys', () => {
    expect(picturesShown('text\n  ![What it is](media/readme/chat.png)\n[a link](media/readme/not.png)')).toEqual([
      'chat',
    ]);
    expect(picturesMade(["await workbench.readmePicture('chat');", "await workbench.picture('other');"])).toEqual([
      'chat',
    ]);
  });
});

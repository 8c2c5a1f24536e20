import { describe, expect, it } from 'vitest';
import { planSkills, type SkillReader, skillReaders } from '#features/folders/agent-skills.ts';

const skills = new Map([
  ['add', 'one'],
  ['fix', 'two'],
]);
const claude = skillReaders.find(({ label }) => label === 'Claude Code') as SkillReader;
const cursor = skillReaders.find(({ label }) => label === 'Cursor') as SkillReader;

describe('the skills of a project', () => {
  it('are added in the folder of each chosen assistant', async () => {
    const { added, changed } = await planSkills(skills, [claude, cursor], () => Promise.resolve(undefined));
    expect(changed).toEqual([]);
    expect(added).toEqual([
      { path: '.claude/skills/add/SKILL.md', text: 'one' },
      { path: '.claude/skills/fix/SKILL.md', text: 'two' },
      { path: '.cursor/skills/add/SKILL.md', text: 'one' },
      { path: '.cursor/skills/fix/SKILL.md', text: 'two' },
    ]);
  });

  it('are left alone where they are the same, and named where the team changed them', async () => {
    const there = new Map([
      ['.claude/skills/add/SKILL.md', 'one'],
      ['.claude/skills/fix/SKILL.md', 'two, and ask Ada first'],
    ]);
    const plan = await planSkills(skills, [claude], (path) => Promise.resolve(there.get(path)));
    expect(plan).toEqual({ added: [], changed: [{ path: '.claude/skills/fix/SKILL.md', text: 'two' }] });
  });
});

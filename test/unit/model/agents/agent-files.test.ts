import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCompletion } from '#model/agents/agent-completion.ts';
import { agentPath, parseAgentFile } from '#model/agents/agent-file.ts';
import { agentNames, agentProblems } from '#model/agents/check-agent-files.ts';
import { filesIn, yaml } from '#support/language/raw.ts';

const views = new Set(['sales', 'customers']);

/** Problems of files in one text, as `path: what is underlined: message`. */
function problems(text: string, knowledge = { views, isWhole: true } as Parameters<typeof agentProblems>[1]): string[] {
  const texts = filesIn(text);
  return [...agentProblems(texts, knowledge)].flatMap(([path, found]) =>
    found.map(
      ({ problem, severity, start, end }) =>
        `${severity} ${path}: ${JSON.stringify(texts.get(path)?.slice(start, end).split('\n')[0])}: ${problem.message}`,
    ),
  );
}

/** Every documented kind of file, as a project could have it. */
const PROJECT = yaml`
  # file: config.yml
  spaces:
    - name: sales
      title: Sales
      rules:
        - name: fiscal-year
          prompt: The fiscal year starts in April.
          type: always
      certified_queries:
        - name: revenue
          user_request: What is the revenue?
          sql_query: SELECT MEASURE(revenue) FROM sales
      skills:
        - name: weekly
          title: Weekly report
          description: When the user asks for a weekly report.
          instructions: Report the revenue.
      something_new: 1
  agents:
    - name: seller
      space: sales
      llm: {byom: {name: own, id: 3}}
      embedding_llm: text-embedding-3-small
      runtime: something-newer
      accessible_views: [sales]
      memory_mode: user
  # file: rules/sales/quarters.md
  ---
  type: agent_requested
  description: When quarters are compared.
  ---
  Q1 begins in April.
  # file: certified_queries/top.md
  ---
  user_request: Who buys most?
  ---
  SELECT 1
  # file: skills/sales/monthly.markdown
  ---
  title: Monthly
  description: When a month is asked for.
  ---
  Report.
  # file: eval_questions.yml
  space: sales
  eval_questions:
    - name: total
      question: How much?
      certifiedQuery: revenue
    - name: most
      question: Who?
      certifiedQuery: top
    - name: direct
      question: How many?
      sql: SELECT 1
  # file: README.md
  Our agents.
  # file: notes/anything.md
  ---
  owner: us
  ---
`;

describe('the files of agents', () => {
  it('have no problem where they are as documented, with keys and files that are not', () => {
    expect(problems(PROJECT)).toEqual([]);
  });

  it('are known by their path in the project', () => {
    expect(agentPath('agents/rules/a.md')).toBe('rules/a.md');
    expect(agentPath('agents/config.yml')).toBe('config.yml');
    for (const path of ['agents/a.txt', 'model/agents/a.yml', 'agents.yml']) expect(agentPath(path)).toBeUndefined();
  });

  it('lack required keys, in lists as in Markdown', () => {
    expect(
      problems(yaml`
        # file: config.yml
        rules:
          - name: a
            prompt: x
        agents:
          - name: b
        # file: rules/c.md
        ---
        description: x
        ---
        Text.
        # file: certified_queries/d.md
        No front matter.
        # file: skills/e.md
        ---
        title: E
        ---
      `),
    ).toMatchInlineSnapshot(`
      [
        "warning config.yml: "rules": “rules” at the root is for a single agent. A file with “agents” has it there.",
        "warning config.yml: "name": Rule: “type” is missing.",
        "warning config.yml: "name": Agent: “space” is missing.",
        "warning rules/c.md: "description": Rule: “type” is missing.",
        "warning certified_queries/d.md: "": Certified query: “user_request” is missing.",
        "warning skills/e.md: "title": Skill: “description” is missing.",
        "warning skills/e.md: "title: E": The file has no text behind its front matter.",
      ]
    `);
  });

  it('have values that the format rules out', () => {
    expect(
      problems(yaml`
        # file: config.yml
        accessible_views: sales
        rules:
          - name: a
            prompt: x
            type: sometimes
          - name: b
            prompt: x
            type: agent_requested
        certified_queries: {}
      `),
    ).toMatchInlineSnapshot(`
      [
        "warning config.yml: "sales": A list is expected here.",
        "warning config.yml: "sometimes": “sometimes” is not one of: always, agent_requested.",
        "warning config.yml: "type: agent_requested": A rule of type “agent_requested” needs a “description”: an agent chooses it by that text.",
        "warning config.yml: "{}": A list is expected here.",
      ]
    `);
  });

  it('name views and certified queries that do not exist', () => {
    const text = yaml`
      # file: config.yml
      accessible_views: [sales, custmers]
      # file: eval_questions/a.yml
      eval_questions:
        - name: a
          question: x
          certifiedQuery: revenu
      # file: queries/revenue.md
      ---
      user_request: x
      ---
      SELECT 1
    `;
    expect(problems(text)).toMatchInlineSnapshot(`
      [
        "warning config.yml: "custmers": The data model has no view “custmers”. Did you mean “customers”?",
        "warning eval_questions/a.yml: "revenu": There is no certified query “revenu”. Did you mean “revenue”?",
      ]
    `);
    expect(problems(text, { views: undefined, isWhole: false })).toEqual([]);
  });

  it('mix two styles, repeat names, and give no or two right answers', () => {
    expect(
      problems(yaml`
        # file: config.yml
        llm: auto
        agents:
          - {name: a, space: auto}
        # file: other.yml
        agents:
          - {name: a, space: auto}
        # file: eval_questions.yml
        eval_questions:
          - name: q
            question: x
          - name: q
            question: x
            sql: SELECT 1
            certifiedQuery: y
      `),
    ).toMatchInlineSnapshot(`
      [
        "warning config.yml: "llm": “llm” at the root is for a single agent. A file with “agents” has it there.",
        "warning other.yml: "a": Another agent is called “a” (agents/config.yml).",
        "warning eval_questions.yml: "name": A question has either “certifiedQuery” or “sql”, which gives the right answer.",
        "warning eval_questions.yml: "q": Another question is called “q” (agents/eval_questions.yml).",
        "warning eval_questions.yml: "certifiedQuery": A question has either “certifiedQuery” or “sql”, which gives the right answer.",
        "warning eval_questions.yml: "y": There is no certified query “y”.",
      ]
    `);
  });

  it('have no problem that a comment switches off', () => {
    const wrong = yaml`
      # file: config.yml
      accessible_views: [nope]`;
    expect(problems(wrong)).toHaveLength(1);
    expect(problems(`${wrong} # modelbench-ignore: unknown-reference\n`)).toEqual([]);
  });

  it('never throw, whatever they hold', () => {
    const part = fc.constantFrom(
      '---\n',
      'rules:',
      ' - ',
      'name: a',
      '\n',
      '  ',
      '{',
      '[',
      '"',
      '*a',
      'type',
      '\uFEFF',
      '…',
    );
    const path = fc.constantFrom('config.yml', 'rules/a.md', 'x.md', 'skills/b.markdown');
    fc.assert(
      fc.property(path, fc.array(part, { maxLength: 30 }), (name, parts) => {
        const text = parts.join('');
        for (const { start, end } of agentProblems(new Map([[name, text]]), { views, isWhole: true }).get(name) ?? []) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});

describe('what may be written in a file of agents', () => {
  const names = agentNames([...filesIn(PROJECT)].map(([path, text]) => parseAgentFile(path, text)));
  const labels = (marked: string): string[] => {
    const offset = marked.indexOf('|');
    return agentCompletion(marked.replace('|', ''), offset, { names, views }).items.map(({ label }) => label);
  };

  it('are the keys of the place that are not there yet', () => {
    expect(
      labels(yaml`
        agents:
          - name: a
            |`),
    ).toEqual([
      ...['title', 'description', 'space', 'llm', 'embedding_llm', 'runtime', 'accessible_views', 'memory_mode'],
    ]);
    expect(
      labels(yaml`
        llm:
          byom:
            |`),
    ).toEqual(['name', 'id']);
    expect(
      labels(yaml`
        agents:
          - name: a
            unknown:
              |`),
    ).toEqual([]);
  });

  it('are the values of a key: fixed ones, views, spaces and certified queries', () => {
    expect(
      labels(yaml`
        rules:
          - type: |`),
    ).toEqual(['always', 'agent_requested']);
    expect(labels('memory_mode: |')).toEqual(['space', 'user', 'disabled']);
    expect(
      labels(yaml`
        accessible_views:
          - |`),
    ).toEqual(['sales', 'customers']);
    expect(
      labels(yaml`
        agents:
          - space: |`),
    ).toEqual(['auto', 'sales']);
    expect(
      labels(yaml`
        eval_questions:
          - certifiedQuery: |`),
    ).toEqual(['revenue', 'top']);
    expect(labels('llm: |')).toMatchInlineSnapshot(`
      [
        "auto",
        "claude_4_5_haiku",
        "claude_4_5_opus",
        "claude_4_5_sonnet",
        "claude_4_6_opus",
        "claude_4_6_sonnet",
        "claude_5_opus",
        "claude_5_sonnet",
        "gpt_4_1",
        "gpt_4_1_mini",
        "gpt_4o",
        "gpt_5",
        "gpt_5_mini",
        "o3",
        "o4_mini",
      ]
    `);
  });
});

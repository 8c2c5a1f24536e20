import type { OfferedKey, OfferedMap } from '#model/cursor/offering-schema.ts';

/** The type of a value in a file of agents. */
export type AgentType =
  | { readonly is: 'text' | 'any' }
  /** `isOpen`: other texts are possible too, because the platform adds some from time to time. */
  | { readonly is: 'choice'; readonly choices: readonly string[]; readonly isOpen?: true }
  /** A name that another file defines. */
  | { readonly is: 'view' | 'space' | 'certifiedQuery' }
  | { readonly is: 'list'; readonly of: AgentType }
  | { readonly is: 'map'; readonly shape: AgentShapeName }
  /** A name, or a map. */
  | { readonly is: 'either'; readonly text: AgentType; readonly shape: AgentShapeName };

type AgentKey = OfferedKey<AgentType>;

/** A map of a file of agents. Unlisted keys are never wrong: the format grows. */
export type AgentShape = OfferedMap<AgentType>;

export type AgentShapeName = (typeof shapeNames)[number];

const shapeNames = [
  ...(['file', 'space', 'agent', 'rule', 'certifiedQuery', 'skill', 'question', 'model', 'ownModel'] as const),
  ...(['ruleFile', 'certifiedQueryFile', 'skillFile'] as const),
] as const;

const text: AgentType = { is: 'text' };
const list = (of: AgentType): AgentType => ({ is: 'list', of });
const map = (shape: AgentShapeName): AgentType => ({ is: 'map', shape });
const oneOf = (...choices: readonly string[]): AgentType => ({ is: 'choice', choices });
const suggested = (...choices: readonly string[]): AgentType => ({ is: 'choice', choices, isOpen: true });
const key = (type: AgentType, doc: string): AgentKey => ({ type, doc });
const required = (type: AgentType, doc: string): AgentKey => ({ type, doc, required: true });

const models = suggested(
  ...['auto', 'claude_4_5_haiku', 'claude_4_5_opus', 'claude_4_5_sonnet', 'claude_4_6_opus', 'claude_4_6_sonnet'],
  ...['claude_5_opus', 'claude_5_sonnet', 'gpt_4_1', 'gpt_4_1_mini', 'gpt_4o', 'gpt_5', 'gpt_5_mini', 'o3', 'o4_mini'],
);
const embeddings = suggested('text-embedding-3-large', 'text-embedding-3-small');
const ruleType = oneOf('always', 'agent_requested');

/** The behavior of one agent; at the root of a file it is the only agent. */
const behaviour = {
  llm: key({ is: 'either', text: models, shape: 'model' }, 'The language model: a known one, or a custom one.'),
  embedding_llm: key({ is: 'either', text: embeddings, shape: 'model' }, 'The model that finds similar texts.'),
  runtime: key(suggested('plain', 'reasoning', 'chassis'), 'How requests are processed.'),
  accessible_views: key(
    list({ is: 'view' }),
    'The views that the agent is pointed to; without them all. It protects nothing.',
  ),
  memory_mode: key(suggested('space', 'user', 'disabled'), 'Who shares what the agent remembers.'),
};
const knowledge = {
  rules: key(list(map('rule')), 'Instructions for the agents of the space.'),
  certified_queries: key(list(map('certifiedQuery')), 'Queries that agents can trust.'),
  skills: key(list(map('skill')), 'Workflows that users can start in the chat.'),
};
const naming = {
  title: key(text, 'What users see as its name.'),
  description: key(text, 'What it is for.'),
};
const kind = key(suggested('rule', 'certified_query'), 'What the file is; its folder says that, too.');
const fileName = key(text, 'Its name; without one, that of the file.');
const space = key({ is: 'space' }, 'The space that it belongs to; without one, “auto”.');
const applies = key(text, 'When it applies: an agent chooses a requested rule by this text.');
const request = required(text, 'What a user would ask, in the words of a user.');

/** The files below `agents/` of a project, as the platform documents them (docs/agents.md#files). */
export const agentShapes: Readonly<Record<AgentShapeName, AgentShape>> = {
  file: {
    title: 'Agents',
    keys: {
      ...naming,
      ...behaviour,
      ...knowledge,
      spaces: key(list(map('space')), 'What agents share: rules, certified queries, skills and memories.'),
      agents: key(list(map('agent')), 'The agents of the deployment.'),
      eval_questions: key(list(map('question')), 'Questions with known answers, to measure agents by.'),
      space: key({ is: 'space' }, 'The space of the questions of this file; without one, “auto”.'),
    },
  },
  space: { title: 'Space', keys: { name: required(text, 'A name that no other space has.'), ...naming, ...knowledge } },
  agent: {
    title: 'Agent',
    keys: {
      name: required(text, 'A name that no other agent has.'),
      ...naming,
      space: required({ is: 'space' }, 'The space that it belongs to.'),
      ...behaviour,
    },
  },
  rule: {
    title: 'Rule',
    keys: {
      name: required(text, 'A name of its own.'),
      description: applies,
      prompt: required(text, 'The instruction.'),
      type: required(ruleType, 'Whether it always applies, or when the agent finds it relevant.'),
    },
  },
  certifiedQuery: {
    title: 'Certified query',
    keys: {
      name: required(text, 'A name of its own.'),
      description: naming.description,
      user_request: request,
      sql_query: required(text, 'The query, as SQL over the model.'),
    },
  },
  skill: {
    title: 'Skill',
    keys: {
      name: required(text, 'A name that no other skill has.'),
      title: required(text, 'What users see on its button.'),
      description: required(text, 'When an agent should use it.'),
      instructions: required(text, 'The workflow.'),
    },
  },
  question: {
    title: 'Evaluation question',
    keys: {
      name: required(text, 'A name that no other question of the space has.'),
      question: required(text, 'What the agent is asked.'),
      certifiedQuery: key({ is: 'certifiedQuery' }, 'The certified query with the right answer.'),
      sql: key(text, 'SQL with the right answer.'),
    },
  },
  model: { title: 'Custom model', keys: { byom: key(map('ownModel'), 'A model that you registered.') } },
  ownModel: {
    title: 'Registered model',
    keys: { name: key(text, 'The name that you gave it.'), id: key({ is: 'any' }, 'Its number.') },
  },
  ruleFile: {
    title: 'Rule',
    keys: {
      type: required(ruleType, 'Whether it always applies, or when the agent finds it relevant.'),
      description: applies,
      name: fileName,
      kind,
      space,
      prompt: key(text, 'The instruction; without it, the text of the file.'),
    },
  },
  certifiedQueryFile: {
    title: 'Certified query',
    keys: {
      user_request: request,
      description: naming.description,
      name: fileName,
      kind,
      space,
      sql_query: key(text, 'The query; without it, the text of the file.'),
    },
  },
  skillFile: {
    title: 'Skill',
    keys: {
      title: required(text, 'What users see on its button.'),
      description: required(text, 'When an agent should use it.'),
      name: fileName,
      kind,
      space,
    },
  },
};

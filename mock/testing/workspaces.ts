import { assumedAnswers } from '../contract/questions.ts';
import { createKeyRedactor } from '../contract/redaction.ts';
import { createWorkspaces, type Workspaces, type WorkspacesOptions } from '../workspace/registry.ts';

/** Workspaces without a server. */
export const createTestWorkspaces = (options: Partial<WorkspacesOptions> = {}): Workspaces =>
  createWorkspaces({
    acceptKeys: [],
    templates: [],
    answers: assumedAnswers(),
    outboxLimit: 1000,
    version: '0.0.0',
    redact: createKeyRedactor(options.acceptKeys ?? []),
    ...options,
  });

/** A message with a text of some length. */
export const mailOf = (length: number) => ({ operation: 'sendEmail', html: 'x'.repeat(length) }) as const;

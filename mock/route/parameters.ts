import type { JsonSchema } from '../validation/json-schema.ts';

/* @__NO_SIDE_EFFECTS__ */
const number = (description: string, fallback: number, maximum: number, minimum = 0): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  default: fallback,
  description,
});

/* @__NO_SIDE_EFFECTS__ */
export const switchedBy = (description: string): JsonSchema => ({
  type: 'boolean',
  default: false,
  description,
});

/* @__NO_SIDE_EFFECTS__ */
export const filterText = (description: string): JsonSchema => ({ type: 'string', description });

/** The parameters of a list in pages. */
export const paging = {
  start: number('Number of newest items to skip.', 0, 999_999_999),
  limit: number('Maximum number of items to return.', 50, 1000),
};

export const since = {
  since: {
    type: 'string',
    pattern: '^\\d{1,9}\\.\\d{1,15}$',
    'x-form': 'the unchanged cursor of an earlier response',
    description: 'A cursor from an earlier response. Only items after it are included.',
  },
};

/** The parameters of a wait. */
export const waiting = {
  count: number('Number of matching items to wait for.', 1, 1000, 1),
  timeout_ms: number('Maximum time to wait, in milliseconds.', 10_000, 120_000),
  absent: switchedBy('Inverts the wait: succeeds when fewer than `count` items match within the time.'),
};

/** The filters of messages, as parameters of the admin API and as arguments of the SDK. */
export const messageFilters = {
  to: filterText('The recipient, case-insensitive; `*` stands for any characters: `*@example.com`.'),
  from: filterText('The sender, like `to`.'),
  subject: filterText('A part of the subject, case-insensitive.'),
  template_id: filterText('The id of the template.'),
  q: filterText(
    'Words; each must occur in the message. `"a phrase"`, `to:`, `from:` and `subject:` before a word, and `-word` to exclude it. At most 50 words, each of which counts up to its 256th character.',
  ),
};

/** The same for requests. */
export const requestFilters = {
  operation: filterText('The operation id of the contract; both path forms have the same id.'),
  method: filterText('The HTTP method.'),
  path: filterText(
    'The path without its query, either as requested or as a path template: /api/v1/leads/{id}.',
  ),
  status: {
    type: 'string',
    pattern: '^([1-5]\\d\\d|[1-5][xX][xX]|0)$',
    'x-form': 'a status like 503, a class like 5xx, or 0 for no response',
    description:
      'A status like 503, a class like 5xx, or 0 for a request without a response (connection fault).',
  },
  unmatched: switchedBy(
    'Only requests that reached no operation: an unknown path or method, no key, or a key that is not accepted. Those without an accepted key are included and marked `unclaimed`; the latest 1,000 are listed.',
  ),
  q: filterText(
    'Words; each must occur in the method, path, operation, status, reason or request body. `"a phrase"`, `to:`, `from:` and `subject:` before a word for a field of the body, and `-word` to exclude it. At most 50 words, each of which counts up to its 256th character.',
  ),
};

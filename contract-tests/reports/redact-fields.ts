import { clip } from '../../mock/contract/printable.ts';
import type { Redact } from '../../mock/contract/redaction.ts';

/** Fields with fixed texts of the suite. They are never redacted, because a key may equal such a text, for example `pass`. */
const UNREDACTED_FIELDS = new Set([
  ...['id', 'title', 'section', 'level', 'operation', 'operations', 'needs', 'status', 'waived'],
  ...['name', 'version', 'command', 'kind', 'run_id', 'started_at', 'method', 'key', 'unobservable'],
]);

/** `checks` of a group are ids, `checks` of the report contain responses. */
const isUnredacted = (name: string, value: unknown): boolean =>
  UNREDACTED_FIELDS.has(name) ||
  (name === 'checks' && Array.isArray(value) && value.every((id) => typeof id === 'string'));

/** Limit of every text of a report, whatever a deployment sent. It holds the longest request of a check. */
const longestText = 100_000;

/** Cuts and redacts all texts of a report. */
export const redactFields = (node: unknown, redact: Redact): unknown => {
  if (typeof node === 'string') return redact(clip(node, longestText));
  if (Array.isArray(node)) return node.map((item) => redactFields(item, redact));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      isUnredacted(name, value) ? value : redactFields(value, redact),
    ]),
  );
};

import { idsOf } from './probes/leads.ts';
import type { Session } from './session.ts';

const dotted =
  /\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|cloud|local|internal|lan|test|example|localhost)\b(?::\d+)?/gi;

const patterns: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/[^\s"'<>)]+/gi, '<host>'],
  [/[^\s"'<>:;,()]+@[^\s"'<>;,()]+/g, '<address>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?/g, '<host>'],
  [/\blocalhost(?::\d+)?\b/gi, '<host>'],
  [dotted, '<host>'],
  [/\b(?:[a-z0-9-]+\.){2,}[a-z]{2,}\b/gi, '<host>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b[a-z]+[_-](?=[a-z_-]*\d)[a-z0-9_-]{4,}\b/gi, '<id>'],
  [/\b(?=[a-z]*\d)[a-z0-9_-]{12,}\b/gi, '<id>'],
  [/\b\d{6,}\b/g, '<id>'],
];

/**
 * A text fit to be committed: the key, ids, texts and the id of the run, addresses and hosts masked. What people wrote
 * into leads the run did not create never gets here: evidence is taken of refusals and of outlines only.
 */
export const mask = (session: Session, text: string): string => {
  let masked = session.client.redact(text);
  for (const id of idsOf(session)) masked = withoutId(masked, id);
  masked = masked
    .replaceAll(new RegExp(`Contract test ${session.runId}-\\d+ ?\\w*x*`, 'g'), '<text>')
    .replaceAll(new RegExp(`contract-test-${session.runId}-\\d+-`, 'g'), '')
    .replaceAll(session.runId, '<run>');
  return patterns.reduce((rest, [pattern, name]) => rest.replaceAll(pattern, name), masked);
};

// A short id (`7`) may stand anywhere by chance: it is one where it is quoted or ends a path.
const withoutId = (text: string, id: string): string => {
  const literal = id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const before = id.length < 4 ? `["'/]` : '[^\\w-]';
  return text.replaceAll(new RegExp(`(?<=^|${before})${literal}(?![\\w-])`, 'g'), '<id>');
};

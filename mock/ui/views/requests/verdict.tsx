import { Fragment } from 'preact';
import type { ExchangeSummary, ExchangeVerdict } from '../../../../contract-tests/proxy/journal-entry.ts';

export const verdicts: Readonly<Record<ExchangeVerdict, string>> = {
  fail: 'broken',
  warn: 'warning',
  drift: 'drift',
  pass: 'conforms',
  skipped: 'not judged',
};

export const VerdictChip = ({ verdict }: { readonly verdict: ExchangeVerdict }) => (
  <span class={`verdict ${verdict}`}>{verdicts[verdict]}</span>
);

/** The most important of what is wrong, in one line; nothing where all is well. */
export const describeVerdict = ({ findings, drift, skipped, request_findings }: ExchangeSummary): string => {
  const [finding, change, request] = [findings[0], drift[0], request_findings[0]];
  const rest = findings.length + drift.length - 1;
  const more = rest > 0 ? ` (+${rest})` : '';
  if (finding)
    return `${finding.check} §${finding.section}: expected ${finding.expected}, got ${finding.actual}${more}`;
  if (change) return `${change.question} is pinned as ${change.pinned}, this shows ${change.actual}${more}`;
  return [skipped, request && `request: ${request.message}`].filter(Boolean).join('; ');
};

const Facts = ({ facts }: { readonly facts: Readonly<Record<string, string | number>> }) => (
  <dl>
    {Object.entries(facts).map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);

/** Everything that is wrong with an exchange: claims with their sections, drift, and what its request has beside the document. */
export const Findings = ({ entry }: { readonly entry: ExchangeSummary }) => {
  const { findings, drift, request_findings: requests } = entry;
  if (findings.length + drift.length + requests.length === 0) return null;
  return (
    <ul class="findings" aria-label="Findings">
      {findings.map(({ check, section, level, expected, actual }) => (
        <li key={check} class={level === 'documented' ? 'fail' : 'warn'}>
          <b>{check}</b> <span class="hint">{`§${section}, ${level}`}</span>
          <Facts facts={{ expected, got: actual }} />
        </li>
      ))}
      {drift.map(({ question, pinned, actual }) => (
        <li key={question} class="drift">
          <b>{question}</b> <span class="hint">drift</span>
          <Facts facts={{ pinned, now: actual }} />
        </li>
      ))}
      {requests.map(({ kind, message, section, question }) => (
        <li key={`${kind} ${message}`} class="request">
          <b>request: {kind}</b>{' '}
          <span class="hint">{`§${section}${question === null ? '' : `, open question ${question}`}`}</span>
          <p>{message}</p>
        </li>
      ))}
    </ul>
  );
};

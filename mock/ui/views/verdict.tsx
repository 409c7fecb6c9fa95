import type {
  ExchangeEntry,
  ExchangeSummary,
  ExchangeVerdict,
} from '../../../contract-tests/proxy/journal.ts';
import { FactList } from '../components/pane.tsx';

type Shown = readonly [name: string, tone: string];

const verdicts: Readonly<Record<ExchangeVerdict, Shown>> = {
  fail: ['broken', 'bad'],
  warn: ['warning', 'warn'],
  drift: ['drift', 'warn'],
  pass: ['conforms', 'good'],
  skipped: ['not checked', ''],
};

export const verdictNames = Object.entries(verdicts).map(([verdict, [name]]) => [verdict, name] as const);

export const VerdictChip = ({ verdict }: { readonly verdict: ExchangeVerdict }) => {
  const [name, tone] = verdicts[verdict];
  return <span class={`chip ${tone}`}>{name}</span>;
};

export const VerdictFact = ({
  entry: { verdict, skipped, held_back, injected },
}: {
  readonly entry: ExchangeEntry;
}) => (
  <>
    <VerdictChip verdict={verdict} /> {skipped}
    {injected !== null && <span class="hint"> {injected}.</span>}
    {held_back && <span class="hint"> The client got an error response of the proxy (--enforce).</span>}
  </>
);

/** The most important problem in one line; empty without problems. */
export const describeVerdict = ({
  findings,
  drift,
  skipped,
  injected,
  request_findings,
}: ExchangeSummary): string => {
  const [finding, change, request] = [findings[0], drift[0], request_findings[0]];
  const rest = findings.length + drift.length - 1;
  const more = rest > 0 ? ` (+${rest})` : '';
  if (finding)
    return `${finding.check} §${finding.section}: expected ${finding.expected}, got ${finding.actual}${more}`;
  if (change)
    return `${change.question} is pinned as ${change.pinned}, this response shows ${change.actual}${more}`;
  return [injected ?? skipped, request && `request: ${request.message}`].filter(Boolean).join('; ');
};

/** All problems of an exchange: failed claims with their sections, drift, and undocumented parts of the request. */
export const Findings = ({ entry }: { readonly entry: ExchangeSummary }) => {
  const { findings, drift, request_findings: requests } = entry;
  if (findings.length + drift.length + requests.length === 0) return null;
  return (
    <ul class="findings" aria-label="Findings">
      {findings.map(({ check, section, level, expected, actual }) => (
        <li key={check} class={level === 'documented' ? 'bad' : 'warn'}>
          <b>{check}</b> <span class="hint">{`§${section}, ${level}`}</span>
          <FactList facts={Object.entries({ expected, got: actual })} />
        </li>
      ))}
      {drift.map(({ question, pinned, actual }) => (
        <li key={question} class="warn">
          <b>{question}</b> <span class="hint">drift</span>
          <FactList facts={Object.entries({ pinned, now: actual })} />
        </li>
      ))}
      {requests.map(({ kind, message, section, question }) => (
        <li key={`${kind} ${message}`}>
          <b>request: {kind}</b>{' '}
          <span class="hint">{`§${section}${question === null ? '' : `, open question ${question}`}`}</span>
          <p>{message}</p>
        </li>
      ))}
    </ul>
  );
};

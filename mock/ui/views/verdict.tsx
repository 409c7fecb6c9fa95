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
  skipped,
  injected,
  request_findings,
}: ExchangeSummary): string => {
  const [[finding, ...others], [request]] = [findings, request_findings];
  const more = others.length > 0 ? ` (+${others.length})` : '';
  if (finding)
    return `${finding.check} §${finding.section}: expected ${finding.expected}, got ${finding.actual}${more}`;
  return [injected ?? skipped, request && `request: ${request.message}`].filter(Boolean).join('; ');
};

/** All problems of an exchange: failed claims with their sections, and undocumented parts of the request. */
export const Findings = ({ entry }: { readonly entry: ExchangeSummary }) => {
  const { findings, request_findings: requests } = entry;
  if (findings.length + requests.length === 0) return null;
  return (
    <ul class="findings" aria-label="Findings">
      {findings.map(({ check, section, level, expected, actual }) => (
        <li key={check} class={level === 'documented' ? 'bad' : 'warn'}>
          <b>{check}</b> <span class="hint">{`§${section}, ${level}`}</span>
          <FactList facts={Object.entries({ expected, got: actual })} />
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

import type { ExchangeSummary } from '../../../../contract-tests/proxy/journal-entry.ts';
import { operationIds } from '../../../generated/operations.ts';
import type { JournalSummary } from '../../../nouns/journal.ts';
import { type Options, optionsOf } from '../../components/controls.tsx';
import type { Filter } from '../../components/filters.tsx';
import { List, type Row, Unclaimed } from '../../components/list.tsx';
import { Ago } from '../../components/time.tsx';
import { mockAddress } from '../../data/api.ts';
import { isProxy, type Place } from '../../data/router.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { OpenRequest, Status } from './detail.tsx';
import type { Entry } from './sides.tsx';
import { describeVerdict, VerdictChip, verdictNames } from './verdict.tsx';

type Summary = JournalSummary | ExchangeSummary;

const limits = { count: '1,000 requests', length: '8 million characters' };

const sample = { method: 'GET', path: '/api/v1/email/templates', body: null };

/** The journal: requests, responses and reasons. */
export const Requests = ({ place }: { readonly place: Place }) => {
  const { api } = useWorkspace();
  const { unmatched } = place.query;
  return (
    <List<Summary, Entry>
      place={place}
      view="requests"
      filters={filters}
      events={unmatched ? ['polled'] : []}
      searchHint={isProxy ? 'Words, -without' : 'Words in a request'}
      deletion={
        isProxy
          ? 'All requests on this page are deleted, also those outside the current filter. The report keeps counting them.'
          : `All requests of ${api.key} are deleted, also those outside the current filter. Messages and leads stay.`
      }
      limits={limits}
      note={unmatched ? <AboutUnmatched /> : <Unclaimed />}
      rowOf={rowOf}
      about={isProxy ? <AboutProxy /> : <AboutJournal />}
      sample={sample}
    >
      {(entry, back) => <OpenRequest entry={entry} back={back} />}
    </List>
  );
};

const statuses: Options = [
  ['', 'All statuses'],
  ['2xx', 'Success'],
  ['4xx', 'Client error, 4xx'],
  ['5xx', 'Server error, 5xx'],
  ['0', 'Connection broken'],
];

const filters: readonly Filter[] = [
  { name: 'operation', label: 'Operation', options: optionsOf('All operations', operationIds) },
  { name: 'status', label: 'Status', options: statuses },
  isProxy
    ? { name: 'verdict', label: 'Verdict', options: [['', 'All verdicts'], ...verdictNames] }
    : {
        name: 'unmatched',
        label: 'Unmatched',
        title: 'No such path or method, or no accepted key; with or without the key of this workspace',
      },
];

const AboutUnmatched = () => (
  <p class="hint">
    Requests with an unknown path or method, or without an accepted key. Those without an accepted key belong
    to no workspace and show in each.
  </p>
);

const AboutProxy = () => (
  <>
    Every call under <code>/api/v1</code> that passes the proxy shows here at once: both sides, the verdict,
    and each claim that it breaks. Point your app at <code>{mockAddress}</code>, or try one:
  </>
);

const AboutJournal = () => (
  <>
    Every call with the key <code>{useWorkspace().api.key}</code> shows here at once: what came, what was
    answered and why. Try one:
  </>
);

const rowOf = (request: Summary): Row => {
  const { id, method, path, status, operation, duration_ms, created_at } = request;
  const isJudged = 'verdict' in request;
  return {
    id,
    mark: <Status status={status} />,
    what: (
      <>
        <b>{method}</b> <span class="path">{path}</span>{' '}
        <bdi class="snippet">{isJudged ? describeVerdict(request) : request.why?.what}</bdi>
      </>
    ),
    side: isJudged && <VerdictChip verdict={request.verdict} />,
    more: !isJudged && operation,
    took: `${duration_ms} ms`,
    when: <Ago time={created_at} />,
  };
};

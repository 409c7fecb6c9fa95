import type { JournalEntry } from '../../../nouns/journal.ts';
import { ItemHead } from '../../components/open-item.tsx';
import { Moment } from '../../components/time.tsx';
import { hrefOf } from '../../data/router.ts';
import { CurlButton, type Entry, Sides } from './sides.tsx';
import { Findings, VerdictFact } from './verdict.tsx';

export const OpenRequest = ({ entry, back }: { readonly entry: Entry; readonly back: string }) => (
  <>
    <ItemHead
      back={back}
      title={
        <>
          <Status status={entry.status} /> {entry.method} <span class="path">{entry.path}</span>
        </>
      }
      actions={<CurlButton entry={entry} />}
      facts={[
        ['Verdict', 'verdict' in entry && <VerdictFact entry={entry} />],
        ['Operation', entry.operation ?? 'none'],
        [
          'Received',
          <>
            <Moment time={entry.created_at} />, response after {entry.duration_ms} ms
          </>,
        ],
        ['Why', entry.why && <Reason why={entry.why} />],
      ]}
    />
    {'verdict' in entry && <Findings entry={entry} />}
    <Sides entry={entry} />
  </>
);

const Reason = ({ why }: { readonly why: NonNullable<JournalEntry['why']> }) => (
  <span class="why">
    {why.what} <code>{why.code}</code>
    {why.question !== undefined && (
      <>
        {' '}
        because of the answer{' '}
        <a href={hrefOf('questions', undefined, { q: why.question })}>
          {why.question} = {why.answer}
        </a>
      </>
    )}
  </span>
);

/** The tone of a status by its first digit. A broken connection has the status 0. */
const tones: Readonly<Record<string, string>> = { 0: 'bad', 2: 'good', 4: 'warn', 5: 'bad' };

export const Status = ({ status }: { readonly status: number }) => (
  <span class={`chip ${tones[String(status)[0] ?? ''] ?? ''}`}>{status === 0 ? 'broken' : status}</span>
);

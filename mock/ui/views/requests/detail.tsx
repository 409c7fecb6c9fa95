import type { JournalEntry } from '../../../nouns/journal.ts';
import { CopyButton } from '../../components/code-block.tsx';
import { Button } from '../../components/controls.tsx';
import { useChange } from '../../components/dialogs.tsx';
import { ItemHead } from '../../components/open-item.tsx';
import { Moment } from '../../components/time.tsx';
import { hrefOf } from '../../data/router.ts';
import { useWorkspace } from '../../data/workspace.ts';
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

/** The header field that was missing or wrong, as it should be. */
const rightField = (code: string, key: string): string | undefined => {
  if (/^authentication_|^key_unknown$/.test(code)) return `Authorization: Bearer ${key}`;
  return code === 'media_type_unsupported' ? 'Content-Type: application/json' : undefined;
};

const Reason = ({ why }: { readonly why: NonNullable<JournalEntry['why']> }) => {
  const field = rightField(why.code, useWorkspace().api.key);
  return (
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
      )}{' '}
      {field !== undefined && <CopyButton text={field} subject={field} label="Copy the right header" />}
      {why.enabled_by && <EnableButton answers={why.enabled_by} />}
    </span>
  );
};

type Enabling = NonNullable<NonNullable<JournalEntry['why']>['enabled_by']>;

/** Sets the answer with which the operation exists. */
const EnableButton = ({ answers }: { readonly answers: Enabling }) => {
  const change = useChange();
  const [text] = Object.entries(answers).map(([id, answer]) => `${id} = ${answer}`);
  const done = `Set: ${text}. The operation exists from the next request on`;
  return (
    <Button
      icon="check"
      text={`Set ${text}`}
      title="Set the answer with which this operation exists, for this workspace"
      kind="small"
      onClick={() => change({ method: 'PATCH', view: 'questions', body: answers, done })}
    />
  );
};

/** The tone of a status by its first digit. A broken connection has the status 0. */
const tones: Readonly<Record<string, string>> = { 0: 'bad', 2: 'good', 4: 'warn', 5: 'bad' };

export const Status = ({ status }: { readonly status: number }) => (
  <span class={`chip ${tones[String(status)[0] ?? ''] ?? ''}`}>{status === 0 ? 'broken' : status}</span>
);

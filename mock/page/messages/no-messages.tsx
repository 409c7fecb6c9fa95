import { mockAddress } from '../api.ts';
import { type Place, placeOf } from '../location.ts';
import { Command, Empty } from '../parts.tsx';
import { useWorkspace } from '../workspace.ts';

/** Nothing there: what was searched for, or a command that changes it. */
export const NoMessages = ({ place }: { readonly place: Place }) => {
  const { api } = useWorkspace();
  const { q, start } = place.query;
  if (q)
    return (
      <Empty icon="search" title={`Nothing found for “${q}”`}>
        <p>Recipients, senders, subjects and texts were searched.</p>
        <a class="button" href={placeOf('messages')}>
          Show all messages
        </a>
      </Empty>
    );
  if (start)
    return (
      <Empty icon="mail" title="No messages this far back">
        <a class="button" href={placeOf('messages')}>
          To the newest
        </a>
      </Empty>
    );
  return (
    <Empty icon="mail" title="Nothing sent yet">
      <p>
        Mail your app sends with the key <code>{api.key}</code> shows here at once, and goes nowhere else. Try
        it:
      </p>
      <Command text={sendCommand(api.key)} />
    </Empty>
  );
};

const sendCommand = (key: string): string =>
  [
    `curl -X POST ${mockAddress}/api/v1/email/send \\`,
    `  -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\`,
    `  -d '{"subject":"Your seat is reserved","from":"courses@example.com","to":"lena@example.com","html":"<p>See you!</p>"}'`,
  ].join('\n');

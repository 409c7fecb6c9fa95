import { mockAddress } from '../api.ts';
import { type Place, placeOf } from '../location.ts';
import { Command, Empty } from '../parts.tsx';
import { useWorkspace } from '../workspace.ts';

export const NoRequests = ({ place }: { readonly place: Place }) => {
  const { api } = useWorkspace();
  if (Object.values(place.query).some(Boolean))
    return (
      <Empty icon="search" title="No request like that">
        <a class="button" href={placeOf('requests')}>
          Show all requests
        </a>
      </Empty>
    );
  return (
    <Empty icon="swap" title="No requests yet">
      <p>
        Every call with the key <code>{api.key}</code> shows here at once: what came, what was answered and
        why. Try one:
      </p>
      <Command
        text={`curl ${mockAddress}/api/v1/email/templates \\\n  -H "Authorization: Bearer ${api.key}"`}
      />
    </Empty>
  );
};

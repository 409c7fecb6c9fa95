import type { JournalEntry } from '../journal-entry.ts';
import type { ReceivedRequest } from './mock-workspace.ts';

/** An entry of the journal with what the request said in JSON. */
export const received = ({ request, ...rest }: JournalEntry): ReceivedRequest => ({
  ...rest,
  request: { ...request, json: parsed(request.body) },
});

const parsed = (body: string | null): unknown => {
  try {
    return body === null ? undefined : JSON.parse(body);
  } catch {
    return undefined; // another media type, broken, or cut
  }
};

import { sharedStart } from '../../session/outcome.ts';
import { idsOf, type Session } from '../../session/session.ts';

/** How many characters of an id no other one shares, so that its beginning can be nobody else's. */
const mostTelling = 9;

/**
 * Whether an id without its last character is the beginning of this id alone: all ids are of one length, and those of the
 * run differ long before their ends. Of ids that count up it is not.
 */
export const isTellingPrefix = (session: Session, id: string): boolean => {
  const others = idsOf(session).filter((other) => other !== id);
  return (
    others.length >= 5 &&
    others.every((other) => other.length === id.length && sharedStart(other, id) + mostTelling < id.length)
  );
};

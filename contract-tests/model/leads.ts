import { charactersOf, forgetLead, type LeadState } from './lead.ts';
import type { Window } from './register.ts';
import { withoutCase } from './requests.ts';

// An app behind the proxy may run for weeks, and a deployment may send long texts.
const maxLeads = 10_000;
const maxCharacters = 32 * 2 ** 20;

/** The leads of a history; limited in number and in characters. */
export const createLeads = () => {
  const byId = new Map<string, LeadState>();
  const byCase = new Map<string, LeadState>();
  const sizes = new Map<string, number>();
  let characters = 0;
  let evicted = 0;

  const setSize = (id: string, size: number): void => {
    characters += size - (sizes.get(id) ?? 0);
    sizes.set(id, size);
  };

  const drop = ({ id }: LeadState): void => {
    setSize(id, 0);
    sizes.delete(id);
    byId.delete(id);
    byCase.delete(withoutCase(id));
    evicted += 1;
  };

  /** Must be called when a lead has changed. The oldest leads give way to its texts. */
  const measure = (lead: LeadState): void => {
    setSize(lead.id, charactersOf(lead));
    for (const oldest of byId.values()) {
      if (byId.size <= maxLeads && characters <= maxCharacters) return;
      if (oldest !== lead) drop(oldest);
    }
  };

  return {
    byId: byId as ReadonlyMap<string, LeadState>,
    measure,
    remember: (lead: LeadState): void => {
      const before = byId.get(lead.id);
      if (before) forgetLead(before); // as the first owner of the id it stays, without its texts
      byId.set(lead.id, lead);
      // The first owner: an id that is assigned again is a finding.
      if (lead.own && !byCase.has(withoutCase(lead.id))) byCase.set(withoutCase(lead.id), lead);
      measure(lead);
    },
    /** Forgets everything about a lead but its id. */
    forget: (lead: LeadState, by?: Window): void => {
      forgetLead(lead, by);
      measure(lead);
    },
    /** After a restart a deployment may have none of its leads, and assign their ids again. */
    beginEpoch: (): void => {
      for (const lead of byId.values()) {
        forgetLead(lead);
        setSize(lead.id, charactersOf(lead));
      }
      byCase.clear();
    },
    ownerOf: (id: string): LeadState | undefined => byCase.get(withoutCase(id)),
    evicted: (): number => evicted,
  };
};

// §4.8: reading leads is not documented; a deployment that offers it shows what is stored.
import { dataOf, type Exchange, itemsOf, type JsonObject } from '../../client/exchange.ts';
import { getAt } from '../../session/availability.ts';
import type { OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';

/** A lead, with the response that shows it. */
export type ShownLead = { readonly exchange: Exchange; readonly data: JsonObject };

const isLead =
  ({ id }: OwnLead) =>
  (data: JsonObject): boolean =>
    String(data.lead_id) === id;

export const listLeads = (session: Session): Promise<Exchange> => getAt(session, '/api/v1/leads');

/** Reads a lead by its id or from the list of leads; `undefined` if the deployment offers neither. */
export const retrieveLead = async (session: Session, lead: OwnLead): Promise<ShownLead | undefined> => {
  const exchange = await getAt(session, `/api/v1/leads/${encodeURIComponent(lead.id)}`);
  const data = dataOf(exchange);
  if (exchange.outcome === 'success' && isLead(lead)(data)) return { exchange, data };
  const list = await listLeads(session);
  const item = list.outcome === 'success' ? itemsOf(list).find(isLead(lead)) : undefined;
  return item && { exchange: list, data: item };
};

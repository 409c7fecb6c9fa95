import {
  dataOf,
  type Exchange,
  isObject,
  type JsonObject,
  parseJson,
  responseFingerprint,
  textOf,
} from './exchange.ts';

/** The fingerprint of a response without the id in its request, for comparison with responses about other ids. */
export const fingerprintForAnyId = (exchange: Exchange): string => {
  const id = exchange.path.replace(/\/$/, '').split('/').at(-1) ?? '';
  const json = parseJson(JSON.stringify(exchange.json ?? null).replaceAll(id, '0'));
  return responseFingerprint({ ...exchange, json, rawText: exchange.rawText.replaceAll(id, '0') });
};

export type Fields = { name: string; source: string; note: string };

/** The text fields of a lead (§2.3). */
export const leadFields = ['name', 'source', 'note'] as const;

export type LeadField = (typeof leadFields)[number];

/** The text fields in `data` of a response. Another check reports fields of a wrong type. */
export const textsIn = (data: JsonObject): Partial<Record<LeadField, string>> =>
  Object.fromEntries(
    leadFields.flatMap((field) => (typeof data[field] === 'string' ? [[field, data[field]]] : [])),
  );

/** The mark of the ids that the suite makes up, whole or behind the id of a lead: no deployment assigns such an id. */
export const madeUpMark = 'contract-test-';

/** The `lead_id` in `data` of a response. */
export const idOf = (exchange: Exchange): string => textOf(dataOf(exchange).lead_id);

/** All ids that the deployment assigned, without duplicates. */
export const idsIn = (exchanges: readonly Exchange[]): readonly string[] => {
  const added = exchanges.filter(
    ({ operation, outcome }) => operation === 'addLead' && outcome === 'success',
  );
  return [...new Set(added.map(idOf))].filter((id) => id !== '');
};

/** Whether a response has an email, which no documented response has (§2.3). An empty field shows none. */
export const carriesEmail = (exchange: Exchange): boolean => {
  const { json } = exchange;
  return [dataOf(exchange), isObject(json) ? json : {}].some(({ email }) => textOf(email) !== '');
};

import { type Exchange, isObject } from './exchange.ts';
import type { Session } from './session.ts';

/** A path below `/api/v1/email` that no deployment has. */
export const nowhere = ({ unique }: Session): string =>
  `/api/v1/email/${unique('nothing').replaceAll(' ', '-').toLowerCase()}`;

/** A path that exists, with a method it does not have. */
export const wrongMethodPath = '/api/v1/email/send';

/** What the deployment answers where there is certainly nothing: some answer success to any path, or to any method. */
export const controls = async (session: Session): Promise<readonly Exchange[]> => [
  await session.send('listTemplates', { path: nowhere(session), intent: 'probe' }),
  await session.send('listTemplates', { path: wrongMethodPath, intent: 'probe' }),
];

/** A reply without what differs from request to request: numbers, addresses, paths, quoted values. */
export const likeness = ({ status, json, rawText }: Exchange): string => {
  const text = isObject(json) ? JSON.stringify(json) : rawText;
  return `${status} ${text
    .replaceAll(/\\"[^"\\]*\\"/g, '…')
    .replaceAll(/[^\s"]+@[^\s"]+/g, '…')
    .replaceAll(/\/[^\s"]*/g, '…')
    .replaceAll(/\w*\d[\w-]*/g, '…')}`;
};

/** Whether `data` is a list: what a success at any path does not have by chance. */
export const hasList = ({ outcome, json }: Exchange): boolean =>
  outcome === 'success' && isObject(json) && Array.isArray(json.data);

const absentStatuses = new Set([404, 405, 501]);

/** Whether a status says that there is no such operation. */
export const isAbsent = ({ status }: Pick<Exchange, 'status'>): boolean => absentStatuses.has(status);

/** Whether a reply says that there is nothing: by its status, or by being what the deployment answers where nothing is. */
export const saysNothingIsThere = (exchange: Exchange, of: readonly Exchange[]): boolean =>
  isAbsent(exchange) ||
  of.some(
    (control) =>
      control.status === exchange.status &&
      control.outcome === exchange.outcome &&
      (exchange.outcome !== 'success' || likeness(control) === likeness(exchange)),
  );

import { controls, hasList, likeness } from './controls.ts';
import { type Exchange, isObject, type JsonObject, speaks } from './exchange.ts';
import { conclude, type Finding, persistently, succeeded } from './finding.ts';
import { type ListedTemplate, paths, type Session } from './session.ts';

/** A path form counts only when it answers in the service's terms: some servers answer any path with 200. */
export const inOurTerms = ({ json }: Exchange): boolean => speaks(json);

export const surveyList = async (session: Session): Promise<Finding> => {
  const replies: Exchange[] = [];
  for (const path of paths.listTemplates) {
    replies.push(
      await persistently(() =>
        session.send('listTemplates', { path, intent: replies.length === 0 ? 'complete' : 'probe' }),
      ),
    );
  }
  const own = replies.every(hasList) ? replies : await told(session, replies);
  const existing = own.some(succeeded) ? own : replies;
  const relevant = existing.filter(inOurTerms).length > 0 ? existing.filter(inOurTerms) : existing;
  const finding = conclude(session, 'listTemplates', relevant);
  session.templates.push(
    ...templatesIn(relevant.find(({ outcome }) => outcome === 'success') ?? relevant[0]),
  );
  return finding;
};

/** Replies but those that are what this deployment answers to any path or to any method: some take everything for a success. */
export const told = async (session: Session, replies: readonly Exchange[]): Promise<Exchange[]> => {
  if (!replies.some(succeeded)) return [...replies];
  const generic = new Set((await controls(session)).filter(succeeded).map(likeness));
  return replies.filter((reply) => !succeeded(reply) || !generic.has(likeness(reply)));
};

/** The templates as they are listed now, or `undefined` where that does not come off. */
export const listAgain = async (session: Session): Promise<readonly ListedTemplate[] | undefined> => {
  if (session.abilities.get('listTemplates')?.usable !== true) return undefined;
  const reply = await session.send('listTemplates');
  return succeeded(reply) ? templatesIn(reply) : undefined;
};

const templatesIn = (reply: Exchange | undefined): ListedTemplate[] => {
  const data = isObject(reply?.json) && Array.isArray(reply.json.data) ? reply.json.data : [];
  return data
    .filter(isObject)
    .flatMap(({ id, body, variables }: JsonObject) =>
      typeof id === 'string' && id !== '' && typeof body === 'string' && Array.isArray(variables)
        ? [{ id, body, variables: variables.filter((name): name is string => typeof name === 'string') }]
        : [],
    );
};

import { describeRefusal, type Exchange, isObject } from '../../exchange/exchange.ts';
import { routes } from '../../exchange/operations.ts';
import { hasList } from '../../exchange/responses.ts';
import { controls, saysNothingIsThere } from '../../session/availability.ts';
import type { Session } from '../../session/session.ts';
import { answerFrom, inconclusive, type Probe } from './probe.ts';

const listAt = (session: Session, path: string): Promise<Exchange> =>
  session.send('listTemplates', { path, intent: 'probe' });

const formOf = (session: Session): string =>
  session.pathForms('listTemplates')[0] ?? routes.listTemplates.paths[0];

const countIn = ({ json }: Exchange): number =>
  isObject(json) && Array.isArray(json.data) ? json.data.length : 0;

/** §4.2 and §4.4: GET requests only, so these probes come first. */
export const templateProbes: readonly Probe[] = [
  {
    question: 'templates.list-path',
    needs: 'read',
    description:
      'GET at both path forms; a form exists when `data` is an array and the response differs from that of a random path',
    probe: async (session) => {
      const [plural, singular] = [
        await listAt(session, routes.listTemplates.paths[0]),
        await listAt(session, '/api/v1/email/template'),
      ];
      if (hasList(plural) && hasList(singular))
        return { answer: 'both', exchange: singular, detail: 'a list at both paths' };
      const nothing = await controls(session);
      const only = (here: Exchange, there: Exchange): boolean =>
        hasList(here) && saysNothingIsThere(there, nothing);
      if (only(plural, singular)) return { answer: 'plural', exchange: singular };
      if (only(singular, plural)) return { answer: 'singular', exchange: plural };
      const unclear = hasList(plural) ? singular : plural;
      return inconclusive(
        `${unclear.path} neither lists nor reports that it does not exist: ${describeRefusal(unclear)}`,
      );
    },
  },
  {
    question: 'templates.limit-parameter',
    needs: 'read',
    uses: ['listTemplates'],
    description: 'GET the list with `?limit=1` if it has at least two templates, and counts them',
    probe: async (session) => {
      const whole = await listAt(session, formOf(session));
      const count = countIn(whole);
      if (count < 2) inconclusive(`two templates are needed to see a limit, and the list has ${count}`);
      const exchange = await listAt(session, `${formOf(session)}?limit=1`);
      if (answerFrom(exchange) === 'refused') return { answer: 'rejected', exchange };
      if (!hasList(exchange)) return inconclusive(`no list was returned: ${describeRefusal(exchange)}`);
      const detail = `${countIn(exchange)} of ${count} templates`;
      if (countIn(exchange) === count) return { answer: 'ignored', exchange, detail };
      if (countIn(exchange) === 1) return { answer: 'honoured', exchange, detail };
      return inconclusive(`${detail} were returned`);
    },
  },
];

const headerProbe = (question: Probe['question'], description: string, names: RegExp): Probe => ({
  question,
  needs: 'read',
  uses: ['listTemplates'],
  description,
  probe: async (session) => {
    const exchange = await listAt(session, formOf(session));
    if (answerFrom(exchange) === 'refused')
      inconclusive(`the list was refused: ${describeRefusal(exchange)}`);
    const present = Object.keys(exchange.headers).filter((name) => names.test(name));
    return present.length > 0
      ? { answer: 'present', exchange, detail: present.join(', ') }
      : { answer: 'absent', exchange, detail: 'no such header' };
  },
});

/** §8 and §9: headers of an ordinary response. */
export const headerProbes: readonly Probe[] = [
  headerProbe(
    'limits.rate-headers',
    'looks for `RateLimit-*` or `X-RateLimit-*` on the list of templates',
    /^(x-)?rate-?limit/,
  ),
  headerProbe(
    'versioning.deprecation-headers',
    'looks for `Deprecation` or `Sunset` on the list of templates',
    /^(deprecation|sunset)$/,
  ),
];

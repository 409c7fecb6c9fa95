import { show } from '../exchange/describe.ts';
import { describeRefusal, type Exchange, itemsOf, templateIdOf, textOf } from '../exchange/exchange.ts';
import type { Model } from '../model/model.ts';
import { maxLagMs } from '../model/register.ts';
import { isTemplateList } from '../model/templates.ts';
import { isRunText } from '../model/text.ts';
import { refusesUnknown } from './acceptance.ts';
import { broken, brokenAs, type Fact, holds, proven, type Result } from './fact.ts';
import { isTimestamp, timeOf } from './timestamp.ts';

/** A fact about a list of templates. */
const aboutList =
  (judge: (list: Exchange, model: Model) => readonly Result[]): Fact =>
  (exchange, model) =>
    isTemplateList(exchange) ? judge(exchange, model) : [];

/** §4.2: lists show the templates that exist. Somebody may edit a template, and undo it once, but hardly more. */
const listsAgree = aboutList((list, { templates }) => {
  const check = 'templates.list.agrees';
  if (templates.returns(list) && templates.returned() > 0)
    return [
      proven(
        check,
        list,
        'the same templates in every list',
        `a template that was missing or changed in some lists is as before in this one (${templates.returned() + 1} times)`,
      ),
    ];
  if (templates.differsByPath(list))
    return [broken(check, list, 'the same templates under both path forms', 'other templates each time')];
  if (templates.neverStays(list))
    return [
      broken(
        check,
        list,
        'a template to keep its state and its id',
        'another state or another id in each of four lists',
      ),
    ];
  return templates.latest.size === 0 && itemsOf(list).length > 0 ? [] : [holds(check)];
});

/** §2.2: a template was created once. */
const createdOnce = aboutList((list, { templates }) => {
  const check = 'templates.list.same-created-at';
  return itemsOf(list).flatMap(({ id, created_at: now }, index): readonly Result[] => {
    const before = templates.latest.get(textOf(id))?.created_at;
    if (!isTimestamp(String(before)) || !isTimestamp(String(now))) return [];
    return timeOf(String(before)) === timeOf(String(now))
      ? [holds(check)]
      : [broken(check, list, `created_at ${before}, as before`, String(now), `/data/${index}/created_at`)];
  });
});

/**
 * §4.3: mail from a template leaves it as it is. Somebody may edit several at once, or one after its mail again and again, but
 * hardly others each time.
 */
const mailsKeepTemplates = aboutList((list, { templates }) => {
  const check = 'email.template.keeps-templates';
  const expected = 'templates that were used for mails to be listed unchanged';
  const mails = templates.mailsIn(list);
  if (mails.length > 0) {
    const actual = 'a body that has a value which a mail sent';
    return [brokenAs({ isProven: true, causes: mails })(check, list, expected, actual)];
  }
  const changed = templates.changedByMail(list);
  const before = templates.changed;
  const inAll = new Set([...before, ...changed]).size;
  if (changed.length > 0 && before.size > 0 && inAll > 1)
    return [
      proven(
        check,
        list,
        expected,
        `${inAll} of them changed or no longer listed, each directly after its mail`,
      ),
    ];
  return changed.length === 0 && templates.mailed(list).length > 0 ? [holds(check)] : [];
});

/** §4.3: a listed template is known. It was listed before and after the mail, so that nobody deleted it. */
const listedAreKnown: Fact = (exchange, { templates }) => {
  const check = 'email.template.listed-ids-known';
  if (exchange.operation === 'sendTemplateEmail' && exchange.outcome === 'success')
    return templates.latest.has(templateIdOf(exchange))
      ? [holds(check), holds('email.template.any-listed')]
      : [];
  if (!isTemplateList(exchange)) return [];
  const ids = new Set(itemsOf(exchange).map(({ id }) => textOf(id)));
  return [...templates.refused].flatMap(([id, mail]) =>
    ids.has(id) && mail.receivedAt <= exchange.sentAt
      ? [
          // No delay is longer.
          (templates.refusedFor(mail) > maxLagMs ? proven : broken)(
            check,
            mail,
            'a listed template to be known',
            `refused: ${describeRefusal(mail)}`,
          ),
        ]
      : [],
  );
};

/** §4.3: mail is sent from listed templates only. The id is one of this run, or that of a template but for an end. */
const unknownRefused: Fact = (exchange, { templates: { latest } }) => {
  if (exchange.operation !== 'sendTemplateEmail' || exchange.credentials !== 'key') return [];
  const id = templateIdOf(exchange);
  if (latest.size === 0 || latest.has(id)) return [];
  const isAltered =
    exchange.intent === 'probe' &&
    [...latest.keys()].some((listed) => listed.startsWith(id) || id === `0${listed}`);
  if (!isRunText(id) && !isAltered) return [];
  return refusesUnknown('email.template.refuses-unknown', exchange, `the unknown template ${show(id)}`);
};

export const templateFacts: readonly Fact[] = [
  listsAgree,
  createdOnce,
  mailsKeepTemplates,
  listedAreKnown,
  unknownRefused,
];

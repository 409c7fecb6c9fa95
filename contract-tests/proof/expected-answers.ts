import type { Answer, QuestionId } from '../../mock/contract/questions.ts';
import { conformingVariants } from './conforming/index.ts';
import { type Behaviour, defaultBehaviour } from './server/behaviour.ts';

type ExpectedAnswers = Partial<Record<QuestionId, Answer>>;

/**
 * The answers that `observe` must report for a conforming deployment, derived from its behaviour and not from requests.
 * A question without an entry has no answer: a redirect is no refusal, and a limit may lie outside the answer space.
 */
export const expectedAnswersOf = (id: string): ExpectedAnswers => {
  if (id === 'another-service') return { ...expectedAnswersOf('plain'), ...independentServerAnswers };
  const variant = conformingVariants.find((candidate) => candidate.id === id);
  if (!variant) throw new Error(`${id} is no conforming deployment`);
  return answersFromBehaviour(id, { ...defaultBehaviour, ...variant.behaviour });
};

const answersFromBehaviour = (id: string, behaviour: Behaviour): ExpectedAnswers => {
  const expected = {
    ...mail(behaviour),
    ...leads(behaviour),
    ...texts(behaviour),
    ...routesAndRefusals(behaviour),
    'lead.id-format': idFormats[id] ?? 'prefixed',
  };
  return Object.fromEntries(Object.entries(expected).filter(([, answer]) => answer !== undefined));
};

/** Undefined stands for no answer. */
type Answers = Readonly<Partial<Record<QuestionId, Answer | undefined>>>;

const requires = (fields: readonly string[], field: string): Answer =>
  fields.includes(field) ? 'required' : 'optional';

const hasHeader = ({ headers }: Behaviour, pattern: RegExp): Answer =>
  Object.keys(headers).some((name) => pattern.test(name)) ? 'present' : 'absent';

const mail = ({ mailRequires, templateMailRequires, ...behaviour }: Behaviour): Answers => ({
  'send.to': requires(mailRequires, 'to'),
  'send.from': requires(mailRequires, 'from'),
  'send.subject': requires(mailRequires, 'subject'),
  'send.html': requires(mailRequires, 'html'),
  'send.address-format': behaviour.addresses,
  'template-send.to': behaviour.templateTo === 'rejected' ? 'rejected' : requires(templateMailRequires, 'to'),
  'template-send.variables': requires(templateMailRequires, 'variables'),
  'template-send.missing-variable': behaviour.missingVariable,
  'template-send.extra-variable': behaviour.extraVariable,
});

const leads = ({ leadRequires, limits, updateOthers, ...behaviour }: Behaviour): Answers => ({
  'lead.name': requires(leadRequires, 'name'),
  'lead.source': requires(leadRequires, 'source'),
  'lead.note': requires(leadRequires, 'note'),
  'lead.empty-name': behaviour.emptyName === 'rejected' ? 'rejected' : 'accepted',
  'lead.email': behaviour.leadEmail,
  'lead.unknown-field': behaviour.unknownField,
  'lead.wrong-type': behaviour.wrongType === 'as-text' ? 'accepted' : 'rejected',
  'lead.duplicate': behaviour.duplicate,
  'lead.name-limit': limits.name ?? 'none',
  'lead.source-limit': limits.source ?? 'none',
  'lead.note-limit': limits.note ?? 'none',
  'lead.update-name': updateOthers,
  'lead.update-source': behaviour.updateSource ?? updateOthers,
  'lead.update-empty': behaviour.updateRequires.length > 0 ? 'rejected' : behaviour.updateEmpty,
  'success.error-field': behaviour.undocumentedError,
});

/** What is refused is no answer, except for control characters. */
const texts = ({ sanitises, refusesText }: Behaviour): Answers => {
  const unlessRefused = (text: string, answer: Answer): Answer | undefined =>
    refusesText?.test(text) ? undefined : answer;
  return {
    'lead.outer-blanks': unlessRefused('  x  ', sanitises.blanks ? 'trimmed' : 'kept'),
    'lead.line-breaks': unlessRefused('x\r\nx', sanitises.lineBreaks ? 'normalised' : 'kept'),
    'lead.unicode-form': unlessRefused('Zoe\u0301', sanitises.letters ? 'composed' : 'kept'),
    'lead.control-characters':
      unlessRefused('x\u0001\u001bx', sanitises.controls ? 'removed' : 'kept') ?? 'rejected',
  };
};

const bodySize = (limit: number): Answer | undefined => {
  if (limit === 1_048_576) return '1MiB';
  return limit > 1_048_576 ? 'above-1MiB' : undefined;
};

const routesAndRefusals = (behaviour: Behaviour): Answers => {
  const { statuses, failure, outsideService, mediaType } = behaviour;
  const shape = { ...failure('a field is missing', 'fields') } as Record<string, unknown>;
  const outsideStatus = (status: number): Answer | undefined =>
    ({ refusal: status, html: 404, 'home-page': undefined, redirect: undefined })[outsideService];
  return {
    'templates.list-path': behaviour.listPaths,
    'templates.send-path': behaviour.sendPaths,
    'templates.limit-parameter': 'ignored',
    'lead.list': behaviour.leadReading,
    'lead.retrieve': behaviour.leadReading,
    'limits.rate-headers': hasHeader(behaviour, /ratelimit/),
    'versioning.deprecation-headers': hasHeader(behaviour, /^(deprecation|sunset)$/),
    'auth.missing-status': statuses.key,
    'auth.malformed-status': statuses.key,
    'auth.unknown-key-status': statuses.key,
    'failure.unknown-route-status': outsideStatus(statuses.route),
    'failure.wrong-method-status': outsideStatus(statuses.method),
    'failure.validation-status': statuses.fields,
    'failure.malformed-json-status': statuses.json,
    'failure.media-type-status': mediaType === 'ignored' ? 'accepted' : statuses['media-type'],
    'failure.unknown-lead-status': statuses.lead,
    'failure.delete-again-status': behaviour.deleteUnknown === 'accepted' ? 'accepted' : statuses.lead,
    'failure.unknown-template-status': statuses.template,
    'failure.success-field': shape.success === false ? 'false' : 'absent',
    'failure.message-field': shape.message === undefined ? 'absent' : 'present',
    'failure.error-style': styleOf(String(shape.error)),
    'limits.body-size': bodySize(behaviour.bodyLimit),
  };
};

const styleOf = (error: string): Answer | undefined => {
  if (error === '') return undefined;
  return error.includes(' ') ? 'sentence' : 'code';
};

const idFormats: Readonly<Record<string, Answer>> = {
  'uuid-ids': 'uuid',
  'python-style': 'uuid',
  'integer-ids': 'integer',
  'ids-from-zero': 'integer',
  'snowflake-ids': 'integer',
  'typed-routes': 'integer',
  'php-style': 'integer',
  'java-style': 'integer',
  'long-ids': 'opaque',
  'ids-to-encode': 'opaque',
  'go-style': 'opaque',
  merging: 'opaque',
};

/** How the answers of the server of another hand differ from those of the plain one. */
const independentServerAnswers: ExpectedAnswers = {
  'templates.list-path': 'plural',
  'send.from': 'optional',
  'send.subject': 'optional',
  'send.address-format': 'unchecked',
  'template-send.variables': 'optional',
  'template-send.missing-variable': 'accepted',
  'lead.empty-name': 'accepted',
  'lead.id-format': 'opaque',
  'lead.update-name': 'ignored',
  'lead.update-source': 'ignored',
  'auth.missing-status': 403,
  'auth.malformed-status': 403,
  'auth.unknown-key-status': 403,
  'failure.wrong-method-status': 404,
  'failure.media-type-status': 'accepted',
  'failure.unknown-lead-status': 400,
  'failure.delete-again-status': 400,
  'failure.unknown-template-status': 400,
  'failure.message-field': 'absent',
  'limits.body-size': 'above-1MiB',
};

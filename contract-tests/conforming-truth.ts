import type { Answer, QuestionId } from '../mock/questions.ts';
import { type Choices, defaults } from './deployments/choices.ts';
import { conformingVariants } from './deployments/conforming.ts';

type Truth = Partial<Record<QuestionId, Answer>>;

/**
 * What a conforming deployment answers, known from how it is built and not from asking it. A question without an entry has
 * no answer there: a redirect is no refusal, and a limit outside the answer space is none of the answers.
 */
export const truthOf = (id: string): Truth => {
  if (id === 'another-service') return anotherService;
  const variant = conformingVariants.find((one) => one.id === (sameAs[id] ?? id));
  if (!variant) throw new Error(`${id} is no conforming deployment`);
  return fromChoices(id, { ...defaults, ...variant.choices });
};

/** Deployments that answer as another does, and are built otherwise. */
const sameAs: Readonly<Record<string, string>> = {
  'body-parser-page': 'plain',
  'merges-by-email': 'plain',
};

const fromChoices = (id: string, choices: Choices): Truth =>
  withoutGaps({
    ...paths(choices),
    ...mail(choices),
    ...leads(choices),
    ...refusals(choices),
    'lead.id-format': idFormats[id] ?? 'prefixed',
  });

const withoutGaps = (truth: Readonly<Partial<Record<QuestionId, Answer | undefined>>>): Truth =>
  Object.fromEntries(Object.entries(truth).filter(([, answer]) => answer !== undefined));

const requires = (fields: readonly string[], field: string): Answer =>
  fields.includes(field) ? 'required' : 'optional';

const hasHeader = ({ headers }: Choices, pattern: RegExp): Answer =>
  Object.keys(headers).some((name) => pattern.test(name)) ? 'present' : 'absent';

const paths = (choices: Choices): Truth => ({
  'templates.list-path': choices.listPaths,
  'templates.send-path': choices.sendPaths,
  'templates.limit-parameter': 'ignored',
  'lead.list': choices.leadReading,
  'lead.retrieve': choices.leadReading,
  'limits.rate-headers': hasHeader(choices, /ratelimit/),
  'versioning.deprecation-headers': hasHeader(choices, /^(deprecation|sunset)$/),
});

const mail = ({ mailRequires, templateMailRequires, ...choices }: Choices): Truth => ({
  'send.to': requires(mailRequires, 'to'),
  'send.from': requires(mailRequires, 'from'),
  'send.subject': requires(mailRequires, 'subject'),
  'send.html': requires(mailRequires, 'html'),
  'send.address-format': choices.addresses,
  'template-send.to': choices.templateTo === 'rejected' ? 'rejected' : requires(templateMailRequires, 'to'),
  'template-send.variables': requires(templateMailRequires, 'variables'),
  'template-send.missing-variable': choices.missingVariable,
  'template-send.extra-variable': choices.extraVariable,
});

const leads = ({ leadRequires, limits, updateOthers, updateSource, ...choices }: Choices): Truth => ({
  'lead.name': requires(leadRequires, 'name'),
  'lead.source': requires(leadRequires, 'source'),
  'lead.note': requires(leadRequires, 'note'),
  'lead.empty-name': choices.emptyName,
  'lead.email': choices.leadEmail,
  'lead.unknown-field': choices.unknownField,
  'lead.wrong-type': choices.wrongType === 'as-text' ? 'accepted' : 'rejected',
  'lead.duplicate': choices.duplicate,
  'lead.name-limit': limits.name ?? 'none',
  'lead.source-limit': limits.source ?? 'none',
  'lead.note-limit': limits.note ?? 'none',
  'lead.update-name': updateOthers,
  'lead.update-source': updateSource ?? updateOthers,
  'lead.update-empty': choices.updateRequires.length > 0 ? 'rejected' : choices.updateEmpty,
  'success.error-field': choices.undocumentedError,
});

const refusals = (choices: Choices): Readonly<Partial<Record<QuestionId, Answer | undefined>>> => {
  const { statuses, failure, elsewhere, mediaType } = choices;
  const shape = { ...failure('a field is missing', 'fields') } as Record<string, unknown>;
  const around = (status: number): Answer | undefined =>
    ({ refusal: status, html: 404, 'home-page': undefined, redirect: undefined })[elsewhere];
  return {
    'auth.missing-status': statuses.key,
    'auth.malformed-status': statuses.key,
    'auth.unknown-key-status': statuses.key,
    'failure.unknown-route-status': around(statuses.route),
    'failure.wrong-method-status': around(statuses.method),
    'failure.validation-status': statuses.fields,
    'failure.malformed-json-status': statuses.json,
    'failure.media-type-status': mediaType === 'ignored' ? 'accepted' : statuses['media-type'],
    'failure.unknown-lead-status': statuses.lead,
    'failure.delete-again-status': choices.deleteUnknown === 'accepted' ? 'accepted' : statuses.lead,
    'failure.unknown-template-status': statuses.template,
    'failure.success-field': shape.success === false ? 'false' : 'absent',
    'failure.message-field': shape.message === undefined ? 'absent' : 'present',
    'failure.error-style': styleOf(String(shape.error)),
    'limits.body-size': choices.bodyLimit === 1_048_576 ? '1MiB' : undefined,
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
  'php-style': 'integer',
  'java-style': 'integer',
  'object-ids': 'opaque',
  'long-ids': 'opaque',
  'ids-to-encode': 'opaque',
  'go-style': 'opaque',
  merging: 'opaque',
};

const anotherService: Truth = {
  'templates.list-path': 'plural',
  'templates.send-path': 'both',
  'templates.limit-parameter': 'ignored',
  'lead.list': 'absent',
  'lead.retrieve': 'absent',
  'limits.rate-headers': 'absent',
  'versioning.deprecation-headers': 'absent',
  'send.to': 'optional',
  'send.from': 'optional',
  'send.subject': 'optional',
  'send.html': 'required',
  'send.address-format': 'unchecked',
  'template-send.to': 'optional',
  'template-send.variables': 'optional',
  'template-send.missing-variable': 'accepted',
  'template-send.extra-variable': 'accepted',
  'lead.name': 'required',
  'lead.source': 'optional',
  'lead.note': 'optional',
  'lead.empty-name': 'accepted',
  'lead.email': 'accepted',
  'lead.unknown-field': 'accepted',
  'lead.wrong-type': 'rejected',
  'lead.id-format': 'opaque',
  'lead.duplicate': 'accepted',
  'lead.name-limit': 'none',
  'lead.source-limit': 'none',
  'lead.note-limit': 'none',
  'lead.update-name': 'ignored',
  'lead.update-source': 'ignored',
  'lead.update-empty': 'accepted',
  'success.error-field': 'absent',
  'auth.missing-status': 403,
  'auth.malformed-status': 403,
  'auth.unknown-key-status': 403,
  'failure.unknown-route-status': 404,
  'failure.wrong-method-status': 404,
  'failure.validation-status': 400,
  'failure.malformed-json-status': 400,
  'failure.media-type-status': 'accepted',
  'failure.unknown-lead-status': 400,
  'failure.delete-again-status': 400,
  'failure.unknown-template-status': 400,
  'failure.success-field': 'false',
  'failure.message-field': 'absent',
  'failure.error-style': 'sentence',
  'limits.body-size': 'unlimited',
};

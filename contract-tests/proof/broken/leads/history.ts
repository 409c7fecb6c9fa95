import { onRefusal, refuse, rewrite } from '../../server/mutation.ts';
import type { Fields, Mutation, Operation, Reply } from '../../server/types.ts';
import { derived, documented } from '../../server/types.ts';
import { after, brokenGroup, type Cause, whileBusy } from '../mutation.ts';

/** Lists templates otherwise once they were sent. */
const changeSentTemplates = (change: (template: Fields) => readonly Fields[]): Mutation => ({
  handle: (call, next, { memory }) => {
    const reply = next(call);
    if (reply.refused) return reply;
    if (call.operation === 'sendTemplateEmail') memory.set(String((call.body as Fields).template_id), true);
    if (call.operation !== 'listTemplates') return reply;
    const data = (reply.body.data as Fields[]).flatMap((template) =>
      memory.has(String(template.id)) ? change(template) : [template],
    );
    return { ...reply, body: { ...reply.body, data } };
  },
});

const history = brokenGroup('history', documented('4.1'));

/** Refuses a request that would succeed, once, where one before it was of a kind. */
const refuseAfter = (operation: Operation, isTrigger: Cause, status = 400): Mutation => ({
  handle: (call, next, { memory }) => {
    if (call.operation === operation && memory.get('armed') === true) {
      const { refused } = next({ ...call, operation: undefined });
      if (refused !== 'key' && refused !== 'json') {
        memory.set('armed', false);
        return refuse(status, 'busy');
      }
    }
    const reply = next(call);
    if (isTrigger(call, reply)) memory.set('armed', true);
    return reply;
  },
});

const refusedBecause =
  (operation: Operation, reason: Reply['refused']): Cause =>
  (call, { refused }) =>
    call.operation === operation && refused === reason;

/** Refuses what it took before, byte for byte. */
const refuseRepeats = (operation: Operation): Mutation => ({
  handle: (call, next, { memory }) => {
    const reply = next(call);
    if (call.operation !== operation || reply.refused) return reply;
    const isKnown = memory.has(call.text);
    memory.set(call.text, true);
    return isKnown ? refuse(400, 'sent before') : reply;
  },
});

/** A request that succeeds or not depending on what was asked before it, or meanwhile. */
export const histories = [
  history('every-third-send-refused', 'Every third valid mail is refused').with({
    handle: (call, next, { memory }) => {
      const reply = next(call);
      if (call.operation !== 'sendEmail' || reply.refused) return reply;
      const count = Number(memory.get('count') ?? 0) + 1;
      memory.set('count', count);
      return count % 3 === 0 ? refuse(400, 'invalid') : reply;
    },
  }),
  history('send-refused-after-template', 'A mail after a template mail is refused', 'integer-ids').with(
    refuseAfter('sendEmail', after('sendTemplateEmail')),
  ),
  history(
    'template-refused-after-unknown',
    'A template mail after an unknown one is refused',
    'paths-as-in-examples',
    '4.3',
  ).with(refuseAfter('sendTemplateEmail', refusedBecause('sendTemplateEmail', 'template'), 404)),
  history('add-refused-after-malformed', 'A lead after malformed JSON is refused', 'bodies-422', '4.5').with(
    refuseAfter('addLead', refusedBecause('addLead', 'json')),
  ),
  history('update-refused-after-wrong-key', 'An update after a wrong key is refused', 'plain', '4.6').with(
    refuseAfter('updateLead', refusedBecause('updateLead', 'key'), 409),
  ),
  history('list-refused-after-wrong-key', 'A list after a wrong key is refused', 'integer-ids', '4.2').with(
    refuseAfter('listTemplates', refusedBecause('listTemplates', 'key')),
  ),
  history('update-refused-after-invalid', 'An update after an invalid one is refused', 'plain', '4.6').with(
    refuseAfter('updateLead', refusedBecause('updateLead', 'fields'), 409),
  ),
  history(
    'second-template-mail-at-once',
    'Of two template mails at once, one is refused',
    'plain',
    '4.3',
  ).with(whileBusy('sendTemplateEmail', () => refuse(404, 'not found', 'template'))),
  history('same-mail-refused', 'The same mail is refused', 'plain', derived('4.1')).with(
    refuseRepeats('sendEmail'),
  ),
  history(
    'same-template-mail-refused',
    'The same template mail is refused',
    'bodies-422',
    derived('4.3'),
  ).with(refuseRepeats('sendTemplateEmail')),
  history('second-list-at-once-empty', 'Of two lists at once, one is empty', 'plain', derived('4.2')).with(
    whileBusy('listTemplates', (reply) => ({ ...reply, body: { ...reply.body, data: [] } })),
  ),
  history(
    'template-missing-after-add',
    'A new lead hides a template from the next list',
    'integer-ids',
    derived('4.2'),
  ).with({
    handle: (call, next, { memory }) => {
      const reply = next(call);
      if (reply.refused) return reply;
      if (call.operation === 'addLead') memory.set('hidden', true);
      if (call.operation !== 'listTemplates' || !memory.delete('hidden')) return reply;
      return { ...reply, body: { ...reply.body, data: (reply.body.data as Fields[]).slice(1) } };
    },
  }),
  history('sent-templates-unlisted', 'A template is listed no longer once it was sent', 'plain', '4.3').with(
    changeSentTemplates(() => []),
  ),
  history('sent-templates-renamed', 'A template gets another name when it is sent', 'uuid-ids', '4.3').with(
    changeSentTemplates((template) => [{ ...template, name: `${template.name} (sent)` }]),
  ),
  history('update-needs-a-rest', 'A second update within a second is refused', 'integer-ids', '4.6').with({
    handle: (call, next, { memory }) => {
      if (call.operation !== 'updateLead') return next(call);
      const last = Number(memory.get(call.id) ?? 0);
      const reply = next(call);
      if (reply.refused) return reply;
      memory.set(call.id, Date.now());
      return Date.now() - last < 1000 ? refuse(409, 'edit conflict', 'duplicate') : reply;
    },
  }),
  history(
    'media-type-refused-silently',
    'Another media type is refused with an empty error',
    'plain',
    derived('7'),
  ).with(onRefusal('media-type', (reply) => ({ ...reply, body: { ...reply.body, error: '' } }))),
  history('long-reply-cut', 'A response ends after 30,000 bytes', 'plain', '4.6').with(
    rewrite(
      ({ refused }) => !refused,
      ({ payload }) => ({ payload: payload.subarray(0, 30_000) }),
    ),
  ),
  history('characters-split', 'A character is lost where a buffer ends', 'bodies-422', derived('4.6')).with({
    handle: (call, next) => {
      const bytes = Buffer.from(call.text);
      if (call.operation !== 'updateLead' || bytes.length <= 65_536) return next(call);
      const text = `${bytes.subarray(0, 65_536).toString()}${bytes.subarray(65_536).toString()}`;
      return next({ ...call, text, body: JSON.parse(text) });
    },
  }),
];

import type { Fault, Fields, Operation } from '../exchange.ts';
import { breaking, documented } from './breaking.ts';
import {
  asBytes,
  everyNth,
  inBody,
  inData,
  inTemplates,
  succeeds,
  without,
  withStatus,
  withValue,
} from './faults.ts';

const broken = breaking('intermittent');

/** Answers a good request with 500; what was asked is not done. */
const fails = (operation: Operation): Fault => ({
  around: (call, next) => {
    if (call.operation !== operation) return next(call);
    const { refused } = next({ ...call, operation: undefined });
    if (refused === 'key') return next(call);
    return { status: 500, refused: 'fields', body: { success: false, error: 'Internal Server Error' } };
  },
});

/** Good replies most of the time: what only a second, third or fifth look shows. */
export const intermittent = [
  broken(
    'every-second-add-201',
    'Every second added lead has status 201',
    'plain',
    documented('4.5'),
    everyNth(2, withStatus('addLead', 201)),
  ),
  broken(
    'every-second-add-without-id',
    'Every second added lead has no id',
    'integer-ids',
    documented('4.5'),
    everyNth(2, inData('addLead', without('lead_id'))),
  ),
  broken(
    'every-third-add-without-time',
    'Every third added lead has no created_at',
    'bodies-422',
    documented('4.5'),
    everyNth(3, inData('addLead', without('created_at'))),
  ),
  broken(
    'every-fifth-add-note-null',
    'Every fifth added lead has note null',
    'plain',
    documented('4.5'),
    everyNth(5, inData('addLead', withValue('note', null))),
  ),
  broken(
    'every-second-add-500',
    'Every second lead meets an internal error',
    'plain',
    documented('4.5'),
    everyNth(2, fails('addLead')),
  ),
  broken(
    'every-second-list-without-error',
    'Every second list lacks error',
    'behind-a-proxy',
    documented('4.2'),
    everyNth(2, inBody('listTemplates', without('error'))),
  ),
  broken(
    'every-third-list-without-variables',
    'Every third list lacks variables',
    'uuid-ids',
    documented('2.2'),
    everyNth(3, inTemplates(without('variables'))),
  ),
  broken(
    'every-second-list-500',
    'Every second list meets an internal error',
    'integer-ids',
    documented('4.2'),
    everyNth(2, fails('listTemplates')),
  ),
  broken(
    'every-second-update-error-null',
    'Every second update has error null',
    'refusals-at-200',
    documented('4.6'),
    everyNth(2, inBody('updateLead', withValue('error', null))),
  ),
  broken(
    'every-third-update-without-time',
    'Every third update has no updated_at',
    'strict-fields',
    documented('4.6'),
    everyNth(3, inData('updateLead', without('updated_at'))),
  ),
  broken(
    'every-fifth-update-other-name',
    'Every fifth update shows another name',
    'plain',
    documented('4.6'),
    everyNth(
      5,
      inData('updateLead', (data: Fields) => ({ ...data, name: 'Unnamed' })),
    ),
  ),
  broken(
    'every-second-delete-success-text',
    'Every second deletion has success "true"',
    'bodies-422',
    documented('4'),
    everyNth(2, inBody('deleteLead', withValue('success', 'true'))),
  ),
  broken(
    'every-second-delete-without-message',
    'Every second deletion has no message',
    'php-style',
    documented('4.7'),
    everyNth(2, inBody('deleteLead', without('message'))),
  ),
  broken(
    'every-second-send-without-message',
    'Every second mail has no message',
    'plain',
    documented('4.1'),
    everyNth(2, inBody('sendEmail', without('message'))),
  ),
  broken(
    'every-second-template-send-202',
    'Every second template mail has status 202',
    'integer-ids',
    documented('4.3'),
    everyNth(2, withStatus('sendTemplateEmail', 202)),
  ),
  broken(
    'every-third-update-cut-short',
    'Every third update ends before its JSON does',
    'behind-a-proxy',
    documented('1'),
    asBytes(
      (reply, call) => succeeds('updateLead')(reply, call) && call.nth % 3 === 0,
      ({ payload }) => ({ payload: payload.subarray(0, -1) }),
    ),
  ),
];

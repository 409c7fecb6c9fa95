// The rules for messages as a table.
import { type WarningId, warningIds } from '../../mock/mail/warning.ts';
import { maxBytes, maxLineBytes, maxSubjectLength, rules } from '../../mock/mail/warnings.ts';

/** What a message that breaks the rule has. Here, because the mock itself does not need it. */
const titles: Readonly<Record<WarningId, string>> = {
  'unresolved-placeholder': 'a placeholder such as `{{first_name}}` in the subject, the text or an attribute',
  'empty-link': 'a link with `href=""` or `href="#"`',
  'script-link': 'a `javascript:` link',
  'insecure-link': 'an `http:` link, except to this machine',
  'image-without-alt': 'an image without `alt`; `alt=""` is one',
  'no-text': 'no text outside images',
  'long-line': `a line of HTML of more than ${maxLineBytes} bytes`,
  'subject-missing': 'an empty subject',
  'subject-long': `a subject of more than ${maxSubjectLength} characters`,
  'sender-address': 'a sender that is no address',
  'broken-html':
    'a tag, a comment or an element without its end, an end tag without its start, or elements that overlap',
  heavy: `HTML of more than ${maxBytes.toLocaleString('en')} bytes`,
};

export const warningTable = (): string => {
  const rows = warningIds.map((id) => {
    const { why, more } = rules[id];
    return `| [\`${id}\`](${more}) | ${titles[id]} | ${why} |`;
  });
  return ['| Warning | The message has | Reason |', '|---|---|---|', ...rows].join('\n');
};

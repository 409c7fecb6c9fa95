import { variants } from './variant.ts';

const address = variants('addresses');
const mail = variants('mail-fields');
const lead = variants('lead-fields');
const to = 'grace@academy.example';

/** {base_url}, the path forms of §4.4, and what the document does not show around them (§4.8, §5). */
export const addresses = [
  address('list-singular-only', 'Lists templates at the singular path only', { listPaths: 'singular' }),
  address('send-at-template-only', 'Sends from a template at /template only', { sendPaths: 'template' }),
  address('paths-as-in-examples', 'Knows only the paths of the code examples', {
    listPaths: 'singular',
    sendPaths: 'send-template',
    key: 'sk_live_c07e55d1a9384fb26e10',
  }),
  address('leads-can-be-read', 'Reads one lead and lists leads, which the document does not show', {
    leadReading: 'present',
  }),
  address('leads-can-be-read-only', 'Lists leads, and takes nothing but a note in an update', {
    leadReading: 'present',
    updateRequires: ['note'],
    updateOthers: 'rejected',
    updateEmpty: 'rejected',
  }),
  address('html-at-unknown-paths', 'Shows a 404 page in HTML outside the documented routes', {
    outsideService: 'html',
  }),
  address('home-page-at-unknown-paths', 'Shows its home page, with 200, outside the documented routes', {
    outsideService: 'home-page',
    listPaths: 'plural',
    sendPaths: 'template',
  }),
  address('redirects-unknown-paths', 'Redirects to a login page outside the documented routes', {
    outsideService: 'redirect',
    listPaths: 'singular',
    sendPaths: 'send-template',
  }),
  address('lower-case-bearer', 'Reads the scheme of the key in any case', { keyForms: 'any-case' }),
  address('long-key', 'Hands out keys of 400 characters with every sign a bearer token may hold', {
    key: `live.${'aB3-_~+/'.repeat(49)}==`,
  }),
];

/** Which fields must, may or must not be sent (§2.3, §4.1, §4.3, §4.6: not shown), and which values (§8). */
export const requests = [
  mail('template-mail-refuses-to', 'Refuses a template mail with to', { templateTo: 'rejected' }),
  lead('lead-needs-nothing', 'Takes a lead without any field, and an empty name', {
    leadRequires: [],
    emptyName: 'accepted',
  }),
  lead(
    'lead-needs-email',
    'Refuses a new lead without email, the field of the request examples',
    { leadRequires: ['name', 'email'] },
    { lead: { email: to } },
  ),
  lead('lead-refuses-email', 'Refuses email in a lead', { leadEmail: 'rejected' }),
  lead('update-refuses-name', 'Refuses name and source in an update', { updateOthers: 'rejected' }),
  lead('update-refuses-source-only', 'Takes a name in an update and refuses a source', {
    updateSource: 'rejected',
  }),
  lead('update-refuses-name-only', 'Takes a source in an update and refuses a name', {
    updateOthers: 'rejected',
    updateSource: 'accepted',
  }),
  lead('update-needs-note', 'Refuses an update without a note, and takes name and source beside one', {
    updateRequires: ['note'],
  }),
  lead('update-without-note-ignored', 'Changes nothing in an update without a note', {
    updateWithoutNote: 'ignored',
  }),
  lead('update-empties-absent-note', 'Takes an update without a note for one with an empty note', {
    updateOthers: 'ignored',
    updateWithoutNote: 'empties',
  }),
  lead('update-needs-email', 'Refuses an update without email', { updateRequires: ['email'] }),
  lead('update-ignores-empty', 'Ignores an empty name or source in an update', { emptyName: 'ignored' }),
  lead('texts-of-50', 'Refuses a text of more than 50 characters in a lead or a subject', {
    limits: { name: 50, source: 50, note: 50, subject: 50 },
  }),
  lead('texts-of-20', 'Refuses a text of more than 20 characters in a lead', {
    limits: { name: 20, source: 20, note: 20 },
  }),
  lead('update-refuses-nothing', 'Refuses an update that changes nothing', { updateEmpty: 'rejected' }),
  lead(
    'update-needs-everything',
    'Refuses an update without name, source or note',
    { updateRequires: ['name', 'source', 'note'], updateEmpty: 'rejected' },
    { update: { name: 'Grace Hopper', source: 'web' } },
  ),
  lead('duplicates-merged', 'Answers with the lead it holds instead of adding its equal', {
    duplicate: 'merged',
  }),
  lead('short-text-cut', 'Cuts each field at 64 characters', {
    limits: { name: 64, source: 64, note: 64 },
    beyondLimit: 'cut',
  }),
  lead('markup-refused', 'Refuses angle brackets in a lead', { refusesText: /[<>]/, addresses: 'unchecked' }),
  lead('astral-refused', 'Refuses characters beyond the basic plane', {
    refusesText: /[\u{10000}-\u{10ffff}]/u,
  }),
  lead('empty-texts-refused', 'Refuses an empty name, source or note', { refusesText: /^$/ }),
  lead('line-breaks-refused', 'Refuses line breaks in a lead', { refusesText: /[\r\n]/ }),
  lead('outer-blanks-refused', 'Refuses blanks at the ends of a text', { refusesText: /^\s|\s$/ }),
  lead('control-characters-refused', 'Refuses control characters, tabs and line breaks aside', {
    refusesText: /(?![\t\r\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u,
  }),
  lead('control-characters-removed', 'Removes control characters, tabs and line breaks aside', {
    sanitises: { controls: true },
  }),
  lead(
    'texts-sanitised',
    'Trims, composes, and removes what does not print',
    {
      sanitises: { blanks: true, lineBreaks: true, letters: true, controls: true },
      updateRequires: ['name', 'source', 'note'],
    },
    { update: { name: 'Grace Hopper', source: 'web' } },
  ),
  lead('long-bodies', 'Takes bodies of two megabytes and notes of 500 characters', {
    bodyLimit: 2_000_000,
    limits: { note: 500 },
  }),
  lead('links-refused', 'Refuses addresses and markup in a lead', { refusesText: /@|https?:|[<>]/ }),
  lead('words-refused', 'Refuses words that mean nothing or too much', {
    refusesText: /^(?:0|no|null|true|constructor|__proto__)$|\b(?:drop|union)\b/i,
  }),
  lead('small-bodies', 'Refuses bodies beyond four kibibytes', { bodyLimit: 4096 }),
];

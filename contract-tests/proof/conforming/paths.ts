import { variants } from './variant.ts';

const variant = variants('addresses');

/** {base_url}, the path forms of §4.4, and what the document does not show around them (§4.8, §5). */
export const addresses = [
  variant('list-singular-only', 'Lists templates at the singular path only', { listPaths: 'singular' }),
  variant('send-at-template-only', 'Sends from a template at /template only', { sendPaths: 'template' }),
  variant('paths-as-in-examples', 'Knows only the paths of the code examples', {
    listPaths: 'singular',
    sendPaths: 'send-template',
    key: 'sk_live_c07e55d1a9384fb26e10',
  }),
  variant('leads-can-be-read', 'Reads one lead and lists leads, which the document does not show', {
    leadReading: 'present',
  }),
  variant('leads-can-be-read-only', 'Lists leads, and takes nothing but a note in an update', {
    leadReading: 'present',
    updateRequires: ['note'],
    updateOthers: 'rejected',
    updateEmpty: 'rejected',
  }),
  variant('html-elsewhere', 'Shows a 404 page in HTML outside the documented routes', {
    outsideService: 'html',
  }),
  variant('home-page-elsewhere', 'Shows its home page, with 200, outside the documented routes', {
    outsideService: 'home-page',
    listPaths: 'plural',
    sendPaths: 'template',
  }),
  variant('redirects-elsewhere', 'Redirects to a login page outside the documented routes', {
    outsideService: 'redirect',
    listPaths: 'singular',
    sendPaths: 'send-template',
  }),
  variant('lower-case-bearer', 'Reads the scheme of the key in any case', { keyForms: 'any-case' }),
  variant('long-key', 'Hands out keys of 400 characters with every sign a bearer token may hold', {
    key: `live.${'aB3-_~+/'.repeat(49)}==`,
  }),
];

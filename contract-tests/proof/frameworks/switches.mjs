// What the deployments of every framework have in common: a key, stored templates, and the sanitising that a switch asks for.

export const apiKey = 'fw_4f1c9b7e2a6d';

/** Whether an Authorization header carries the key. The name of a scheme has no case (RFC 9110). */
export const isAuthorised = (header) => /^bearer +(\S+)$/i.exec(header ?? '')?.[1] === apiKey;

/** The sanitising of a stored text, where the validator of a framework has none of its own. */
export const sanitiserFor = (on) => (text) => {
  if (typeof text !== 'string') return text;
  let result = text;
  if (on.trim) result = result.trim();
  if (on.lineBreaks) result = result.replaceAll('\r\n', '\n');
  if (on.compose) result = result.normalize('NFC');
  if (on.escape) result = result.replace(/[&<>"']/g, (character) => entities[character]);
  return on.emptyAsNull && result === '' ? null : result;
};

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const templates = [
  {
    id: '101',
    name: 'Welcome',
    body: '<p>Hello {{name}}, welcome to {{course}}!</p>',
    variables: ['name', 'course'],
    created_at: '2025-09-01T08:00:00.000Z',
  },
  {
    id: '102',
    name: 'Reminder',
    body: '<p>{{course}} begins on {{date}}.</p>',
    variables: ['course', 'date'],
    created_at: '2025-09-03T10:30:00.000Z',
  },
  {
    id: '103',
    name: 'Opening hours',
    body: '<p>The office is open from nine to five.</p>',
    variables: [],
    created_at: '2025-10-12T16:45:00.000Z',
  },
];

export const findTemplate = (id) => templates.find((template) => template.id === id);

/** A body with its variables, or the name of one that is missing. */
export const render = ({ body, variables }, values) => {
  const missing = variables.find((name) => values[name] === undefined);
  return missing === undefined
    ? { html: body.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]) }
    : { missing };
};

/** An ordinary page, as a web server shows it in place of an error. */
export const notFoundPage =
  '<!DOCTYPE html>\n<html lang="en"><head><title>Not Found</title></head><body><h1>Not Found</h1></body></html>\n';

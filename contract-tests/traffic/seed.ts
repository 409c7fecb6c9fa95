// A seed of the mock from the templates that a deployment lists.

import { UsageError } from '../../mock/contract/system-errors.ts';
import manifest from '../../package.json' with { type: 'json' };
import { plural } from '../exchange/describe.ts';
import { itemsOf, type JsonObject, outcomeOf } from '../exchange/exchange.ts';
import { isTimestamp } from '../facts/timestamp.ts';
import { findOperation } from './exchanges/observed.ts';
import type { Collector } from './record.ts';

/** An app behind the proxy may run for weeks. */
const maxTemplates = 10_000;

type Template = Readonly<Record<string, string>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A time as a seed holds it: without leap seconds. Without one, the mock chooses it. */
const isTime = (value: unknown): value is string =>
  isText(value) && /^[\d-]{10}T\d\d:\d\d:[0-5]\d(\.\d+)?Z$/.test(value) && isTimestamp(value);

/** The id of a template as requests name it, as some deployments have numbers; empty for one that a seed cannot hold. */
const idIn = (value: unknown): string => {
  const id = typeof value === 'number' || isText(value) ? String(value) : '';
  return id.length > 1000 ? '' : id;
};

/** Collects the templates that a deployment lists, which a seed holds. */
export const createSeedCollector = (): Collector => {
  const templates = new Map<string, Template>();
  const leftOut = new Set<string>();
  let isListed = false;

  /** A list may be one page of several, or be filtered (§8): templates of earlier lists stay. */
  const addTemplate = ({ id: given, name, body, created_at }: JsonObject): void => {
    const id = idIn(given);
    // The variables are not part of it: the mock takes them from the body, as §2.2 states.
    if (id === '' || !isText(name) || !isText(body)) leftOut.add(id || 'a template without a usable id');
    else if (templates.size < maxTemplates)
      templates.set(id, { id, name, body, ...(isTime(created_at) ? { created_at } : {}) });
  };

  return {
    add: ({ method, target, status, responseHeaders: headers, responseBody: body, injected }) => {
      // The answer of a fault rule is not from the deployment.
      if (findOperation(method, target) !== 'listTemplates' || injected?.effect === 'answered') return;
      if ('missing' in body || outcomeOf({ status, headers, json: body.json }) !== 'success') return;
      isListed = true;
      for (const item of itemsOf(body)) addTemplate(item);
    },
    describe: (file, redact) => [
      `Written: ${file}, with ${plural(templates.size, 'template')}: data of the deployment`,
      ...(leftOut.size === 0
        ? []
        : [redact(`  left out, because a seed needs an id, a name and a body: ${[...leftOut].join(', ')}`)]),
    ],
    /** A seed as `email-leads mock --seed` reads it. */
    text: ({ url, redact }) => {
      if (!isListed) throw new UsageError('was not written: no list of templates succeeded');
      const origin = `Written by email-leads ${manifest.version} from ${url}, ${new Date().toISOString()}.`;
      const seed = {
        $comment: redact(
          `${origin} The bodies of templates are data of this deployment: they may be confidential.`,
        ),
        templates: [...templates.values()].map((template) => {
          return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, redact(value)]));
        }),
      };
      return `${JSON.stringify(seed, null, 2)}\n`;
    },
  };
};

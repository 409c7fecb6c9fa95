import { createRequire } from 'node:module';
import { readFileFor } from '../../mock/contract/system-errors.ts';
import { ConfigurationError } from '../client/errors.ts';
import { parseJson } from '../exchange/exchange.ts';
import schema from './report.schema.json' with { type: 'json' };
import type { Report } from './report.ts';

/** @throws ConfigurationError for a file that is not a report */
export const readReport = (file: string): Report => {
  const bytes = readFileFor(
    file,
    (reason) => new ConfigurationError(`${reason} (contract writes report.json with --report json)`),
  );
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const addFormats = require('ajv-formats') as typeof import('ajv-formats').default;
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const content = parseJson(bytes.toString());
  const validate = ajv.compile(schema);
  if (validate(content)) return content as Report;
  const [problem] = validate.errors ?? [];
  throw new ConfigurationError(
    `${file} is not a report.json of this suite (--report json): ${content === undefined ? 'it is not JSON' : `${problem?.instancePath || 'it'} ${problem?.message}`}`,
  );
};

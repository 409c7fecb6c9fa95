import { existsSync, readFileSync } from 'node:fs';
import { type Document, isMap, isSeq, parseDocument, YAMLSeq } from 'yaml';
import { writeOutput } from '../client/output-file.ts';
import type { Check } from '../facts/check.ts';
import { readWaivers, type Waiver } from './waivers.ts';

/** The list in a document; a new one in an empty document. */
const listIn = (document: Document): YAMLSeq => {
  if (!isSeq(document.contents)) document.contents = new YAMLSeq() as typeof document.contents;
  return document.contents as YAMLSeq;
};

/**
 * Adds waivers to a file, or creates it. A waiver of the same difference of the same check is replaced; comments of a YAML file
 * stay.
 * @throws ConfigurationError for a file that is no list of waivers
 */
export const addWaivers = (file: string, added: readonly Waiver[], checks: readonly Check[]): void => {
  const exists = existsSync(file);
  if (exists) readWaivers(file, checks);
  const document = parseDocument(exists ? readFileSync(file, 'utf8') : '');
  const list = listIn(document);
  for (const waiver of added) {
    const node = document.createNode(waiver);
    const at = list.items.findIndex(
      (item) =>
        isMap(item) && item.get('check') === waiver.check && item.get('fingerprint') === waiver.fingerprint,
    );
    if (at < 0) list.items.push(node);
    else list.items[at] = node;
  }
  writeOutput(
    file,
    file.endsWith('.json') ? `${JSON.stringify(document.toJS(), undefined, 2)}\n` : document.toString(),
  );
};
